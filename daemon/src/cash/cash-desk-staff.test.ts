/** Staff and technician functions of the cash desk, and its tasks between payments. */
import { randomUUID } from 'node:crypto';
import type { AcceptorState } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { deskOfEachTest, INVOICE } from './cash-desk.fixture.ts';
import { startCashDesk } from './cash-desk.ts';

const at = deskOfEachTest();

describe('staff settle a note in doubt', () => {
	const doubt = async () => {
		await at.open(INVOICE, []);
		at.escrow();
		at.report({ kind: 'outcome_missing', why: 'silence', other: false });
		return at.journal.cashbox.find(at.ids()[0] ?? '')[0] ?? expect.fail('no note is in doubt');
	};

	test.each([
		['in_box', 50_000, 1, [{ nominal: 50_000 }]],
		['returned', null, 0, []],
	] as const)('as %s with the value %s: %i uploads, and the payment has the entries %j', async (outcome, nominal, sent, entries) => {
		const found = await doubt();
		const decision = { outcome, nominal: nominal === null ? null : rupiah(nominal), by: 'Sari', why: 'looked' };
		expect(at.desk.settleNote(found, decision)).toEqual({ ok: true, value: undefined });
		expect(at.logged).toContainEqual([
			'cash.note_settled',
			expect.objectContaining({ note_id: found.note_id, nominal: 50_000, invoice: 'INV/7', outcome }),
		]);
		expect(at.uploads).toBe(sent);
		expect(at.desk.shownState()).toBe('ready');
		expect(await at.desk.close(7)).toMatchObject({ entries, in_doubt: 0 });
	});

	test('if the decision of staff cannot be written, the note stays in doubt', async () => {
		const found = await doubt();
		at.diskSays = 'disk_full';
		expect(at.desk.settleNote(found, { outcome: 'in_box', nominal: rupiah(50_000), by: 'Sari', why: 'looked' })).toMatchObject({
			ok: false,
			error: { code: 'disk_full' },
		});
		expect(at.desk.shownState()).toBe('note_in_doubt');
		expect(at.uploads).toBe(0);
	});
});

test('old records are verified only while no payment is open', async () => {
	await vi.advanceTimersByTimeAsync(5_000);
	expect(at.patrols).toBe(1);
	await at.open(INVOICE, []);
	const before = at.patrols;
	await vi.advanceTimersByTimeAsync(20_000);
	expect(at.patrols).toBe(before);
	await at.desk.close(7);
	await vi.advanceTimersByTimeAsync(5_000);
	expect(at.patrols).toBe(before + 1);
});

test('when staff unlock the acceptor, this is recorded, and the acceptor gets the command', () => {
	at.report({ kind: 'state', state: 'bill_fish' });
	expect(at.journal.acceptorLock()).not.toBeNull();
	expect(at.desk.unlock('Sari looked').ok).toBe(true);
	expect([at.journal.acceptorLock(), at.commands.at(-1)]).toEqual([null, 'unlock']);
	expect(at.logged).toContainEqual(['acceptor.unlocked', { why: 'Sari looked' }]);
});

test('an unlocking that cannot be recorded is refused and not sent to the acceptor', () => {
	at.report({ kind: 'state', state: 'bill_fish' });
	at.diskSays = 'broken';
	expect(at.desk.unlock('Sari looked').ok).toBe(false);
	expect(at.commands).not.toContain('unlock');
});

test.each([1, 2])(
	'if %d unlocking(s) reached the disk although their write failed, the acceptor is unlocked once when the journal reopens',
	async (times) => {
		at.report({ kind: 'state', state: 'bill_fish' });
		at.diskSays = 'broken_but_kept';
		for (let one = 0; one < times; one += 1) expect(at.desk.unlock('Sari looked').ok).toBe(false);
		expect(at.commands).not.toContain('unlock');
		at.diskSays = 'well';
		await vi.advanceTimersByTimeAsync(6_000);
		expect([at.journal.acceptorLock(), at.commands.filter((command) => command === 'unlock')]).toEqual([null, ['unlock']]);
	},
);

test('if a note is pulled back after an unlocking whose write failed, the acceptor stays locked when the journal reopens', async () => {
	at.report({ kind: 'state', state: 'bill_fish' });
	at.diskSays = 'broken_but_kept';
	at.desk.unlock('Sari looked');
	at.report({ kind: 'state', state: 'ready' });
	at.report({ kind: 'state', state: 'bill_fish' });
	at.diskSays = 'well';
	await vi.advanceTimersByTimeAsync(6_000);
	expect(at.journal.acceptorLock()).not.toBeNull();
	expect(at.commands).not.toContain('unlock');
});

test('if the journal was unreadable at the start, the recorded lock is applied and the return of the cashbox is recorded when the journal reopens', async () => {
	at.report({ kind: 'state', state: 'bill_fish' });
	at.report({ kind: 'cashbox_removed' });
	expect(at.journal.cashbox.boxOut()).not.toBeNull();
	at.desk.stop();
	at.journal.close();
	at.diskSays = 'broken';
	at.start();
	expect(at.commands).not.toContain('lock');
	at.diskSays = 'well';
	await vi.advanceTimersByTimeAsync(6_000);
	expect(at.commands).toContain('lock');
	expect(at.journal.acceptorLock()).not.toBeNull();
	expect(at.journal.cashbox.boxOut()).toBeNull();
});

