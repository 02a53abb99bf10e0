/** Disputes, most of them about invoices for which this kiosk holds no money. */
import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { expect, test, vi } from 'vitest';
import { keyOf, paymentOf } from '../journal/payment.fixture.ts';
import {
	append,
	aroundInvoiceDesk,
	at,
	beginSale,
	credit,
	endSale,
	findNotCharged,
	giveNoteBack,
	learned,
	said,
	TIME,
	TOTAL,
	WRITTEN_MS,
} from './invoice-desk.fixture.ts';

aroundInvoiceDesk();

/** Longer than the five minutes in which "unpaid" after a message "paid" is always a dispute. */
const FORGOTTEN_MS = 360_000;
const attention = () => at.journal.money.attention().map(({ state }) => state);
const review = (): void => append({ kind: 'invoice_reviewed', review_id: randomUUID(), payment_id: keyOf(7), by: 'Sari', why: 'compared' });

test('if the listed payments cover the total of an unpaid invoice, the dispute is logged, because no record shows it to staff', async () => {
	await learned({ listed: [rupiah(50_000)] });
	expect(at.events).toEqual([]);
	expect(await learned({ listed: [TOTAL] })).toMatchObject({ balance: { state: 'dispute' } });
	expect(at.events).toEqual([
		['back_office.contradiction', { invoice: 'INV/7', reason: `the back office lists Rp ${TOTAL} and says unpaid` }],
	]);
	expect(attention()).toEqual([]);
});

test('a consistent answer ends a dispute that began during a card sale, even if the sale was declined', async () => {
	const sale = beginSale();
	await learned({ listed: [TOTAL] });
	endSale(sale, 'declined');
	expect(attention()).toEqual(['dispute']);
	await learned();
	expect(attention()).toEqual([]);
});

test('if staff find that a card was not charged, an answer "unpaid" ends the dispute, and the dispute does not return after a restart', async () => {
	await learned();
	const sale = beginSale();
	endSale(sale, 'approved');
	append({ kind: 'card_approval_sent', attempt_id: sale });
	await learned({ is_paid: true });
	findNotCharged(sale);
	expect(attention()).toEqual(['dispute']);
	await learned();
	expect(attention()).toEqual([]);
	at.startDesk();
	expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'open', due: TOTAL });
});

test.each<[string, () => Promise<void>]>([
	[
		'in answer to a dispute about a declined sale',
		async () => {
			const sale = beginSale();
			await learned({ listed: [TOTAL] });
			endSale(sale, 'declined');
			await learned({ is_paid: true, listed: [TOTAL] });
		},
	],
	[
		'during a sale that is then declined',
		async () => {
			const sale = beginSale();
			await learned({ is_paid: true });
			endSale(sale, 'declined');
		},
	],
	[
		'in a message during a note that is then returned',
		async () => {
			await learned();
			const note_id = randomUUID();
			append({ kind: 'cash_intent', note_id, payment: paymentOf(7), nominal: rupiah(50_000), code: '0x45', time: TIME });
			at.desk.hearPaidById(7);
			append({ kind: 'cash_returned', note_id });
		},
	],
	[
		'before a page opened the acceptor for the invoice',
		async () => {
			await learned({ is_paid: true, listed: [TOTAL] });
			const found = at.desk.current() ?? expect.fail('the look-up failed');
			expect(at.desk.keep(found).ok).toBe(true);
		},
	],
])('if the server answers "unpaid" after a "paid" %s, the invoice is a dispute until staff review it', async (_, sayPaid) => {
	await sayPaid();
	expect(attention()).toEqual([]);
	await vi.advanceTimersByTimeAsync(FORGOTTEN_MS);
	expect(await learned()).toMatchObject({ balance: { state: 'dispute' } });
	expect(attention()).toEqual(['dispute']);
	at.startDesk();
	expect(at.desk.balanceOf(keyOf(7)).state).toBe('dispute');
	review();
	expect([attention(), at.desk.balanceOf(keyOf(7)).due]).toEqual([[], TOTAL]);
});

test('if a sale is declined, a double payment listed during the sale is no longer reported when the server lists one payment', async () => {
	const sale = beginSale();
	await learned({ is_paid: true, listed: [TOTAL, TOTAL] });
	endSale(sale, 'declined');
	expect(attention()).toEqual(['paid_twice']);
	await learned({ is_paid: true, listed: [TOTAL] });
	expect(attention()).toEqual([]);
});

test('if the server repeats "paid" after a review, a later "unpaid" is a dispute again', async () => {
	await learned();
	const sale = beginSale();
	endSale(sale, 'approved');
	append({
		kind: 'money_given_back',
		give_id: randomUUID(),
		payment_id: keyOf(7),
		amount: rupiah(TOTAL),
		by: 'Sari',
		why: 'asked',
		time: TIME,
	});
	findNotCharged(sale);
	const paid = { is_paid: true, listed: [TOTAL] };
	await learned(paid);
	review();
	await learned(paid);
	expect(await learned()).toMatchObject({ balance: { state: 'dispute' } });
});

test('if staff move a note to an invoice that already lists the note, the note counts once', async () => {
	const [own, moved] = [credit(7), credit(8)];
	append({ kind: 'note_uploaded', note_id: own }, { kind: 'note_parked', park_id: randomUUID(), note_id: moved, reason: 'refused' });
	const listed = [own, moved].map((note_id) => ({ nominal: 50_000, note_id }));
	const atCashier = { nominal: 20_000, tanggal: '2026-11-21T10:00:01+07:00' };
	await learned({ listed });
	await learned({ listed: [...listed, atCashier] });
	const to = { from: keyOf(8), payment: paymentOf(7), by: 'Sari', why: 'asked' };
	append({ kind: 'note_moved', move_id: randomUUID(), note_id: moved, ...to });
	await learned({ listed: [...listed, atCashier] });
	expect(at.desk.balanceOf(keyOf(7)).received).toBe(120_000);
	// The server corrects its list but still lists the payment at the cashier.
	await learned({ listed: [{ nominal: 50_000, note_id: own }, atCashier] });
	expect(at.desk.balanceOf(keyOf(7)).received).toBe(120_000);
});

test('a "paid" message that makes the invoice a dispute is not shown, and neither is the same "paid" in the look-up that follows', async () => {
	await learned();
	giveNoteBack();
	at.answer = said({ is_paid: true, listed: [50_000, 87_500] });
	expect(at.desk.hearPaidById(7)).toBe(false);
	await vi.advanceTimersByTimeAsync(WRITTEN_MS);
	expect([at.askedWith, attention(), at.shownPaid]).toMatchObject([[expect.anything()], ['dispute'], []]);
});

test('if the look-up after a "paid" message makes the invoice a dispute, LUNAS is not shown, even if the journal breaks at this moment', async () => {
	await learned({ total: 50_000, is_paid: true });
	giveNoteBack();
	await learned({ listed: [50_000] });
	at.answer = said({ is_paid: true, listed: [50_000, 87_500] });
	at.onChanged = () => {
		at.disk = 'broken';
		expect(at.journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: '' }).ok).toBe(false);
	};
	expect(at.desk.hearPaidById(7)).toBe(false);
	await vi.advanceTimersByTimeAsync(WRITTEN_MS);
	expect(at.journal.trouble()).not.toBeNull();
	expect(at.shownPaid).toEqual([]);
});
