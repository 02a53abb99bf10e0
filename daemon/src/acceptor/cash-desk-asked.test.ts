/** What a cash desk answers to the screen, to staff and to the back office; cash-desk.test.ts has what disks and restarts do to it. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/harness/folder.ts';
import type { LiveText } from '../../contract/live.ts';
import { rupiah } from '../../contract/money.ts';
import { systemClock } from '../clock.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import type { JournalRecord } from '../journal/records.ts';
import { openStore } from '../journal/store.ts';
import { fail, ok } from '../result.ts';
import { type CashDesk, startCashDesk } from './cash-desk.ts';
import type { Session } from './cash-state.ts';
import type { AcceptorCommand, AcceptorReport } from './driver.ts';

const INVOICE = { id: 7, odoo_id: 'SO7', noinvoice: 'INV/7', total: rupiah(137_500) };
const OTHER = { id: 8, odoo_id: null, noinvoice: null, total: rupiah(20_000) };

let directory: string;
let journal: Journal;
let desk: CashDesk;
let report: (report: AcceptorReport) => void;
let commands: AcceptorCommand[];
let told: LiveText[];
let logged: unknown[][];
let uploads: number;
let closed: Session[];
let stopped: number;
let free: number;
/** How often old records were looked at. */
let patrols: number;
let diskSays: 'well' | 'disk_full' | 'broken';

function start(withAcceptor = true): void {
	const broken = () => fail({ code: diskSays === 'disk_full' ? diskSays : ('broken' as const), message: 'the disk says no' });
	const opened = openJournal(
		{ directory, minFreeBytes: 1_000 },
		systemClock,
		(at) => {
			const opened = openStore(at);
			if (!opened.ok || diskSays === 'broken') return broken();
			const { append } = opened.value;
			return ok({
				...opened.value,
				append: (record: JournalRecord, time: Date) => (diskSays === 'well' ? append(record, time) : broken()),
			});
		},
		() => free,
	);
	journal = {
		...opened,
		patrol() {
			patrols += 1;
			opened.patrol();
		},
	};
	desk = startCashDesk({
		journal,
		policy: { notes: new Map([['0x45', rupiah(50_000)]]), switchedOff: new Set(), overpayLimit: null },
		clock: systemClock,
		log: { event: (id, fields) => void logged.push([id, fields]) },
		newId: randomUUID,
		tell: (text) => void told.push(text),
		uploadNow: () => {
			uploads += 1;
		},
		closed: (session) => void closed.push(session),
		held: () => false,
		frozenMs: 45_000,
		timestamp: (at) => at.toISOString(),
		startDriver: withAcceptor
			? (hear) => {
					report = hear;
					return {
						send: (command) => void commands.push(command),
						stop: () => {
							stopped += 1;
						},
					};
				}
			: null,
	});
	if (withAcceptor) report({ kind: 'state', state: 'ready' });
}

beforeEach(() => {
	vi.useFakeTimers();
	directory = temporaryFolder('cash-desk');
	commands = [];
	told = [];
	logged = [];
	uploads = 0;
	closed = [];
	stopped = 0;
	free = 1_000_000;
	patrols = 0;
	diskSays = 'well';
	start();
});
afterEach(() => {
	desk.stop();
	vi.useRealTimers();
	journal.close();
});

const escrow = () => report({ kind: 'escrow', code: '0x45' });
const stack = () => report({ kind: 'stacked', accepted: true, late: false, code: '0x45' });
const note = () => {
	escrow();
	stack();
};
const types = () => told.map((text) => text.type);
const ids = () => journal.notesOf(7).map(({ note_id }) => note_id);

