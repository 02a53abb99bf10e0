/**
 * Tests retry times, requests and answers. outbox.test.ts tests the order of notes and disk
 * failures.
 */
import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { Secret } from '../base/secret.ts';
import type { Journal } from '../journal/journal.ts';
import type { CreditedNote } from '../journal/note-book.ts';
import { ACCOUNT, keyOf } from '../journal/payment.fixture.ts';
import type { JournalRecord, PaymentKey } from '../journal/records.ts';
import type { BackOfficeAnswer, BackOfficeCall, NoAnswer } from './client.ts';
import { type Outbox, startOutbox } from './outbox.ts';

const NOTE = {
	note_id: '11111111-2222-4333-8444-555555555555',
	payment_id: keyOf(7),
	id: 7,
	odoo_id: 'SO7',
	noinvoice: 'INV/7',
	nominal: rupiah(50_000),
	time: '2026-11-21T14:31:08+07:00',
} as CreditedNote;

let outbox: Outbox;
let waiting: CreditedNote[];
let written: JournalRecord[];
let calls: BackOfficeCall[];
let logged: unknown[][];
let paid: PaymentKey[];
let refused: string[];
let unreachable: number;
let loggedIn: boolean;
let random: number;
/**
 * Whether the write of the next confirmation fails although its record is on disk, as after a
 * failed sync.
 */
let keepsRefused: boolean;
let answer: (call: BackOfficeCall) => Result<BackOfficeAnswer, NoAnswer> | Promise<Result<BackOfficeAnswer, NoAnswer>>;

const says = (status: number, body = '{}'): Result<BackOfficeAnswer, NoAnswer> =>
	ok({ status, contentType: 'application/json', setCookie: [], body: Buffer.from(body) });

beforeEach(() => {
	vi.useFakeTimers({ now: new Date('2026-11-21T08:00:00Z') });
	waiting = [NOTE];
	written = [];
	calls = [];
	logged = [];
	paid = [];
	refused = [];
	unreachable = 0;
	loggedIn = true;
	random = 0;
	keepsRefused = false;
	answer = () => says(200);
	const journal = {
		// The outbox passes a second argument when it asks for the note after a given note.
		nextUpload: (...asked: unknown[]) => waiting[asked.length - 1] ?? null,
		parked: () => [],
		hasConfirmed: () => true,
		creditedUntil: (_note_id: string, seq: number) => seq > 0,
		money: { position: () => 1 },
		uploadedSince: () => [],
		waitingUploads: () => ({ count: waiting.length }),
		openedAt: () => 0,
		append: (record: JournalRecord) => {
			written.push(record);
			waiting = waiting.filter((note) => !('note_id' in record) || note.note_id !== record.note_id);
			return keepsRefused ? fail({ code: 'journal_unhealthy', message: 'the sync failed' } as const) : ok(undefined);
		},
	} as unknown as Journal;
	outbox = startOutbox({
		journal,
		call: async (call) => {
			calls.push(call);
			return answer(call);
		},
		token: {
			current: () => (loggedIn ? { token: new Secret('outlet-token'), account: ACCOUNT, refused: false } : null),
			markRefused: (token: string) => void refused.push(token),
			markWorking(token: string) {
				refused = refused.filter((one) => one !== token);
			},
		} as unknown as Parameters<typeof startOutbox>[0]['token'],
		path: '/cash/',
		csrf: { csrf_cookie: 'csrftoken', csrf_header: 'X-CSRFToken' },
		clock: systemClock,
		timestamp: (at) => at.toISOString(),
		log: { event: (id, fields) => void logged.push([id, fields]) },
		random: () => random,
		newId: randomUUID,
		onPaid: (key) => void paid.push(key),
		refreshMissed: async () => 'answered',
		onUnreachable: () => {
			unreachable += 1;
		},
	});
});
afterEach(() => {
	outbox.stop();
	vi.useRealTimers();
});

