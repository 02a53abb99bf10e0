/**
 * The permission to restart the kiosk. The daemon grants it only while a restart would interrupt no
 * work; the updater also needs an idle screen. While the permission is valid, no payment begins.
 */
import type { Clock } from '../base/clock.ts';
import type { CardProgress } from '../card/card-progress.ts';
import type { CashProgress } from '../cash/cash-progress.ts';
import type { Log } from '../log/log.ts';

/** `update`: the updater at night. `person`: staff or a technician. */
export const ASKERS = ['update', 'person'] as const;
export type Asker = (typeof ASKERS)[number];

/** Maximum duration of a permission, s. Customers cannot pay while it is valid. */
export const LONGEST_S = 120;
/**
 * The updater restarts only after this time without use of the screen. A customer who reads or
 * fetches money may not touch the screen for some minutes.
 */
export const LEAST_IDLE_MS = 600_000;

/** What the kiosk is doing, as far as a restart would interrupt it. */
export interface KioskUse {
	/** The daemon is ending already. */
	stopping: boolean;
	cash: readonly CashProgress[];
	card: readonly CardProgress[];
	/** A receipt or slip is waiting or being printed. */
	printing: boolean;
	/** A note or an approval is being reported to the back office. */
	sending: boolean;
	commissioning: boolean;
	/** Calls of the screen that are not answered yet. */
	calls: number;
	/** The screen shows a QRIS code or a virtual account. */
	code: boolean;
	/** Time since the last use of the screen, ms. */
	idle_ms: number;
}

const TEXT = {
	stopping: 'the daemon is shutting down',
	session: 'a customer is paying in cash',
	note: 'a note is on its way into the cashbox',
	doubt: 'a note is in doubt, and the acceptor may still report it',
	cashbox: 'the cashbox is open or was taken out',
	card: 'the card terminal is busy with a request',
	card_unknown: 'the outcome of a card sale of this run is unknown',
	unwritten: 'money has moved that is not in the journal yet',
	printing: 'a receipt or slip is being printed',
	sending: 'a payment is being reported to the back office',
	commissioning: 'the bill acceptor is being commissioned',
	call: 'a call of the screen to the back office is not answered yet',
	code: 'the screen shows a QRIS code or a virtual account',
	screen: 'the screen was used less than ten minutes ago',
} as const;
export interface Reason {
	code: keyof typeof TEXT;
	text: string;
}

export type LeaseAnswer =
	/** `until`: ISO 8601 */
	{ granted: true; until: string } | { granted: false; reasons: Reason[] };

/**
 * @returns the reasons against a restart now. Old notes in doubt and unknown sales are no reason,
 * because they are in the journal.
 */
export function reasonsAgainst(use: KioskUse, by: Asker): Reason[] {
	const codes = new Set<Reason['code']>([...use.cash, ...use.card]);
	if (use.printing) codes.add('printing');
	if (use.sending) codes.add('sending');
	if (use.commissioning) codes.add('commissioning');
	if (use.calls > 0) codes.add('call');
	if (use.code) codes.add('code');
	if (by === 'update' && use.idle_ms < LEAST_IDLE_MS) codes.add('screen');
	if (use.stopping) codes.add('stopping');
	return [...codes].map((code) => ({ code, text: TEXT[code] }));
}

export interface RestartLease {
	/**
	 * Requests a permission, which replaces an earlier one.
	 * @param seconds duration, at most LONGEST_S
	 */
	ask(by: Asker, seconds: number): LeaseAnswer;
	giveBack(): void;
	/** @returns the reasons against a restart now, without requesting a permission */
	reasons(by: Asker): Reason[];
	/** Whether a permission is valid, so that no payment may begin. */
	stands(): boolean;
}

export function restartLease(deps: {
	use: () => KioskUse;
	clock: Clock;
	/** ISO 8601 with the site's offset */
	timestamp: (at: Date) => string;
	log: Log;
}): RestartLease {
	const { clock, log } = deps;
	/** End of the permission, monotonic ms. */
	let until = Number.NEGATIVE_INFINITY;
	/**
	 * The last logged reasons. The updater asks every few minutes at night, and unchanged reasons are
	 * logged only once.
	 */
	let refusedFor = '';
	let cancelLapse = () => {};

	function refuse(by: Asker, reasons: Reason[]): LeaseAnswer {
		const codes = reasons.map(({ code }) => code);
		if (codes.join() !== refusedFor) log.event('update.restart_refused', { by, reasons: codes });
		refusedFor = codes.join();
		return { granted: false, reasons };
	}

	return {
		reasons: (by) => reasonsAgainst(deps.use(), by),
		ask(by, seconds) {
			const reasons = reasonsAgainst(deps.use(), by);
			if (reasons.length > 0) return refuse(by, reasons);
			const ms = Math.min(seconds, LONGEST_S) * 1_000;
			refusedFor = '';
			until = clock.now() + ms;
			cancelLapse();
			cancelLapse = clock.after(ms, () => log.event('update.restart_lapsed', { by }));
			log.event('update.restart_granted', { by, seconds: ms / 1_000 });
			return { granted: true, until: deps.timestamp(new Date(clock.wall().getTime() + ms)) };
		},
		giveBack() {
			if (clock.now() < until) log.event('update.restart_given_back', {});
			until = Number.NEGATIVE_INFINITY;
			cancelLapse();
		},
		stands: () => clock.now() < until,
	};
}
