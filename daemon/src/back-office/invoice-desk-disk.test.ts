/** How the back office's answers are stored when the disk refuses writes. */
import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { keyOf, paymentOf, saidPaid } from '../journal/payment.fixture.ts';
import {
	append,
	aroundInvoiceDesk,
	ask,
	at,
	credit,
	giveNoteBack,
	learn,
	learned,
	onDisk,
	said,
	TIME,
	TOTAL,
	WRITTEN_MS,
} from './invoice-desk.fixture.ts';

aroundInvoiceDesk();

/** Attempts a write. The disk refuses it, and this closes the journal. */
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
	'if the disk refuses an answer (%s), no received amount is shown, and the answer is written after the repair',
	async (how) => {
		credit();
		await learned();
		const asked = await ask();
		at.disk = how;
		expect(learn(asked, { listed: [30_000] })).toEqual({ code: 'unreadable', isDispute: false });
		expect(at.desk.current()).toBeNull();
		expect(learn(asked, { listed: [30_000] })).toEqual({ code: 'unreadable', isDispute: false });
		await repair();
		expect(onDisk()).toMatchObject({ is_paid: false, listed: [{ nominal: 30_000 }] });
		expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ received: 80_000, elsewhere: 30_000 });
	},
);

test('while the disk is full, an answer is used at once and written when there is space', async () => {
	credit();
	at.disk = 'disk_full';
	expect(await learned({ listed: [30_000] })).toMatchObject({ code: 'learned', balance: { received: 80_000 } });
	await vi.advanceTimersByTimeAsync(WRITTEN_MS);
	expect(onDisk()).toBeNull();
	await repair();
	expect(onDisk()).toMatchObject({ listed: [{ nominal: 30_000 }] });
});

