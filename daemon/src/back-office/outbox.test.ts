import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { Secret } from '../base/secret.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { ACCOUNT, keyOf } from '../journal/payment.fixture.ts';
import type { PaymentKey } from '../journal/records.ts';
import { openStore } from '../journal/store.ts';
import type { BackOfficeAnswer, NoAnswer } from './client.ts';
import type { Refreshed } from './invoice-calls.ts';
import { type Outbox, startOutbox } from './outbox.ts';

const TIME = '2026-11-21T14:31:08+07:00';
const NOW = new Date('2026-11-24T09:00:00Z');
const LONGEST_RETRY_MS = 75_000;

let directory: string;
let journal: Journal;
let outbox: Outbox;
/** Ids of the notes received by the server, and their times. */
let sent: string[];
let times: { time: unknown; time_is_of_sending?: unknown }[];
let paid: PaymentKey[];
let isUnreadable: boolean;
let diskRefuses: boolean;
/** The outlet that is logged in. */
let account: typeof ACCOUNT;
let answer: () => Result<BackOfficeAnswer, NoAnswer>;
/** Result of the look-ups before a note is sent for the first time. */
let lookUp: Refreshed;
/** Results of the look-ups of single invoices, used instead of `lookUp`. */
let lookUps: Record<PaymentKey, Refreshed>;
/** Called during a look-up before a note is sent for the first time. */
let duringLookUp: () => void;
/** Tokens that the back office refused. */
let refused: string[];
let lookedUp: PaymentKey[];

const status = (code: number, body: object = {}): Result<BackOfficeAnswer, NoAnswer> =>
	ok({ status: code, contentType: 'application/json', setCookie: [], body: Buffer.from(JSON.stringify(body)) });

beforeEach(() => {
	vi.useFakeTimers({ now: NOW });
	directory = temporaryFolder('outbox');
	sent = [];
	times = [];
	paid = [];
	lookUp = 'answered';
	lookUps = {};
	duringLookUp = () => {};
	refused = [];
	lookedUp = [];
	diskRefuses = false;
	account = ACCOUNT;
	answer = () => status(200);
	isUnreadable = false;
	journal = open();
	outbox = start();
});
const open = (): Journal =>
	openJournal({ directory, minFreeBytes: 0 }, systemClock, (at) => {
		const gone = fail({ code: 'broken', message: 'the disk is gone' } as const);
		if (isUnreadable) return gone;
		const opened = openStore(at);
		if (!opened.ok) return opened;
		const store = opened.value;
		const refused = fail({ code: 'disk_full', message: 'no space' } as const);
		return ok({ ...store, append: (record, time) => (isUnreadable ? gone : diskRefuses ? refused : store.append(record, time)) });
	});
function restart(): void {
	outbox.stop();
	journal.close();
	journal = open();
	outbox = start();
}
function start(): Outbox {
	return startOutbox({
		journal,
		call: async ({ body }) => {
			const { note_id, time, time_is_of_sending } = JSON.parse(/{.*}/.exec(String(body))?.[0] ?? '{}');
			sent.push(note_id);
			times.push({ time, ...(time_is_of_sending === undefined ? {} : { time_is_of_sending }) });
			return answer();
		},
		token: {
			current: () => ({ token: new Secret('outlet-token'), account, refused: false }),
			markRefused: (token: string) => void (refused.includes(token) || refused.push(token)),
			markWorking: () => {},
		} as unknown as Parameters<typeof startOutbox>[0]['token'],
		path: '/cash/',
		csrf: { csrf_cookie: 'c', csrf_header: 'X-C' },
		clock: systemClock,
		timestamp: (at) => at.toISOString(),
		log: { event: () => {} },
		random: () => 0,
		newId: randomUUID,
		onPaid: (key) => void paid.push(key),
		async refreshMissed(key) {
			lookedUp.push(key);
			duringLookUp();
			return lookUps[key] ?? lookUp;
		},
		onUnreachable: () => {},
	});
}
afterEach(() => {
	outbox.stop();
	vi.useRealTimers();
	journal.close();
});

