import type { CallingScreen } from '@kiosk/contract/calling-screens';
import type { StaffCall } from '@kiosk/contract/staff-call';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../log/log.ts';

/**
 * An open call expires after this time: staff have probably not noticed it, and the next customer
 * must be able to call.
 */
const OPEN_MS = 15 * 60_000;
/**
 * Time for which the staff screen still shows a call after it was answered. Opening the staff
 * screen answers the call.
 */
const SHOWN_MS = 10 * 60_000;

/** The customer's call for staff. The kiosk has at most one open call, in memory only. */
export interface CustomerCall {
	/**
	 * Begins a call if none is open.
	 * @returns the open call
	 */
	call(screen: CallingScreen, invoice: string): StaffCall;
	open(): StaffCall | null;
	/** Time since the open call began, ms; 0 if none is open. */
	waitedMs(): number;
	/** The open call, or one answered within the last ten minutes. */
	shown(): StaffCall | null;
	/**
	 * Ends the open call.
	 * @returns whether a call was open
	 */
	answer(by: string): boolean;
}

/**
 * @param deps.now the present time, ISO 8601 with offset
 * @param deps.changed called with the start time when a call begins, and with null when it ends
 */
export function openCustomerCall(deps: {
	clock: Clock;
	now: () => string;
	log: Pick<Log, 'event'>;
	changed: (since: string | null) => void;
}): CustomerCall {
	const { clock, log } = deps;
	let open: { call: StaffCall; at: number; cancel: () => void } | null = null;
	let answered: { call: StaffCall; at: number } | null = null;

	function end(): void {
		open?.cancel();
		open = null;
		deps.changed(null);
	}

	return {
		call(screen, invoice) {
			if (open) return open.call;
			const call = { since: deps.now(), screen, invoice };
			const cancel = clock.after(OPEN_MS, () => {
				log.event('staff.call_expired', { waited_ms: OPEN_MS });
				end();
			});
			open = { call, at: clock.now(), cancel };
			log.event('staff.called', { screen, ...(invoice !== '' && { invoice }) });
			deps.changed(call.since);
			return call;
		},
		open: () => open?.call ?? null,
		waitedMs: () => (open ? Math.round(clock.now() - open.at) : 0),
		shown: () => open?.call ?? (answered && clock.now() - answered.at < SHOWN_MS ? answered.call : null),
		answer(by) {
			if (!open) return false;
			log.event('staff.call_answered', { by, waited_ms: Math.round(clock.now() - open.at) });
			answered = { call: open.call, at: clock.now() };
			end();
			return true;
		},
	};
}
