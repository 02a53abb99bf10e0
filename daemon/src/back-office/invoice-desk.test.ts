/** The order of the back office's answers, and their storage while the disk refuses writes. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { InvoiceInfo } from '@kiosk/contract/back-office';
import { rupiah } from '@kiosk/contract/money';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { fail, ok } from '../base/result.ts';
import { Secret } from '../base/secret.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { ACCOUNT, keyOf, paymentOf } from '../journal/payment.fixture.ts';
import type { JournalRecord } from '../journal/records.ts';
import { openStore } from '../journal/store.ts';
import type { NoAnswer } from './client.ts';
import type { Asked, Refreshed } from './invoice-calls.ts';
import { type InvoiceDesk, startInvoiceDesk } from './invoice-desk.ts';

const TIME = '2026-11-21T14:31:08+07:00';
const TOTAL = 137_500;
/** Longer than the pause between two attempts to write. */
const WRITTEN_MS = 6_000;

let journal: Journal;
/** The state directory. */
let state: string;
let desk: InvoiceDesk;
/** `broken_but_kept`: the write fails although its record is on disk. */
let disk: 'well' | 'disk_full' | 'broken' | 'broken_but_kept';
/** The body of the next answers; null: the back office does not answer. */
let answer: object | null;
/** Why it does not answer. */
let failure: NoAnswer;
/** The outlet that is logged in; its name is its token. */
let outlet: string;
/** Tokens of the look-ups. */
let askedWith: (string | undefined)[];
/** Resolves when no note is being sent. */
let settled: Promise<void>;
/** Ids of notes that the back office may know without having confirmed them. */
let told: Set<string>;
/** Time at which the back office confirmed each note, monotonic ms. */
const confirmed = new Map<string, number>();

beforeEach(() => {
	vi.useFakeTimers();
	disk = 'well';
	answer = null;
	failure = { code: 'timeout', message: '' };
	outlet = ACCOUNT.outlet;
	askedWith = [];
	told = new Set();
	settled = Promise.resolve();
	journal = openJournal({ directory: temporaryFolder('invoice-desk'), minFreeBytes: 0 }, systemClock, (at) => {
		const store = openStore(at);
		if (!store.ok || disk === 'broken') return store.ok ? fail({ code: 'broken', message: 'no disk' } as const) : store;
		const { append } = store.value;
		return ok({
			...store.value,
			append(record: JournalRecord, time: Date) {
				if (disk === 'well') return append(record, time);
				if (disk === 'broken_but_kept') append(record, time);
				return fail({ code: disk === 'disk_full' ? disk : ('broken' as const), message: 'the disk says no' });
			},
		});
	});
	state = temporaryFolder('invoice-desk-state');
	desk = startDesk();
});

const startDesk = () =>
	startInvoiceDesk({
		journal,
		announcedFile: join(state, 'announced.json'),
		token: {
			current: () => ({ token: new Secret(outlet), account: { ...ACCOUNT, outlet }, refused: false }),
			onChange: () => {},
		} as unknown as Parameters<typeof startInvoiceDesk>[0]['token'],
		call: async ({ headers }) => {
			askedWith.push(headers.Authorization);
			const body = Buffer.from(JSON.stringify(answer));
			return answer ? ok({ status: 200, contentType: 'application/json', setCookie: [], body }) : fail(failure);
		},
		path: '/look-up',
		csrf: { csrf_cookie: 'c', csrf_header: 'X-C' },
		clock: systemClock,
		newId: randomUUID,
		now: () => TIME,
		whenSettled: () => settled,
		mayBeTold: (id) => told.has(id),
		isConfirmedLately: (note_id, asked) => asked - (confirmed.get(note_id) ?? Number.NEGATIVE_INFINITY) < 20_000,
		onChanged: () => {},
		onConfirmed: () => {},
		log: { event: () => {} },
	});
afterEach(() => {
	vi.useRealTimers();
	journal.close();
});

