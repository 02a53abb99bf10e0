/** The storage of the back office's answers while the disk refuses writes. */
import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { keyOf, paymentOf } from '../journal/payment.fixture.ts';
import { aroundInvoiceDesk, ask, at, credit, learn, learned, onDisk, said, TIME, TOTAL, WRITTEN_MS } from './invoice-desk.fixture.ts';

aroundInvoiceDesk();

/** A write fails, so the journal is closed. */
function failToWrite(): void {
	const note_id = randomUUID();
	const begun = { kind: 'cash_intent', note_id, payment: paymentOf(9), nominal: rupiah(50_000), code: '0x45', time: TIME } as const;
	expect(at.journal.append(begun).ok).toBe(false);
	expect(at.journal.trouble()).not.toBeNull();
}

/** Repairs the disk and opens the journal again, as the daemon does. */
async function repair(): Promise<void> {
	at.disk = 'well';
	if (at.journal.trouble()) expect(at.journal.reopen()).toBeNull();
	at.desk.hearWaiting();
	await vi.advanceTimersByTimeAsync(WRITTEN_MS);
}

test.each(['broken', 'broken_but_kept'] as const)(
	'when the disk refuses an answer (%s), no received amount is shown; the answer is written after the repair',
	async (how) => {
		credit();
		await learned();
		const asked = await ask();
		at.disk = how;
		expect(learn(asked, { listed: [30_000] })).toEqual({ code: 'unreadable' });
		expect(at.desk.current()).toBeNull();
		expect(learn(asked, { listed: [30_000] })).toEqual({ code: 'unreadable' });
		await repair();
		expect(onDisk()).toMatchObject({ is_paid: false, listed: [{ nominal: 30_000 }] });
		expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ received: 80_000, elsewhere: 30_000 });
	},
);

test('an answer that comes while the disk is full counts at once, and is written when there is space', async () => {
	credit();
	at.disk = 'disk_full';
	expect(await learned({ listed: [30_000] })).toMatchObject({ code: 'learned', balance: { received: 80_000 } });
	await vi.advanceTimersByTimeAsync(WRITTEN_MS);
	expect(onDisk()).toBeNull();
	await repair();
	expect(onDisk()).toMatchObject({ listed: [{ nominal: 30_000 }] });
});

test('when the disk refuses several answers, each is written later, once', async () => {
	credit();
	at.disk = 'disk_full';
	await learned({ listed: [10_000] });
	await learned({ listed: [10_000, 20_000] });
	const before = at.journal.money.position();
	await repair();
	expect([at.journal.money.position() - before, onDisk()]).toMatchObject([2, { listed: [{ nominal: 10_000 }, { nominal: 20_000 }] }]);
	await vi.advanceTimersByTimeAsync(WRITTEN_MS);
	expect(at.journal.money.position() - before).toBe(2);
});

test('a message "paid" that came before our note was reported still shows a payment elsewhere, although a full disk refused the message', async () => {
	const note = credit();
	await learned();
	at.disk = 'disk_full';
	expect(at.desk.hearPaidById(7)).toBe(true);
	at.told.add(note);
	expect(await learned({ is_paid: true, listed: [50_000, 87_500] })).toMatchObject({ balance: { state: 'paid' } });
	await repair();
	expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice', twice: 50_000 });
});

test('a message "paid" that comes while the disk is full counts for the current customer, and is written when there is space', async () => {
	credit();
	await learned();
	at.disk = 'disk_full';
	expect(at.desk.hearPaidById(7)).toBe(true);
	expect([at.desk.balanceOf(keyOf(7)).state, onDisk()]).toMatchObject(['paid_twice', { is_paid: false }]);
	await repair();
	expect(onDisk()).toMatchObject({ is_paid: true, total: TOTAL });
});

test('while the disk is full, a message "paid" about an invoice whose customer has left waits, and is written when there is space', async () => {
	credit();
	await learned();
	await learned({ id: 8 });
	at.disk = 'disk_full';
	at.desk.hearPaid(keyOf(7), systemClock.now());
	expect(onDisk()).toMatchObject({ is_paid: false });
	await repair();
	expect(onDisk()).toMatchObject({ is_paid: true });
});

test.each([true, false])('"paid" that comes while the journal cannot be read counts later (invoice is shown: %s)', async (isShown) => {
	credit();
	await learned();
	if (!isShown) await learned({ id: 8 });
	at.disk = 'broken';
	failToWrite();
	at.desk.hearPaidById(7);
	await repair();
	expect(onDisk()).toMatchObject({ is_paid: true });
	expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice' });
});

test('an answer to an earlier look-up does not discard the newest answer, which waits for the disk', async () => {
	credit();
	await learned();
	const [early, late] = [await ask(), await ask()];
	at.disk = 'disk_full';
	learn(late, { listed: [30_000] });
	await learned({ id: 8 });
	learn(early);
	await repair();
	expect(onDisk()).toMatchObject({ listed: [{ nominal: 30_000 }] });
});

test('a look-up that is answered while the journal cannot be read is refused', async () => {
	credit();
	await learned();
	at.answer = said({ total: 200_000 });
	expect(await at.desk.refresh(paymentOf(7))).toBe('answered');
	expect(at.desk.current()?.payment.total).toBe(200_000);
	at.disk = 'broken';
	at.journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: 'test' });
	expect(await at.desk.refresh(paymentOf(7))).toBe('unreadable');
	at.answer = null;
	expect(await at.desk.refresh(paymentOf(7))).toBe('no_answer');
});

test('"paid" that a full disk has refused still counts when the next invoice is looked up', async () => {
	credit();
	await learned();
	at.disk = 'disk_full';
	at.desk.hearPaidById(7);
	await learned({ id: 8 });
	expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice' });
});
