import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Printer, startPrinter } from '../../simulators/printer/start.ts';
import { until } from '../../support/until.ts';
import { openShop, type Shop, titles } from './shop.ts';

let printer: Printer;
let shop: Shop;
let payment = 0;

beforeAll(async () => {
	printer = await startPrinter({ port: 0, printMs: 5 });
	shop = await openShop(printer.uri);
});
afterAll(async () => {
	await shop?.stop();
	await printer?.stop();
});
afterEach(() => {
	printer.setServerMode('normal');
	payment += 1;
});

const out = () => titles(printer.queue.receipts.map((receipt) => receipt.data));

for (const [mode, detail] of [
	['garbage', 'the answer is not IPP'],
	['error', 'the server answers HTTP 500'],
	['silent', 'no answer within 5000 ms'],
] as const)
	test(`if the print server is in mode "${mode}", screen and health show "queue_unreachable", and the receipt prints once after recovery`, {
		tags: mode === 'silent' ? 'deep' : [],
	}, async () => {
		const before = out().length;
		printer.setServerMode(mode);
		const { print_id } = await shop.print(payment);
		await until(() => expect(shop.told(print_id)).toEqual(['printing', 'printing queue_unreachable']));
		expect(shop.kiosk.daemon.events('print.trouble').at(-1)?.detail).toContain(detail);
		expect(await shop.health()).toBe(`${printer.uri}: queue_unreachable`);
		printer.setServerMode('normal');
		expect(await shop.fate(print_id)).toBe('done');
		expect(out().slice(before)).toEqual([`${payment}`]);
		expect(await shop.health()).toBe(printer.uri);
	});

test('if the print server gives invalid answers during a print, the screen gets "queue_unreachable" and later a report that the print has ended', async () => {
	printer.queue.set({ paperOut: true });
	const { print_id } = await shop.print(payment);
	await until(() => expect(shop.told(print_id)).toEqual(['printing', 'printing paper_out']));
	printer.setServerMode('garbage');
	await until(() => expect(shop.told(print_id).at(-1)).toBe('printing queue_unreachable'));
	printer.setServerMode('normal');
	await until(() => expect(shop.told(print_id).at(-1)).toBe('printing paper_out'));
	printer.queue.set({ paperOut: false });
	expect(await shop.fate(print_id)).toBe('done');
	expect(out().at(-1)).toBe(`${payment}`);
});