function credit(time = TIME, of = ACCOUNT, id = 7): string {
	const note_id = randomUUID();
	const payment = { account: of, id, odoo_id: null, noinvoice: `INV/${id}`, total: rupiah(137_500) };
	journal.append({ kind: 'cash_intent', note_id, payment, nominal: rupiah(50_000), code: '0x45', time });
	journal.append({ kind: 'cash_credit', note_id, late: false });
	return note_id;
}

async function kicked(): Promise<void> {
	outbox.kick();
	await vi.advanceTimersByTimeAsync(0);
}

const waiting = (): number => journal.waitingUploads().count;

test('a restart does not extend the time in which a confirmed note may be missing in answers', async () => {
	const early = credit();
	await kicked();
	await vi.advanceTimersByTimeAsync(10_000);
	const late = credit();
	await kicked();
	const confirmed = systemClock.now();
	await vi.advanceTimersByTimeAsync(5_000);
	outbox.stop();
	outbox = start();
	const isLately = (note_id: string, ms: number) => outbox.isConfirmedLately(note_id, confirmed + ms);
	expect([9_000, 11_000].map((ms) => isLately(early, ms))).toEqual([true, false]);
	expect([19_000, 21_000].map((ms) => isLately(late, ms))).toEqual([true, false]);
});

test('if the clock was set back before a restart, no note counts as confirmed lately, because the ages of the confirmations are unknown', async () => {
	const note_id = credit();
	await kicked();
	outbox.stop();
	vi.setSystemTime(NOW.getTime() - 3_600_000);
	outbox = start();
	expect(outbox.isConfirmedLately(note_id, systemClock.now())).toBe(false);
});

test('an invoice is looked up before a note is first sent, but not before a retry or for a note of an earlier run', async () => {
	credit();
	answer = () => status(500);
	await kicked();
	await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	expect([sent.length > 1, lookedUp.length]).toEqual([true, 1]);
	restart();
	answer = () => status(200);
	await kicked();
	expect([waiting(), lookedUp.length]).toEqual([0, 1]);
});

test('a note of an earlier run counts as possibly sent, even if the journal becomes readable only after the start', () => {
	const earlier = credit();
	isUnreadable = true;
	restart();
	isUnreadable = false;
	expect(journal.reopen()).toBeNull();
	expect([outbox.mayBeTold(earlier), outbox.mayBeTold(credit())]).toEqual([true, false]);
});

test('a note that staff moved counts as unsent, but as possibly sent after staff move it back to an earlier invoice', async () => {
	const note_id = credit();
	answer = () => status(422);
	await kicked();
	await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	expect([waiting(), outbox.mayBeTold(note_id)]).toEqual([0, true]);
	const move = (from: number, id: number, noinvoice = `INV/${id}`) => {
		const payment = { account: ACCOUNT, id, odoo_id: null, noinvoice, total: rupiah(50_000) };
		const why = { by: 'Sari', why: 'other customer' };
		const moved = { kind: 'note_moved', move_id: randomUUID(), note_id, from: keyOf(from), payment, ...why } as const;
		expect(journal.append(moved).ok).toBe(true);
		return outbox.mayBeTold(note_id);
	};
	expect(move(7, 8)).toBe(false);
	lookedUp = [];
	answer = () => fail({ code: 'unreachable', message: 'cut' });
	await kicked();
	expect([lookedUp, outbox.mayBeTold(note_id)]).toEqual([[keyOf(8)], true]);
	journal.append({ kind: 'note_parked', park_id: randomUUID(), note_id, reason: 'the back office answered 422' });
	expect(move(8, 7, 'INV/7/B')).toBe(true);
});

test('while the server cannot be reached, a note is not sent and counts as unknown to the back office', async () => {
	const note_id = credit();
	lookUp = 'unreachable';
	await kicked();
	await vi.advanceTimersByTimeAsync(24 * 3_600_000);
	expect([sent, outbox.mayBeTold(note_id)]).toEqual([[], false]);
	expect(outbox.lastFailure()).toMatch(/could not be looked up/);
	lookUp = 'answered';
	await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	expect(sent).toEqual([note_id]);
});

