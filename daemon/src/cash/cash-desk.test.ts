import { randomUUID } from 'node:crypto';
import { type LiveText, paidText } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import type { AcceptorCommand, AcceptorReport } from '../acceptor/driver.ts';
import { PlayedInvoices } from '../back-office/invoices.fixture.ts';
import { systemClock } from '../base/clock.ts';
import { fail, ok } from '../base/result.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { ACCOUNT, keyOf } from '../journal/payment.fixture.ts';
import type { JournalRecord } from '../journal/records.ts';
import { openStore } from '../journal/store.ts';
import { type CashDesk, startCashDesk } from './cash-desk.ts';
import { CASH_ROUTE } from './cash-page.ts';

const INVOICE = { account: ACCOUNT, id: 7, odoo_id: null, noinvoice: 'INV/7', total: rupiah(137_500) };
const FROZEN_MS = 45_000;

let directory: string;
let journal: Journal;
let desk: CashDesk;
let report: (report: AcceptorReport) => void;
let commands: AcceptorCommand[];
/** Called by the driver for each command before the desk continues. */
let answer: (command: AcceptorCommand) => void;
let told: LiveText[];
let uploads: number;
const SCREEN = 'screen';
const invoices = new PlayedInvoices(() => journal);
/** Whether the invoice has an open or unknown card sale. */
let held: boolean;
/**
 * How the disk reacts to writes. `refuses_but_keeps`: it reports an error although the bytes were
 * written.
 */
let disk: 'well' | 'refuses' | 'refuses_but_keeps';

function openJournalOnDisk(): Journal {
	return openJournal({ directory, minFreeBytes: 0 }, systemClock, (at) => {
		const opened = openStore(at);
		if (!opened.ok || disk === 'refuses') return fail({ code: 'broken', message: 'the disk is gone' } as const);
		const store = opened.value;
		const append = (record: JournalRecord, time: Date) => {
			if (disk === 'well') return store.append(record, time);
			if (disk === 'refuses_but_keeps') store.append(record, time);
			return fail({ code: 'broken', message: 'the sync failed' } as const);
		};
		return ok({ ...store, append });
	});
}

function startDesk(): void {
	journal = openJournalOnDisk();
	desk = startCashDesk({
		journal,
		policy: { notes: new Map([['0x45', rupiah(50_000)]]), switchedOff: new Set(), overpayLimit: null },
		clock: systemClock,
		log: { event: () => {} },
		newId: randomUUID,
		notify: (text) => void told.push(text),
		onJournalOpened: () => {},
		uploadNow: () => {
			uploads += 1;
		},
		onClosed: () => {},
		isHeld: () => held,
		isRestarting: () => false,
		isCallUnknown: () => false,
		invoices,
		frozenMs: FROZEN_MS,
		timestamp: (at) => at.toISOString(),
		startDriver: (hear) => {
			report = hear;
			const send = (command: AcceptorCommand): void => {
				commands.push(command);
				answer(command);
			};
			return { send, stop: () => {} };
		},
	});
	report({ kind: 'state', state: 'ready' });
}

const draw = (payment = INVOICE) => desk.onDrawn({ session: SCREEN, screen: CASH_ROUTE, id: payment.id });
const open = (payment = INVOICE) => desk.open(desk.announce(), invoices.lookedUp(payment), SCREEN);

function restart(): void {
	desk.stop();
	journal.close();
	startDesk();
}

beforeEach(() => {
	vi.useFakeTimers();
	directory = temporaryFolder('cash-desk');
	commands = [];
	answer = () => {};
	told = [];
	uploads = 0;
	held = false;
	disk = 'well';
	startDesk();
});
afterEach(() => {
	desk.stop();
	vi.useRealTimers();
	journal.close();
});

const stackedByte = (accepted: boolean) => report({ kind: 'stacked', accepted, late: false, code: accepted ? '0x45' : null });
const states = () => journal.notesOf(keyOf(7)).map((note) => note.state);
const shown = () => told.filter((text) => text.type === 'payment_cash_notification').length;

async function acceptNote(): Promise<void> {
	await open();
	draw();
	report({ kind: 'escrow', code: '0x45' });
	expect(commands).toContain('accept');
}

test.each([
	['keeps despite a write error is not written again', 'refuses_but_keeps'],
	['refuses is written', 'refuses'],
] as const)('a credit that the disk %s after recovery, and the note counts once', async (_what, fate) => {
	await acceptNote();
	disk = fate;
	stackedByte(true);
	expect(shown()).toBe(0);
	expect(desk.shownState()).toBe('journal_unhealthy');
	disk = 'well';
	vi.advanceTimersByTime(6_000);
	expect(states()).toEqual(['credited']);
	expect(shown()).toBe(1);
	vi.advanceTimersByTime(60_000);
	expect(shown()).toBe(1);
	const answer = await desk.close(7);
	expect(answer).toMatchObject({ received: 50_000, in_doubt: 0 });
});

