/** Inserted money when the disk fails, or when the kiosk restarts or stops. */

import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test, vi } from 'vitest';
import { keyOf, saidPaid } from '../journal/payment.fixture.ts';
import { deskOfEachTest, INVOICE, OTHER, SCREEN } from './cash-desk.fixture.ts';

const at = deskOfEachTest();

test.each([
	[
		'a pulled-back note is recorded as a lock',
		() => at.report({ kind: 'state', state: 'bill_fish' }),
		() => at.journal.acceptorLock() !== null,
	],
	[
		'STACKED is recorded as evidence',
		() => at.report({ kind: 'stacked', accepted: false, late: false, code: null }),
		() => at.journal.inDoubt().some(({ why }) => why.includes('later said "stacked"')),
	],
] as const)('%s once the full disk accepts writes again', async (_what, happens, isWritten) => {
	await at.open(INVOICE, []);
	at.escrow();
	at.report({ kind: 'outcome_missing', why: 'silence', other: false });
	at.diskSays = 'disk_full';
	happens();
	expect([isWritten(), at.logged]).toEqual([
		false,
		expect.arrayContaining([['journal.unhealthy', { code: 'disk_full', message: 'the disk says no' }]]),
	]);
	at.diskSays = 'well';
	await vi.advanceTimersByTimeAsync(6_000);
	expect(isWritten()).toBe(true);
});

test('no note is taken until the disk accepts the waiting records of the cashbox’s removal and return', async () => {
	await at.open(INVOICE, []);
	at.diskSays = 'disk_full';
	at.report({ kind: 'cashbox_removed' });
	at.report({ kind: 'cashbox_in_place' });
	// The disk reports enough free space but refuses each write, as with a full quota.
	await vi.advanceTimersByTimeAsync(6_000);
	expect([at.desk.unwritten().length, at.commands.at(-1)]).toEqual([2, 'inhibit']);
	at.diskSays = 'well';
	await vi.advanceTimersByTimeAsync(6_000);
	expect([at.desk.unwritten(), at.commands.at(-1)]).toEqual([[], 'enable']);
	expect(at.journal.cashbox.uncounted()).toMatchObject([{ returned: expect.any(String) }]);
});

describe('the disk fails while money is inside', () => {
	const states = () => at.journal.notesOf(keyOf(7)).map(({ state }) => state);

	test('while the journal is unreadable, closing an invoice without an open session gives no amount', async () => {
		await at.open(INVOICE, []);
		at.note();
		expect((await at.desk.close(7))?.entries).toHaveLength(1);
		at.diskSays = 'broken';
		expect(at.desk.unlock('checked').ok).toBe(false);
		expect(await at.desk.close(7)).toBeNull();
	});

	test('if the disk recovers before the note’s outcome, the note is credited', async () => {
		await at.open(INVOICE, []);
		at.escrow();
		at.free = 999;
		await vi.advanceTimersByTimeAsync(6_000);
		expect(at.desk.shownState()).toBe('disk_full');
		at.free = 1_000;
		await vi.advanceTimersByTimeAsync(6_000);
		expect(states()).toEqual(['intended']);
		at.stack();
		expect([states(), at.journal.notesOf(keyOf(7))[0]?.why]).toEqual([['credited'], '']);
	});

	test('if the credit of a second note cannot be written, both notes are sent to the screen after recovery and each counts once', async () => {
		await at.open(INVOICE, []);
		at.note();
		at.escrow();
		at.diskSays = 'broken';
		at.stack();
		expect(at.desk.shownState()).toBe('journal_unhealthy');
		at.told = [];
		at.diskSays = 'well';
		await vi.advanceTimersByTimeAsync(6_000);
		expect(states()).toEqual(['credited', 'credited']);
		const notes = at.told.flatMap((text) => (text.type === 'payment_cash_notification' ? [text.note_id] : []));
		expect(notes.sort()).toEqual(at.ids().sort());
		expect(await at.desk.close(7)).toMatchObject({ received: 100_000, entries: { length: 2 }, in_doubt: 0 });
	});
});