test('after another account has logged in, the reason why the first account’s note waits is not reported', async () => {
	credit();
	lookUp = 'unreachable';
	await kicked();
	expect(outbox.lastFailure()).toMatch(/could not be looked up/);
	account = { ...ACCOUNT, outlet: 'another outlet' };
	await kicked();
	expect(outbox.lastFailure()).toBeNull();
});

test('if the journal becomes unreadable before a note is sent, the note is sent only after the journal has reopened', async () => {
	const note_id = credit();
	duringLookUp = () => {
		isUnreadable = true;
		credit();
	};
	await kicked();
	expect(sent).toEqual([]);
	expect(outbox.lastFailure()).toBe('the journal cannot be read');
	isUnreadable = false;
	journal.reopen();
	duringLookUp = () => {};
	answer = () => status(503);
	await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	expect([new Set(sent), outbox.mayBeTold(note_id)]).toEqual([new Set([note_id]), true]);
});

test('if the server does not have the invoice, its note is sent at once', async () => {
	const note_id = credit();
	lookUp = 'no_invoice';
	await kicked();
	expect(sent).toEqual([note_id]);
});

test('if the look-ups of an invoice stay unanswered, its notes are sent after about two minutes', async () => {
	const notes = [credit(), credit()];
	lookUp = 'no_answer';
	await kicked();
	await vi.advanceTimersByTimeAsync(90_000);
	expect(sent).toEqual([]);
	await vi.advanceTimersByTimeAsync(60_000);
	expect(sent).toEqual(notes);
});

test('if an invoice’s look-ups stay unanswered, all its notes share one waiting time', async () => {
	const notes = [credit(), credit(), credit(), credit(), credit()];
	const other = credit(TIME, ACCOUNT, 8);
	lookUps = { [keyOf(7)]: 'no_answer' };
	await kicked();
	await vi.advanceTimersByTimeAsync(180_000);
	expect(sent).toEqual([...notes, other]);
});

test('retries caused by customers’ look-ups do not shorten the wait for an answer', async () => {
	credit();
	lookUp = 'no_answer';
	for (let second = 0; second < 55; second += 1) {
		await kicked();
		await vi.advanceTimersByTimeAsync(1_000);
	}
	expect(lookedUp.length).toBeGreaterThanOrEqual(50);
	expect(sent).toEqual([]);
});

test('while the server refuses the token, a note is not sent and the refusal is reported', async () => {
	const note_id = credit();
	lookUp = 'refused';
	await kicked();
	await vi.advanceTimersByTimeAsync(24 * 3_600_000);
	expect([sent, outbox.mayBeTold(note_id), refused]).toEqual([[], false, ['outlet-token']]);
	expect(outbox.lastFailure()).toMatch(/401/);
	lookUp = 'answered';
	await kicked();
	expect(sent).toEqual([note_id]);
});

test('notes are sent once each, in the order of crediting', async () => {
	const notes = [credit(), credit(), credit()];
	await kicked();
	await kicked();
	expect(sent).toEqual(notes);
	expect(waiting()).toBe(0);
});

const BAD: Record<string, () => Result<BackOfficeAnswer, NoAnswer>> = {
	'no answer': () => fail({ code: 'timeout', message: 'no answer' }),
	...Object.fromEntries([302, 400, 401, 409, 429, 500, 503].map((code) => [String(code), () => status(code)])),
	'200 that refuses': () => status(200, { success: false }),
	'200 with an error': () => status(200, { error: { code: 200, message: 'Odoo Server Error' } }),
};

test.each(Object.keys(BAD))('after the result "%s", a note is retried with the same id before any later note is sent', async (bad) => {
	const [first, second] = [credit(), credit()];
	answer = BAD[bad] ?? answer;
	await kicked();
	expect(sent).toEqual([first]);
	expect(waiting()).toBe(2);
	answer = () => status(201);
	await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	expect(sent).toEqual([first, first, second]);
	expect(waiting()).toBe(0);
});

test('if a confirmation cannot be written, the note is sent again with the same id, but "paid" in the confirmation is used at once', async () => {
	const note = credit();
	answer = () => status(200, { is_paid: true });
	diskRefuses = true;
	await kicked();
	expect(waiting()).toBe(1);
	expect(paid).toEqual([keyOf(7)]);
	diskRefuses = false;
	await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	expect(sent).toEqual([note, note]);
	expect(waiting()).toBe(0);
});

