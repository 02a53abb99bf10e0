/**
 * The order of records that wait for the disk, and records that staff or later reports make
 * obsolete.
 */
import { rupiah } from '@kiosk/contract/money';
import { expect, test, vi } from 'vitest';
import { keyOf } from '../journal/payment.fixture.ts';
import { collectCashbox } from '../staff/collect-cashbox.ts';
import { deskOfEachTest, INVOICE, OTHER } from './cash-desk.fixture.ts';

const at = deskOfEachTest();
const expectedOf = (period: number) => at.journal.cashbox.period(period)?.expected;
const states = () => at.journal.notesOf(keyOf(7)).map(({ state }) => state);
/** The next check of journal and disk. */
const check = () => vi.advanceTimersByTimeAsync(6_000);
const BY = { by: 'Sari', why: 'it is in the box' };

async function accepted(): Promise<void> {
	await at.open(INVOICE, []);
	at.escrow();
}

function settleAsInBox(): void {
	const [note] = at.journal.cashbox.find(at.journal.inDoubt()[0]?.note_id ?? '');
	if (!note) throw new Error('no note is in doubt');
	expect(at.desk.settleNote(note, { outcome: 'in_box', nominal: rupiah(50_000), ...BY }).ok).toBe(true);
}

test.each(['broken', 'disk_full'] as const)(
	'a note that was stacked before a removal counts for the removed cashbox even if its credit is written later (%s)',
	async (trouble) => {
		await accepted();
		at.diskSays = trouble;
		at.stack();
		at.report({ kind: 'cashbox_removed' });
		at.report({ kind: 'cashbox_in_place' });
		at.diskSays = 'well';
		await check();
		expect([states(), expectedOf(1), expectedOf(2)]).toEqual([['credited'], 50_000, 0]);
	},
);

test('a note that is stacked after a removal counts for the new cashbox even if the record of the removal waited', async () => {
	await accepted();
	at.diskSays = 'disk_full';
	at.report({ kind: 'cashbox_removed' });
	at.report({ kind: 'cashbox_in_place' });
	at.diskSays = 'well';
	at.stack();
	await check();
	expect([states(), expectedOf(1), expectedOf(2)]).toEqual([['credited'], 0, 50_000]);
});

test('a stacked note whose credit waits is recorded before the cashbox is counted', async () => {
	await accepted();
	at.diskSays = 'disk_full';
	at.stack();
	const deps = {
		cash: at.desk,
		journal: at.journal,
		slips: { collected: () => {}, hasPrinter: () => false },
		tellAnchor: () => {},
		newId: () => '0d8f2b1e-6a57-4f0c-9a55-0d3c3b7f7a10',
		now: () => '2026-11-21T14:31:08+07:00',
		log: { event: () => {} },
	};
	const count = (expected: number) =>
		collectCashbox(deps, { by: 'Sari', expected: rupiah(expected), counted: rupiah(50_000), through: null });
	expect(count(0)).toMatchObject({ error: { code: 'not_written' } });
	at.diskSays = 'well';
	await at.desk.close(7);
	expect(count(0)).toMatchObject({ error: { code: 'changed' } });
	expect(count(50_000)).toMatchObject({ ok: true });
	await check();
	expect([states(), expectedOf(2)]).toEqual([['credited'], 0]);
});

test('if staff settle a note while evidence about it waits, the evidence is dropped and the records behind it are written', async () => {
	await accepted();
	at.report({ kind: 'outcome_missing', why: 'silence', other: false });
	at.diskSays = 'disk_full';
	at.free = 999;
	at.report({ kind: 'stacked', accepted: false, late: false, code: null });
	at.report({ kind: 'stacked', accepted: false, late: false, code: '0x45' });
	expect(at.desk.unwritten().map(({ kind }) => kind)).toEqual(['cash_evidence', 'cash_unexplained']);
	at.diskSays = 'well';
	settleAsInBox();
	at.free = 1_000_000;
	await check();
	expect([at.desk.unwritten(), at.journal.inDoubt().map(({ nominal }) => nominal)]).toEqual([[], [50_000]]);
});

test('if staff settle a note while its credit waits, the note counts once', async () => {
	await accepted();
	at.diskSays = 'disk_full';
	at.free = 999;
	at.stack();
	at.diskSays = 'well';
	at.journal.doubtOpenIntents(null);
	settleAsInBox();
	at.free = 1_000_000;
	await check();
	expect([states(), expectedOf(1)]).toEqual([['credited'], 50_000]);
	expect(await at.desk.close(7)).toMatchObject({ received: 50_000, in_doubt: 0 });
});

test('a STACKED after a doubt whose record could not be written is recorded as evidence', async () => {
	await accepted();
	at.diskSays = 'disk_full';
	at.report({ kind: 'outcome_missing', why: 'the acceptor restarted while it stacked the note', other: false });
	at.report({ kind: 'state', state: 'starting' });
	at.diskSays = 'well';
	at.report({ kind: 'stacked', accepted: false, late: false, code: null });
	await check();
	expect(at.journal.inDoubt()).toMatchObject([{ why: expect.stringContaining('later said "stacked"') }]);
});

test('an unlocking is recorded after the lock, even if the record of the lock waited', async () => {
	at.diskSays = 'disk_full';
	at.report({ kind: 'state', state: 'bill_fish' });
	expect(at.desk.unlock('Sari looked').ok).toBe(false);
	at.diskSays = 'well';
	expect(at.desk.unlock('Sari looked').ok).toBe(true);
	await check();
	expect([at.commands.filter((command) => command === 'unlock'), at.journal.acceptorLock()]).toEqual([['unlock'], null]);
});

test('after a start without a readable journal, a repeated removal is compared with the journal before any record is written', async () => {
	at.report({ kind: 'cashbox_removed' });
	at.desk.stop();
	at.journal.close();
	at.diskSays = 'broken';
	at.start(true, 'starting');
	await at.open(OTHER, []);
	at.report({ kind: 'cashbox_removed' });
	at.report({ kind: 'cashbox_in_place' });
	at.invoices.hearWaiting = () => at.desk.markPaid(keyOf(8));
	at.diskSays = 'well';
	await check();
	expect(at.journal.cashbox.uncounted().map(({ returned }) => returned !== null)).toEqual([true]);
});

test('a note whose credit is on disk although its write failed counts once in the session, even if the session reads it first', async () => {
	const small = { ...INVOICE, total: rupiah(100_000) };
	await at.open(small, []);
	at.escrow();
	at.diskSays = 'broken_but_kept';
	at.stack();
	at.diskSays = 'broken';
	at.report({ kind: 'cashbox_removed' });
	at.report({ kind: 'cashbox_in_place' });
	at.invoices.hearWaiting = () => {
		at.desk.onInvoiceChanged(small, at.invoices.balanceOf(keyOf(7)));
		at.diskSays = 'broken';
	};
	at.diskSays = 'well';
	await check();
	at.desk.onBackOfficeUnreachable();
	await check();
	expect(at.types()).not.toContain('payment_notification');
});
