/** Answers and messages of the back office that arrive late or out of order. */
import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { ACCOUNT, keyOf, paymentOf } from '../journal/payment.fixture.ts';
import type { NoAnswer } from './client.ts';
import type { Refreshed } from './invoice-calls.ts';
import { aroundInvoiceDesk, ask, at, credit, learn, learned, onDisk, said, TIME, TOTAL } from './invoice-desk.fixture.ts';

aroundInvoiceDesk();

test('an older answer that is written later does not replace a newer "paid" on disk', async () => {
	credit();
	const opened = await learned();
	expect(at.desk.hearPaidById(7)).toBe(true);
	if (opened.code === 'learned') expect(at.desk.keep(opened.found).ok).toBe(true);
	expect(onDisk()).toMatchObject({ is_paid: true });
});

test('a late answer to an earlier look-up does not change the current invoice', async () => {
	const [early, late] = [await ask(), await ask()];
	learn(late, { is_paid: true, total: 200_000, listed: [200_000] });
	expect(learn(early)).toMatchObject({ code: 'learned', balance: { state: 'paid', total: 200_000 } });
	expect(at.desk.current()).toMatchObject({ payment: { total: 200_000 }, view: { is_paid: true } });
});

test('if the answer to an earlier look-up arrives late, the newest answer about the same invoice is used, even if another invoice was looked up in between', async () => {
	const [early, late] = [await ask(), await ask()];
	learn(late, { is_paid: true, total: 200_000, listed: [200_000] });
	await learned({ id: 8 });
	expect(learn(early)).toMatchObject({ code: 'learned', payment: { total: 200_000 }, balance: { state: 'paid' } });
	expect(at.desk.current()).toMatchObject({ info: { results: { is_paid: true, total: 200_000 } }, view: { is_paid: true } });
});

test('if the answer to an earlier look-up arrives after a "paid", while another invoice is on the screen, the "paid" stays valid', async () => {
	credit();
	const [early, late] = [await ask(), await ask()];
	learn(late);
	await learned({ id: 8 });
	at.desk.hearPaid(keyOf(7), systemClock.now());
	expect(learn(early)).toMatchObject({ balance: { state: 'paid_twice' }, found: { view: { is_paid: true } } });
	expect(onDisk()).toMatchObject({ is_paid: true });
});

test('a "paid" message that arrives before its invoice’s first answer applies after this answer, and the invoice is looked up again', async () => {
	const early = await ask();
	expect(at.desk.hearPaidById(7)).toBe(true);
	await vi.advanceTimersByTimeAsync(10);
	at.answer = said();
	expect(learn(early)).toMatchObject({ balance: { state: 'paid' }, found: { view: { is_paid: true } } });
	await vi.advanceTimersByTimeAsync(2_000);
	expect(at.desk.current()).toMatchObject({ view: { is_paid: false } });
	expect(await learned()).toMatchObject({ balance: { due: TOTAL } });
});

test('an answer counts as fresh for five seconds and only for its own invoice', async () => {
	await learned();
	expect([at.desk.isFresh(paymentOf(7)), at.desk.isFresh(paymentOf(9))]).toEqual([true, false]);
	await vi.advanceTimersByTimeAsync(5_000);
	expect(at.desk.isFresh(paymentOf(7))).toBe(false);
});

test('the last answer about an invoice stays valid after another invoice is looked up, even if the kiosk holds no money for the invoice', async () => {
	const opened = await learned();
	// The cash page was opened, but no note was inserted.
	if (opened.code === 'learned') expect(at.desk.keep(opened.found).ok).toBe(true);
	await learned({ is_paid: true });
	await learned({ id: 8 });
	expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid' });
	await learned({ total: 200_000 });
	await learned({ id: 8 });
	expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'open', total: 200_000 });
});

test('a slow answer is compared with the payments that the back office could list when the look-up was sent', async () => {
	const note_id = credit();
	expect(at.journal.append({ kind: 'note_uploaded', note_id }).ok).toBe(true);
	at.confirmed.set(note_id, systemClock.now());
	const asked = await ask();
	await vi.advanceTimersByTimeAsync(30_000);
	expect(learn(asked, { total: 50_000 })).toMatchObject({ balance: { state: 'paid' } });
	expect(await learned({ total: 50_000, listed: [50_000] })).toMatchObject({ balance: { state: 'dispute' } });
});