describe('opening', () => {
	test('is answered with what the machine can do and what is in already', async () => {
		expect(await desk.open(INVOICE, [])).toEqual({ machine_ready: true, message: 'Ready', entries: [], is_paid: false });
		expect([desk.isOpen(), desk.isPaying('7'), desk.isPaying(8), desk.shown()]).toEqual([true, true, false, 'ready']);
		note();
		const [entry] = desk.credited(7);
		expect(entry).toEqual({ note_id: ids()[0], nominal: 50_000, time: new Date().toISOString() });
		expect(await desk.open(INVOICE, [{ nominal: rupiah(20_000), tanggal: 'today' }])).toEqual({
			machine_ready: true,
			message: 'Ready',
			entries: [{ note_id: null, nominal: 20_000, time: 'today' }, entry],
			is_paid: false,
		});
		expect(closed).toEqual([]);
	});

	test('an invoice without number and order is kept so', async () => {
		await desk.open(OTHER, []);
		note();
		expect(journal.nextUpload()).toMatchObject({ id: 8, odoo_id: null, noinvoice: '' });
		await desk.open(INVOICE, []);
		note();
		expect(journal.notesOf(7)).toMatchObject([{ odoo_id: 'SO7', noinvoice: 'INV/7' }]);
	});

	test('another invoice ends the session before it', async () => {
		await desk.open(INVOICE, []);
		note();
		await desk.open(OTHER, []);
		expect(closed).toMatchObject([{ payment: { id: 7 }, entries: [{ nominal: 50_000 }] }]);
		expect([desk.isPaying(7), desk.isPaying(8)]).toEqual([false, true]);
	});

	test('waits for the note in flight of the session before it, also of the same invoice', async () => {
		for (const request of [OTHER, INVOICE]) {
			await desk.open(INVOICE, []);
			escrow();
			desk.closeUnattended();
			let answered = false;
			const opening = desk.open(request, []).then(() => {
				answered = true;
			});
			await vi.advanceTimersByTimeAsync(100);
			expect(answered).toBe(false);
			stack();
			await opening;
			expect(desk.isPaying(request.id)).toBe(true);
			await desk.close(request.id);
		}
		expect(journal.notesOf(7).map(({ state }) => state)).toEqual(['credited', 'credited']);
	});

	test.each(['bill_jam', 'motor_failure', 'sensor_problem'] as const)(
		'with a fault that a restart clears (%s) restarts the machine',
		async (state) => {
			report({ kind: 'state', state });
			expect(await desk.open(INVOICE, [])).toMatchObject({ machine_ready: false, message: state });
			expect(commands).toContain('reset');
		},
	);

	test.each(['ready', 'bill_fish', 'silent'] as const)('in state %s restarts nothing', async (state) => {
		report({ kind: 'state', state });
		await desk.open(INVOICE, []);
		expect(commands).not.toContain('reset');
	});

	test('looks at the disk before it promises to take notes', async () => {
		free = 999;
		expect(await desk.open(INVOICE, [])).toMatchObject({ machine_ready: false, message: 'disk_full' });
		expect(logged).toContainEqual([
			'journal.unhealthy',
			expect.objectContaining({ code: 'disk_full', message: expect.stringContaining('999 bytes free') }),
		]);
		free = 1_000;
		await vi.advanceTimersByTimeAsync(6_000);
		expect(desk.shown()).toBe('ready');
		expect(logged.at(-1)).toMatchObject(expect.arrayContaining([expect.stringMatching(/journal.healthy|cash.opened/)]));
		expect(logged.map(([id]) => id)).toContain('journal.healthy');
	});
});

describe('enough is in', () => {
	const cover = async () => {
		await desk.open(INVOICE, []);
		for (let count = 0; count < 3; count += 1) note();
	};

	test('and the back office says nothing: the kiosk says paid after 5 s, once', async () => {
		await cover();
		await vi.advanceTimersByTimeAsync(4_900);
		expect(types()).not.toContain('payment_notification');
		await vi.advanceTimersByTimeAsync(200);
		expect(types().filter((type) => type === 'payment_notification')).toHaveLength(1);
		expect(journal.paidBy(7)).toBe('kiosk');
		await vi.advanceTimersByTimeAsync(60_000);
		expect(types().filter((type) => type === 'payment_notification')).toHaveLength(1);
	});

	test('what the kiosk has declared paid is paid: to a screen that connects, at closing, and when the back office says so, too', async () => {
		await cover();
		desk.backOfficeUnreachable();
		expect(desk.greeting().at(-1)).toEqual({ type: 'payment_notification', id: 7, is_paid: true });
		desk.paidByBackOffice(7);
		expect(types().filter((type) => type === 'payment_notification')).toHaveLength(1);
		expect(await desk.open(INVOICE, [])).toMatchObject({ is_paid: true });
		await desk.close(7);
		expect(logged.at(-1)).toMatchObject(['cash.closed', { invoice: 'INV/7', received: 150_000, paid: true }]);
	});

	test('and the back office cannot be reached: the kiosk says paid at once', async () => {
		await cover();
		desk.backOfficeUnreachable();
		expect(journal.paidBy(7)).toBe('kiosk');
	});

	test('each note is news for the outbox, and closing says that it is covered', async () => {
		await cover();
		expect(uploads).toBe(3);
		expect(await desk.close(7)).toMatchObject({ received: 150_000, is_paid: true, in_doubt: 0, entries: { length: 3 } });
		expect(logged.at(-1)).toMatchObject(['cash.closed', { invoice: 'INV/7', payment_id: 7, received: 150_000, paid: false }]);
	});
});

