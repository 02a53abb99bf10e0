/** The health report, which is served as text, page and JSON. */
import type { RecentPayment } from '../journal/recent-payments.ts';
import type { Certificate } from './office-probe.ts';

/**
 * `off`: not configured or not in use. `unknown`: cannot be determined. `warn`: works, but needs
 * attention. `fail`: its function is not available.
 */
export type PartState = 'ok' | 'off' | 'unknown' | 'warn' | 'fail';

export interface PartNow {
	part: string;
	state: PartState;
	/** Short name of the state; changes with the state, not with the numbers in the text. */
	code: string;
	text: string;
	/** The cause, if known; else empty. */
	why: string;
	/** The remedy; empty if no action is needed. */
	remedy: string;
}

export interface PartHealth extends PartNow {
	/** When it came into this state, ISO 8601, accurate to seconds. */
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
	/** Name of the site, to tell several kiosks apart. */
	site: string;
	version: string;
	system: string;
	kernel: string;
	node: string;
	/** Current time of the kiosk's clock, ISO 8601. */
	time: string;
	uptime_s: number;
	machine_uptime_s: number;
	/** Money to settle first, then the others, the worst first. */
	parts: PartHealth[];
	in_doubt: { note_id: string; noinvoice: string; nominal: number | null; time: string; why: string }[];
	/** Invoices that a customer left partly paid, oldest first. */
	partial: { noinvoice: string; received: number; total: number; since: string }[];
	/** Invoices that need a decision of staff, oldest first; amounts in rupiah. */
	attention: { noinvoice: string; state: string; received: number; total: number; twice: number; why: string }[];
	/** Notes refused by the back office, oldest first; limited in number. */
	parked: { note_id: string; noinvoice: string; nominal: number; time: string; why: string }[];
	outbox: { count: number; total: number; oldest: string | null; last_failure: string | null };
	/** Card sales to settle: unknown outcome, and charges of invoices that were already paid. */
	card: { unknown: ListedSale[]; twice: ListedSale[]; approvals_waiting: number };
	/** Newest first; without personal data. */
	last_payments: RecentPayment[];
	certificate: Certificate | null;
}

const RANK: Record<PartState, number> = { fail: 0, warn: 1, ok: 2, unknown: 3, off: 4 };

/** @returns sorted, the worst first; stable */
export const worstFirst = <P extends { state: PartState }>(parts: readonly P[]): P[] =>
	[...parts].sort((a, b) => RANK[a.state] - RANK[b.state]);
