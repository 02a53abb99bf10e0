// @module-tag deep
/** Tests the daemon's metrics and the owner's alert rules with a real Prometheus. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { json } from '../../simulators/back-office/other-dealer.ts';
import { type Printer, startPrinter } from '../../simulators/printer/start.ts';
import { saleShown, startCardFor, tapCard, terminalReady } from '../../support/card.ts';
import { type Kiosk, printerSection, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import { type Prometheus, promtool, RULES, startPrometheus } from './prometheus.ts';

const BUDI = '081234567890';
const LARGE = '081200000005';

let kiosk: Kiosk;
let printer: Printer;
let screen: Screen;
let prometheus: Prometheus | null = null;
let drawing: NodeJS.Timeout;
/** Route that the heartbeat reports as drawn. */
let shown: { screen: string; id?: unknown };
beforeEach(async () => {
	printer = await startPrinter({ port: 0, printMs: 10 });
	kiosk = await startKiosk({ settings: printerSection(printer.uri), edc: { lines: 'ack_ms = 500\nanswer_ms = 1500\n' } });
	screen = await kiosk.screen();
	// Sends the heartbeat of a running browser. Errors are ignored, because the daemon is down at
	// times.
	shown = { screen: '/' };
	const draw = () => void kiosk.post('/kiosk/rendered', shown).catch(() => undefined);
	draw();
	drawing = setInterval(draw, 1_000);
});
afterEach(async () => {
	clearInterval(drawing);
	await prometheus?.stop();
	prometheus = null;
	await Promise.all([kiosk.stop(), printer.stop()]);
});

const metrics = async (): Promise<string> => (await fetch(`${kiosk.daemon.service}/metrics`)).text();
const value = async (series: string): Promise<number> =>
	Number(
		(await metrics())
			.split('\n')
			.find((line) => line.startsWith(`${series} `))
			?.split(' ')[1] ?? Number.NaN,
	);

async function payCash(hp: string, ...nominals: number[]): Promise<Record<string, unknown>> {
	const { id } = await kiosk.lookUp(hp);
	shown = { screen: '/cash-payment', id };
	const invoice = await kiosk.openCash(hp);
	for (const [index, nominal] of nominals.entries()) {
		await until(() => expect(kiosk.acceptor.device.insert({ nominal })).toEqual({ taken: true }));
		await until(() => expect(screen.of('payment_cash_notification')).toHaveLength(index + 1));
	}
	return invoice;
}
async function payCard(respCode: string): Promise<void> {
	await terminalReady(screen);
	startCardFor(screen, await kiosk.lookUp('081200000007'));
	await tapCard(kiosk, respCode);
}

test('the metrics count notes, payments and calls, and measure the duration of notes, sales, prints and calls', async () => {
	const { id } = await payCash(BUDI, 100_000, 50_000);
	await until(() => expect(screen.of('payment_notification').length).toBeGreaterThan(0));
	await kiosk.post('/kiosk/cash/close', { id });
	await kiosk.post('/kiosk/print', { id });
	await until(() => expect(kiosk.daemon.events('print.done')).toHaveLength(1));
	kiosk.acceptor.device.insert({ nominal: 20_000 });
	await payCard('51');
	await saleShown(screen, 'declined');
	await payCard('00');
	await saleShown(screen, 'approved');
	await until(async () => expect(await value('kiosk_outbox_notes')).toBe(0));
	const paidByCard = Number(screen.of('kiosk_edc_sale').at(-1)?.amount);
	for (const [series, count] of [
		['kiosk_cash_notes_total{nominal="100000",outcome="credited"}', 1],
		['kiosk_cash_notes_total{nominal="50000",outcome="credited"}', 1],
		['kiosk_cash_notes_total{nominal="1000",outcome="credited"}', 0],
		['kiosk_money_rupiah_total{method="cash",outcome="taken"}', 150_000],
		['kiosk_money_rupiah_total{method="card",outcome="taken"}', paidByCard],
		['kiosk_card_attempts_total{method="card",outcome="declined"}', 1],
		['kiosk_card_attempts_total{method="card",outcome="approved"}', 1],
		['kiosk_invoices_paid_total{method="cash"}', 1],
		['kiosk_invoices_paid_total{method="card"}', 1],
		['kiosk_back_office_calls_total{call="cash_notification",result="2xx"}', 2],
		['kiosk_note_seconds_count', 2],
		['kiosk_card_sale_seconds_count{outcome="approved"}', 1],
		['kiosk_print_seconds_count', 1],
		['kiosk_screen_alive', 1],
		['kiosk_logged_in', 1],
		['kiosk_device_usable{device="printer"}', 1],
	] as const)
		expect(await value(series), series).toBe(count);
	expect(await value('kiosk_journal_commit_seconds_count')).toBeGreaterThan(5);
	expect(await value('kiosk_back_office_call_seconds_sum{call="invoice_info"}')).toBeGreaterThan(0);
	expect(await value('process_open_fds')).toBeGreaterThan(5);
	expect(await value('process_cpu_seconds_total')).toBeGreaterThan(0);
	const text = await metrics();
	expect(await promtool(['check', 'metrics'], text)).toBe('');
	// The metrics contain no customer data.
	for (const secret of [BUDI, 'Budi', 'INV/', kiosk.token()]) expect(text, secret).not.toContain(secret);
});

