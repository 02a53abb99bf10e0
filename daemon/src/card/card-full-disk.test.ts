/** Answers of the terminal that cannot be written to the full disk. */
import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test, vi } from 'vitest';
import { paymentOf } from '../journal/payment.fixture.ts';
import { TOTAL } from './card-machine.fixture.ts';
import {
	askAboutQr,
	askForSlip,
	bench,
	benchOfEachTest,
	heal,
	listed,
	PAID_QR,
	QR,
	quiet,
	sale,
	settle,
	staff,
} from './card-steps.fixture.ts';

benchOfEachTest();

describe('a full disk', () => {
	test('refuses the late decline of a sale that staff settled as charged: after recovery staff decide again', async () => {
		bench.start().ack().silent();
		const { id } = bench;
		await settle('charged');
		bench.trouble = 'disk_full';
		bench.answer({ code: '54' }, id);
		await heal();
		expect([sale().state, listed(), bench.acknowledged]).toEqual(['unknown', [[7, TOTAL]], ['unknown']]);
		expect(await settle('not_charged')).toMatchObject({ code: 'done' });
		expect(bench.state()).toBe('ready');
	});

	test('refuses the late approval of a sale that staff settled as not charged: after recovery the approval belongs to that sale', async () => {
		bench.start().ack().silent();
		const { id } = bench;
		await settle('not_charged');
		bench.trouble = 'disk_full';
		bench.answer({}, id);
		await heal();
		expect([sale().state, listed(), bench.acknowledged]).toEqual(['unknown', [[7, TOTAL]], ['unknown']]);
	});

	test('refuses a late void without a number: after recovery staff decide again', async () => {
		bench.start().ack().answer();
		const unheard = staff('void');
		const { id } = bench;
		bench.silent();
		await unheard;
		await settle('charged');
		bench.trouble = 'disk_full';
		bench.answer({ ...sale().response, type: 'void', invoice: '' }, id);
		await heal();
		expect([sale().state, bench.acknowledged.length]).toEqual(['unknown', 2]);
	});

	test('reports an error for an answer that it has stored: the answer is recorded once', async () => {
		bench.start().ack().silent();
		const { id } = bench;
		await settle('charged');
		const { append } = bench.journal;
		bench.journal.append = (record) => {
			append(record);
			return { ok: false, error: { code: 'disk_full', message: 'no space' } };
		};
		bench.answer({ code: '54' }, id);
		bench.journal.append = append;
		await heal();
		expect([sale().state, sale().why.match(/answered sale 54/g)?.length, bench.acknowledged.length]).toEqual(['unknown', 1, 1]);
	});

	test('refuses the late ACK of a sale that had not begun: after recovery the sale is unknown', async () => {
		bench.start();
		const { id } = bench;
		bench.report({ kind: 'not_begun', request_id: id, why: 'the terminal does not answer' });
		bench.trouble = 'disk_full';
		bench.report({ kind: 'acked', request_id: id });
		expect(bench.desk.isHolding(paymentOf(7))).toBe(true);
		expect(bench.desk.unwritten()).toMatchObject([{ record: { kind: 'card_unknown', attempt_id: id } }]);
		await heal();
		expect([sale().state, bench.state(), bench.desk.unwritten()]).toEqual(['unknown', 'unresolved', []]);
		expect(sale().why).toBe('the terminal took the request after the kiosk had given it up');
	});

	test('refuses another answer and the late ACK for 30 s: meanwhile no screen is told that the sale is declined', async () => {
		bench.start();
		const { id } = bench;
		bench.report({ kind: 'not_begun', request_id: id, why: 'the terminal does not answer' });
		const before = bench.phases().length;
		bench.trouble = 'disk_full';
		bench.answer({ amount: rupiah(5_000) }, null);
		bench.report({ kind: 'acked', request_id: id });
		await vi.advanceTimersByTimeAsync(30_000);
		expect(bench.desk.isHolding(paymentOf(7))).toBe(true);
		await heal();
		expect([...new Set(bench.phases().slice(before))]).toEqual(['unknown']);
		expect([bench.journal.cards.sale(id)?.state, bench.desk.unwritten()]).toEqual(['unknown', []]);
	});

	test('refuses the approval of a sale that had been declined: meanwhile its invoice takes no other payment', async () => {
		bench.start().ack().answer({ code: '54' });
		bench.trouble = 'disk_full';
		bench.answer({}, bench.id);
		expect([bench.desk.isHolding(paymentOf(7)), bench.desk.isHolding(paymentOf(8))]).toEqual([true, false]);
		await heal();
		expect([sale().state, bench.desk.isHolding(paymentOf(7))]).toEqual(['unknown', true]);
	});

	test('refuses the late ACK, and the approval comes before the desk has noticed the recovery: staff decide', async () => {
		bench.start();
		const { id } = bench;
		bench.report({ kind: 'not_begun', request_id: id, why: 'the terminal does not answer' });
		bench.trouble = 'disk_full';
		bench.report({ kind: 'acked', request_id: id });
		bench.trouble = null;
		bench.answer({}, id);
		await heal();
		expect([sale().state, bench.state(), bench.desk.unwritten(), bench.acknowledged.length]).toEqual(['unknown', 'unresolved', [], 1]);
	});

	test('refuses the end of a void: no screen is told that the sale is paid, and its invoice takes no other payment', async () => {
		bench.start().ack().answer();
		const voided = staff('void');
		bench.trouble = 'disk_full';
		bench.answer({ type: 'void' });
		await voided;
		expect(bench.desk.greeting().map(({ type }) => type)).not.toContain('payment_notification');
		expect(bench.desk.isHolding(paymentOf(7))).toBe(true);
	});

	test('refuses the QR code and then its payment: the kiosk inquires about the code, and the sale ends as paid', async () => {
		bench.qris = true;
		bench.restart();
		bench.start({ method: 'qris' }).ack();
		bench.trouble = 'disk_full';
		bench.answer(QR);
		await heal();
		await quiet();
		expect(bench.requests.at(-1)?.request).toMatchObject({ type: 'qris_inquiry', reference: QR.rrn });
		bench.trouble = 'disk_full';
		bench.answer(PAID_QR);
		await heal();
		expect([sale().state, bench.state()]).toEqual(['approved', 'ready']);
	});

	test('refuses the expiry of an unknown QR code: the next inquiry ends the sale', async () => {
		await askAboutQr();
		bench.trouble = 'disk_full';
		bench.answer({ type: 'qris_inquiry', code: 'S4' });
		await heal();
		await quiet();
		bench.answer({ type: 'qris_inquiry', code: 'S4' });
		expect([sale().state, bench.state()]).toEqual(['declined', 'ready']);
	});

	test('refuses the slip of the sale: the slip is acknowledged once, and staff can end the sale', async () => {
		await askForSlip();
		bench.trouble = 'disk_full';
		bench.answer({ type: 'reprint', time: '143120' });
		await heal();
		expect(bench.acknowledged).toHaveLength(1);
		if (sale().state === 'unknown') await settle('charged');
		expect([sale().state, bench.state()]).toEqual(['approved', 'ready']);
	});

	test('refuses to record a silent terminal: before the kiosk notices free space, a fitting answer ends the sale, and any other answer is evidence', async () => {
		for (const [amount, state] of [
			[5_000, 'unknown'],
			[TOTAL, 'approved'],
		] as const) {
			bench.start().ack();
			const { id } = bench;
			bench.trouble = 'disk_full';
			bench.silent();
			bench.trouble = null;
			bench.answer({ amount: rupiah(amount) }, id);
			await heal();
			expect([sale().state, bench.acknowledged.length]).toEqual([state, 1]);
			bench.acknowledged = [];
			if (state === 'unknown') await settle('not_charged');
		}
	});

	test('reports an error for a stored report that the sale has not begun: staff have nothing to settle', async () => {
		bench.start();
		const { append } = bench.journal;
		bench.journal.append = (record) => {
			append(record);
			return { ok: false, error: { code: 'disk_full', message: 'no space' } };
		};
		bench.report({ kind: 'not_begun', request_id: bench.id, why: 'the terminal does not answer' });
		bench.journal.append = append;
		await heal();
		expect([sale().state, bench.state(), bench.phases().at(-1)]).toEqual(['not_begun', 'ready', 'declined']);
	});

	test('reports an error for an outcome that it has stored: the customer is told the outcome after recovery', async () => {
		for (const [code, phase] of [
			['54', 'declined'],
			['00', 'approved'],
		] as const) {
			bench.start().ack();
			const { append } = bench.journal;
			bench.journal.append = (record) => {
				append(record);
				return { ok: false, error: { code: 'disk_full', message: 'no space' } };
			};
			bench.answer({ code });
			bench.journal.append = append;
			expect(bench.phases().at(-1)).toBe('unknown');
			await heal();
			expect([bench.phases().at(-1), sale().state, bench.state(), bench.desk.isHolding(paymentOf(7))]).toEqual([
				phase,
				phase,
				'ready',
				false,
			]);
		}
		expect(bench.paid()).toEqual([7]);
	});
});