async function kicked(): Promise<void> {
	outbox.kick();
	await vi.advanceTimersByTimeAsync(0);
}
const waits = () => logged.flatMap(([id, fields]) => (id === 'outbox.waiting' ? [(fields as { retry_ms: number }).retry_ms] : []));

test('a note is posted with the outlet’s token and all its fields', async () => {
	await kicked();
	expect(calls).toMatchObject([{ method: 'POST', path: '/cash/' }]);
	const [{ headers, body } = { headers: {}, body: Buffer.of() }] = calls;
	expect(headers).toMatchObject({ Authorization: 'Token outlet-token', 'Content-Type': expect.stringContaining('multipart/form-data') });
	const { payment_id: _key, ...told } = NOTE;
	expect(JSON.parse(/{.*}/.exec(String(body))?.[0] ?? '')).toEqual(told);
	expect(written).toEqual([{ kind: 'note_uploaded', note_id: NOTE.note_id }]);
	expect(logged).toMatchObject([['outbox.uploaded', { note_id: NOTE.note_id, nominal: 50_000, invoice: 'INV/7', payment_id: NOTE.id }]]);
	expect([outbox.lastFailure(), paid, refused, unreachable]).toEqual([null, [], [], 0]);
	await vi.advanceTimersByTimeAsync(3_600_000);
	expect(calls).toHaveLength(1);
});

test.each([500, 301])(
	'if a note is always answered with %d but the next note is accepted, the note is parked and later notes are sent',
	async (status) => {
		const next = { ...NOTE, note_id: '66666666-2222-4333-8444-555555555555', credited_seq: 2 } as CreditedNote;
		waiting = [{ ...NOTE, credited_seq: 1 } as CreditedNote, next];
		answer = ({ body }) => says(String(body).includes(NOTE.note_id) ? status : 200);
		await kicked();
		await vi.advanceTimersByTimeAsync(60_000);
		expect(written).toMatchObject([
			{ kind: 'note_uploaded', note_id: next.note_id },
			{ kind: 'note_parked', note_id: NOTE.note_id, reason: expect.stringContaining(String(status)) },
		]);
	},
);

test('while the server answers every note with 500, no note is parked', async () => {
	waiting = [{ ...NOTE, credited_seq: 1 } as CreditedNote, { ...NOTE, note_id: '66666666', credited_seq: 2 } as CreditedNote];
	answer = () => says(500);
	await kicked();
	await vi.advanceTimersByTimeAsync(3_600_000);
	expect(written).toEqual([]);
	answer = () => says(200);
	await vi.advanceTimersByTimeAsync(80_000);
	expect(written.map(({ kind }) => kind)).toEqual(['note_uploaded', 'note_uploaded']);
});

test('while a note is being sent, a new request to send is ignored', async () => {
	const { promise, resolve: release } = Promise.withResolvers<Result<BackOfficeAnswer, NoAnswer>>();
	answer = () => promise;
	await kicked();
	await kicked();
	expect(calls).toHaveLength(1);
	release(says(200));
	await vi.advanceTimersByTimeAsync(0);
	expect(written).toHaveLength(1);
});

test.each([
	[0, [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 60_000]],
	[1, [1_250, 2_500, 6_250, 12_500, 37_500, 75_000, 75_000]],
])('retry pauses with jitter %d grow, and are short again after a success', async (chance, pauses) => {
	random = chance;
	answer = () => says(503);
	await kicked();
	for (const pause of pauses.slice(0, -1)) {
		const before = calls.length;
		await vi.advanceTimersByTimeAsync(pause - 1);
		expect(calls).toHaveLength(before);
		await vi.advanceTimersByTimeAsync(1);
		expect(calls).toHaveLength(before + 1);
	}
	expect(waits()).toEqual(pauses);
	answer = () => says(200);
	await kicked();
	expect([written.length, vi.getTimerCount()]).toEqual([1, 0]);
	waiting = [NOTE];
	answer = () => says(503);
	await kicked();
	expect(waits().at(-1)).toBe(pauses[0]);
});

