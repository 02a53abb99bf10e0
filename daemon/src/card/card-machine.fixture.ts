import { randomUUID } from 'node:crypto';
import { Invoice } from '@kiosk/contract/back-office';
import type { EdcStart, LiveText } from '@kiosk/contract/live';
import { type Rupiah, rupiah } from '@kiosk/contract/money';
import * as v from 'valibot';
import { expect, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { PlayedInvoices } from '../back-office/invoices.fixture.ts';
import { systemClock } from '../base/clock.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { TerminalReport, TerminalRequest, TerminalResponse } from '../edc/terminal.ts';
import { RETRY_CODES } from '../edc/verdict.ts';
import type { CardSale } from '../journal/card-book.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { ACCOUNT, NO_NUMBERS } from '../journal/payment.fixture.ts';
import type { JournalRecord, Payment } from '../journal/records.ts';
import { openStore } from '../journal/store.ts';
import { type CardDesk, startCardDesk } from './card-desk.ts';
import type { CardPolicy } from './card-state.ts';

/** Simulates the end of the process at this point. */
export class Crash extends Error {}

export const POLICY: CardPolicy = {
	unknownCodes: new Set(),
	retryCodes: new Set(RETRY_CODES),
	inquiry: 'none',
	qris: { firstMs: 45_000, everyMs: 15_000, looks: 3 },
};

export const TOTAL = rupiah(137_500);

export const invoiceOf = (id: number, more: object = {}): Invoice =>
	v.parse(Invoice, { account: ACCOUNT, id, odoo_id: `SO${id}`, noinvoice: `INV/${id}`, total: TOTAL, ...more });

const paymentIn = ({ id, odoo_id, noinvoice, total }: Invoice): Payment => ({
	account: ACCOUNT,
	id,
	odoo_id: odoo_id ?? null,
	noinvoice,
	total,
});

/** A card desk on a real journal; the test plays the terminal. */
export class CardFixture {
	readonly directory = temporaryFolder('card-desk');
	journal: Journal;
	desk: CardDesk;
	policy: CardPolicy;
	qris = false;
	lookedUp: Invoice | null = invoiceOf(7);
	readonly invoices = new PlayedInvoices(() => this.journal);
	/**
	 * The error that the disk reports instead of writing. `broken_but_kept`: the write fails
	 * although its record is on disk.
	 */
	trouble: 'disk_full' | 'broken' | 'broken_but_kept' | null = null;
	/** Called before and after every write; may throw `Crash`. */
	onWrite: (when: 'before' | 'after', record: JournalRecord) => void = () => {};
	/**
	 * Whether the last look-up of the invoice is fresh. It usually is, because the sales of tests
	 * take no time.
	 */
	isFresh = true;
	/** Whether the settings name a terminal. */
	hasTerminal = true;
	/** Whether the desk told the driver that a sale of the previous run may still be in progress. */
	midSale = false;
	told: LiveText[] = [];
	logged: unknown[][] = [];
	/** Number of cash payments that were ended because a card payment began. */
	cashClosed = 0;
	relayed = 0;
	onRelay: () => void = () => {};
	requests: { id: string; request: TerminalRequest }[] = [];
	/** Requests that must not be sent if they still wait for the echo test. */
	withdrawn: string[] = [];
	/** State of the newest sale in the journal at each acknowledgement. */
	acknowledged: (CardSale['state'] | null)[] = [];
	readonly acknowledgedResponses: TerminalResponse[] = [];
	onRequest: (id: string, request: TerminalRequest) => void = () => {};
	onTell: (text: LiveText) => void = () => {};
	/** Called after each event of the desk. */
	onEvent: () => void = () => {};
	report: (report: TerminalReport) => void = () => {};

	constructor(policy: Partial<CardPolicy> = {}) {
		this.policy = { ...POLICY, ...policy };
		this.journal = this.#open();
		this.desk = this.#start();
	}

	#open(): Journal {
		return openJournal({ directory: this.directory, minFreeBytes: 0 }, systemClock, (directory) => {
			if (this.trouble === 'broken') return fail({ code: 'broken', message: 'the disk is gone' });
			const opened = openStore(directory);
			if (!opened.ok) return opened;
			const store = opened.value;
			return ok({
				...store,
				append: (record: JournalRecord, at: Date): Result<number, { code: 'disk_full' | 'broken'; message: string }> => {
					if (this.trouble === 'broken_but_kept') store.append(record, at);
					if (this.trouble) return fail({ code: this.trouble === 'disk_full' ? 'disk_full' : 'broken', message: 'no space' });
					this.onWrite('before', record);
					const written = store.append(record, at);
					this.onWrite('after', record);
					return written as Result<number, { code: 'disk_full' | 'broken'; message: string }>;
				},
			});
		});
	}

	#start(): CardDesk {
		const desk = startCardDesk({
			journal: this.journal,
			policy: this.policy,
			qris: this.qris,
			newId: randomUUID,
			clock: systemClock,
			log: { event: (id, fields) => void this.logged.push([id, fields]) },
			notify: (text) => {
				this.told.push(text);
				this.onTell(text);
			},
			relay: () => {
				this.relayed += 1;
				this.onRelay();
			},
			invoices: {
				balanceOf: this.invoices.balanceOf,
				keep: this.invoices.keep,
				isMeant: ({ id, noinvoice }) => !this.lookedUp || this.lookedUp.id !== id || this.lookedUp.noinvoice === noinvoice,
				refresh: this.invoices.refresh,
				isFresh: (payment) => this.isFresh && this.lookedUp?.noinvoice === payment.noinvoice,
				current: () =>
					this.lookedUp && this.invoices.lookedUp(paymentIn(this.lookedUp), this.lookedUp.list_pembayaran ?? [], this.lookedUp.is_paid),
			},
			isRestarting: () => false,
			closeCash: () => {
				this.cashClosed += 1;
			},
			endHeldCash: () => this.onEvent(),
			timestamp: (at) => at.toISOString(),
			startTerminal: !this.hasTerminal
				? null
				: (report, midSale) => {
						this.report = report;
						this.midSale = midSale;
						return {
							request: (request, id) => {
								this.requests.push({ id, request });
								this.onRequest(id, request);
							},
							withdraw: (id) => void this.withdrawn.push(id),
							acknowledge: (response) => {
								this.acknowledged.push(this.journal.cards.last()?.state ?? null);
								this.acknowledgedResponses.push(response);
								if (response.type === 'sale' && response.code === '00') expect(this.journal.cards.knows(response)).toBe(true);
							},
							stop: () => {},
						};
					},
		});
		if (this.hasTerminal) this.report({ kind: 'state', state: 'ready' });
		return desk;
	}

	/** Ends the process and starts a new one on the same files. */
	restart(): void {
		this.desk.stop();
		this.journal.close();
		this.journal = this.#open();
		this.told = [];
		this.desk = this.#start();
	}

	close(): void {
		this.desk.stop();
		this.journal.close();
	}

	start(asked: Partial<EdcStart['data']> = {}): this {
		this.desk.start({ id: this.lookedUp?.id, amount: this.lookedUp?.total ?? TOTAL, ...asked } as EdcStart['data']);
		return this;
	}

	/** Id of the newest request. */
	get id(): string {
		return this.requests.at(-1)?.id ?? '';
	}

	ack(): this {
		this.report({ kind: 'acked', request_id: this.id });
		return this;
	}

	answer(fields: Partial<TerminalResponse> = {}, request_id: string | null = this.id): this {
		this.report({ kind: 'answer', request_id, response: responseWith(fields) });
		return this;
	}

	silent(why = 'no answer'): this {
		this.report({ kind: 'silent', request_id: this.id, why });
		return this;
	}

	sale = (): CardSale | null => this.journal.cards.last();
	phases = () => this.told.flatMap((text) => (text.type === 'kiosk_edc_sale' ? [text.reason ?? text.phase] : []));
	responses = () => this.told.flatMap((text) => (text.type === 'payment_edc_bca_notification' ? [text.data] : []));
	paid = () => this.told.flatMap((text) => (text.type === 'payment_notification' ? [text.id] : []));
	state = () => this.desk.shownState();
}

/** A card desk on fake timers for the running test. */
export function cardFixtureForTest(): CardFixture {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const fixture = new CardFixture();
	onTestFinished(() => fixture.close());
	return fixture;
}

let slips = 0;

/** Id of the terminal in the responses. */
export const TERMINAL_ID = 'ECR00417';

/**
 * @returns a response with these fields: by default an approval of `TOTAL` with a new slip number,
 * and for a failure code no numbers
 */
export function responseWith(fields: Partial<TerminalResponse>): TerminalResponse {
	const { type = 'sale', code = '00' } = fields;
	slips += 1;
	const slip = String(slips).padStart(6, '0');
	if (code !== '00') return { ...NO_NUMBERS, amount: null, type, ...fields, code };
	return {
		type,
		code,
		amount: TOTAL as Rupiah,
		masked_pan: '************3367',
		rrn: slip.padStart(12, '0'),
		approval: slip,
		date: '20261121',
		time: '143108',
		merchant_id: '000885000012345',
		terminal_id: TERMINAL_ID,
		invoice: slip,
		batch: '000001',
		issuer_id: '00',
		...fields,
	};
}