interface Said {
	id?: number;
	total?: number;
	is_paid?: boolean;
	listed?: number[];
}
/** @returns the back office's answer about an invoice */
const said = ({ id = 7, total = TOTAL, is_paid = false, listed = [] }: Said = {}) => ({
	results: {
		id,
		odoo_id: null,
		noinvoice: `INV/${id}`,
		total,
		is_paid,
		list_pembayaran: listed.map((nominal) => ({ nominal, tanggal: TIME })),
	},
});
/** Sends a look-up, and advances the clock so that the next one is later. */
async function ask(): Promise<Asked> {
	const asked = await desk.ask();
	await vi.advanceTimersByTimeAsync(10);
	return asked;
}
const learn = (asked: Asked, what: Said = {}) => desk.learn(`INV/${what.id ?? 7}`, asked, v.parse(InvoiceInfo, said(what)));
const learned = async (what: Said = {}) => learn(await ask(), what);

/** A note of 50,000 of this kiosk. @returns its id */
function credit(id = 7): string {
	const note_id = randomUUID();
	const begun = { kind: 'cash_intent', note_id, payment: paymentOf(id), nominal: rupiah(50_000), code: '0x45', time: TIME } as const;
	for (const record of [begun, { kind: 'cash_credit', note_id, late: false } as const]) expect(journal.append(record).ok).toBe(true);
	return note_id;
}
/** A write fails, so the journal is closed. */
function failToWrite(): void {
	const note_id = randomUUID();
	const begun = { kind: 'cash_intent', note_id, payment: paymentOf(9), nominal: rupiah(50_000), code: '0x45', time: TIME } as const;
	expect(journal.append(begun).ok).toBe(false);
	expect(journal.trouble()).not.toBeNull();
}
const onDisk = (id = 7) => journal.money.viewOf(keyOf(id));

/** Repairs the disk and opens the journal again, as the daemon does. */
async function repair(): Promise<void> {
	disk = 'well';
	if (journal.trouble()) expect(journal.reopen()).toBeNull();
	desk.hearWaiting();
	await vi.advanceTimersByTimeAsync(WRITTEN_MS);
}

test.each(['broken', 'broken_but_kept'] as const)(
	'when the disk refuses an answer (%s), no received amount is shown; the answer is written after the repair',
	async (how) => {
		credit();
		await learned();
		const asked = await ask();
		disk = how;
		expect(learn(asked, { listed: [30_000] })).toEqual({ code: 'unreadable' });
		expect(desk.current()).toBeNull();
		expect(learn(asked, { listed: [30_000] })).toEqual({ code: 'unreadable' });
		await repair();
		expect(onDisk()).toMatchObject({ is_paid: false, listed: [{ nominal: 30_000 }] });
		expect(desk.balanceOf(keyOf(7))).toMatchObject({ received: 80_000, elsewhere: 30_000 });
	},
);

test('an answer that comes while the disk is full counts at once, and is written when there is space', async () => {
	credit();
	disk = 'disk_full';
	expect(await learned({ listed: [30_000] })).toMatchObject({ code: 'learned', balance: { received: 80_000 } });
	await vi.advanceTimersByTimeAsync(WRITTEN_MS);
	expect(onDisk()).toBeNull();
	await repair();
	expect(onDisk()).toMatchObject({ listed: [{ nominal: 30_000 }] });
});

test('when the disk refuses several answers, each is written later, once', async () => {
	credit();
	disk = 'disk_full';
	await learned({ listed: [10_000] });
	await learned({ listed: [10_000, 20_000] });
	const before = journal.money.position();
	await repair();
	expect([journal.money.position() - before, onDisk()]).toMatchObject([2, { listed: [{ nominal: 10_000 }, { nominal: 20_000 }] }]);
	await vi.advanceTimersByTimeAsync(WRITTEN_MS);
	expect(journal.money.position() - before).toBe(2);
});