test('the metrics count a paid QRIS code and a paid virtual account once, despite repeats and a restart', async () => {
	const { id } = await kiosk.lookUp(BUDI);
	const paidFrom = (hp: string, method: 'qris' | 'va') => {
		const invoice = kiosk.backOffice.books.find(hp);
		if (!invoice) throw new Error('no such invoice');
		kiosk.backOffice.books.pay(invoice, method);
	};
	const paid = (method: string) => value(`kiosk_transfers_total{method="${method}",outcome="paid"}`);
	await kiosk.call('/payment/api/v1/payment/', { payment_id: id });
	const { total } = await kiosk.lookUp(BUDI);
	await kiosk.lookUp(BUDI);
	expect(await value('kiosk_transfers_total{method="qris",outcome="opened"}')).toBe(1);
	// The server refuses the first cancellation; then the customer cancels again and comes back.
	kiosk.backOffice.next('cancel_payment', json(200, { message: 'Kode masih diproses bank' }));
	await kiosk.call('/payment/api/v1/cancel-payment/', { id });
	expect(await value('kiosk_transfers_total{method="qris",outcome="closed"}')).toBe(0);
	await kiosk.call('/payment/api/v1/cancel-payment/', { id });
	expect(await value('kiosk_transfers_total{method="qris",outcome="closed"}')).toBe(1);
	await kiosk.call('/payment/api/v1/payment/', { payment_id: id });
	await kiosk.lookUp(BUDI);
	const large = await kiosk.lookUp(LARGE);
	await kiosk.call('/payment/api/v1/create-va-kiosbank/', { bank_id: 1, bank: 'bca', results: large });
	await kiosk.lookUp(LARGE);

	paidFrom(BUDI, 'qris');
	await until(async () => expect(await paid('qris')).toBe(1));
	for (let look = 0; look < 3; look += 1) expect((await kiosk.lookUp(BUDI)).is_paid).toBe(true);
	expect(await paid('qris')).toBe(1);
	expect(await value('kiosk_transfer_rupiah_total{method="qris",outcome="paid"}')).toBe(total);
	expect(await value('kiosk_money_rupiah_total{method="cash",outcome="taken"}')).toBe(0);

	// The virtual account is paid while the kiosk is down. A restart sets the counters to 0, and the
	// earlier QRIS payment is not counted again.
	await kiosk.crash(() => paidFrom(LARGE, 'va'));
	for (let look = 0; look < 3; look += 1) {
		await kiosk.lookUp(BUDI);
		await kiosk.lookUp(LARGE);
	}
	expect([await paid('qris'), await paid('va')]).toEqual([0, 1]);
	expect(await value('kiosk_transfer_rupiah_total{method="va",outcome="paid"}')).toBe(large.total);
});

test('promtool accepts the rules and their unit tests', async () => {
	expect(await promtool(['check', 'rules', RULES])).toContain('SUCCESS');
	expect(await promtool(['test', 'rules', RULES.replace('.yml', '.test.yml')])).toContain('SUCCESS');
});

test('the dashboard and the alert rules query only existing metrics', async () => {
	const dashboard = readFileSync(join(RULES, '..', '..', 'grafana', 'kiosk-fleet.json'), 'utf8');
	const text = await metrics();
	const rules = readFileSync(RULES, 'utf8');
	const asked = new Set(`${dashboard}${rules}`.match(/\b(kiosk|process|nodejs)_[a-z0-9_]+\b/g));
	expect(asked.size).toBeGreaterThan(20);
	for (const name of asked) expect(text, name).toMatch(new RegExp(`^# TYPE ${name.replace(/_(bucket|sum|count)$/, '')} `, 'm'));
});

test('a real Prometheus scrapes the daemon, and each fault fires only the alert rules about this fault', async () => {
	const watching = await startPrometheus([new URL(kiosk.daemon.service).host]);
	prometheus = watching;
	const fires = (...names: string[]) => until(async () => expect((await watching.firing()).sort()).toEqual(names));
	await until(async () => expect(await watching.value('kiosk_screen_alive')).toBe(1));
	await fires();

	kiosk.acceptor.device.break('jam');
	await fires('KioskDeviceUnusable');
	kiosk.acceptor.device.clear();
	await fires();

	await kiosk.backOffice.setNetwork({ up: false });
	await fires('KioskOffline');
	await kiosk.backOffice.setNetwork({ up: true });
	await fires();

	await payCash(BUDI, 100_000, 50_000);
	await until(async () => expect(await watching.value('kiosk_cash_notes_total{nominal="50000",outcome="credited"}')).toBe(1));
	await payUnknown();
	// The unknown sale makes the terminal unusable until staff settle the sale.
	await fires('KioskCardUnknown', 'KioskDeviceUnusable');

	clearInterval(drawing);
	await fires('KioskCardUnknown', 'KioskDeviceUnusable', 'KioskPictureDead');
	await kiosk.daemon.kill();
	await fires('KioskDown');
});

/** Makes a card sale that the terminal does not answer. */
async function payUnknown(): Promise<void> {
	await terminalReady(screen);
	startCardFor(screen, await kiosk.lookUp('081200000007'));
	await until(() => expect(kiosk.daemon.events('card.unknown').length).toBe(1));
}
