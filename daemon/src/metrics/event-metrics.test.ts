import { expect, test } from 'vitest';
import { type EventFields, loggedEvent } from '../log/event-fields.ts';
import type { EventId } from '../log/events.ts';
import { defineMetrics } from './definitions.ts';
import { countEvents } from './event-metrics.ts';

const PAYMENT = { invoice: 'INV/7', payment_id: 7 };
const NOTE = { ...PAYMENT, note_id: 'n-1' };

/** Counts the test's events at the test's times. */
function counted() {
	const metrics = defineMetrics();
	const time = { now: 0 };
	const count = countEvents(metrics, [50_000, 100_000], () => time.now);
	return {
		says<E extends EventId>(id: E, fields: EventFields[E], atMs = time.now) {
			time.now = atMs;
			count(loggedEvent(id, fields));
		},
		async value(series: string): Promise<number> {
			const line = (await metrics.registry.metrics()).split('\n').find((one) => one.startsWith(`${series} `));
			return Number(line?.slice(series.length));
		},
		text: () => metrics.registry.metrics(),
	};
}

test('the counters of configured denominations start at 0, so that the first note counts as an increase', async () => {
	const { value } = counted();
	expect(await value('kiosk_cash_notes_total{nominal="50000",outcome="in_doubt"}')).toBe(0);
	expect(await value('kiosk_money_rupiah_total{method="card",outcome="taken"}')).toBe(0);
});

test('a note is timed from escrow to credit, unless it is returned or credited late', async () => {
	const { says, value } = counted();
	says('acceptor.escrow', { code: '0x45' }, 1_000);
	says('cash.note_credited', { ...NOTE, nominal: 50_000, late: false }, 2_200);
	says('acceptor.escrow', { code: '0x45' }, 5_000);
	says('cash.note_returned', { code: '0x45', nominal: 50_000, reason: 'closing' }, 6_000);
	says('cash.note_credited', { ...NOTE, nominal: 100_000, late: true }, 90_000);
	expect(await value('kiosk_note_seconds_count')).toBe(1);
	expect(await value('kiosk_note_seconds_sum')).toBeCloseTo(1.2);
	expect(await value('kiosk_money_rupiah_total{method="cash",outcome="taken"}')).toBe(150_000);
	expect(await value('kiosk_cash_notes_total{nominal="50000",outcome="returned"}')).toBe(1);
});

test('a note that staff found in the cashbox counts as money taken, as in the cash report', async () => {
	const { says, value } = counted();
	says('cash.note_in_doubt', { ...NOTE, nominal: 50_000, why: 'silence' });
	says('cash.note_settled', { note_id: 'n-1', nominal: 50_000, invoice: 'INV/7', outcome: 'in_box' });
	says('cash.note_settled', { note_id: 'n-2', nominal: 100_000, invoice: 'INV/7', outcome: 'returned' });
	expect(await value('kiosk_money_rupiah_total{method="cash",outcome="taken"}')).toBe(50_000);
});

test('card sales are counted by method and outcome, and money of unknown outcome is counted separately; a sale that an earlier run began is counted but not timed', async () => {
	const { says, value } = counted();
	says('card.sent', { ...PAYMENT, attempt_id: 'a', amount: 20_000, method: 'card', attempt: 1 }, 0);
	says('card.unknown', { attempt_id: 'a', why: 'silence', amount: 20_000 }, 130_000);
	says('card.sent', { ...PAYMENT, attempt_id: 'b', amount: 30_000, method: 'qris', attempt: 1 }, 200_000);
	says('card.approved', { attempt_id: 'b', late: false, amount: 30_000, code: '00' }, 215_000);
	says('card.declined', { attempt_id: 'of an earlier run', late: true, amount: 1, code: '51' }, 216_000);
	expect(await value('kiosk_money_rupiah_total{method="card",outcome="unknown"}')).toBe(20_000);
	expect(await value('kiosk_money_rupiah_total{method="qris",outcome="taken"}')).toBe(30_000);
	expect(await value('kiosk_card_attempts_total{method="card",outcome="declined"}')).toBe(1);
	expect(await value('kiosk_card_sale_seconds_sum{outcome="approved"}')).toBe(15);
	expect(await value('kiosk_card_sale_seconds_count{outcome="declined"}')).toBeNaN();
});

test('transfers of the back office are counted separately from the kiosk’s own payments, starting at 0', async () => {
	const { says, value } = counted();
	for (const method of ['qris', 'va'])
		for (const outcome of ['opened', 'paid', 'closed'])
			expect(await value(`kiosk_transfers_total{method="${method}",outcome="${outcome}"}`)).toBe(0);
	says('transfer.opened', { ...PAYMENT, method: 'qris', amount: 137_500 });
	says('transfer.paid', { ...PAYMENT, method: 'qris', amount: 137_500 });
	says('transfer.closed', { ...PAYMENT, method: 'va', amount: 20_000 });
	expect(await value('kiosk_transfers_total{method="qris",outcome="opened"}')).toBe(1);
	expect(await value('kiosk_transfers_total{method="qris",outcome="paid"}')).toBe(1);
	expect(await value('kiosk_transfer_rupiah_total{method="qris",outcome="paid"}')).toBe(137_500);
	expect(await value('kiosk_transfer_rupiah_total{method="va",outcome="closed"}')).toBe(20_000);
	expect(await value('kiosk_money_rupiah_total{method="cash",outcome="taken"}')).toBe(0);
});

test('warnings and lost connections are counted by name; no label contains a person, an invoice or a reason', async () => {
	const { says, value, text } = counted();
	says('socket.lost', { reason: 'Budi 081234567890', retry_ms: 1 });
	says('acceptor.reopened', { reason: 'silent' });
	says('cash.note_in_doubt', { ...NOTE, nominal: 50_000, why: 'Budi' });
	says('cash.note_returned', { code: '0x47', nominal: null, reason: 'unmapped_note' });
	expect(await value('kiosk_events_total{event="socket.lost",level="warn"}')).toBe(1);
	expect(await value('kiosk_link_losses_total{link="back_office"}')).toBe(1);
	expect(await value('kiosk_link_losses_total{link="acceptor"}')).toBe(1);
	expect(await value('kiosk_cash_notes_total{nominal="50000",outcome="in_doubt"}')).toBe(1);
	expect(await value('kiosk_cash_notes_total{nominal="unknown",outcome="returned"}')).toBe(1);
	expect(await text()).not.toMatch(/Budi|08123456|INV/);
});

test('of many prints that have not ended, only the newest are kept in memory and timed', async () => {
	const { says, value } = counted();
	for (let number = 0; number < 1_000; number += 1)
		says('print.sent', { print_id: `p${number}`, payment_id: 7, job: number, purpose: 'receipt' }, 0);
	says('print.done', { print_id: 'p0', payment_id: 7 }, 1_000);
	says('print.done', { print_id: 'p999', payment_id: 7 }, 2_000);
	expect(await value('kiosk_print_seconds_count')).toBe(1);
	expect(await value('kiosk_prints_total{outcome="done"}')).toBe(2);
});
