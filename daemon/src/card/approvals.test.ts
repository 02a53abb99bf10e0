import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { until } from '../../../tests/support/until.ts';
import type { InvoiceDesk } from '../back-office/invoice-desk.ts';
import { systemClock } from '../base/clock.ts';
import { Secret } from '../base/secret.ts';
import type { CardSale } from '../journal/card-book.ts';
import { ACCOUNT } from '../journal/payment.fixture.ts';
import { type Approvals, startApprovals } from './approvals.ts';
import type { StaffWish } from './card-desk.ts';
import { CardFixture, Crash, TOTAL } from './card-machine.fixture.ts';

let fixture: CardFixture;
let sent: {
	message: { event: string; data: { access_token: string; no_invoice: string; json_success_payment: Record<string, unknown> } };
}[];
let arrives: boolean;
let token: string | null;
let lookUp: InvoiceDesk['refresh'];
let onSend: () => void;

beforeEach(() => {
	fixture = new CardFixture();
	sent = [];
	arrives = true;
	token = 'outlet-token';
	lookUp = async () => 'answered';
	onSend = () => {};
});
afterEach(() => fixture.close());

/** Starts to report approvals, as at a start of the daemon. */
const outbox = (): Approvals =>
	startApprovals({
		journal: fixture.journal,
		link: () => ({
			isConnected: () => arrives,
			send: async (message) => {
				sent.push(message as (typeof sent)[number]);
				onSend();
				return arrives;
			},
			stop: () => {},
		}),
		token: {
			current: () => (token === null ? null : { token: new Secret(token), account: ACCOUNT, refused: false }),
		} as Parameters<typeof startApprovals>[0]['token'],
		invoices: { refresh: (payment, limitMs) => lookUp(payment, limitMs) },
		clock: systemClock,
		log: { event: () => {} },
	});

const kicked = async (approvals: Approvals) => {
	approvals.kick();
	await new Promise((resolve) => setImmediate(resolve));
};

test('[spec 6.7, 7.14] transaction_approve is sent once with the current token and the terminal’s response', async () => {
	fixture.start().ack().answer();
	const approvals = outbox();
	await kicked(approvals);
	await kicked(approvals);
	await kicked(outbox());
	expect(sent).toHaveLength(1);
	expect(sent[0]?.message).toMatchObject({
		type: 'payment_edc_bca_notification',
		event: 'transaction_approve',
		data: { no_invoice: 'INV/7', access_token: 'outlet-token', json_success_payment: fixture.responses()[0] },
	});
});

test('an approval waits for a login and for a connected socket', async () => {
	fixture.start().answer();
	token = null;
	const approvals = outbox();
	await kicked(approvals);
	expect(sent).toHaveLength(0);
	token = 'later';
	arrives = false;
	await kicked(approvals);
	expect(fixture.journal.cards.waitingApprovals()).toBe(1);
	arrives = true;
	await kicked(approvals);
	await kicked(approvals);
	expect(sent).toHaveLength(1);
	expect(fixture.journal.cards.waitingApprovals()).toBe(0);
});

test('an approval counts as possibly reported as soon as it is sent, and no approval is sent while the socket is closed', async () => {
	const approvals = outbox();
	fixture.start().answer();
	const attempt_id = fixture.sale()?.attempt_id ?? '';
	arrives = false;
	await kicked(approvals);
	expect(approvals.mayBeTold(attempt_id)).toBe(false);
	arrives = true;
	onSend = () => expect(approvals.mayBeTold(attempt_id)).toBe(true);
	await kicked(approvals);
	expect(fixture.journal.cards.waitingApprovals()).toBe(0);
});

test('after a crash between sending and recording, the approval is sent again with the same attempt id', async () => {
	fixture.start().answer();
	fixture.onWrite = (when, { kind }) => {
		if (when === 'before' && kind === 'card_approval_sent') throw new Crash();
	};
	const died = new Promise((resolve) => process.once('unhandledRejection', resolve));
	outbox().kick();
	expect(await died).toBeInstanceOf(Crash);
	fixture.onWrite = () => {};
	fixture.restart();
	await kicked(outbox());
	await kicked(outbox());
	expect(sent).toHaveLength(2);
	expect(sent[1]).toEqual(sent[0]);
});

test('a sale that staff settled as charged is reported with its known details', async () => {
	fixture.start().silent();
	const [sale] = fixture.journal.cards.unknown();
	if (!sale) throw new Error('nothing is unknown');
	await fixture.desk.carryOut({ action: 'settle', sale, outcome: 'charged', by: 'Sari', why: 'slip 42' });
	await kicked(outbox());
	expect(sent[0]?.message.data.json_success_payment).toEqual({
		attempt_id: sale.attempt_id,
		id: 7,
		type: 'sale',
		respCode: '00',
		amount: TOTAL,
		settled_by_staff: true,
	});
});

test('a sale that was voided before its approval was sent is not reported', async () => {
	fixture.start().answer();
	const sale = fixture.sale();
	if (!sale) throw new Error('no sale');
	const voided = fixture.desk.carryOut({ action: 'void', sale, by: 'Sari', why: 'wrong bike' });
	fixture.answer({ type: 'void' });
	await voided;
	await kicked(outbox());
	expect(sent).toEqual([]);
});