test('no note is taken for an invoice with an open or unknown card sale', async () => {
	held = true;
	expect(await open()).toBe('held');
	report({ kind: 'escrow', code: '0x45' });
	expect(commands).toEqual(['reject']);
});

test.each([
	['refuses the record', 'refuses'],
	['keeps the record but reports an error', 'refuses_but_keeps'],
] as const)('STACKED without an accepted note is listed once for staff, even if the disk first %s', (_what, fate) => {
	disk = fate;
	stackedByte(false);
	expect(journal.inDoubt()).toEqual([]);
	disk = 'well';
	vi.advanceTimersByTime(60_000);
	expect(journal.inDoubt()).toHaveLength(1);
});

test('if the record of a return cannot be written, the note is in doubt after the journal recovers', async () => {
	await acceptNote();
	disk = 'refuses';
	report({ kind: 'returned', accepted: true });
	expect(uploads).toBe(0);
	disk = 'well';
	vi.advanceTimersByTime(6_000);
	expect(uploads).toBe(1);
	expect(states()).toEqual(['in_doubt']);
});

test('a session opened while the journal is unreadable is shown as paid after recovery if earlier notes paid its invoice', async () => {
	for (let note = 0; note < 3; note += 1) {
		await acceptNote();
		stackedByte(true);
	}
	desk.markPaid(keyOf(7));
	await desk.close(7);
	expect(journal.money.toldPaid(keyOf(7))).toBe('back_office');
	disk = 'refuses';
	desk.unlock('the disk refuses this record');
	const opened = await open();
	expect(opened).toMatchObject({ machine_ready: false, is_paid: false });
	commands = [];
	report({ kind: 'escrow', code: '0x45' });
	expect(commands).toEqual(['reject']);
	disk = 'well';
	vi.advanceTimersByTime(6_000);
	expect(told).toContainEqual(paidText(INVOICE));
	expect(commands).not.toContain('enable');
	expect(await open()).toMatchObject({ is_paid: true, entries: { length: 3 } });
});

test('STACKED within 20 s is evidence about the note in doubt; a later STACKED is a separate note', async () => {
	await acceptNote();
	report({ kind: 'outcome_missing', why: 'silence', other: false });
	const [doubt] = journal.inDoubt();
	vi.advanceTimersByTime(19_000);
	stackedByte(false);
	expect(journal.inDoubt()).toMatchObject([{ note_id: doubt?.note_id, why: expect.stringContaining('later said "stacked"') }]);

	await desk.close(7);
	await acceptNote();
	report({ kind: 'outcome_missing', why: 'silence', other: false });
	vi.advanceTimersByTime(21_000);
	stackedByte(false);
	expect(journal.inDoubt().map((note) => note.nominal)).toEqual([50_000, 50_000, null]);
});

test.each([
	[5_000, 1],
	[25_000, 2],
])('if the daemon was down for %i ms, STACKED after the restart leaves %i notes in doubt', async (away, notes) => {
	await acceptNote();
	desk.stop();
	vi.advanceTimersByTime(away);
	restart();
	if (away < 20_000) expect(journal.inDoubt()).toHaveLength(1);
	stackedByte(false);
	expect(journal.inDoubt()).toHaveLength(notes);
});

test('if STACKED is reported after each of two restarts, the second report is a separate note', async () => {
	await acceptNote();
	const [{ note_id } = { note_id: '' }] = journal.notesOf(keyOf(7));
	restart();
	stackedByte(false);
	expect(journal.inDoubt()).toMatchObject([{ note_id, why: expect.stringContaining('later said "stacked"') }]);
	vi.advanceTimersByTime(1_000);
	restart();
	stackedByte(false);
	expect(journal.inDoubt().map((note) => note.nominal)).toEqual([50_000, null]);
});

test('after an unexplained note and a restart, STACKED is another unexplained note', () => {
	stackedByte(false);
	restart();
	stackedByte(false);
	expect(journal.inDoubt().map((note) => note.nominal)).toEqual([null, null]);
});

test('if the time of a note in doubt is in the future, STACKED is a separate note, because the note’s age is unknown', async () => {
	vi.setSystemTime(Date.now() + 86_400_000);
	await acceptNote();
	desk.stop();
	vi.setSystemTime(Date.now() - 86_400_000);
	restart();
	stackedByte(false);
	expect(
		journal
			.inDoubt()
			.map((note) => note.nominal)
			.sort(),
	).toEqual([50_000, null]);
});