test.each<[string, Result<BackOfficeAnswer, NoAnswer>, string]>([
	['silence', fail({ code: 'timeout', message: 'no answer in 50 s' }), 'no answer in 50 s'],
	['a refusal with a message', says(400, '{"message":"unknown invoice"}'), 'the back office answered 400: unknown invoice'],
	['a refusal with a detail', says(401, '{"detail":"log in"}'), 'the back office answered 401: log in'],
	['a refusal without a message', says(500), 'the back office answered 500: '],
	['a captive portal', says(302, '<html>'), 'the back office answered 302'],
	['another status', says(300), 'the back office answered 300: '],
])('after %s the reason is logged and kept until the note is confirmed', async (_what, said, reason) => {
	answer = () => said;
	expect(outbox.lastFailure()).toBeNull();
	await kicked();
	expect(outbox.lastFailure()).toBe(reason);
	expect(logged).toMatchObject([
		['outbox.waiting', { note_id: NOTE.note_id, nominal: 50_000, invoice: 'INV/7', payment_id: NOTE.id, reason, retry_ms: 1_000 }],
	]);
	expect(unreachable).toBe(said.ok ? 0 : 1);
	expect(refused).toEqual(reason.includes('401') ? ['outlet-token'] : []);
	answer = () => says(299);
	await vi.advanceTimersByTimeAsync(1_000);
	expect([outbox.lastFailure(), written.length]).toEqual([null, 1]);
	// The confirmation of the note shows that the token works again.
	expect(refused).toEqual([]);
});

test.each([
	['{"is_paid":true}', [keyOf(7)]],
	['{"is_paid":false}', []],
	['{}', []],
	['thank you', []],
])('a 2xx answer with the body %s confirms the note; only is_paid true reports the invoice as paid', async (body, expected) => {
	answer = () => says(200, body);
	await kicked();
	expect([paid, written.length]).toEqual([expected, 1]);
});

test('"paid" in the answer to a note is used even if the confirmation reached the disk but its sync failed', async () => {
	answer = () => says(200, '{"is_paid":true}');
	keepsRefused = true;
	await kicked();
	await vi.advanceTimersByTimeAsync(60_000);
	expect([calls.length, paid]).toEqual([1, [keyOf(7)]]);
	// The back office may not list the note yet.
	expect(outbox.isConfirmedLately(NOTE.note_id, systemClock.now() - 59_000)).toBe(true);
});

test('without a login, no note is sent and the missing login is given as the reason', async () => {
	loggedIn = false;
	await kicked();
	expect([calls, outbox.lastFailure()]).toEqual([[], 'no outlet account is logged in']);
	loggedIn = true;
	await kicked();
	expect(written).toHaveLength(1);
});

test('after the outbox has stopped, neither a retry nor a request sends a note', async () => {
	answer = () => says(503);
	await kicked();
	outbox.stop();
	expect(vi.getTimerCount()).toBe(0);
	await kicked();
	expect(calls).toHaveLength(1);
});

test('if the outbox stops while a note is being sent, the answer to this note is recorded and no other note is sent', async () => {
	waiting = [NOTE, NOTE];
	const { promise, resolve: release } = Promise.withResolvers<Result<BackOfficeAnswer, NoAnswer>>();
	answer = () => promise;
	await kicked();
	outbox.stop();
	release(says(200));
	await vi.advanceTimersByTimeAsync(0);
	expect([calls.length, written.length]).toEqual([1, 1]);
});

test('a note may be missing in the answers to look-ups that were sent within twenty seconds after its confirmation', async () => {
	await kicked();
	const at = systemClock.now();
	await vi.advanceTimersByTimeAsync(40_000);
	const isLately = (ms: number) => outbox.isConfirmedLately(NOTE.note_id, at + ms);
	expect([isLately(19_000), isLately(21_000), outbox.isConfirmedLately('another', at)]).toEqual([true, false, false]);
});