describe('a cashbox that was out in the previous run, after a start with an unreadable journal,', () => {
	const removals = () => at.journal.cashbox.uncounted();

	function startsBlind(first: AcceptorState): void {
		at.report({ kind: 'cashbox_removed' });
		at.desk.stop();
		at.journal.close();
		at.diskSays = 'broken';
		at.start(true, first);
	}

	async function recovers(): Promise<void> {
		at.diskSays = 'well';
		await vi.advanceTimersByTimeAsync(6_000);
	}

	test('is recorded as removed once, and its return belongs to that removal', async () => {
		startsBlind('cashbox_open');
		await recovers();
		expect(removals()).toHaveLength(1);
		expect(at.journal.cashbox.boxOut()).not.toBeNull();
		at.report({ kind: 'cashbox_in_place' });
		expect(at.journal.cashbox.boxOut()).toBeNull();
	});

	test('is recorded as removed once if it returns before the journal reopens', async () => {
		startsBlind('cashbox_open');
		at.report({ kind: 'cashbox_in_place' });
		await recovers();
		expect(removals()).toHaveLength(1);
		expect(at.journal.cashbox.boxOut()).toBeNull();
	});

	test('is recorded as removed twice if it is in place at the start and removed before the journal reopens', async () => {
		startsBlind('inhibited');
		at.report({ kind: 'cashbox_removed' });
		await recovers();
		expect(removals()).toHaveLength(2);
	});

	test('is recorded as returned if it is in place at the start; the return after another removal is recorded for that removal', async () => {
		startsBlind('inhibited');
		at.report({ kind: 'cashbox_removed' });
		await recovers();
		expect(removals()).toMatchObject([{ returned: expect.any(String) }, { returned: null }]);
		at.report({ kind: 'cashbox_in_place' });
		expect(at.journal.cashbox.boxOut()).toBeNull();
	});

	test('is recorded as returned even if the line is lost when the journal reopens', async () => {
		startsBlind('inhibited');
		at.report({ kind: 'state', state: 'disconnected' });
		await recovers();
		at.report({ kind: 'state', state: 'cashbox_open' });
		expect(removals()).toMatchObject([{ returned: expect.any(String) }, { returned: null }]);
	});

	test('is recorded as returned even if fishing has locked cash when the journal reopens', async () => {
		startsBlind('bill_fish');
		at.report({ kind: 'cashbox_in_place' });
		await recovers();
		expect(at.journal.cashbox.boxOut()).toBeNull();
	});

	test('is recorded as removed once if the acceptor reports it as open while the reopened journal’s disk has too little space', async () => {
		startsBlind('disconnected');
		const { free } = at;
		at.free = 0;
		await recovers();
		expect(at.desk.shownState()).toBe('disk_full');
		at.report({ kind: 'state', state: 'cashbox_open' });
		at.free = free;
		await recovers();
		expect(removals()).toHaveLength(1);
	});

	test('is not recorded as removed again, and the acceptor is locked, even if the write of a waiting record closes the reopened journal again', async () => {
		at.report({ kind: 'state', state: 'bill_fish' });
		startsBlind('disconnected');
		at.report({ kind: 'stacked', accepted: false, late: false, code: null });
		at.diskSays = 'broken_but_kept';
		await vi.advanceTimersByTimeAsync(6_000);
		expect(at.desk.shownState()).toBe('journal_unhealthy');
		await recovers();
		expect(at.commands).toContain('lock');
		at.report({ kind: 'state', state: 'cashbox_open' });
		expect(removals()).toHaveLength(1);
	});
});

test('without an acceptor in the settings, opening is answered with `not_configured`', async () => {
	at.desk.stop();
	at.journal.close();
	at.start(false);
	expect(await at.open(INVOICE, [])).toMatchObject({ machine_ready: false, message: 'not_configured' });
	at.desk.unlock('no customer is there');
	at.desk.stop();
});

test('before its first report, an acceptor is shown as disconnected', () => {
	at.desk.stop();
	const restarted = startCashDesk({
		journal: at.journal,
		policy: { notes: new Map([['0x45', rupiah(50_000)]]), switchedOff: new Set(), overpayLimit: null },
		clock: systemClock,
		log: { event: () => {} },
		newId: randomUUID,
		notify: () => {},
		onJournalOpened: () => {},
		uploadNow: () => {},
		onClosed: () => {},
		isHeld: () => false,
		isRestarting: () => false,
		isCallUnknown: () => false,
		invoices: at.invoices,
		frozenMs: 45_000,
		timestamp: (at) => at.toISOString(),
		startDriver: () => ({ send: () => {}, stop: () => {} }),
	});
	expect(restarted.shownState()).toBe('disconnected');
	restarted.stop();
});