describe('closing', () => {
	test('less than the total: not paid, and the session is handed on once', async () => {
		await desk.open(INVOICE, []);
		note();
		const answer = await desk.close('7');
		expect(answer).toEqual({ entries: desk.credited(7), received: 50_000, is_paid: false, in_doubt: 0 });
		expect(closed).toHaveLength(1);
		expect([desk.isOpen(), await desk.close(7)]).toEqual([false, answer]);
		expect(closed).toHaveLength(1);
	});

	test('is asked for an invoice that nobody pays just now: what the books know', async () => {
		await desk.open(OTHER, []);
		expect(await desk.close(7)).toEqual({ entries: [], received: 0, is_paid: false, in_doubt: 0 });
		expect(desk.isPaying(8)).toBe(true);
		note();
		desk.paidByBackOffice(8);
		expect(await desk.close(8)).toMatchObject({ is_paid: true, received: 50_000 });
		expect(await desk.close(8)).toMatchObject({ is_paid: true, received: 50_000 });
	});

	test('with a note in doubt says how much of it', async () => {
		await desk.open(INVOICE, []);
		escrow();
		report({ kind: 'outcome_missing', why: 'silence' });
		expect(await desk.close(7)).toMatchObject({ received: 0, in_doubt: 50_000, entries: [] });
		expect(desk.credited(7)).toEqual([]);
	});

	test('by nobody in front of the screen takes no further note', async () => {
		await desk.open(INVOICE, []);
		desk.closeUnattended();
		expect([desk.isOpen(), commands.at(-1)]).toEqual([false, 'inhibit']);
	});

	test('the daemon leaves: it waits for the note in flight and begins nothing more', async () => {
		await desk.open(INVOICE, []);
		escrow();
		let left = false;
		const leaving = desk.leave().then(() => {
			left = true;
		});
		await vi.advanceTimersByTimeAsync(1_000);
		expect(left).toBe(false);
		stack();
		await vi.advanceTimersByTimeAsync(1_000);
		await leaving;
		expect(await desk.open(INVOICE, [])).toBe('leaving');
		desk.stop();
		expect(stopped).toBe(1);
		expect(vi.getTimerCount()).toBe(0);
	});
});

test('a screen that connects hears the machine, every note of the session and that it is paid', async () => {
	expect(desk.greeting()).toEqual([{ type: 'machine_ready', is_ready: false, state: 'inhibited', ict_text: 'inhibited' }]);
	await desk.open(INVOICE, [{ nominal: rupiah(20_000), tanggal: 'today' }]);
	note();
	const notes = {
		type: 'payment_cash_notification',
		id: 7,
		odoo_id: 'SO7',
		note_id: ids()[0],
		nominal: 50_000,
		time: new Date().toISOString(),
	};
	expect(desk.greeting()).toEqual([{ type: 'machine_ready', is_ready: true, state: 'ready', ict_text: 'Ready' }, notes]);
	desk.paidByBackOffice(7);
	expect(desk.greeting().slice(1)).toEqual([notes, { type: 'payment_notification', id: 7, is_paid: true }]);
});

