/** Answers of the terminal that cannot be written to the full disk. */
import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test, vi } from 'vitest';
import type { CardSale } from '../journal/card-book.ts';
import { paymentOf } from '../journal/payment.fixture.ts';
import type { JournalRecord } from '../journal/records.ts';
import { invoiceOf, TOTAL } from './card-machine.fixture.ts';
import {
	ask,
	askAboutQr,
	askForSlip,
	cardFixtureOfEachTest,
	fixture,
	heal,
	listed,
	PAID_QR,
	QR,
	quiet,
	sale,
	settle,
	staff,
} from './card-steps.fixture.ts';

cardFixtureOfEachTest();

/** @returns an approved sale of invoice 7; the newest sale, of invoice 8, is declined */
function paidBeforeDeclined(): CardSale {
	fixture.start().ack().answer();
	const paid = sale();
	fixture.lookedUp = invoiceOf(8);
	fixture.start({ id: 8 }).ack().answer({ code: '54' });
	return paid;
}

describe('a full disk', () => {
	test('if the disk refuses the late decline of a sale that staff settled as charged, staff settle the sale again after recovery', async () => {
		fixture.start().ack().silent();
		const { id } = fixture;
		await settle('charged');
		fixture.trouble = 'disk_full';
		fixture.answer({ code: '54' }, id);
		await heal();
		expect([sale().state, listed(), fixture.acknowledged]).toEqual(['unknown', [[7, TOTAL]], ['unknown']]);
		expect(await settle('not_charged')).toMatchObject({ code: 'done' });
		expect(fixture.state()).toBe('ready');
	});

	test('if the disk refuses the late approval of a sale that staff settled as not charged, that sale is unknown after recovery', async () => {
		fixture.start().ack().silent();
		const { id } = fixture;
		await settle('not_charged');
		fixture.trouble = 'disk_full';
		fixture.answer({}, id);
		await heal();
		expect([sale().state, listed(), fixture.acknowledged]).toEqual(['unknown', [[7, TOTAL]], ['unknown']]);
	});

	test('if the disk refuses a late answer to a void, and the answer has no invoice number, the sale is unknown after recovery', async () => {
		fixture.start().ack().answer();
		const unheard = staff('void');
		const { id } = fixture;
		fixture.silent();
		await unheard;
		await settle('charged');
		fixture.trouble = 'disk_full';
		fixture.answer({ ...sale().response, type: 'void', invoice: '' }, id);
		await heal();
		expect([sale().state, fixture.acknowledged.length]).toEqual(['unknown', 2]);
	});

	test('if the disk refuses the answer to a void, the answer is acknowledged after recovery and staff see it with the sale', async () => {
		const voided = paidBeforeDeclined();
		const voiding = staff('void', voided);
		fixture.trouble = 'disk_full';
		fixture.answer({ ...voided.response, type: 'void' }, fixture.id);
		expect(await voiding).toMatchObject({ code: 'unknown' });
		expect(fixture.acknowledged).toHaveLength(2);
		expect(fixture.desk.isHolding(paymentOf(7))).toBe(true);
		await heal();
		expect([fixture.acknowledged.length, fixture.desk.unwritten()]).toEqual([3, []]);
		const after = fixture.journal.cards.sale(voided.attempt_id);
		expect(after).toMatchObject({ state: 'unknown', why: expect.stringContaining('the terminal answered void 00') });
	});

	test.each([
		['settlement', { type: 'settlement' }],
		['void', { type: 'void', code: '54' }],
	] as const)('if the disk refuses the answer to a %s (%o), the answer is acknowledged after recovery', async (action, answer) => {
		fixture.start().ack().answer();
		const asked = action === 'void' ? staff('void') : ask('settlement');
		fixture.trouble = 'disk_full';
		fixture.answer(answer, fixture.id);
		expect(await asked).toMatchObject({ code: 'unknown' });
		expect(fixture.acknowledged).toHaveLength(1);
		await heal();
		expect([fixture.acknowledged.length, fixture.desk.unwritten()]).toEqual([2, []]);
	});

	test('if the disk refuses the end of a void without an answer, the invoice takes no other payment', async () => {
		const voided = paidBeforeDeclined();
		const ended = staff('void', voided);
		fixture.trouble = 'disk_full';
		fixture.silent();
		await ended;
		expect(fixture.desk.isHolding(paymentOf(7))).toBe(true);
	});

	test('while the disk refuses a void that returned another charge, neither invoice takes another payment', async () => {
		fixture.start().ack().answer();
		const older = sale();
		fixture.lookedUp = invoiceOf(8);
		fixture
			.start({ id: 8 })
			.ack()
			.answer({ invoice: older.response?.invoice ?? '', batch: '000002' });
		const other = sale();
		fixture.lookedUp = invoiceOf(9);
		fixture.start({ id: 9 }).ack().answer({ code: '54' });
		const ended = staff('void', other);
		fixture.trouble = 'disk_full';
		fixture.answer({ ...older.response, type: 'void' });
		await ended;
		expect([7, 8].map((id) => fixture.desk.isHolding(paymentOf(id)))).toEqual([true, true]);
	});

	test('while the disk refuses a late void of a sale that staff settled as charged, a connecting screen does not get "paid"', async () => {
		fixture.start().ack().answer();
		const unheard = staff('void');
		const { id } = fixture;
		fixture.silent();
		await unheard;
		await settle('charged');
		fixture.trouble = 'disk_full';
		fixture.answer({ ...sale().response, type: 'void' }, id);
		expect(fixture.desk.greeting().map(({ type }) => type)).not.toContain('payment_notification');
	});

	test.each(['reprint', 'qris_inquiry'] as const)(
		'an answer without a record (%s) does not acknowledge the unwritten charge before it',
		async (type) => {
			if (type === 'qris_inquiry') await askAboutQr();
			else {
				fixture.start().ack().answer();
				void staff('reprint');
			}
			const answers = () => fixture.acknowledgedResponses.map((response) => `${response.type} ${response.amount}`);
			const before = answers();
			fixture.trouble = 'disk_full';
			fixture.answer({ amount: rupiah(99_000) }, null);
			fixture.answer(type === 'qris_inquiry' ? { type, code: 'S3' } : { ...sale().response, type }, fixture.id);
			const other = type === 'qris_inquiry' ? `${type} null` : `${type} ${TOTAL}`;
			expect([fixture.desk.unwritten().length, answers()]).toEqual([1, [...before, other]]);
			await heal();
			expect([fixture.desk.unwritten(), answers()]).toEqual([[], [...before, other, 'sale 99000']]);
		},
	);

	test('a charge that repeats the one in a kept record is acknowledged as well', async () => {
		fixture.start().ack().silent();
		const charge = { rrn: 'R1', invoice: '000101', approval: '000101' };
		fixture.restart();
		fixture.answer(charge, null);
		fixture.restart();
		fixture.acknowledged = [];
		fixture.trouble = 'disk_full';
		fixture.answer({ code: '54' }, null).answer(charge, null);
		await heal();
		expect([fixture.desk.unwritten(), fixture.acknowledged.length]).toEqual([[], 2]);
	});

	test('if the journal reports an error for an answer that is on disk, the answer is recorded only once', async () => {
		fixture.start().ack().silent();
		const { id } = fixture;
		await settle('charged');
		const { append } = fixture.journal;
		fixture.journal.append = (record) => {
			append(record);
			return { ok: false, error: { code: 'disk_full', message: 'no space' } };
		};
		fixture.answer({ code: '54' }, id);
		fixture.journal.append = append;
		await heal();
		expect([sale().state, sale().why.match(/answered sale 54/g)?.length, fixture.acknowledged.length]).toEqual(['unknown', 1, 1]);
	});

	test('if the disk refuses the late ACK of a sale that was recorded as not begun, the sale is unknown after recovery', async () => {
		fixture.start();
		const { id } = fixture;
		fixture.report({ kind: 'not_begun', request_id: id, why: 'the terminal does not answer' });
		fixture.trouble = 'disk_full';
		fixture.report({ kind: 'acked', request_id: id });
		expect(fixture.desk.isHolding(paymentOf(7))).toBe(true);
		expect(fixture.desk.unwritten()).toMatchObject([{ record: { kind: 'card_unknown', attempt_id: id } }]);
		await heal();
		expect([sale().state, fixture.state(), fixture.desk.unwritten()]).toEqual(['unknown', 'unresolved', []]);
		expect(sale().why).toBe('the terminal took the request after the kiosk had given it up');
	});

	test('while the disk refuses an unrequested answer and a late ACK, no screen gets "declined"', async () => {
		fixture.start();
		const { id } = fixture;
		fixture.report({ kind: 'not_begun', request_id: id, why: 'the terminal does not answer' });
		const before = fixture.phases().length;
		fixture.trouble = 'disk_full';
		fixture.answer({ amount: rupiah(5_000) }, null);
		fixture.report({ kind: 'acked', request_id: id });
		await vi.advanceTimersByTimeAsync(30_000);
		expect(fixture.desk.isHolding(paymentOf(7))).toBe(true);
		await heal();
		expect([...new Set(fixture.phases().slice(before))]).toEqual(['unknown']);
		expect([fixture.journal.cards.sale(id)?.state, fixture.desk.unwritten()]).toEqual(['unknown', []]);
	});

	test('while the disk refuses the approval of a declined sale, the invoice takes no other payment', async () => {
		fixture.start().ack().answer({ code: '54' });
		fixture.trouble = 'disk_full';
		fixture.answer({}, fixture.id);
		expect([fixture.desk.isHolding(paymentOf(7)), fixture.desk.isHolding(paymentOf(8))]).toEqual([true, false]);
		await heal();
		expect([sale().state, fixture.desk.isHolding(paymentOf(7))]).toEqual(['unknown', true]);
	});

	test.each(['with', 'without'] as const)(
		'if the disk refuses a late decline and then an approval %s a request, the invoice stays held and its sale stays unknown',
		async (request) => {
			fixture.start().silent();
			const { id } = fixture;
			fixture.trouble = 'disk_full';
			fixture.answer({ code: '54' }, id).answer({}, request === 'with' ? id : null);
			const held: boolean[] = [];
			fixture.onEvent = () => held.push(fixture.desk.isHolding(paymentOf(7)));
			await heal();
			expect([sale().state, new Set(held), fixture.desk.unwritten()]).toEqual(['unknown', new Set([true]), []]);
			expect(sale().response).toMatchObject({ code: '00' });
		},
	);

	test.each(['disk_full', 'broken'] as const)(
		'if the second attempt to write a decline fails (%s), the approval behind it still reopens the declined sale',
		async (how) => {
			fixture.start().ack();
			fixture.trouble = 'disk_full';
			fixture.answer({ code: '54' }).answer({}, null);
			fixture.trouble = null;
			fixture.onWrite = (when, { kind }) => {
				if (when === 'after' && kind === 'card_unknown') fixture.trouble = how;
			};
			await vi.advanceTimersByTimeAsync(5_100);
			fixture.onWrite = () => {};
			await heal();
			expect([sale().state, fixture.desk.isHolding(paymentOf(7)), fixture.desk.unwritten()]).toEqual(['unknown', true, []]);
		},
	);

	test('a charge reported during a sale, which the disk refused, is not taken for the declined sale', async () => {
		fixture.start().ack();
		const { id } = fixture;
		fixture.trouble = 'disk_full';
		fixture.answer({}, null);
		fixture.trouble = null;
		fixture.answer({ code: '54' }, id);
		await heal();
		expect([fixture.journal.cards.sale(id)?.state, fixture.desk.isHolding(paymentOf(7)), listed()]).toEqual([
			'declined',
			false,
			[[null, TOTAL]],
		]);
	});

	test('as soon as the disk has space, the next report of the terminal writes all earlier ones', () => {
		fixture.start().ack().answer({ code: '54' });
		fixture.trouble = 'disk_full';
		fixture.answer({ rrn: 'x1', amount: rupiah(98_000) }, null).answer({ rrn: 'x2', amount: rupiah(99_000) }, null);
		fixture.trouble = null;
		fixture.answer({ rrn: 'x3', amount: rupiah(97_000) }, null);
		expect(fixture.desk.unwritten()).toEqual([]);
		fixture.restart();
		expect(listed()).toEqual([98_000, 99_000, 97_000].map((amount) => [null, amount]));
	});

	/** Makes the journal refuse these records as busy while `busy` is true. */
	function whileBusy(refuses: (record: JournalRecord) => boolean) {
		const lock = { busy: true };
		const { append } = fixture.journal;
		fixture.journal.append = (record) =>
			lock.busy && refuses(record) ? { ok: false, error: { code: 'journal_unhealthy', message: 'database is locked' } } : append(record);
		return lock;
	}

	test.each(['00', '54'])(
		'if the first of two records of a late answer %s is refused once, no charge is lost or listed twice',
		async (code) => {
			fixture.start().ack();
			const { id } = fixture;
			fixture.answer({ amount: rupiah(99_000) }, null);
			fixture.trouble = 'disk_full';
			fixture.answer({ rrn: 'other', amount: rupiah(11_000) }, null).answer({ code }, id);
			fixture.trouble = null;
			const lock = whileBusy((record) => record.kind === 'card_unexplained' && record.response.amount === 99_000);
			await vi.advanceTimersByTimeAsync(6_000);
			lock.busy = false;
			await vi.advanceTimersByTimeAsync(30_000);
			expect([fixture.journal.cards.sale(id)?.state, listed()]).toEqual([
				code === '00' ? 'approved' : 'declined',
				[
					[null, 11_000],
					[null, 99_000],
				],
			]);
		},
	);

	test('if the second of two records of a late answer is refused once, the other charge is listed once', async () => {
		fixture.start().ack();
		const { id } = fixture;
		fixture.answer({ amount: rupiah(99_000) }, null);
		const lock = whileBusy(({ kind }) => kind === 'card_outcome');
		fixture.answer({}, id);
		expect([listed(), fixture.acknowledged.length]).toEqual([
			[
				[7, TOTAL],
				[null, 99_000],
			],
			1,
		]);
		lock.busy = false;
		await vi.advanceTimersByTimeAsync(30_000);
		expect([fixture.journal.cards.sale(id)?.state, listed(), fixture.acknowledged.length]).toEqual(['approved', [[null, 99_000]], 2]);
	});

	test.each([0, 1, 2])('if the journal is busy during a sale, two charges are both listed (%i failed checks)', async (checks) => {
		fixture.start().ack();
		const lock = whileBusy(() => true);
		fixture.answer({ amount: rupiah(11_000) }, null).answer({}, null);
		await vi.advanceTimersByTimeAsync(checks * 5_000 + 100);
		lock.busy = false;
		await vi.advanceTimersByTimeAsync(60_000);
		expect(fixture.journal.cards.unknown().map(({ response }) => response?.amount)).toEqual([11_000, TOTAL]);
	});

	test('if the disk refuses two late approvals of one declined sale, both are listed', async () => {
		fixture.start().ack().answer({ code: '54' });
		fixture.trouble = 'disk_full';
		fixture.answer({ rrn: 'R1', invoice: '000101' }, null).answer({ rrn: 'R2', invoice: '000102' }, null);
		await heal();
		expect(listed()).toEqual([
			[7, TOTAL],
			[null, TOTAL],
		]);
		expect(fixture.journal.cards.unknown().map(({ response }) => response?.rrn)).toEqual(['R1', 'R2']);
	});

	test('if the disk refuses a late ACK, and the approval comes before the desk notices the recovery, the sale is unknown', async () => {
		fixture.start();
		const { id } = fixture;
		fixture.report({ kind: 'not_begun', request_id: id, why: 'the terminal does not answer' });
		fixture.trouble = 'disk_full';
		fixture.report({ kind: 'acked', request_id: id });
		fixture.trouble = null;
		fixture.answer({}, id);
		await heal();
		expect([sale().state, fixture.state(), fixture.desk.unwritten(), fixture.acknowledged.length]).toEqual([
			'unknown',
			'unresolved',
			[],
			1,
		]);
	});

	test('if the disk refuses the end of a void, no screen gets "paid", and the invoice takes no other payment', async () => {
		fixture.start().ack().answer();
		const voided = staff('void');
		fixture.trouble = 'disk_full';
		fixture.answer({ type: 'void' });
		await voided;
		expect(fixture.desk.greeting().map(({ type }) => type)).not.toContain('payment_notification');
		expect(fixture.desk.isHolding(paymentOf(7))).toBe(true);
	});

	test('if the disk refuses the QR code and then its payment, inquiries about the code still end the sale as paid', async () => {
		fixture.qris = true;
		fixture.restart();
		fixture.start({ method: 'qris' }).ack();
		fixture.trouble = 'disk_full';
		fixture.answer(QR);
		await heal();
		await quiet();
		expect(fixture.requests.at(-1)?.request).toMatchObject({ type: 'qris_inquiry', reference: QR.rrn });
		fixture.trouble = 'disk_full';
		fixture.answer(PAID_QR);
		await heal();
		expect([sale().state, fixture.state()]).toEqual(['approved', 'ready']);
	});

	test('if the disk refuses the expiry of an unknown QR code, the next inquiry ends the sale', async () => {
		await askAboutQr();
		fixture.trouble = 'disk_full';
		fixture.answer({ type: 'qris_inquiry', code: 'S4' });
		await heal();
		await quiet();
		fixture.answer({ type: 'qris_inquiry', code: 'S4' });
		expect([sale().state, fixture.state()]).toEqual(['declined', 'ready']);
	});

	test('if the disk refuses the slip of a sale, the slip is acknowledged once and staff can settle the sale', async () => {
		await askForSlip();
		fixture.trouble = 'disk_full';
		fixture.answer({ type: 'reprint', time: '143120' });
		await heal();
		expect([fixture.acknowledged.length, sale().state]).toEqual([1, 'unknown']);
		await settle('charged');
		expect([sale().state, fixture.state()]).toEqual(['approved', 'ready']);
	});

	test('if the disk refuses to record silence, a late approval of the sale’s amount ends the sale, and a late approval of another amount leaves the sale unknown', async () => {
		for (const [amount, state] of [
			[5_000, 'unknown'],
			[TOTAL, 'approved'],
		] as const) {
			fixture.start().ack();
			const { id } = fixture;
			fixture.trouble = 'disk_full';
			fixture.silent();
			fixture.trouble = null;
			fixture.answer({ amount: rupiah(amount) }, id);
			await heal();
			expect([sale().state, fixture.acknowledged.length]).toEqual([state, 1]);
			fixture.acknowledged = [];
			if (state === 'unknown') await settle('not_charged');
		}
	});

	test('if the journal reports an error for a not-begun record that is on disk, staff have nothing to settle', async () => {
		fixture.start();
		const { append } = fixture.journal;
		fixture.journal.append = (record) => {
			append(record);
			return { ok: false, error: { code: 'disk_full', message: 'no space' } };
		};
		fixture.report({ kind: 'not_begun', request_id: fixture.id, why: 'the terminal does not answer' });
		fixture.journal.append = append;
		await heal();
		expect([sale().state, fixture.state(), fixture.phases().at(-1)]).toEqual(['not_begun', 'ready', 'declined']);
	});

	test('if the journal reports an error for an outcome that is on disk, the screen gets the outcome after recovery', async () => {
		for (const [code, phase] of [
			['54', 'declined'],
			['00', 'approved'],
		] as const) {
			fixture.start().ack();
			const { append } = fixture.journal;
			fixture.journal.append = (record) => {
				append(record);
				return { ok: false, error: { code: 'disk_full', message: 'no space' } };
			};
			fixture.answer({ code });
			fixture.journal.append = append;
			expect(fixture.phases().at(-1)).toBe('unknown');
			await heal();
			expect([fixture.phases().at(-1), sale().state, fixture.state(), fixture.desk.isHolding(paymentOf(7))]).toEqual([
				phase,
				phase,
				'ready',
				false,
			]);
		}
		expect(fixture.paid()).toEqual([7]);
	});
});
