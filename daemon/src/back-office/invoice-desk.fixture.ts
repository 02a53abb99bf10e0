import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { InvoiceInfo } from '@kiosk/contract/back-office';
import { rupiah } from '@kiosk/contract/money';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { fail, ok } from '../base/result.ts';
import { Secret } from '../base/secret.ts';
import { type Disk, failingStore } from '../journal/failing-store.fixture.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { ACCOUNT, keyOf, paymentOf } from '../journal/payment.fixture.ts';
import type { JournalRecord } from '../journal/records.ts';
import type { NoAnswer } from './client.ts';
import type { Asked } from './invoice-calls.ts';
import { type InvoiceDesk, startInvoiceDesk } from './invoice-desk.ts';

export const TIME = '2026-11-21T14:31:08+07:00';
export const TOTAL = 137_500;
/** Longer than the pause between two attempts to write. */
export const WRITTEN_MS = 6_000;

/** An invoice desk on its own journal, with a disk that can fail and a simulated back office. */
class InvoiceFixture {
	readonly journal: Journal;
	desk!: InvoiceDesk;
	disk: Disk = 'well';
	/** Number of successful reads before the read that fails; null: no read fails. */
	failingRead: number | null = null;
	/** The body of the next answers; null: the back office does not answer. */
	answer: object | null = null;
	/** Why the back office does not answer. */
	failure: NoAnswer = { code: 'timeout', message: '' };
	/** The logged-in outlet; its name is also its token. */
	outlet: string = ACCOUNT.outlet;
	/** Authorization headers of the look-ups sent so far. */
	askedWith: (string | undefined)[] = [];
	/** Resolves when no note is being sent. */
	settled: Promise<void> = Promise.resolve();
	/** Ids of notes that the back office may know without having confirmed them. */
	told = new Set<string>();
	/** Logged events with their fields. */
	events: unknown[][] = [];
	/** Time at which the back office confirmed each note, monotonic ms. */
	confirmed = new Map<string, number>();
	/** Called when the state of an invoice may have changed. */
	onChanged = () => {};
	/** Ids of the invoices that a look-up confirmed as paid. For them the screen shows LUNAS. */
	shownPaid: unknown[] = [];
	/** The state directory. */
	readonly #state = temporaryFolder('invoice-desk-state');

	constructor() {
		const directory = temporaryFolder('invoice-desk');
		this.journal = openJournal(
			{ directory, minFreeBytes: 0 },
			systemClock,
			failingStore(
				() => this.disk,
				() => this.failingRead !== null && this.failingRead-- === 0,
			),
		);
		this.startDesk();
	}

	/** Starts the desk. A second call is like a restart of the daemon. */
	startDesk(): void {
		this.desk = startInvoiceDesk({
			journal: this.journal,
			announcedFile: join(this.#state, 'announced.json'),
			token: {
				current: () => ({ token: new Secret(this.outlet), account: { ...ACCOUNT, outlet: this.outlet }, refused: false }),
				onChange: () => {},
			} as unknown as Parameters<typeof startInvoiceDesk>[0]['token'],
			call: async ({ headers }) => {
				this.askedWith.push(headers.Authorization);
				const body = Buffer.from(JSON.stringify(this.answer));
				return this.answer ? ok({ status: 200, contentType: 'application/json', setCookie: [], body }) : fail(this.failure);
			},
			path: '/look-up',
			csrf: { csrf_cookie: 'c', csrf_header: 'X-C' },
			clock: systemClock,
			newId: randomUUID,
			now: () => TIME,
			whenSettled: () => this.settled,
			mayBeTold: (id) => this.told.has(id),
			isConfirmedLately: (note_id, asked) => asked - (this.confirmed.get(note_id) ?? Number.NEGATIVE_INFINITY) < 20_000,
			onChanged: () => this.onChanged(),
			onConfirmed: ({ id }) => void this.shownPaid.push(id),
			log: { event: (...event) => void this.events.push(event) },
		});
	}
}

export let at: InvoiceFixture;

/** Starts a desk before each test of a file, on simulated time. */
export function aroundInvoiceDesk(): void {
	beforeEach(() => {
		vi.useFakeTimers();
		at = new InvoiceFixture();
	});
	afterEach(() => {
		vi.useRealTimers();
		at.journal.close();
	});
}

export interface Said {
	id?: number;
	total?: number;
	is_paid?: boolean;
	/** The listed payments, or only their amounts. */
	listed?: (number | { nominal: number; tanggal?: string; note_id?: string })[];
}
/** @returns the back office's answer about an invoice */
export const said = ({ id = 7, total = TOTAL, is_paid = false, listed = [] }: Said = {}) => ({
	results: {
		id,
		odoo_id: null,
		noinvoice: `INV/${id}`,
		total,
		is_paid,
		list_pembayaran: listed.map((one) => ({ tanggal: TIME, ...(typeof one === 'number' ? { nominal: one } : one) })),
	},
});
/** Begins a look-up, then advances the clock so that the next look-up is later. */
export async function ask(): Promise<Asked> {
	const asked = await at.desk.ask();
	await vi.advanceTimersByTimeAsync(10);
	return asked;
}
export const learn = (asked: Asked, what: Said = {}) => at.desk.learn(`INV/${what.id ?? 7}`, asked, v.parse(InvoiceInfo, said(what)));
export const learned = async (what: Said = {}) => learn(await ask(), what);

export function append(...records: JournalRecord[]): void {
	for (const record of records) expect(at.journal.append(record).ok).toBe(true);
}
/**
 * Records a note of 50,000 that this kiosk took for the invoice `id`. @returns the note's id
 */
export function credit(id = 7): string {
	const note_id = randomUUID();
	append(
		{ kind: 'cash_intent', note_id, payment: paymentOf(id), nominal: rupiah(50_000), code: '0x45', time: TIME },
		{ kind: 'cash_credit', note_id, late: false },
	);
	return note_id;
}
/** Records a note of 50,000 for invoice 7 that the back office confirmed and staff gave back. */
export function giveNoteBack(): void {
	append({ kind: 'note_uploaded', note_id: credit() });
	const given = { give_id: randomUUID(), payment_id: keyOf(7), amount: rupiah(50_000), by: 'Sari', why: 'asked', time: TIME };
	append({ kind: 'money_given_back', ...given });
}
/** Records that a card sale of the whole total of invoice 7 begins. @returns the sale's id */
export function beginSale(): string {
	const attempt_id = randomUUID();
	append({ kind: 'card_sale', attempt_id, payment: paymentOf(7), amount: rupiah(TOTAL), method: 'card', attempt: 1, time: TIME });
	return attempt_id;
}
export const endSale = (attempt_id: string, outcome: 'approved' | 'declined'): void =>
	append({ kind: 'card_outcome', attempt_id, outcome, response: null, late: false });
/** Records a void that got no answer, and the decision of staff that the card was not charged. */
export function findNotCharged(attempt_id: string): void {
	const action_id = randomUUID();
	const by = { by: 'Sari', why: 'compared' };
	append(
		{ kind: 'card_action', action_id, action: 'void', attempt_id, ...by, time: TIME },
		{ kind: 'card_action_ended', action_id, outcome: 'unknown', why: 'silence', response: null },
		{ kind: 'card_settled', settle_id: randomUUID(), attempt_id, outcome: 'not_charged', ...by },
	);
}
export const onDisk = (id = 7) => at.journal.money.viewOf(keyOf(id));
