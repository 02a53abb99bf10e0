/** The health parts about money that waits or needs staff. */

import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { ACCOUNT, paymentOf } from '../journal/payment.fixture.ts';
import { approvals, outbox, toSettle } from './money-checks.ts';
import type { HealthState } from './report.ts';

const MINUTE = 60_000;
const LIMIT = 30 * MINUTE;
const SINCE = '2026-11-21T14:31:08+07:00';
const OTHER = { ...ACCOUNT, outlet: 'bengkel' };

interface Given {
	waiting?: number;
	others?: number;
	age?: number;
	failure?: string;
	loggedIn?: boolean;
	/** Whether the back office refuses the outlet's token. */
	refused?: boolean;
	isCallUnknown?: boolean;
	parked?: object[];
	attention?: { state: string; twice: number }[];
	approvals?: number;
	approvalsOfOthers?: number;
	unconfirmed?: string[];
	trouble?: 'journal_unhealthy' | 'disk_full';
}

function state(given: Given): HealthState {
	const { waiting = 0, others = 0, age = 0, failure = null, loggedIn = true, refused = false } = given;
	const ageOf = { of: (oldest: string | null) => (oldest === null ? 0 : age) };
	return {
		ages: { notes: ageOf, approvals: ageOf },
		waitingLimitMs: LIMIT,
		unconfirmedSettings: () => given.unconfirmed ?? [],
		token: { current: () => (loggedIn ? { account: ACCOUNT, refused } : null) },
		outbox: { lastFailure: () => failure, isCallUnknown: () => given.isCallUnknown ?? false },
		cash: { paying: () => null },
		journal: {
			trouble: () => (given.trouble ? { code: given.trouble, message: 'the disk says no' } : null),
			waitingUploads: () => ({ count: waiting, total: waiting * 50_000, oldest: waiting > 0 ? SINCE : null }),
			waitingForOthers: () => ({ count: others, total: others * 50_000, accounts: others > 0 ? [OTHER] : [] }),
			parked: () => given.parked ?? [],
			inDoubt: () => [],
			money: {
				attentionSum(of: string) {
					const [oldest = null] = (given.attention ?? []).filter((one) => one.state === of);
					return { count: oldest ? 1 : 0, twice: oldest?.twice ?? 0, oldest };
				},
			},
			cashbox: { uncounted: () => [], partialSum: () => ({ count: 0, total: 0 }), partials: () => [] },
			cards: {
				unknown: () => [],
				chargedTwice: () => [],
				waitingApprovals: () => given.approvals ?? 0,
				oldestApproval: () => (given.approvals ? SINCE : null),
				waitingForOthers: () => ({ count: given.approvalsOfOthers ?? 0, total: (given.approvalsOfOthers ?? 0) * 137_500 }),
			},
		},
	} as unknown as HealthState;
}

test.each<[string, Given, string, RegExp]>([
	['ok when nothing waits', {}, 'ok', /every credited note is confirmed/],
	['unknown while the journal cannot be read', { trouble: 'journal_unhealthy' }, 'unknown', /notes may wait/],
	['ok when nothing waits and the disk is full', { trouble: 'disk_full' }, 'ok', /every credited note is confirmed/],
	['ok with parked notes only', { parked: [{}] }, 'ok', /parked notes wait for staff/],
	['ok while a note is on its way', { waiting: 1, age: 1_000 }, 'ok', /1 note\(s\), Rp 50000, wait .* the oldest for 1 s/],
	[
		'a warning when a note waits beyond the limit without a known failure',
		{ waiting: 1, age: LIMIT + 1_000 },
		'warn',
		/oldest for 30 min.*network check/,
	],
	['a failure when a note waits beyond four times the limit', { waiting: 1, age: 4 * LIMIT + 1_000 }, 'fail', /oldest for 2 h 0 min/],
	['a warning when the server refuses', { waiting: 1, failure: 'answered 500' }, 'warn', /answered 500.*sent again automatically/],
	[
		'a warning for notes of another account',
		{ waiting: 3, others: 2 },
		'warn',
		/2 of them, Rp 100000, for another account.*Log in on the screen as outlet bengkel at/,
	],
	[
		'a warning when no outlet is logged in',
		{ waiting: 1, others: 1, failure: 'no outlet account is logged in', loggedIn: false },
		'warn',
		/Log in on the screen/,
	],
])('the outbox part is %s', (_what, given, expected, says) => {
	const part = outbox(state(given));
	expect(part.state).toBe(expected);
	expect(`${part.text} ${part.why} ${part.remedy}`).toMatch(says);
});