test('the 20 s limit starts when the note is taken, not at the restart', async () => {
	await acceptNote();
	desk.stop();
	vi.advanceTimersByTime(15_000);
	restart();
	vi.advanceTimersByTime(5_100);
	stackedByte(false);
	expect(journal.inDoubt()).toHaveLength(2);
});

describe('a frozen screen', () => {
	/** Opens the acceptor. The page draws twice more, and then nothing until it counts as frozen. */
	async function openAndFreeze(): Promise<void> {
		draw();
		await open();
		for (let beat = 0; beat < 2; beat += 1) {
			vi.advanceTimersByTime(5_000);
			draw();
		}
		vi.advanceTimersByTime(FROZEN_MS - 1);
		expect(commands).toEqual(['enable']);
		vi.advanceTimersByTime(2);
	}

	test('takes no note, and the session continues when the screen draws again', async () => {
		await openAndFreeze();
		for (const round of [1, 2]) {
			expect(commands.slice(-1)).toEqual(['inhibit']);
			expect(desk.shownState()).toBe('screen_frozen');
			report({ kind: 'escrow', code: '0x45' });
			expect(commands.slice(-1)).toEqual(['reject']);
			draw();
			expect(commands.slice(-1)).toEqual(['enable']);
			report({ kind: 'escrow', code: '0x45' });
			stackedByte(true);
			expect(states()).toHaveLength(round);
			vi.advanceTimersByTime(FROZEN_MS + 1);
		}
		expect(states()).toEqual(['credited', 'credited']);
	});

	test('does not affect the note in flight, and the next note is returned', async () => {
		draw();
		await acceptNote();
		vi.advanceTimersByTime(FROZEN_MS + 1);
		expect(commands.slice(-1)).toEqual(['inhibit']);
		stackedByte(true);
		expect(states()).toEqual(['credited']);
		expect(shown()).toBe(1);
		report({ kind: 'escrow', code: '0x45' });
		expect(commands.slice(-1)).toEqual(['reject']);
	});

	test('if the page draws again while a note is in flight, the acceptor is shown as ready after the note', async () => {
		await acceptNote();
		answer = (command) => report({ kind: 'state', state: command === 'enable' ? 'ready' : 'inhibited' });
		vi.advanceTimersByTime(FROZEN_MS + 1);
		draw();
		stackedByte(true);
		expect(told.filter((text) => text.type === 'machine_ready').at(-1)).toMatchObject({ is_ready: true, state: 'ready' });
	});

	test('if every heartbeat is 20 s late, the acceptor stays open', async () => {
		draw();
		await open();
		for (let beat = 0; beat < 10; beat += 1) {
			vi.advanceTimersByTime(25_000);
			draw();
		}
		expect(commands).toEqual(['enable']);
	});

	test('is not reported without a session, and keeps the acceptor closed for the next invoice until the screen draws', async () => {
		await openAndFreeze();
		await desk.close(7);
		expect(desk.shownState()).not.toBe('screen_frozen');
		const before = commands.length;
		expect(await open({ ...INVOICE, id: 8 })).toMatchObject({ machine_ready: false, message: 'screen_frozen' });
		expect(commands.slice(before)).not.toContain('enable');
		draw({ ...INVOICE, id: 8 });
		expect(commands.slice(-1)).toEqual(['enable']);
	});

	test('the acceptor opens only if the cash page has drawn, before or after the request to open', async () => {
		expect(await open()).toMatchObject({ machine_ready: false, message: 'screen_frozen' });
		expect(commands).toEqual([]);
		draw();
		expect(commands).toEqual(['enable']);
		await desk.close(7);
		draw();
		expect(await open()).toMatchObject({ machine_ready: true });
	});

	test('a heartbeat of another session does not reopen the acceptor', async () => {
		await openAndFreeze();
		desk.onDrawn({ session: 'another', screen: CASH_ROUTE, id: INVOICE.id });
		expect(desk.shownState()).toBe('screen_frozen');
	});

	test('if the customer leaves the cash page, the note in flight is credited and the session ends', async () => {
		await acceptNote();
		desk.onDrawn({ session: SCREEN, screen: '/', id: null });
		expect(commands.slice(-1)).toEqual(['inhibit']);
		stackedByte(true);
		vi.advanceTimersByTime(15_001);
		expect([states(), desk.isOpen()]).toEqual([['credited'], false]);
	});
});