test.each([
	'2000-01-01T07:00:00+07:00',
	'1970-01-01T06:59:59+06:59.98333333333335',
	'2099-12-31T23:59:59+07:00',
	'275760-09-13T00:00:00+00:00',
])('a note taken at the impossible time %s is sent with the time of sending, marked as such', async (time) => {
	credit(time);
	credit();
	await kicked();
	expect(times).toEqual([{ time: NOW.toISOString(), time_is_of_sending: true }, { time: TIME }]);
});

test('if a note with an impossible time was refused while the clock was wrong, it is sent again with the time of sending when the clock is right', async () => {
	const [early, late] = [credit(), credit('2000-01-01T07:00:00+07:00')];
	vi.setSystemTime(new Date('2000-01-01T00:10:00Z'));
	answer = () => status(sent.at(-1) === late ? 400 : 200);
	await kicked();
	expect(times).toEqual([{ time: TIME }, { time: '2000-01-01T07:00:00+07:00' }]);
	vi.setSystemTime(NOW);
	answer = () => status(200);
	await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	expect(sent).toEqual([early, late, late]);
	expect(times[2]).toMatchObject({ time_is_of_sending: true, time: expect.stringContaining('2026-11-24') });
	expect(waiting()).toBe(0);
});

test.each([409, 422])('after five refusals with %i, a note is parked and the next note is sent', async (code) => {
	const [first, second] = [credit(), credit()];
	answer = () => status(sent.at(-1) === first ? code : 200, { message: 'no such invoice' });
	await kicked();
	await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	expect(sent).toEqual([...Array(5).fill(first), second]);
	expect(waiting()).toBe(0);
	expect(journal.parked()).toMatchObject([{ note_id: first, parked: `the back office answered ${code}: no such invoice` }]);
	journal.append({ kind: 'note_resent', resend_id: randomUUID(), note_id: first, by: 'Sari', why: 'repaired' });
	answer = () => status(200);
	await kicked();
	expect(sent.at(-1)).toBe(first);
	expect(journal.parked()).toEqual([]);
	expect(outbox.isCallUnknown()).toBe(false);
});

test('if two notes are refused with 404, cash is closed until staff enter the notes by hand', async () => {
	credit();
	await kicked();
	const notes = [credit(), credit()];
	answer = () => status(404);
	await kicked();
	for (let tries = 0; tries < 10; tries += 1) await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	expect([journal.parked().length, outbox.isCallUnknown()]).toEqual([2, true]);
	for (const note_id of notes) journal.append({ kind: 'note_booked', note_id, by: 'Sari', why: 'entered by Budi' });
	expect(outbox.isCallUnknown()).toBe(false);
});

/**
 * Confirms a note, then answers the next note and the empty note with 404. @returns the id of the
 * next note
 */
async function refuseAfterConfirmation(): Promise<string> {
	credit();
	await kicked();
	const note = credit();
	answer = () => status(404);
	await kicked();
	return note;
}

test('if a note and then an empty note are refused with 404, cash is closed until a note is confirmed', async () => {
	const note = await refuseAfterConfirmation();
	expect(sent.slice(-2)).toEqual([note, undefined]);
	expect(outbox.isCallUnknown()).toBe(true);
	for (let tries = 0; tries < 5; tries += 1) await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	restart();
	expect([journal.parked().length, outbox.isCallUnknown()]).toEqual([1, true]);
	answer = () => status(200);
	credit();
	await kicked();
	expect(outbox.isCallUnknown()).toBe(false);
});

test.each([400, 422, 500, 401])('if a note is refused with 404 but an empty note is answered with %i, cash stays open', async (code) => {
	credit();
	await kicked();
	const note = credit();
	answer = () => status(sent.at(-1) === note ? 404 : code);
	await kicked();
	expect(sent.slice(-2)).toEqual([note, undefined]);
	expect([outbox.isCallUnknown(), refused]).toEqual([false, []]);
});