test.for([
	['not reported, if the terminal voids the sale', {}, 0],
	['reported, if the terminal refuses', { code: '12' }, 1],
] as const)('an approval waits for the answer to the void of its sale and is then %s', async ([, answer, reports]) => {
	fixture.start().answer();
	const approvals = outbox();
	fixture.onRelay = approvals.kick;
	const voided = fixture.desk.carryOut({ action: 'void', sale: fixture.sale() as CardSale, by: 'Sari', why: 'wrong bike' });
	await kicked(approvals);
	expect(sent).toEqual([]);
	fixture.answer({ type: 'void', ...answer });
	await voided;
	await until(() => expect(sent).toHaveLength(reports));
	expect(fixture.journal.cards.waitingApprovals()).toBe(0);
});

test('the invoice is looked up before the approval of its sale is sent, so that a payment elsewhere is still seen', async () => {
	const order: string[] = [];
	const { promise, resolve: answer } = Promise.withResolvers<'answered'>();
	lookUp = async ({ noinvoice }) => {
		order.push(noinvoice);
		return promise;
	};
	const approvals = outbox();
	fixture.start().answer();
	await kicked(approvals);
	expect([order, sent, approvals.mayBeTold(fixture.sale()?.attempt_id ?? '')]).toEqual([['INV/7'], [], false]);
	answer('answered');
	await until(() => expect(sent).toHaveLength(1));
	expect(order).toEqual(['INV/7']);
});

test.for([
	['a crash while sending, an approval counts as possibly reported', 'card_approval_sent', true],
	['a crash before its first record, an approval counts as unreported', 'card_approval_begun', false],
] as const)('after %s', async ([, lastKind, mayBeTold]) => {
	fixture.start().answer();
	fixture.onWrite = (when, { kind }) => {
		if (when === 'before' && kind === lastKind) throw new Crash();
	};
	const died = new Promise((resolve) => process.once('unhandledRejection', resolve));
	outbox().kick();
	expect(await died).toBeInstanceOf(Crash);
	fixture.onWrite = () => {};
	fixture.restart();
	const looked = vi.fn<InvoiceDesk['refresh']>().mockResolvedValue('answered');
	lookUp = looked;
	sent = [];
	const approvals = outbox();
	expect(approvals.mayBeTold(fixture.sale()?.attempt_id ?? '')).toBe(mayBeTold);
	await kicked(approvals);
	expect([looked.mock.calls.length, sent.length]).toEqual([mayBeTold ? 0 : 1, 1]);
});

test('an unanswered look-up is repeated, and after the fifth unanswered look-up the approval is sent', async () => {
	vi.useFakeTimers();
	const approvals = outbox();
	fixture.start().answer();
	let looked = 0;
	lookUp = async () => {
		looked += 1;
		return 'no_answer';
	};
	approvals.kick();
	await vi.advanceTimersByTimeAsync(19_000);
	expect([looked, sent.length]).toEqual([4, 0]);
	await vi.advanceTimersByTimeAsync(1_000);
	expect([looked, sent.length]).toEqual([5, 1]);
	vi.useRealTimers();
});

describe('before a delayed approval is sent, its invoice is looked up again', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	/**
	 * Approves a sale whose approval must then be sent.
	 * @param answer the answer to the look-up before the message
	 */
	function approve(answer: InvoiceDesk['refresh']): Approvals {
		const approvals = outbox();
		fixture.start().answer();
		lookUp = answer;
		approvals.kick();
		return approvals;
	}

	async function sendLater(approvals: Approvals): Promise<void> {
		await vi.advanceTimersByTimeAsync(3_600_000);
		[sent, arrives, token, fixture.trouble] = [[], true, 'later', null];
		if (fixture.journal.trouble()) fixture.journal.reopen();
		expect(fixture.journal.cards.waitingApprovals()).toBe(1);
		const again = vi.fn<InvoiceDesk['refresh']>().mockResolvedValue('answered');
		lookUp = again;
		approvals.kick();
		await vi.advanceTimersByTimeAsync(0);
		expect([again.mock.calls.length, sent.length]).toEqual([1, 1]);
	}

	test('if the socket was lost during the first look-up', async () => {
		const approvals = approve(async () => {
			arrives = false;
			return 'answered';
		});
		await sendLater(approvals);
	});

	test('if the outlet logged out during the first look-up', async () => {
		const approvals = approve(async () => {
			token = null;
			return 'no_answer';
		});
		await sendLater(approvals);
	});

	test('if the journal was closed during the first look-up', async () => {
		const approvals = approve(async () => 'unreadable');
		fixture.trouble = 'broken';
		fixture.journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: 'test' });
		await sendLater(approvals);
	});

	test('if a void of unknown outcome came during the first look-up, and staff then settled the sale as charged', async () => {
		const { promise, resolve: answer } = Promise.withResolvers<'answered'>();
		const approvals = approve(() => promise);
		const act = (wish: object) => fixture.desk.carryOut({ sale: fixture.sale(), by: 'Sari', why: 'slip', ...wish } as StaffWish);
		const voided = act({ action: 'void' });
		fixture.silent();
		await voided;
		answer('answered');
		await vi.advanceTimersByTimeAsync(0);
		await act({ action: 'settle', outcome: 'charged' });
		await sendLater(approvals);
	});
});
