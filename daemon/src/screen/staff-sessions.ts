import type { Clock } from '../base/clock.ts';

/** For staff who left an open list; the screen itself asks after a minute and goes home. */
const QUIET_MS = 120_000;

/**
 * Screen sessions that are open for staff, after the PIN. Kept in memory: after a restart the PIN
 * is asked again.
 */
export interface StaffSessions {
	open(session: string): void;
	isOpen(session: string): boolean;
	/** A call or touch of staff; too late, it has no effect. */
	touch(session: string): void;
	end(session: string): void;
	endAll(): void;
}

export function staffSessions({ clock }: { clock: Clock }): StaffSessions {
	/** Time of last use. An ended screen session removes its entry, which bounds their number. */
	const used = new Map<string, number>();
	const isOpen = (session: string): boolean => {
		const at = used.get(session);
		return at !== undefined && clock.now() - at < QUIET_MS;
	};
	return {
		open: (session) => void used.set(session, clock.now()),
		isOpen,
		touch(session) {
			if (isOpen(session)) used.set(session, clock.now());
		},
		end: (session) => void used.delete(session),
		endAll: () => used.clear(),
	};
}
