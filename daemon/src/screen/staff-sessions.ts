import type { Clock } from '../base/clock.ts';

/**
 * A staff session ends after this time without use, because staff may have left a list open. The
 * screen itself asks after a minute and returns to the home screen.
 */
const QUIET_MS = 120_000;

/**
 * Screen sessions that are open for staff, after the PIN. Kept in memory: after a restart the PIN
 * is asked again.
 */
export interface StaffSessions {
	open(session: string): void;
	isOpen(session: string): boolean;
	/** @returns ms of the monotonic clock at which the open session began; null if it is not open */
	openedAt(session: string): number | null;
	/** An action or touch of staff; it has no effect after the session has ended. */
	touch(session: string): void;
	end(session: string): void;
	endAll(): void;
}

export function staffSessions({ clock }: { clock: Clock }): StaffSessions {
	/**
	 * Time of last use. The end of a screen session removes its entry, which limits the number of
	 * entries.
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