describe('the back office says that an invoice is paid', () => {
	test('that was begun here and left: it is no longer in question', async () => {
		await desk.open(INVOICE, []);
		note();
		await desk.close(7);
		await desk.open(OTHER, []);
		desk.paidByBackOffice(7);
		expect([journal.paidBy(7), journal.cashbox.partials()]).toEqual(['back_office', []]);
	});

	test('of which this kiosk knows nothing, or which is being paid: once at most', async () => {
		desk.paidByBackOffice(9);
		expect(journal.paidBy(9)).toBeNull();
		await desk.open(INVOICE, []);
		note();
		desk.paidByBackOffice(7);
		desk.paidByBackOffice(7);
		expect(types().filter((type) => type === 'payment_notification')).toHaveLength(1);
		expect(journal.paidBy(7)).toBe('back_office');
	});
});

describe('a person settles a note in doubt', () => {
	const doubt = async () => {
		await desk.open(INVOICE, []);
		escrow();
		report({ kind: 'outcome_missing', why: 'silence' });
		return journal.cashbox.find(ids()[0] ?? '')[0] ?? expect.fail('no note is in doubt');
	};

	test.each([
		['in_box', 50_000, 1, [{ nominal: 50_000 }]],
		['returned', null, 0, []],
	] as const)('%s', async (outcome, nominal, sent, entries) => {
		const found = await doubt();
		const decision = { outcome, nominal: nominal === null ? null : rupiah(nominal), by: 'Sari', why: 'looked' };
		expect(desk.settle(found, decision)).toEqual({ ok: true, value: undefined });
		expect(logged).toContainEqual([
			'cash.note_settled',
			expect.objectContaining({ note_id: found.note_id, nominal: 50_000, invoice: 'INV/7', outcome }),
		]);
		expect(uploads).toBe(sent);
		expect(desk.shown()).toBe('ready');
		expect(await desk.close(7)).toMatchObject({ entries, in_doubt: 0 });
	});

	test('and the disk refuses: nothing has changed', async () => {
		const found = await doubt();
		diskSays = 'disk_full';
		expect(desk.settle(found, { outcome: 'in_box', nominal: rupiah(50_000), by: 'Sari', why: 'looked' })).toMatchObject({
			ok: false,
			error: { code: 'disk_full' },
		});
		expect(desk.shown()).toBe('note_in_doubt');
		expect(uploads).toBe(0);
	});
});

test('old records are looked at while nobody pays, and only then', async () => {
	await vi.advanceTimersByTimeAsync(5_000);
	expect(patrols).toBe(1);
	await desk.open(INVOICE, []);
	const before = patrols;
	await vi.advanceTimersByTimeAsync(20_000);
	expect(patrols).toBe(before);
	await desk.close(7);
	await vi.advanceTimersByTimeAsync(5_000);
	expect(patrols).toBe(before + 1);
});

test('staff unlock: on disk, and the machine hears of it', () => {
	report({ kind: 'state', state: 'bill_fish' });
	expect(journal.acceptorLock()).not.toBeNull();
	desk.unlock('Sari looked');
	expect([journal.acceptorLock(), commands.at(-1)]).toEqual([null, 'unlock']);
});

test.each([
	[
		'a note that was pulled back locks the machine',
		() => report({ kind: 'state', state: 'bill_fish' }),
		() => journal.acceptorLock() !== null,
	],
	[
		'a stacked byte is evidence',
		() => report({ kind: 'stacked', accepted: false, late: false, code: null }),
		() => journal.inDoubt().some(({ why }) => why.includes('after a restart')),
	],
] as const)('%s also when the disk was full just then', async (_what, happens, isWritten) => {
	await desk.open(INVOICE, []);
	escrow();
	report({ kind: 'outcome_missing', why: 'silence' });
	diskSays = 'disk_full';
	happens();
	expect([isWritten(), logged]).toEqual([
		false,
		expect.arrayContaining([['journal.unhealthy', { code: 'disk_full', message: 'the disk says no' }]]),
	]);
	diskSays = 'well';
	await vi.advanceTimersByTimeAsync(6_000);
	expect(isWritten()).toBe(true);
});

test('an acceptor that does not exist is said to be missing, and no note is expected', async () => {
	desk.stop();
	journal.close();
	start(false);
	expect(await desk.open(INVOICE, [])).toMatchObject({ machine_ready: false, message: 'not_configured' });
	desk.unlock('nobody is there');
	desk.stop();
});

