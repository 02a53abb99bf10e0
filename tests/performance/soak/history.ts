import { rupiah } from '@kiosk/contract/money';
import { ACCOUNT } from '../../../daemon/src/journal/payment.fixture.ts';
import { type CardResponse, type JournalRecord, type Payment, paymentKey } from '../../../daemon/src/journal/records.ts';
import type { Store } from '../../../daemon/src/journal/store.ts';
import { type Random, randomFrom } from '../../support/random.ts';

/** Pause between two payments, ms. */
const STEP_MS = 20_000;
const BEGAN = Date.UTC(2026, 0, 5, 1);
/** Number of payments after which staff count the cashbox and settle the terminal. */
const PAYMENTS_A_DAY = 50;

/**
 * Writes years of records of a correct kiosk through the journal's own writer: cash payments of two
 * notes, some returned notes, approved and declined cards, receipts, and staff at the end of each
 * day. Leaves nothing open. `seed` determines the contents of the records.
 * @param records least number of records
 */
export function writeHistory(store: Pick<Store, 'append'>, records: number, seed = 1): void {
	const random = randomFrom(seed);
	let written = 0;
	let at = BEGAN;
	const write = (record: JournalRecord): void => {
		const result = store.append(record, new Date(at));
		if (!result.ok) throw new Error(`the history cannot be written: ${result.error.message}`);
		written += 1;
		at += 1_000;
	};
	for (let payment = 1; written < records; payment += 1) {
		at += STEP_MS;
		for (const record of payment % 4 === 0 ? byCard(random, payment, at) : inCash(random, payment, at)) write(record);
		if (payment % PAYMENTS_A_DAY === 0) for (const record of endOfDay(random, at)) write(record);
	}
}

export const invoice = (payment: number): Payment => ({
	account: ACCOUNT,
	id: payment,
	odoo_id: `SO${payment}`,
	noinvoice: `INV/2026/${String(payment).padStart(7, '0')}`,
	total: rupiah(70_000),
});

function inCash(random: Random, number: number, at: number): JournalRecord[] {
	const payment = invoice(number);
	const time = new Date(at).toISOString();
	const notes = [50_000, 20_000].map((nominal) => ({ note_id: random.uuid(), nominal: rupiah(nominal) }));
	const back = { note_id: random.uuid(), nominal: rupiah(10_000) };
	const intent = ({ note_id, nominal }: typeof back): JournalRecord => ({
		kind: 'cash_intent',
		note_id,
		payment,
		nominal,
		code: '0x45',
		time,
	});
	return [
		...(random.chance(0.1) ? [intent(back), { kind: 'cash_returned', note_id: back.note_id } as const] : []),
		...notes.flatMap((note): JournalRecord[] => [intent(note), { kind: 'cash_credit', note_id: note.note_id, late: false }]),
		...notes.map(({ note_id }): JournalRecord => ({ kind: 'note_uploaded', note_id })),
		{ kind: 'invoice_paid', payment, by: 'back_office' },
		...receipt(random, number),
	];
}

function byCard(random: Random, number: number, at: number): JournalRecord[] {
	const payment = invoice(number);
	const approved = random.chance(0.9);
	const attempt_id = random.uuid();
	const time = new Date(at).toISOString();
	const response: CardResponse = {
		type: 'sale',
		code: approved ? '00' : '51',
		amount: payment.total,
		masked_pan: '601900******3367',
		rrn: String(number).padStart(12, '0'),
		approval: String(number % 1_000_000).padStart(6, '0'),
		date: '20260105',
		time: '143108',
		merchant_id: '000885000012345',
		terminal_id: 'EDC00001',
		invoice: String(number % 1_000_000).padStart(6, '0'),
		batch: '000001',
		issuer_id: '00',
	};
	return [
		{ kind: 'card_sale', attempt_id, payment, amount: payment.total, method: 'card', attempt: 1, time },
		{ kind: 'card_outcome', attempt_id, outcome: approved ? 'approved' : 'declined', response, late: false },
		...(approved
			? [
					{ kind: 'card_approval_begun', attempt_id } as const,
					{ kind: 'card_approval_sent', attempt_id } as const,
					...receipt(random, number),
				]
			: []),
	];
}

function receipt(random: Random, number: number): JournalRecord[] {
	const print_id = random.uuid();
	return [
		{ kind: 'print_requested', print_id, payment_id: paymentKey(invoice(number)), purpose: 'receipt' },
		{ kind: 'print_ended', print_id, state: 'done', reason: '' },
	];
}

function endOfDay(random: Random, at: number): JournalRecord[] {
	const action_id = random.uuid();
	const time = new Date(at).toISOString();
	const who = { by: 'Sari', why: 'end of the day' };
	return [
		{ kind: 'cashbox_collected', collection_id: random.uuid(), by: 'Sari', expected: rupiah(0), notes: [], counted: null, time },
		{ kind: 'card_action', action_id, action: 'settlement', attempt_id: null, ...who, time },
		{ kind: 'card_action_ended', action_id, outcome: 'done', why: '', response: null },
	];
}