test('if the journal was unreadable when the look-up was answered, "paid" waits for another look-up', async () => {
	await at.open(OTHER, []);
	at.invoices.readable = false;
	at.note();
	at.diskSays = 'broken';
	at.report({ kind: 'state', state: 'bill_fish' });
	expect(at.desk.shownState()).toBe('journal_unhealthy');
	await vi.advanceTimersByTimeAsync(30_000);
	expect(at.types()).not.toContain('payment_notification');
	at.diskSays = 'well';
	at.invoices.readable = true;
	let answer = () => {};
	at.invoices.refresh = () =>
		new Promise((resolve) => {
			answer = () => resolve('answered');
		});
	await vi.advanceTimersByTimeAsync(6_000);
	expect(at.types()).not.toContain('payment_notification');
	answer();
	await vi.advanceTimersByTimeAsync(0);
	expect(at.types()).toContain('payment_notification');
});

/** Makes a write fail, which closes the journal. */
function breakJournal(): void {
	at.diskSays = 'broken';
	at.desk.unlock('checked');
}

describe('while the journal was unreadable, a cash payment began', () => {
	const reopen = async () => {
		at.commands = [];
		at.told = [];
		at.diskSays = 'well';
		await vi.advanceTimersByTimeAsync(6_000);
	};

	test('for an invoice in dispute: the payment ends without taking notes when the journal reopens', async () => {
		await at.open(INVOICE, []);
		at.note();
		at.journal.append({ kind: 'note_uploaded', note_id: at.ids()[0] ?? '' });
		at.journal.append(saidPaid(7, rupiah(50_000)));
		await at.desk.close(7);
		const listed = [{ nominal: rupiah(50_000), tanggal: '' }];
		expect(await at.open(INVOICE, listed)).toBe('dispute');
		breakJournal();
		expect(await at.open(INVOICE, listed)).toMatchObject({ message: 'journal_unhealthy' });
		await reopen();
		expect(at.desk.isOpen()).toBe(false);
		expect(at.commands).not.toContain('enable');
	});

	test('for an invoice that a card sale holds: the payment ends without taking notes when the journal reopens', async () => {
		breakJournal();
		await at.open(INVOICE, []);
		at.isHeld = true;
		await reopen();
		expect(at.desk.isOpen()).toBe(false);
		expect(at.commands).not.toContain('enable');
	});

	test('for a disputed invoice that the back office reports as paid: opening and closing answer "not paid"', async () => {
		await at.open(INVOICE, []);
		at.note();
		await at.desk.close(7);
		const open = () => {
			const listed = [{ nominal: INVOICE.total, tanggal: '', note_id: at.ids()[0] ?? 'unreadable' }];
			return at.desk.open(at.desk.announce(), at.invoices.lookedUp(INVOICE, listed, true), SCREEN);
		};
		expect(await open()).toBe('dispute');
		breakJournal();
		expect([await open(), await at.desk.close(7)]).toMatchObject([{ is_paid: false }, { is_paid: false }]);
	});

	test('for a paid invoice: the screen gets "paid" only when the journal reopens', async () => {
		breakJournal();
		const invoice = at.invoices.lookedUp(INVOICE, [], true);
		expect(await at.desk.open(at.desk.announce(), invoice, SCREEN)).toMatchObject({ is_paid: false });
		expect(at.types()).not.toContain('payment_notification');
		await reopen();
		expect(at.types()).toContain('payment_notification');
	});
});

test('a staff decision that reached the disk although its write failed is applied when the journal reopens; a later RETURNED changes nothing', async () => {
	await at.open(INVOICE, []);
	at.escrow();
	at.report({ kind: 'outcome_missing', why: 'silence', other: false });
	const note = at.journal.cashbox.find(at.ids()[0] ?? '')[0] ?? expect.fail('no note is in doubt');
	at.diskSays = 'broken_but_kept';
	expect(at.desk.settleNote(note, { outcome: 'in_box', nominal: rupiah(50_000), by: 'Sari', why: 'looked' }).ok).toBe(false);
	at.diskSays = 'well';
	await vi.advanceTimersByTimeAsync(6_000);
	at.report({ kind: 'returned', accepted: true });
	expect(at.journal.notesOf(keyOf(7))).toMatchObject([{ state: 'credited' }]);
	expect(await at.desk.close(7)).toMatchObject({ received: 50_000, entries: { length: 1 }, in_doubt: 0 });
});