test('an acceptor that has not said anything yet is disconnected', () => {
	desk.stop();
	const restarted = startCashDesk({
		journal,
		policy: { notes: new Map([['0x45', rupiah(50_000)]]), switchedOff: new Set(), overpayLimit: null },
		clock: systemClock,
		log: { event: () => {} },
		newId: randomUUID,
		tell: () => {},
		uploadNow: () => {},
		closed: () => {},
		held: () => false,
		frozenMs: 45_000,
		timestamp: (at) => at.toISOString(),
		startDriver: () => ({ send: () => {}, stop: () => {} }),
	});
	expect(restarted.shown()).toBe('disconnected');
	restarted.stop();
});

describe('the disk fails while money is inside', () => {
	const states = () => journal.notesOf(7).map(({ state }) => state);

	test('and is well again before the note in flight has settled: the note is credited as ever', async () => {
		await desk.open(INVOICE, []);
		escrow();
		free = 999;
		await vi.advanceTimersByTimeAsync(6_000);
		expect(desk.shown()).toBe('disk_full');
		free = 1_000;
		await vi.advanceTimersByTimeAsync(6_000);
		expect(states()).toEqual(['intended']);
		stack();
		expect([states(), journal.notesOf(7)[0]?.why]).toEqual([['credited'], '']);
	});

	test('a later credit: the earlier notes of the session still count, the screen hears them again, and each counts once', async () => {
		await desk.open(INVOICE, []);
		note();
		escrow();
		diskSays = 'broken';
		stack();
		expect(desk.shown()).toBe('journal_unhealthy');
		told = [];
		diskSays = 'well';
		await vi.advanceTimersByTimeAsync(6_000);
		expect(states()).toEqual(['credited', 'credited']);
		const notes = told.flatMap((text) => (text.type === 'payment_cash_notification' ? [text.note_id] : []));
		expect(notes).toEqual([ids()[0], ids()[1]]);
		expect(await desk.close(7)).toMatchObject({ received: 100_000, entries: { length: 2 }, in_doubt: 0 });
	});
});

describe('a stacked byte after a restart', () => {
	const stray = () => report({ kind: 'stacked', accepted: false, late: false, code: null });
	const restartWithDoubt = async () => {
		await desk.open(INVOICE, []);
		escrow();
		desk.stop();
		journal.close();
		start();
	};

	test('is evidence about the note that was on its way, and 20 s later no more', async () => {
		await restartWithDoubt();
		await vi.advanceTimersByTimeAsync(20_500);
		stray();
		expect(journal.inDoubt().map(({ nominal }) => nominal)).toEqual([50_000, null]);
	});

	test('the 20 s of a newer doubt begin anew', async () => {
		await restartWithDoubt();
		await vi.advanceTimersByTimeAsync(10_000);
		await desk.open(OTHER, []);
		escrow();
		report({ kind: 'outcome_missing', why: 'silence' });
		await vi.advanceTimersByTimeAsync(15_000);
		stray();
		expect(journal.inDoubt()).toHaveLength(2);
		expect(journal.notesOf(8)).toMatchObject([{ why: expect.stringContaining('after a restart') }]);
	});
});

test('a desk that is stopped leaves nothing running, whatever it was waiting for', async () => {
	await desk.open(INVOICE, []);
	for (let count = 0; count < 3; count += 1) note();
	await desk.open(OTHER, []);
	escrow();
	report({ kind: 'outcome_missing', why: 'silence' });
	desk.stop();
	expect(vi.getTimerCount()).toBe(0);
});

test('an invoice that is covered anew waits anew for the back office', async () => {
	const twice = { ...OTHER, total: rupiah(50_000) };
	await desk.open(twice, []);
	note();
	await vi.advanceTimersByTimeAsync(3_000);
	await desk.open(INVOICE, []);
	for (let count = 0; count < 3; count += 1) note();
	await vi.advanceTimersByTimeAsync(3_000);
	expect(journal.paidBy(7)).toBeNull();
	await vi.advanceTimersByTimeAsync(3_000);
	expect(journal.paidBy(7)).toBe('kiosk');
});