test('a message "paid" that came before our note was reported still shows a payment elsewhere, although a full disk refused the message', async () => {
	const note = credit();
	await learned();
	disk = 'disk_full';
	expect(desk.hearPaidById(7)).toBe(true);
	told.add(note);
	expect(await learned({ is_paid: true, listed: [50_000, 87_500] })).toMatchObject({ balance: { state: 'paid' } });
	await repair();
	expect(desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice', twice: 50_000 });
});

test('a message "paid" that comes while the disk is full counts for the current customer, and is written when there is space', async () => {
	credit();
	await learned();
	disk = 'disk_full';
	expect(desk.hearPaidById(7)).toBe(true);
	expect([desk.balanceOf(keyOf(7)).state, onDisk()]).toMatchObject(['paid_twice', { is_paid: false }]);
	await repair();
	expect(onDisk()).toMatchObject({ is_paid: true, total: TOTAL });
});

test('while the disk is full, a message "paid" about an invoice whose customer has left waits, and is written when there is space', async () => {
	credit();
	await learned();
	await learned({ id: 8 });
	disk = 'disk_full';
	desk.hearPaid(keyOf(7), systemClock.now());
	expect(onDisk()).toMatchObject({ is_paid: false });
	await repair();
	expect(onDisk()).toMatchObject({ is_paid: true });
});

test.each([true, false])('"paid" that comes while the journal cannot be read counts afterwards (on the screen: %s)', async (isShown) => {
	credit();
	await learned();
	if (!isShown) await learned({ id: 8 });
	disk = 'broken';
	failToWrite();
	desk.hearPaidById(7);
	await repair();
	expect(onDisk()).toMatchObject({ is_paid: true });
	expect(desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice' });
});

test('an answer that is written late does not replace a newer "paid" on disk', async () => {
	credit();
	const opened = await learned();
	expect(desk.hearPaidById(7)).toBe(true);
	if (opened.code === 'learned') expect(desk.keep(opened.found).ok).toBe(true);
	expect(onDisk()).toMatchObject({ is_paid: true });
});

test('an answer that comes after the answer to a later look-up changes nothing for the current customer', async () => {
	const [early, late] = [await ask(), await ask()];
	learn(late, { is_paid: true, total: 200_000, listed: [200_000] });
	expect(learn(early)).toMatchObject({ code: 'learned', balance: { state: 'paid', total: 200_000 } });
	expect(desk.current()).toMatchObject({ payment: { total: 200_000 }, view: { is_paid: true } });
});

test('a look-up that is answered late, when its invoice has left the screen, returns that invoice’s newest answer', async () => {
	const [early, late] = [await ask(), await ask()];
	learn(late, { is_paid: true, total: 200_000, listed: [200_000] });
	await learned({ id: 8 });
	expect(learn(early)).toMatchObject({ code: 'learned', payment: { total: 200_000 }, balance: { state: 'paid' } });
	expect(desk.current()).toMatchObject({ info: { results: { is_paid: true, total: 200_000 } }, view: { is_paid: true } });
});

test('a paid message still counts when the answer to an earlier look-up comes after it, even if another invoice is on the screen', async () => {
	credit();
	const [early, late] = [await ask(), await ask()];
	learn(late);
	await learned({ id: 8 });
	desk.hearPaid(keyOf(7), systemClock.now());
	expect(learn(early)).toMatchObject({ balance: { state: 'paid_twice' }, found: { view: { is_paid: true } } });
	expect(onDisk()).toMatchObject({ is_paid: true });
});

test('a paid message that comes before the first answer about its invoice counts after that answer, and the invoice is looked up again', async () => {
	const early = await ask();
	expect(desk.hearPaidById(7)).toBe(true);
	await vi.advanceTimersByTimeAsync(10);
	answer = said();
	expect(learn(early)).toMatchObject({ balance: { state: 'paid' }, found: { view: { is_paid: true } } });
	await vi.advanceTimersByTimeAsync(2_000);
	expect(desk.current()).toMatchObject({ view: { is_paid: false } });
	expect(await learned()).toMatchObject({ balance: { due: TOTAL } });
});

test('an answer to an earlier look-up does not discard the newest answer, which waits for the disk', async () => {
	credit();
	await learned();
	const [early, late] = [await ask(), await ask()];
	disk = 'disk_full';
	learn(late, { listed: [30_000] });
	await learned({ id: 8 });
	learn(early);
	await repair();
	expect(onDisk()).toMatchObject({ listed: [{ nominal: 30_000 }] });
});

test('a look-up that is answered while the journal cannot be read is refused', async () => {
	credit();
	await learned();
	answer = said({ total: 200_000 });
	expect(await desk.refresh(paymentOf(7))).toBe('answered');
	expect(desk.current()?.payment.total).toBe(200_000);
	disk = 'broken';
	journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: 'test' });
	expect(await desk.refresh(paymentOf(7))).toBe('unreadable');
	answer = null;
	expect(await desk.refresh(paymentOf(7))).toBe('no_answer');
});