test('if two staff decisions about a note could not be written and a third one is written, only the third is applied', async () => {
	await at.open(INVOICE, []);
	at.escrow();
	at.report({ kind: 'outcome_missing', why: 'silence', other: false });
	const note = at.journal.cashbox.find(at.ids()[0] ?? '')[0] ?? expect.fail('no note is in doubt');
	const { free } = at;
	[at.free, at.diskSays] = [0, 'disk_full'];
	await vi.advanceTimersByTimeAsync(6_000);
	for (let again = 0; again < 2; again += 1)
		expect(at.desk.settleNote(note, { outcome: 'in_box', nominal: rupiah(50_000), by: 'Sari', why: 'looked' }).ok).toBe(false);
	at.diskSays = 'well';
	expect(at.desk.settleNote(note, { outcome: 'returned', nominal: null, by: 'Budi', why: 'looked' }).ok).toBe(true);
	at.free = free;
	await vi.advanceTimersByTimeAsync(6_000);
	expect(at.types()).not.toContain('payment_cash_notification');
	expect(await at.desk.close(7)).toMatchObject({ received: 0, entries: { length: 0 }, in_doubt: 0 });
});

describe('STACKED after a restart', () => {
	const stray = () => at.report({ kind: 'stacked', accepted: false, late: false, code: null });
	const restartWithDoubt = async () => {
		await at.open(INVOICE, []);
		at.escrow();
		at.desk.stop();
		at.journal.close();
		at.start();
	};

	test('more than 20 s after the note is not evidence about this note', async () => {
		await restartWithDoubt();
		await vi.advanceTimersByTimeAsync(20_500);
		stray();
		expect(at.journal.inDoubt().map(({ nominal }) => nominal)).toEqual([50_000, null]);
	});

	test('is evidence about the newest note in doubt even if the clock was set back between the two notes', async () => {
		await restartWithDoubt();
		await vi.advanceTimersByTimeAsync(40_000);
		vi.setSystemTime(Date.now() - 45_000);
		await at.open(OTHER, []);
		at.escrow();
		at.desk.stop();
		at.journal.close();
		// By the wall clock, the first note was taken 1 s ago and the second note 6 s ago.
		vi.setSystemTime(Date.now() + 6_000);
		at.start();
		stray();
		const evidence = expect.stringContaining('later said "stacked"');
		expect(at.journal.notesOf(keyOf(7))).toMatchObject([{ why: expect.not.stringContaining('later said "stacked"') }]);
		expect(at.journal.notesOf(keyOf(8))).toMatchObject([{ why: evidence }]);
	});

	test('another note in doubt starts a new limit of 20 s', async () => {
		await restartWithDoubt();
		await vi.advanceTimersByTimeAsync(10_000);
		await at.open(OTHER, []);
		at.escrow();
		at.report({ kind: 'outcome_missing', why: 'silence', other: false });
		await vi.advanceTimersByTimeAsync(15_000);
		stray();
		expect(at.journal.inDoubt()).toHaveLength(2);
		expect(at.journal.notesOf(keyOf(8))).toMatchObject([{ why: expect.stringContaining('later said "stacked"') }]);
	});
});

test('stopping the cash desk cancels all its timers', async () => {
	await at.open(INVOICE, []);
	for (let count = 0; count < 3; count += 1) at.note();
	await at.open(OTHER, []);
	at.escrow();
	at.report({ kind: 'outcome_missing', why: 'silence', other: false });
	at.desk.stop();
	expect(vi.getTimerCount()).toBe(0);
});