test('if another outlet logs in while a look-up waits for notes that are being sent, the look-up is dropped', async () => {
	credit();
	at.settled = new Promise(() => {});
	const found = at.desk.lookUp('INV/7');
	await vi.advanceTimersByTimeAsync(1_000);
	at.outlet = 'other';
	at.answer = said({ is_paid: true });
	await vi.advanceTimersByTimeAsync(5_000);
	expect(await found).toBeNull();
	expect(at.askedWith).toEqual([]);
});

test('the repeated look-up of an invoice waits until the outlet of the invoice is logged in', async () => {
	const note_id = credit();
	await learned({ is_paid: true });
	at.outlet = 'other';
	expect(at.journal.append({ kind: 'note_uploaded', note_id }).ok).toBe(true);
	at.answer = said({ is_paid: true, listed: [50_000, TOTAL] });
	await vi.advanceTimersByTimeAsync(120_000);
	expect(at.askedWith).toEqual([]);
	at.outlet = ACCOUNT.outlet;
	await vi.advanceTimersByTimeAsync(30_000);
	expect(at.askedWith).toEqual([`Token ${ACCOUNT.outlet}`]);
	expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice' });
});

test('for five minutes after a "paid" message, an answer "unpaid" with the same total is a dispute, unless an answer "paid" came after the message', async () => {
	await learned();
	at.desk.hearPaidById(7);
	await vi.advanceTimersByTimeAsync(20);
	expect(await learned()).toMatchObject({ balance: { state: 'dispute' } });
	expect(await learned({ total: TOTAL + 1 })).toMatchObject({ balance: { state: 'open' } });
	expect(await learned()).toMatchObject({ balance: { state: 'dispute' } });
	await vi.advanceTimersByTimeAsync(300_000);
	expect(await learned()).toMatchObject({ balance: { state: 'open' } });
	at.desk.hearPaidById(7);
	await vi.advanceTimersByTimeAsync(20);
	expect(await learned({ is_paid: true, listed: [50_000, 87_500] })).toMatchObject({ balance: { state: 'paid' } });
	expect(await learned()).toMatchObject({ balance: { state: 'open' } });
});

test('for five minutes after a "paid" message about an unknown invoice, an answer "unpaid" is a dispute', async () => {
	at.desk.hearPaidById(7);
	await vi.advanceTimersByTimeAsync(20);
	expect(await learned()).toMatchObject({ balance: { state: 'dispute' } });
	await vi.advanceTimersByTimeAsync(300_000);
	expect(await learned()).toMatchObject({ balance: { state: 'open' } });
});

test('if a "paid" message arrives during its invoice’s first look-up, a later answer "unpaid" is a dispute', async () => {
	const asked = await ask();
	at.desk.hearPaidById(7);
	expect(learn(asked)).toMatchObject({ balance: { state: 'paid' } });
	at.answer = said();
	await vi.advanceTimersByTimeAsync(2_000);
	expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'dispute' });
});

test('after a void, only an answer "unpaid" to a later look-up shows that the back office knows the void', async () => {
	await learned();
	const attempt_id = randomUUID();
	const action_id = randomUUID();
	const sale = { attempt_id, payment: paymentOf(7), amount: rupiah(TOTAL), method: 'card', attempt: 1, time: TIME } as const;
	at.journal.append({ kind: 'card_sale', ...sale });
	at.journal.append({ kind: 'card_outcome', attempt_id, outcome: 'approved', response: null, late: false });
	at.journal.append({ kind: 'card_approval_sent', attempt_id });
	const asked = await ask();
	at.journal.append({ kind: 'card_action', action_id, action: 'void', attempt_id, by: 'Sari', why: 'x', time: TIME });
	at.journal.append({ kind: 'card_action_ended', action_id, outcome: 'done', why: '', response: null });
	at.answer = said({ is_paid: true });
	learn(asked);
	const why = expect.stringContaining('that was given back');
	expect(await learned({ is_paid: true })).toMatchObject({ balance: { state: 'dispute', why } });
	await vi.advanceTimersByTimeAsync(2_000);
	expect(at.askedWith).toHaveLength(1);
	expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'dispute', why });
	expect(await learned()).toMatchObject({ balance: { state: 'open' } });
	expect(await learned({ is_paid: true })).toMatchObject({ balance: { state: 'paid' } });
});

