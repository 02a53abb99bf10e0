import { every } from '../base/clock.ts';
import { VERSION } from '../base/version.ts';
import type { CardSale } from '../journal/card-book.ts';
import { backOffice, certificate, clock } from './back-office-checks.ts';
import { card, cash, commissioning, printer, screen } from './device-checks.ts';
import { type HostFacts, hostFacts } from './host.ts';
import { disk, settings, setup, temperature, wear } from './host-checks.ts';
import { approvals, journal, outbox, toSettle } from './money-checks.ts';
import {
	type HealthDeps,
	type HealthMark,
	type HealthReport,
	type HealthState,
	type ListedSale,
	type PartHealth,
	type PartNow,
	worstFirst,
} from './report.ts';
import { secureBoot } from './secure-boot.ts';
import { customerCall, staffNames, touch } from './staff-checks.ts';
import { image, update } from './update-checks.ts';
import { waitingAge } from './waiting-age.ts';

/** Interval of the checks, which is also the accuracy of `since`. */
const LOOK_MS = 5_000;
/**
 * Interval for reading sensors and disks. Their values change slowly, and reading them opens dozens
 * of files.
 */
const HOST_MS = 10_000;
const LISTED_PAYMENTS = 8;
/** Maximum number of listed parked notes and invoices, about a page. `kioskctl cash` lists all. */
const LISTED = 20;

export interface Health {
	/** Checks every part now. The report has no secrets and no personal data. */
	report(): HealthReport;
	mark(): HealthMark;
	stop(): void;
}

/**
 * Checks all parts every few seconds, to record since when each part has had its state, and to
 * report a change of the mark.
 */
export function startHealth(deps: HealthDeps): Health {
	const of: HealthState = { ...deps, ages: { notes: waitingAge(deps.clock), approvals: waitingAge(deps.clock) } };
	const since = new Map<string, { code: string; at: string }>();
	let host: { facts: HostFacts; at: number } | null = null;
	let mark: HealthMark | null = null;

	function machineNow(): HostFacts {
		const now = of.clock.now();
		if (!host || now - host.at > HOST_MS) host = { facts: hostFacts(of.journalDirectory), at: now };
		return host.facts;
	}

	function dated(part: PartNow): PartHealth {
		const code = `${part.state} ${part.code}`;
		const known = since.get(part.part);
		const at = known?.code === code ? known.at : of.now();
		since.set(part.part, { code, at });
		return { ...part, since: at };
	}

	function partsNow(): PartHealth[] {
		const facts = machineNow();
		const money = toSettle(of);
		const others = [
			...setup(of.setupProblems),
			...settings(of.unconfirmedSettings()),
			...customerCall(of.customerCall.open()),
			...staffNames(of.lostOfStaff()),
			...commissioning(of),
			// From here on, a cause comes before its consequences.
			journal(of),
			cash(of),
			card(of),
			...certificate(of),
			backOffice(of),
			outbox(of),
			...approvals(of),
			printer(of),
			screen(of),
			...touch(of.liveness.untouchedMs(), of.touchQuietHours),
			clock(of, facts.clock_synchronised),
			disk(of, facts),
			temperature(facts),
			wear(facts),
			...update(of.update(), of.clock.wall()),
			...image(of.update(), of.clock.wall()),
			...secureBoot(facts),
		];
		const parts = [...money, ...worstFirst(others)].map(dated);
		for (const name of since.keys()) if (!parts.some(({ part }) => part === name)) since.delete(name);
		return parts;
	}

	const worstOf = (parts: readonly PartNow[]) =>
		(['fail', 'warn'] as const).find((state) => parts.some((part) => part.state === state)) ?? 'ok';

	function look(): PartHealth[] {
		const parts = partsNow();
		const now: HealthMark = worstOf(parts) === 'ok' ? 'ok' : 'look';
		const before = mark;
		mark = now;
		// The first check reports no change, because there is no earlier mark.
		if (before !== null && now !== before) of.changed(now);
		return parts;
	}

	// No check runs here, because it would slow the daemon's start noticeably.
	const stopLooks = every(of.clock, LOOK_MS, look);
	of.office.watch(of.link.isConnected);

	return {
		report() {
			const parts = look();
			const facts = machineNow();
			const { cards, cashbox } = of.journal;
			const partial = cashbox.partials({ except: of.cash.paying(), most: LISTED });
			return {
				state: worstOf(parts),
				site: of.site,
				version: VERSION,
				system: facts.system,
				kernel: facts.kernel,
				node: facts.node,
				time: of.now(),
				uptime_s: Math.round(process.uptime()),
				machine_uptime_s: facts.uptime_s,
				parts,
				in_doubt: of.journal.inDoubt().map(({ note_id, noinvoice, nominal, time, why }) => ({ note_id, noinvoice, nominal, time, why })),
				partial: partial.map(({ payment, received, since }) => ({ noinvoice: payment.noinvoice, received, total: payment.total, since })),
				attention: of.journal.money
					.attention(LISTED)
					.map(({ payment, state, received, total, twice, why }) => ({ noinvoice: payment.noinvoice, state, received, total, twice, why })),
				parked: of.journal
					.parked()
					.slice(0, LISTED)
					.map(({ note_id, noinvoice, nominal, time, parked }) => ({ note_id, noinvoice, nominal, time, why: parked })),
				outbox: { ...of.journal.waitingUploads(), last_failure: of.outbox.lastFailure() },
				card: {
					unknown: cards.unknown().map(listed),
					twice: cards.chargedTwice().map(listed),
					approvals_waiting: cards.waitingApprovals(),
				},
				last_payments: of.journal.recentPayments(LISTED_PAYMENTS),
				certificate: of.office.probe()?.certificate ?? null,
			};
		},
		mark() {
			if (mark === null) look();
			return mark ?? 'ok';
		},
		stop() {
			stopLooks();
			of.office.stop();
		},
	};
}

const listed = ({ attempt_id, amount, payment, time, why }: CardSale): ListedSale => ({
	attempt_id,
	amount,
	noinvoice: payment?.noinvoice ?? '',
	time,
	why,
});