test('the answer to a look-up counts as fresh for five seconds, and only for its own invoice', async () => {
	await learned();
	expect([desk.isFresh(paymentOf(7)), desk.isFresh(paymentOf(9))]).toEqual([true, false]);
	await vi.advanceTimersByTimeAsync(5_000);
	expect(desk.isFresh(paymentOf(7))).toBe(false);
});

test('the last statement of the back office about an invoice without money of this kiosk still counts after the next invoice is looked up', async () => {
	const opened = await learned();
	// The cash page was open, and no note came.
	if (opened.code === 'learned') expect(desk.keep(opened.found).ok).toBe(true);
	await learned({ is_paid: true });
	await learned({ id: 8 });
	expect(desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid' });
	await learned({ total: 200_000 });
	await learned({ id: 8 });
	expect(desk.balanceOf(keyOf(7))).toMatchObject({ state: 'open', total: 200_000 });
});

test('"paid" that a full disk has refused still counts when the next invoice is looked up', async () => {
	credit();
	await learned();
	disk = 'disk_full';
	desk.hearPaidById(7);
	await learned({ id: 8 });
	expect(desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice' });
});

test('a slow answer is compared with the payments that the back office could list when it was asked', async () => {
	const note_id = credit();
	expect(journal.append({ kind: 'note_uploaded', note_id }).ok).toBe(true);
	confirmed.set(note_id, systemClock.now());
	const asked = await ask();
	await vi.advanceTimersByTimeAsync(30_000);
	expect(learn(asked, { total: 50_000 })).toMatchObject({ balance: { state: 'paid' } });
	expect(await learned({ total: 50_000, listed: [50_000] })).toMatchObject({ balance: { state: 'dispute' } });
});

test('a look-up that waits for a note is not sent once another outlet has logged in', async () => {
	credit();
	settled = new Promise(() => {});
	const found = desk.lookUp('INV/7');
	await vi.advanceTimersByTimeAsync(1_000);
	outlet = 'other';
	answer = said({ is_paid: true });
	await vi.advanceTimersByTimeAsync(5_000);
	expect(await found).toBeNull();
	expect(askedWith).toEqual([]);
});

test('an invoice that has to be looked up again waits until its outlet is logged in again', async () => {
	const note_id = credit();
	await learned({ is_paid: true });
	outlet = 'other';
	expect(journal.append({ kind: 'note_uploaded', note_id }).ok).toBe(true);
	answer = said({ is_paid: true, listed: [50_000, TOTAL] });
	await vi.advanceTimersByTimeAsync(120_000);
	expect(askedWith).toEqual([]);
	outlet = ACCOUNT.outlet;
	await vi.advanceTimersByTimeAsync(30_000);
	expect(askedWith).toEqual([`Token ${ACCOUNT.outlet}`]);
	expect(desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice' });
});

test('for five minutes after a message "paid", an answer "unpaid" is a dispute, until an answer agrees or the total changes', async () => {
	await learned();
	desk.hearPaidById(7);
	await vi.advanceTimersByTimeAsync(20);
	expect(await learned()).toMatchObject({ balance: { state: 'dispute' } });
	expect(await learned({ total: TOTAL + 1 })).toMatchObject({ balance: { state: 'open' } });
	expect(await learned()).toMatchObject({ balance: { state: 'dispute' } });
	await vi.advanceTimersByTimeAsync(300_000);
	expect(await learned()).toMatchObject({ balance: { state: 'open' } });
	desk.hearPaidById(7);
	await vi.advanceTimersByTimeAsync(20);
	expect(await learned({ is_paid: true, listed: [50_000, 87_500] })).toMatchObject({ balance: { state: 'paid' } });
	expect(await learned()).toMatchObject({ balance: { state: 'open' } });
});

test('for five minutes after a message "paid" about an invoice that was not looked up yet, an answer "unpaid" is a dispute', async () => {
	desk.hearPaidById(7);
	await vi.advanceTimersByTimeAsync(20);
	expect(await learned()).toMatchObject({ balance: { state: 'dispute' } });
	await vi.advanceTimersByTimeAsync(300_000);
	expect(await learned()).toMatchObject({ balance: { state: 'open' } });
});

test('a message "paid" during the first look-up of its invoice stays announced when the next answer is "unpaid"', async () => {
	const asked = await ask();
	desk.hearPaidById(7);
	expect(learn(asked)).toMatchObject({ balance: { state: 'paid' } });
	answer = said();
	await vi.advanceTimersByTimeAsync(2_000);
	expect(desk.balanceOf(keyOf(7))).toMatchObject({ state: 'dispute' });
});

test('after a void, an answer "unpaid" to an earlier question does not show that the back office knows of the void', async () => {
	await learned();
	const attempt_id = randomUUID();
	const action_id = randomUUID();
	const sale = { attempt_id, payment: paymentOf(7), amount: rupiah(TOTAL), method: 'card', attempt: 1, time: TIME } as const;
	journal.append({ kind: 'card_sale', ...sale });
	journal.append({ kind: 'card_outcome', attempt_id, outcome: 'approved', response: null, late: false });
	journal.append({ kind: 'card_approval_sent', attempt_id });
	const asked = await ask();
	journal.append({ kind: 'card_action', action_id, action: 'void', attempt_id, by: 'Sari', why: 'x', time: TIME });
	journal.append({ kind: 'card_action_ended', action_id, outcome: 'done', why: '', response: null });
	answer = said({ is_paid: true });
	learn(asked);
	const why = expect.stringContaining('that was given back');
	expect(await learned({ is_paid: true })).toMatchObject({ balance: { state: 'dispute', why } });
	await vi.advanceTimersByTimeAsync(2_000);
	expect(askedWith).toHaveLength(1);
	expect(desk.balanceOf(keyOf(7))).toMatchObject({ state: 'dispute', why });
	expect(await learned()).toMatchObject({ balance: { state: 'open' } });
	expect(await learned({ is_paid: true })).toMatchObject({ balance: { state: 'paid' } });
});

test('an answer "unpaid" about a sale that staff found not charged ends its dispute, also after a restart', async () => {
	const attempt_id = randomUUID();
	const action_id = randomUUID();
	const by = { by: 'Sari', why: 'compared' };
	await learned();
	journal.append({ kind: 'card_sale', attempt_id, payment: paymentOf(7), amount: rupiah(TOTAL), method: 'card', attempt: 1, time: TIME });
	journal.append({ kind: 'card_outcome', attempt_id, outcome: 'approved', response: null, late: false });
	journal.append({ kind: 'card_approval_sent', attempt_id });
	await learned({ is_paid: true });
	journal.append({ kind: 'card_action', action_id, action: 'void', attempt_id, ...by, time: TIME });
	journal.append({ kind: 'card_action_ended', action_id, outcome: 'unknown', why: 'silence', response: null });
	journal.append({ kind: 'card_settled', settle_id: randomUUID(), attempt_id, outcome: 'not_charged', ...by });
	expect(journal.money.attention()).toMatchObject([{ state: 'dispute' }]);
	await learned();
	expect(journal.money.attention()).toEqual([]);
	desk = startDesk();
	expect(desk.balanceOf(keyOf(7))).toMatchObject({ state: 'open', due: TOTAL });
});

test('an answer ends a dispute that began during a card sale, even if the terminal has declined that sale since', async () => {
	const attempt_id = randomUUID();
	journal.append({ kind: 'card_sale', attempt_id, payment: paymentOf(7), amount: rupiah(TOTAL), method: 'card', attempt: 1, time: TIME });
	await learned({ listed: [TOTAL] });
	journal.append({ kind: 'card_outcome', attempt_id, outcome: 'declined', response: null, late: false });
	expect(journal.money.attention()).toMatchObject([{ state: 'dispute' }]);
	await learned();
	expect(journal.money.attention()).toEqual([]);
});

test('a restart does not forget a message "paid" of the last five minutes', async () => {
	await learned();
	desk.hearPaidById(7);
	await vi.advanceTimersByTimeAsync(60_000);
	desk = startDesk();
	expect(await learned({ id: 8 })).toMatchObject({ balance: { state: 'open' } });
	expect(await learned()).toMatchObject({ balance: { state: 'dispute' } });
	expect(await learned({ total: TOTAL + 1 })).toMatchObject({ balance: { state: 'open' } });
	expect(await learned({ is_paid: true })).toMatchObject({ balance: { state: 'paid' } });
	desk = startDesk();
	await vi.advanceTimersByTimeAsync(240_000);
	expect(await learned()).toMatchObject({ balance: { state: 'open' } });
});

test('a message "paid" also counts for an invoice that was looked up before the present one', async () => {
	await learned();
	await learned({ id: 8 });
	expect(desk.hearPaidById(7)).toBe(true);
	await vi.advanceTimersByTimeAsync(20);
	expect(await learned()).toMatchObject({ balance: { state: 'dispute' } });
	expect(await learned({ id: 8 })).toMatchObject({ balance: { state: 'open' } });
});

test('after a message "paid" the invoice is looked up again until an answer agrees, without a flood of look-ups', async () => {
	await learned();
	answer = said();
	for (let at = 0; at < 60; at += 1) {
		desk.hearPaidById(7);
		await vi.advanceTimersByTimeAsync(1_000);
	}
	const flood = askedWith.length;
	await vi.advanceTimersByTimeAsync(60_000);
	expect([flood < 70, askedWith.length - flood]).toEqual([true, 3]);
	answer = said({ is_paid: true });
	await vi.advanceTimersByTimeAsync(30_000);
	expect(desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid' });
	const asked = askedWith.length;
	await vi.advanceTimersByTimeAsync(300_000);
	expect(askedWith).toHaveLength(asked);
});

test('a payment elsewhere beside a note in doubt is found after the socket reconnects, and listed as paid twice once staff find the note', async () => {
	const note_id = randomUUID();
	journal.append({ kind: 'cash_intent', note_id, payment: paymentOf(7), nominal: rupiah(150_000), code: '0x45', time: TIME });
	journal.append({ kind: 'cash_in_doubt', note_id, why: 'silence' });
	answer = said({ is_paid: true });
	desk.lookUpNewest();
	await vi.advanceTimersByTimeAsync(6_000);
	journal.append({ kind: 'cash_settled', note_id, outcome: 'in_box', nominal: rupiah(150_000), by: 'Sari', why: 'counted' });
	journal.append({ kind: 'note_uploaded', note_id });
	await learned({ is_paid: true });
	expect(desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice', received: TOTAL + 150_000 });
});

test('before a note is sent, its invoice is looked up if a message "paid" may be lost, so that a payment elsewhere is found', async () => {
	await learned();
	credit();
	settled = new Promise(() => {});
	answer = said({ is_paid: true });
	expect(await desk.refreshMissed(keyOf(7), 0)).toBe('answered');
	expect(askedWith).toEqual([]);
	expect(await desk.refreshMissed(keyOf(7), null)).toBe('answered');
	expect(desk.balanceOf(keyOf(7))).toMatchObject({ state: 'paid_twice', received: TOTAL + 50_000 });
	expect(await desk.refreshMissed(keyOf(7), systemClock.now() + 1)).toBe('answered');
	expect(askedWith).toHaveLength(2);
});

test.each<[NoAnswer, Refreshed]>([
	[{ code: 'unreachable', message: 'no route', unsent: true }, 'unreachable'],
	[{ code: 'timeout', message: 'no connection in time', unsent: true }, 'unreachable'],
	// The server may close the connection at each question about this one invoice.
	[{ code: 'unreachable', message: 'the answer was cut off' }, 'no_answer'],
	[{ code: 'timeout', message: 'no answer in time' }, 'no_answer'],
])('the server counts as unreachable only without a connection: %j', async (how, refreshed) => {
	await learned();
	credit();
	failure = how;
	expect(await desk.refreshMissed(keyOf(7), null)).toBe(refreshed);
});