test('if a note is refused with 404 and later with 422, cash opens again, because the call exists', async () => {
	const note = await refuseAfterConfirmation();
	expect(outbox.isCallUnknown()).toBe(true);
	answer = () => status(422);
	for (let tries = 0; tries < 10; tries += 1) await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	expect([journal.parked().map((parked) => parked.note_id), outbox.isCallUnknown()]).toEqual([[note], false]);
});

test('after 404 to a note and to an empty note, cash stays closed even if the next empty note gets 503', async () => {
	const note = await refuseAfterConfirmation();
	answer = () => status(sent.at(-1) === note ? 404 : 503);
	await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	expect([sent.length > 4, outbox.isCallUnknown()]).toEqual([true, true]);
});

test('if a later note was confirmed, a note parked with 404 does not close cash after a restart', async () => {
	const note = await refuseAfterConfirmation();
	for (let tries = 0; tries < 10; tries += 1) await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	answer = () => status(200);
	credit();
	await kicked();
	restart();
	expect([journal.parked().map((parked) => parked.note_id), outbox.isCallUnknown()]).toEqual([[note], false]);
});

test('a note that staff entered by hand does not prove that the server has the call, so the next 404 closes cash', async () => {
	answer = () => status(404);
	const note = credit();
	await kicked();
	for (let tries = 0; tries < 10; tries += 1) await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	journal.append({ kind: 'note_booked', note_id: note, by: 'Sari', why: 'entered by Budi' });
	expect([journal.hasConfirmed(ACCOUNT), outbox.isCallUnknown()]).toEqual([false, false]);
	const next = credit();
	await kicked();
	// No note was ever confirmed, so this 404 suffices: no empty note is sent.
	expect([sent.at(-1), outbox.isCallUnknown()]).toEqual([next, true]);
});

test('if staff entered a later note by hand, a note parked with 404 still closes cash after a restart', async () => {
	answer = () => status(404);
	const notes = [credit(), credit()];
	await kicked();
	for (let tries = 0; tries < 10; tries += 1) await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	journal.append({ kind: 'note_booked', note_id: notes[1] ?? '', by: 'Sari', why: 'entered by Budi' });
	restart();
	expect([journal.parked().map((parked) => parked.note_id), outbox.isCallUnknown()]).toEqual([[notes[0]], true]);
});

test('after the outbox has stopped, no empty note is sent', async () => {
	credit();
	await kicked();
	const note = credit();
	answer = () => {
		outbox.stop();
		return status(404);
	};
	await kicked();
	expect(sent.at(-1)).toBe(note);
});

test('if one outlet’s server lacks the call, a confirmation for another outlet does not open cash for the first outlet', async () => {
	for (let note = 0; note < 2; note += 1) credit();
	answer = () => status(404);
	await kicked();
	for (let tries = 0; tries < 10; tries += 1) await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
	expect(outbox.isCallUnknown()).toBe(true);
	account = { ...ACCOUNT, outlet: 'other' };
	const elsewhere = credit(TIME, account);
	answer = () => status(200);
	await kicked();
	expect([sent.at(-1), outbox.isCallUnknown()]).toEqual([elsewhere, false]);
	account = ACCOUNT;
	expect(outbox.isCallUnknown()).toBe(true);
});

test.each([401, 403, 408, 425, 429, 500, 503])(
	'a single note refused with %i is not parked, because the status may not be about the note',
	async (code) => {
		credit();
		answer = () => status(code);
		await kicked();
		for (let tries = 0; tries < 10; tries += 1) await vi.advanceTimersByTimeAsync(LONGEST_RETRY_MS);
		expect(sent.length).toBeGreaterThan(5);
		expect(journal.parked()).toEqual([]);
	},
);

test('if another outlet logs in while the next note is sent, the refused note is not sent with the token of that outlet', async () => {
	const [first, second] = [credit(), credit()];
	answer = () => {
		if (sent.at(-1) === first) return status(500);
		account = { ...ACCOUNT, outlet: 'other' };
		return status(200);
	};
	await kicked();
	await vi.advanceTimersByTimeAsync(10 * LONGEST_RETRY_MS);
	expect(sent).toEqual([first, first, first, first, first, second]);
	expect(waiting()).toBe(1);
});
