/** Messages and timing of approvals; approvals.test.ts uses a real journal. */
import { isDeepStrictEqual } from 'node:util';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { fail, ok } from '../base/result.ts';
import { Secret } from '../base/secret.ts';
import type { CardSale } from '../journal/card-book.ts';
import type { Journal } from '../journal/journal.ts';
import { ACCOUNT } from '../journal/payment.fixture.ts';
import type { JournalRecord, Payment } from '../journal/records.ts';
import { type Approvals, startApprovals } from './approvals.ts';
import { responseWith, TOTAL } from './card-machine.fixture.ts';

const payment: Payment = { account: ACCOUNT, id: 7, odoo_id: 'SO7', noinvoice: 'INV/7', total: TOTAL };
const sale = (attempt_id: string, more: Partial<CardSale> = {}) =>
	({ attempt_id, payment, amount: TOTAL, response: responseWith({}), answered: true, ...more }) as CardSale & { payment: Payment };
const FIELDS = { amount: TOTAL, invoice: 'INV/7', payment_id: 7 };

let approvals: Approvals;
let waiting: (CardSale & { payment: Payment })[];
let written: JournalRecord[];
let sent: { message: { data: { json_success_payment: Record<string, unknown> } } }[];
let logged: unknown[][];
/** Kinds of records that the disk refuses. */
let refused: JournalRecord['kind'][];
/** Whether a refused record is on disk nevertheless, as after a failed sync. */
let keepsRefused: boolean;
let arrives: () => Promise<boolean>;

beforeEach(() => {
	waiting = [sale('first'), sale('second')];
	written = [];
	sent = [];
	logged = [];
	refused = [];
	keepsRefused = false;
	arrives = async () => true;
	const journal = {
		cards: { nextApproval: () => waiting[0] ?? null },
		has: (record: JournalRecord) => written.some((one) => isDeepStrictEqual(one, record)),
		append: (record: JournalRecord) => {
			if (refused.includes(record.kind)) {
				if (keepsRefused) written.push(record);
				return fail({ code: 'disk_full', message: 'no space' } as const);
			}
			written.push(record);
			if (record.kind === 'card_approval_sent') waiting.shift();
			return ok(undefined);
		},
	} as unknown as Journal;
	approvals = startApprovals({
		journal,
		link: () => ({
			isConnected: () => true,
			lastFailure: () => null,
			send: (message) => {
				sent.push(message as (typeof sent)[number]);
				return arrives();
			},
			stop: () => {},
		}),
		token: {
			current: () => ({ token: new Secret('outlet-token'), account: ACCOUNT, refused: false }),
		} as unknown as Parameters<typeof startApprovals>[0]['token'],
		invoices: { refresh: async () => 'answered' },
		clock: systemClock,
		log: { event: (id, fields) => void logged.push([id, fields]) },
	});
});

const settled = () => new Promise((resolve) => setImmediate(resolve));
async function kicked(): Promise<void> {
	approvals.kick();
	await settled();
}

test('each approval is sent once, in order, and logged when its record is on disk', async () => {
	await kicked();
	expect(written).toEqual([
		{ kind: 'card_approval_begun', attempt_id: 'first' },
		{ kind: 'card_approval_sent', attempt_id: 'first' },
		{ kind: 'card_approval_begun', attempt_id: 'second' },
		{ kind: 'card_approval_sent', attempt_id: 'second' },
	]);
	expect(logged).toMatchObject([
		['card.approval_sent', { attempt_id: 'first', ...FIELDS }],
		['card.approval_sent', { attempt_id: 'second', ...FIELDS }],
	]);
});

test('approvals are sent one at a time, however often a send is requested', async () => {
	const { promise, resolve: release } = Promise.withResolvers<boolean>();
	arrives = () => promise;
	await kicked();
	await kicked();
	expect(sent).toHaveLength(1);
	arrives = async () => true;
	release(true);
	await settled();
	expect(written.filter(({ kind }) => kind === 'card_approval_sent')).toHaveLength(2);
});

test('if an approval cannot be sent, the approvals behind it wait', async () => {
	arrives = async () => false;
	await kicked();
	expect([sent.length, logged]).toEqual([1, [['card.approval_waiting', { attempt_id: 'first', ...FIELDS }]]]);
});

test('an approval whose first record the disk refuses is retried on a timer', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	refused = ['card_approval_begun'];
	approvals.kick();
	await vi.advanceTimersByTimeAsync(5_000);
	expect([sent.length, logged]).toEqual([0, [['card.approval_waiting', { attempt_id: 'first', ...FIELDS }]]]);
	refused = [];
	await vi.advanceTimersByTimeAsync(6_000);
	expect(sent).toHaveLength(2);
});

test('if the write of the first record fails but the record is on disk, the approval counts as unreported until it is sent', async () => {
	[refused, keepsRefused] = [['card_approval_begun'], true];
	await kicked();
	expect([written.length, approvals.mayBeTold('first')]).toEqual([1, false]);
	refused = [];
	await kicked();
	expect([sent.length, approvals.mayBeTold('first')]).toEqual([2, true]);
});

test('if the disk refuses the record that an approval was sent, the approval is sent again', async () => {
	refused = ['card_approval_sent'];
	await kicked();
	expect([sent.length, logged]).toEqual([1, []]);
	refused = [];
	await kicked();
	expect(sent).toHaveLength(3);
});

test('after a stop no approval is sent, and an approval in flight is not recorded as sent', async () => {
	const { promise, resolve: release } = Promise.withResolvers<boolean>();
	arrives = () => promise;
	await kicked();
	approvals.stop();
	release(true);
	await settled();
	await kicked();
	expect([sent.length, written]).toEqual([1, [{ kind: 'card_approval_begun', attempt_id: 'first' }]]);
});

test.each([
	['answered by the terminal', { answered: true }, undefined],
	['settled by staff although the terminal responded', { answered: false }, true],
])('a sale %s is reported with the response of the terminal', async (_what, more, settled_by_staff) => {
	const response = responseWith({ amount: TOTAL });
	waiting = [sale('one', { response, ...more })];
	await kicked();
	const { code, ...rest } = response;
	const expected = { respCode: code, attempt_id: 'one', id: 7, retry: false, ...rest, ...(settled_by_staff ? { settled_by_staff } : {}) };
	expect(sent[0]?.message.data.json_success_payment).toEqual(expected);
});

test('a sale settled by staff is reported as approved with its amount, despite a refusal of the terminal', async () => {
	waiting = [sale('one', { response: responseWith({ code: '51' }), answered: false })];
	await kicked();
	expect(sent[0]?.message.data.json_success_payment).toMatchObject({ respCode: '00', amount: TOTAL, settled_by_staff: true });
});
