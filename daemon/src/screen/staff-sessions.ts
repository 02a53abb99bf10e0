import type { Clock } from '../base/clock.ts';

/**
 * A staff session ends after this time without use, because staff may have left a list open. After
 * `idle_ms` the screen asks whether staff are still there. Without an answer it returns to the home
 * screen.
 */
const QUIET_MS = 120_000;

/**
 * Screen sessions in which staff entered the PIN. They are kept only in memory, so after a restart
 * the PIN is needed again.
 */
export interface StaffSessions {
	open(session: string): void;
	isOpen(session: string): boolean;
	/** @returns when the open session began, monotonic ms; null if it is not open */
	openedAt(session: string): number | null;
	/** Extends an open session after an action or touch of staff. */
	touch(session: string): void;
	end(session: string): void;
	endAll(): void;
}

export function staffSessions({ clock }: { clock: Clock }): StaffSessions {
	/**
	 * Start and last use of each session. The end of a screen session removes its entry, which limits
	 * the number of entries.
	 */
	const used = new Map<string, { openedAt: number; at: number }>();
	const isOpen = (session: string): boolean => {
		const use = used.get(session);
		return use !== undefined && clock.now() - use.at < QUIET_MS;
	};
	return {
		open: (session) => void used.set(session, { openedAt: clock.now(), at: clock.now() }),
		isOpen,
		openedAt: (session) => (isOpen(session) ? (used.get(session)?.openedAt ?? null) : null),
		touch(session) {
			const use = used.get(session);
			if (use && isOpen(session)) use.at = clock.now();
		},
		end: (session) => void used.delete(session),
		endAll: () => used.clear(),
	};
}