test('a "paid" message of the last five minutes stays valid after a restart', async () => {
	await learned();
	at.desk.hearPaidById(7);
	await vi.advanceTimersByTimeAsync(60_000);
	at.startDesk();
	expect(await learned({ id: 8 })).toMatchObject({ balance: { state: 'open' } });
	expect(await learned()).toMatchObject({ balance: { state: 'dispute' } });
	expect(await learned({ total: TOTAL + 1 })).toMatchObject({ balance: { state: 'open' } });
	expect(await learned({ is_paid: true })).toMatchObject({ balance: { state: 'paid' } });
	at.startDesk();
	await vi.advanceTimersByTimeAsync(240_000);
	expect(await learned()).toMatchObject({ balance: { state: 'open' } });
});

test('a "paid" message also applies to an invoice that was looked up before the current invoice', async () => {
	await learned();
	await learned({ id: 8 });
	expect(at.desk.hearPaidById(7)).toBe(true);
	await vi.advanceTimersByTimeAsync(20);
	expect(await learned()).toMatchObject({ balance: { state: 'dispute' } });
	expect(await learned({ id: 8 })).toMatchObject({ balance: { state: 'open' } });
});

test('after "paid" messages, the invoice is looked up at a limited rate until an answer "paid" comes', async () => {
	await learned();
	at.answer = said();
	for (let second = 0; second < 60; second += 1) {
		at.desk.hearPaidById(7);
		await vi.advanceTimersByTimeAsync(1_000);
	}
	const flood = at.askedWith.length;
	await vi.advanceTimersByTimeAsync(60_000);
	expect([flood < 70, at.askedWith.length - flood]).toEqual([true, 3]);
	at.answer = said({ is_paid: true });
	await vi.advanceTimersByTimeAsync(30_000);
	expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid' });
	const asked = at.askedWith.length;
	await vi.advanceTimersByTimeAsync(300_000);
	expect(at.askedWith).toHaveLength(asked);
});

test('if an invoice has a note in doubt, a payment elsewhere is found after a reconnect, and becomes a double payment when staff find the note', async () => {
	const note_id = randomUUID();
	at.journal.append({ kind: 'cash_intent', note_id, payment: paymentOf(7), nominal: rupiah(150_000), code: '0x45', time: TIME });
	at.journal.append({ kind: 'cash_in_doubt', note_id, why: 'silence' });
	at.answer = said({ is_paid: true });
	at.desk.lookUpNewest();
	await vi.advanceTimersByTimeAsync(6_000);
	at.journal.append({ kind: 'cash_settled', note_id, outcome: 'in_box', nominal: rupiah(150_000), by: 'Sari', why: 'counted' });
	at.journal.append({ kind: 'note_uploaded', note_id });
	await learned({ is_paid: true });
	expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice', received: TOTAL + 150_000 });
});

test('if a "paid" message may be lost, the invoice is looked up before its note is sent, and a payment elsewhere is found', async () => {
	await learned();
	credit();
	at.settled = new Promise(() => {});
	at.answer = said({ is_paid: true });
	expect(await at.desk.refreshMissed(keyOf(7), 0)).toBe('answered');
	expect(at.askedWith).toEqual([]);
	expect(await at.desk.refreshMissed(keyOf(7), null)).toBe('answered');
	expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice', received: TOTAL + 50_000 });
	expect(await at.desk.refreshMissed(keyOf(7), systemClock.now() + 1)).toBe('answered');
	expect(at.askedWith).toHaveLength(2);
});

test.each<[NoAnswer, Refreshed]>([
	[{ code: 'unreachable', message: 'no route', unsent: true }, 'unreachable'],
	[{ code: 'timeout', message: 'no connection in time', unsent: true }, 'unreachable'],
	// The server may close the connection at each look-up of this one invoice.
	[{ code: 'unreachable', message: 'the answer was cut off' }, 'no_answer'],
	[{ code: 'timeout', message: 'no answer in time' }, 'no_answer'],
])('the server counts as unreachable only if no connection was made: %j', async (how, refreshed) => {
	await learned();
	credit();
	at.failure = how;
	expect(await at.desk.refreshMissed(keyOf(7), null)).toBe(refreshed);
});
