import type { Clock } from '../clock.ts';

/** Staff who walked away from an open list; the screen itself asks after a minute and goes home. */
const QUIET_MS = 120_000;

/** Which screen sessions the daemon has opened for staff, after the PIN. They live in memory: after a restart the PIN is asked again. */
export interface StaffSessions {
	open(session: string): void;
	isOpen(session: string): boolean;
	/** A call or a touch of staff; one that comes too late opens nothing. */
	touch(session: string): void;
	end(session: string): void;
	endAll(): void;
}

export function staffSessions({ clock }: { clock: Clock }): StaffSessions {
	/** When each was used last. A screen session that ends takes its own along, so there are never more than of those. */
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
