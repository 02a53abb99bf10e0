/** The health report, which is served as text, page and JSON. */

import type { LiveLink } from '../back-office/live-link.ts';
import type { Certificate } from '../back-office/office-probe.ts';
import type { Outbox } from '../back-office/outbox.ts';
import type { OutletToken } from '../back-office/token.ts';
import type { Clock } from '../base/clock.ts';
import type { PartState } from '../base/part-state.ts';
import type { CardDesk } from '../card/card-desk.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import type { Journal } from '../journal/journal.ts';
import type { RecentPayment } from '../journal/recent-payments.ts';
import type { PrintDesk } from '../printer/print-desk.ts';
import type { ScreenHub } from '../screen/hub.ts';
import type { ScreenLiveness } from '../screen/liveness.ts';
import type { LineRecord } from '../serial/line-record.ts';
import type { CustomerCall } from '../staff/customer-call.ts';
import type { StaffNames } from '../staff/staff-names.ts';
import type { UpdateFacts } from '../update/watch.ts';
import type { OfficeWatch } from './back-office-watch.ts';
import type { Remarks } from './observed-faults.ts';
import type { WaitingAge } from './waiting-age.ts';

export interface PartNow {
	part: string;
	state: PartState;
	/**
	 * Short name of the situation. `since` changes when this code changes, not when amounts or times
	 * in `text` change.
	 */
	code: string;
	text: string;
	/** The cause, if known; else empty. */
	why: string;
	/** The remedy; empty if no action is needed. */
	remedy: string;
}

export interface PartHealth extends PartNow {
	/** When the part came into this state, ISO 8601, accurate to seconds. */
	since: string;
}

export interface ListedSale {
	attempt_id: string;
	amount: number;
	noinvoice: string;
	time: string;
	why: string;
}

export interface HealthReport {
	state: PartState;
	/** Name of the site, which distinguishes several kiosks. */
	site: string;
	version: string;
	system: string;
	kernel: string;
	node: string;
	/** Current time of the kiosk's clock, ISO 8601. */
	time: string;
	uptime_s: number;
	machine_uptime_s: number;
	/**
	 * The parts about money to settle come first, then the other parts; of these, the worst come
	 * first.
	 */
	parts: PartHealth[];
	in_doubt: { note_id: string; noinvoice: string; nominal: number | null; time: string; why: string }[];
	/** Partly paid invoices of customers who left, oldest first; limited in number. */
	partial: { noinvoice: string; received: number; total: number; since: string }[];
	/** Invoices that need a staff decision, oldest first; limited in number; amounts in rupiah. */
	attention: { noinvoice: string; state: string; received: number; total: number; twice: number; why: string }[];
	/**
	 * Notes that wait for staff, usually because the back office refused them; sorted and limited
	 * like `attention`.
	 */
	parked: { note_id: string; noinvoice: string; nominal: number; time: string; why: string }[];
	outbox: { count: number; total: number; oldest: string | null; last_failure: string | null };
	/** Card sales to settle: unknown outcome, and charges of invoices that were already paid. */
	card: { unknown: ListedSale[]; twice: ListedSale[]; approvals_waiting: number };
	/** Newest first; without personal data. */
	last_payments: RecentPayment[];
	certificate: Certificate | null;
}

const RANK: Record<PartState, number> = { fail: 0, warn: 1, ok: 2, unknown: 3, off: 4 };

/** @returns the parts in a stable order, the worst first */
export const worstFirst = <P extends { state: PartState }>(parts: readonly P[]): P[] =>
	[...parts].sort((a, b) => RANK[a.state] - RANK[b.state]);

export interface HealthDeps {
	journal: Journal;
	cash: CashDesk;
	card: CardDesk;
	outbox: Outbox;
	link: LiveLink;
	token: OutletToken;
	printer: PrintDesk | null;
	hub: ScreenHub;
	liveness: ScreenLiveness;
	/** The customer's call for staff. */
	customerCall: Pick<CustomerCall, 'open'>;
	/** The staff data that the kiosk has lost; null if none. */
	lostOfStaff: StaffNames['lost'];
	/** `[screen] touch_quiet_hours`; 0 disables the check. */
	touchQuietHours: number;
	office: OfficeWatch;
	remarks: Remarks;
	/** null if the settings name no such device. */
	acceptorLine: LineRecord | null;
	edcLine: LineRecord | null;
	/** Parity of the acceptor's line in the settings. */
	acceptorParity: string;
	/** Whether the acceptor is being commissioned. */
	commissioning: () => boolean;
	site: string;
	backOfficeUrl: string;
	/** Path of the back office's API call that reports notes. */
	notesPath: string;
	/** Waiting time in ms after which health warns about waiting notes and approvals. */
	waitingLimitMs: number;
	printerUri: string | null;
	journalDirectory: string;
	/** Free space, MB, below which the kiosk takes no money. */
	journalNeedsMb: number;
	/** Problems of the appliance's setup files, as sentences. */
	setupProblems: readonly string[];
	/** State of the appliance's updates. */
	update: () => UpdateFacts;
	/** Names of changed settings that keep cash closed until a person confirms them. */
	unconfirmedSettings: () => readonly string[];
	clock: Clock;
	/** Now, ISO 8601 with the site's offset. */
	now: () => string;
	/** Called when the mark on the home screen changes. */
	changed: (mark: HealthMark) => void;
}

/** The inputs of the checks: parts of the daemon, and the ages that health itself tracks. */
export interface HealthState extends HealthDeps {
	ages: { notes: WaitingAge; approvals: WaitingAge };
}

/** The mark on the home screen: `look` if a part needs attention. */
export type HealthMark = 'ok' | 'look';
