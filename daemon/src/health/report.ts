/** What health says; the same in text, as a page and as JSON. */
import type { RecentPayment } from '../journal/recent-payments.ts';
import type { Certificate } from './office-probe.ts';

/** `off`: not configured or not in use. `unknown`: nobody tells. `warn`: works, but somebody should look. `fail`: what it serves is not available. */
export type PartState = 'ok' | 'off' | 'unknown' | 'warn' | 'fail';

export interface PartNow {
	part: string;
	state: PartState;
	/** A short name of what it is in; it changes when the state does, and not with every number in the text. */
	code: string;
	text: string;
	/** What is known of the cause; empty when nothing more. */
	why: string;
	/** What to do; empty when nothing. */
	remedy: string;
}

export interface PartHealth extends PartNow {
	/** When it came into this state, ISO 8601, to within seconds. */
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
	/** Name of the site, for who has tunnels to several. */
	site: string;
	version: string;
	system: string;
	kernel: string;
	node: string;
	/** Now by the kiosk's clock, ISO 8601. */
	time: string;
	uptime_s: number;
	machine_uptime_s: number;
	/** What a person has to settle first, then the worst first. */
	parts: PartHealth[];
	in_doubt: { note_id: string; noinvoice: string; nominal: number | null; time: string; why: string }[];
	/** Invoices that a customer left with money in and not covered, oldest first. */
	partial: { noinvoice: string; received: number; total: number; since: string }[];
	/** Invoices whose money staff must look after, oldest first; amounts in rupiah. */
	attention: { noinvoice: string; state: string; received: number; total: number; twice: number; why: string }[];
	/** Notes that the back office does not take, oldest first; some of them. */
	parked: { note_id: string; noinvoice: string; nominal: number; time: string; why: string }[];
	outbox: { count: number; total: number; oldest: string | null; last_failure: string | null };
	/** Card sales for a person: of unknown end, and charges of invoices that were paid already. */
	card: { unknown: ListedSale[]; twice: ListedSale[]; approvals_waiting: number };
	/** Newest first; nothing of a person. */
	last_payments: RecentPayment[];
	certificate: Certificate | null;
}

const RANK: Record<PartState, number> = { fail: 0, warn: 1, ok: 2, unknown: 3, off: 4 };

/** @returns the worst first; equals stay in their order */
export const worstFirst = <P extends { state: PartState }>(parts: readonly P[]): P[] =>
	[...parts].sort((a, b) => RANK[a.state] - RANK[b.state]);