test('if the disk refuses several answers, each answer is written once, after the repair', async () => {
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

test('if a full disk refuses a "paid" message that came before the kiosk reported a note, the payment elsewhere is found after the repair', async () => {
	const note = credit();
	await learned();
	at.disk = 'disk_full';
	expect(at.desk.hearPaidById(7)).toBe(true);
	at.told.add(note);
	expect(await learned({ is_paid: true, listed: [50_000, 87_500] })).toMatchObject({ balance: { state: 'paid' } });
	await repair();
	expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice', twice: 50_000 });
});

test('while the disk is full, a "paid" message applies to the current invoice at once and is written when there is space', async () => {
	credit();
	await learned();
	at.disk = 'disk_full';
	expect(at.desk.hearPaidById(7)).toBe(true);
	expect([at.desk.balanceOf(keyOf(7)).state, onDisk()]).toMatchObject(['paid_twice', { is_paid: false }]);
	await repair();
	expect(onDisk()).toMatchObject({ is_paid: true, total: TOTAL });
});

test('while the disk is full, "paid" in the answer to a note of an earlier invoice waits and is written when there is space', async () => {
	credit();
	await learned();
	await learned({ id: 8 });
	at.disk = 'disk_full';
	at.desk.hearPaid(keyOf(7), systemClock.now());
	expect(onDisk()).toMatchObject({ is_paid: false });
	await repair();
	expect(onDisk()).toMatchObject({ is_paid: true });
});

test.each([true, false])(
	'a "paid" that arrives while the journal is unreadable applies after the repair (invoice is shown: %s)',
	async (isShown) => {
		credit();
		await learned();
		if (!isShown) await learned({ id: 8 });
		at.disk = 'broken';
		failToWrite();
		at.desk.hearPaidById(7);
		await repair();
		expect(onDisk()).toMatchObject({ is_paid: true });
		expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice' });
	},
);

test('a late answer to an earlier look-up does not replace the newest answer that waits for the disk', async () => {
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

test('if a look-up is answered while the journal is unreadable, the answer is not used', async () => {
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

test('a "paid" that a full disk refused stays valid after the next invoice is looked up', async () => {
	credit();
	await learned();
	at.disk = 'disk_full';
	at.desk.hearPaidById(7);
	await learned({ id: 8 });
	expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice' });
});

test('a dispute stays a dispute while the journal is unreadable: "paid" is not shown', async () => {
	giveNoteBack();
	await learned({ is_paid: true });
	expect(at.desk.balanceOf(keyOf(7)).state).toBe('dispute');
	at.disk = 'broken';
	failToWrite();
	expect([at.desk.hearPaidById(7), at.desk.balanceOf(keyOf(7)).state]).toEqual([false, 'dispute']);
	await repair();
	expect([at.shownPaid, at.desk.balanceOf(keyOf(7)).state]).toEqual([[], 'dispute']);
});

test('a "paid" message that makes the invoice a dispute is not shown, even if its own record breaks the journal', async () => {
	giveNoteBack();
	await learned();
	at.disk = 'broken';
	expect(at.desk.hearPaidById(7)).toBe(false);
	expect(at.journal.trouble()).not.toBeNull();
	await repair();
	expect([at.shownPaid, at.desk.balanceOf(keyOf(7)).state]).toEqual([[], 'dispute']);
});

test('if an answer makes the invoice a dispute, the invoice stays a dispute even if the record of the answer breaks the journal', async () => {
	giveNoteBack();
	await learned();
	at.disk = 'broken';
	expect(await learned({ is_paid: true })).toEqual({ code: 'unreadable', isDispute: true });
	expect(at.desk.balanceOf(keyOf(7)).state).toBe('dispute');
});

test('a "paid" message about a smaller total that comes while the journal is unreadable does not count for the larger total', async () => {
	append({ kind: 'note_uploaded', note_id: credit() });
	await learned({ total: 100_000, is_paid: true, listed: [50_000, 50_000] });
	at.startDesk();
	await learned({ listed: [50_000, 50_000] });
	at.disk = 'broken';
	failToWrite();
	at.desk.hearPaidById(7);
	await repair();
	expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'partial', due: 37_500 });
});

test('the answer to a look-up that was sent while the journal was unreadable is not used', async () => {
	append({ kind: 'note_uploaded', note_id: credit() });
	at.disk = 'broken';
	failToWrite();
	const asked = await ask();
	await repair();
	expect(learn(asked, { total: 50_000 })).toEqual({ code: 'unreadable', isDispute: false });
});

test.each([...Array(12).keys()])(
	'if read number %i of an answer fails, its money does not count twice after the repair',
	async (failing) => {
		append({ kind: 'note_uploaded', note_id: credit() }, { kind: 'note_uploaded', note_id: credit() });
		const asked = await ask();
		at.failingRead = failing;
		learn(asked, { listed: [50_000, 50_000] });
		at.failingRead = null;
		await repair();
		expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'partial', received: 100_000 });
	},
);

test('a "paid" message that came while the journal was unreadable is applied to its invoice, even if another invoice has the id by then', async () => {
	await learned();
	at.answer = { results: { ...said().results, noinvoice: 'INV/7b' } };
	await at.desk.lookUp('INV/7b', 1_000, 'current');
	at.answer = null;
	at.disk = 'broken';
	failToWrite();
	at.desk.hearPaidById(7);
	learn(await ask(), { id: 8 });
	await repair();
	const other = keyOf(7).replace('INV/7', 'INV/7b') as ReturnType<typeof keyOf>;
	expect([at.desk.balanceOf(keyOf(7)).state, at.desk.balanceOf(other).state]).toEqual(['paid', 'open']);
});

test('a late answer to a look-up sent while the journal was unreadable does not discard the invoice of a later look-up', async () => {
	at.disk = 'broken';
	failToWrite();
	const asked = await ask();
	await repair();
	await learned();
	learn(asked, {});
	expect(at.desk.current()?.payment.noinvoice).toBe('INV/7');
});

test.each([false, true])(
	'if an unsent note belongs to an invoice reported as paid when the kiosk starts (journal unreadable: %s), the invoice is looked up when the note is confirmed',
	async (isUnreadable) => {
		append(saidPaid(7));
		const note_id = credit();
		if (isUnreadable) {
			at.disk = 'broken';
			failToWrite();
		}
		at.startDesk();
		await repair();
		append({ kind: 'note_uploaded', note_id });
		at.answer = said({ is_paid: true, listed: [50_000, TOTAL] });
		const before = at.askedWith.length;
		await vi.advanceTimersByTimeAsync(60_000);
		expect(at.askedWith.length).toBeGreaterThan(before);
		expect(at.desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice', twice: 50_000 });
	},
);
