import { randomUUID } from 'node:crypto';
import type { LiveText } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { expect } from 'vitest';
import type { AcceptorReport } from '../acceptor/driver.ts';
import { ACCOUNT } from '../journal/payment.fixture.ts';
import { type JournalRecord, paymentKey } from '../journal/records.ts';
import type { JournalError } from '../journal/trouble.ts';
import { cashStep } from './cash-machine.ts';
import { type CashEffect, type CashEvent, type CashPolicy, type CashState, initialCashState } from './cash-state.ts';

export const POLICY: CashPolicy = {
	notes: new Map([
		['0x40', rupiah(1_000)],
		['0x44', rupiah(20_000)],
		['0x45', rupiah(50_000)],
		['0x46', rupiah(100_000)],
	]),
	switchedOff: new Set([rupiah(1_000)]),
	overpayLimit: null,
};
export const INVOICE = { account: ACCOUNT, id: 7, odoo_id: 'SO7', noinvoice: 'INV/2026/11/0042', total: rupiah(137_500) };
/** The ledger's key of the payment for `INVOICE`. */
export const KEY = paymentKey(INVOICE);
/** The key of another payment of the same account. */
export const OTHER_KEY = paymentKey({ ...INVOICE, id: 8 });
export const TIME = '2026-11-21T14:31:08+07:00';
/** The acceptor does not report the outcome of a note. */
export const DOUBT: AcceptorReport = { kind: 'outcome_missing', why: 'silence', other: false };
/** The message to the screen about an acceptor that takes notes. */
export const READY = { type: 'machine_ready', is_ready: true, state: 'ready', ict_text: 'Ready' };
/** The message to the screen about an acceptor that takes no notes, with its state. */
export const shownAs = (state: string) => ({ type: 'machine_ready', is_ready: false, state, ict_text: state });
/** The error of a failing write. */
const FULL: JournalError = { code: 'disk_full', message: 'no space' };

/** The kinds of effects that this desk handles. Any other kind fails the test. */
const KINDS: readonly CashEffect['kind'][] = ['write', 'acceptor', 'tell', 'upload', 'wait_for_paid', 'closed', 'log'];

/** Runs the state machine with a journal that can fail, and records all effects in order. */
export class Desk {
	state: CashState;
	readonly policy: CashPolicy;
	readonly happened: (CashEffect | { kind: 'written'; record: JournalRecord })[] = [];
	failWrites = false;
	/** Credits that wait for the journal, as in the runner. */
	#waiting: JournalRecord[] = [];

	constructor(policy = POLICY, recovered: string | null = null) {
		this.policy = policy;
		this.state = { ...initialCashState(recovered, null), acceptor: 'ready' };
	}

	do(event: CashEvent): this {
		const step = cashStep(this.state, event, this.policy);
		this.state = step.state;
		for (const effect of step.effects) {
			expect(KINDS).toContain(effect.kind);
			this.happened.push(effect);
			if (effect.kind !== 'write') continue;
			if (!this.failWrites) this.#write(effect.record);
			else {
				if (effect.record.kind === 'cash_credit') this.#waiting.push({ ...effect.record, late: true });
				this.do({ kind: 'not_written', record: effect.record, error: FULL });
			}
		}
		return this;
	}

	#write(record: JournalRecord): void {
		this.happened.push({ kind: 'written', record });
		this.do({ kind: 'written', record });
	}

	/** The journal can be written again: the waiting credits are written first. */
	heal(): this {
		this.failWrites = false;
		for (const record of this.#waiting.splice(0)) this.#write(record);
		return this.do({ kind: 'journal', trouble: null });
	}

	open(): this {
		return this.do({ kind: 'open', payment: INVOICE, entries: [], paid: null, paid_id: randomUUID() });
	}

	hear(report: AcceptorReport): this {
		return this.do({ kind: 'acceptor', report, note_id: randomUUID(), time: TIME });
	}

	escrow(code: string): this {
		return this.hear({ kind: 'escrow', code });
	}

	stack(code: string | null, late = false): this {
		return this.hear({ kind: 'stacked', accepted: true, late, code });
	}

	commands = () => this.happened.flatMap((effect) => (effect.kind === 'acceptor' ? [effect.command] : []));
	told = (): LiveText[] => this.happened.flatMap((effect) => (effect.kind === 'tell' ? [effect.text] : []));
	written = (): JournalRecord[] => this.happened.flatMap((effect) => (effect.kind === 'written' ? [effect.record] : []));
	records = () => this.written().map(({ kind }) => kind);
	/** @param index position among the notes with an intent, from 0 */
	noteId = (index = 0): string => this.written().flatMap((one) => (one.kind === 'cash_intent' ? [one.note_id] : []))[index] ?? '';
	returned = () => this.told().flatMap((text) => (text.type === 'kiosk_note_returned' ? [text.reason] : []));
	logged = () => this.happened.flatMap((effect) => (effect.kind === 'log' ? [[effect.id, effect.fields]] : []));
	count = (kind: CashEffect['kind']) => this.happened.filter((effect) => effect.kind === kind).length;
	closed = () => this.happened.filter((effect) => effect.kind === 'closed').length;
}

/** Staff settle a note. @param payment_id key of the note's payment; null if unknown */
export const settle = (note_id: string, inBox: boolean, nominal = 50_000, payment_id: string | null = KEY): CashEvent => ({
	kind: 'settled',
	note_id,
	payment_id,
	nominal: rupiah(nominal),
	entry: inBox ? { note_id, nominal: rupiah(nominal), time: TIME } : null,
});