/** The word by which a remedy promises automatic sending. */
const PROMISE = /automatically/;

test('health promises automatic sending if the only problem is a refusal by the server', () => {
	expect(outbox(state({ waiting: 1, failure: 'answered 500' })).remedy).toMatch(PROMISE);
});

test.each<[string, Given]>([
	['another account has to log in', { waiting: 1, others: 1, failure: 'answered 500' }],
	['the server does not offer the call that reports notes', { waiting: 1, failure: 'answered 404', isCallUnknown: true }],
	['no outlet is logged in', { waiting: 1, failure: 'no outlet account is logged in', loggedIn: false }],
	['the server refuses the outlet’s token', { waiting: 1, failure: 'answered 401', refused: true }],
	['nothing is known about the failure', { waiting: 1, age: LIMIT + 1_000 }],
])('health does not promise automatic sending when %s', (_what, given) => {
	const { remedy } = outbox(state(given));
	expect(remedy).not.toBe('');
	expect(remedy).not.toMatch(PROMISE);
});

test('waiting approvals become a warning and later a failure; without waiting approvals the part is absent', () => {
	expect(approvals(state({}))).toEqual([]);
	expect(approvals(state({ approvals: 1, age: MINUTE }))).toMatchObject([
		{ state: 'ok', text: expect.stringContaining('the oldest for 1 min') },
	]);
	expect(approvals(state({ approvals: 1, age: LIMIT + 1 }))).toMatchObject([{ state: 'warn' }]);
	expect(approvals(state({ approvals: 1, age: 4 * LIMIT + 1 }))).toMatchObject([{ state: 'fail' }]);
});

test('a waiting approval of another account is a warning at once', () => {
	const [part] = approvals(state({ approvals: 2, approvalsOfOthers: 1, age: MINUTE }));
	expect(part).toMatchObject({ state: 'warn', text: expect.stringContaining('1 of them, Rp 137500, for another account') });
});

test('while a changed server is not confirmed, the parts about notes and approvals show the command that confirms it', () => {
	const failure = 'no outlet account is logged in';
	const given = { waiting: 1, approvals: 1, failure, loggedIn: false, unconfirmed: ['[back_office] ca_file'] };
	const held = { state: 'warn', why: expect.stringContaining('has changed'), remedy: expect.stringContaining('kioskctl setup confirm') };
	expect([outbox(state(given)), ...approvals(state(given))]).toMatchObject([held, held]);
	expect(outbox(state({ ...given, unconfirmed: ['[edc] port'] })).remedy).toContain('Log in on the screen');
});

test('invoices paid twice, disputes and parked notes are separate parts', () => {
	const listed = (of: string, twice: number) => ({
		payment: paymentOf(7),
		state: of,
		total: rupiah(1),
		received: rupiah(2),
		twice,
		why: `why ${of}`,
	});
	const parts = toSettle(
		state({
			attention: [listed('paid_twice', 137_500), listed('dispute', 0), listed('partial', 0)],
			parked: [{ nominal: 50_000, time: SINCE, parked: 'the back office answered 422' }],
		}),
	);
	expect(parts).toMatchObject([
		{
			part: 'paid twice',
			state: 'warn',
			text: expect.stringMatching(/INV\/7.*Rp 137500/),
			remedy: expect.stringContaining('cash attention'),
		},
		{ part: 'dispute', state: 'warn', text: expect.stringContaining('why dispute') },
		{ part: 'parked notes', state: 'warn', text: expect.stringContaining('answered 422'), remedy: expect.stringContaining('cash parked') },
	]);
});
