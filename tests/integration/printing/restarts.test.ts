import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { type Cups, startCups } from './cups.ts';
import { openShop, type Shop, titles } from './shop.ts';

let cups: Cups;
let shop: Shop;

beforeEach(async () => {
	cups = await startCups();
});
afterEach(async () => {
	await shop?.stop();
	await cups?.remove();
});

const out = () => titles(cups.paper.sheets());
/**
 * Waits until the printer has begun and the kiosk knows the job. The printer may begin before the
 * print server reports the job to the kiosk.
 */
const atThePrinter = (mode: string) =>
	until(() => {
		expect(cups.paper.runs().at(-1)).toMatch(mode);
		expect(shop.kiosk.daemon.events('print.sent')).not.toHaveLength(0);
	});

test('if the print server is down at the start, health shows "queue_unreachable", and a receipt prints as soon as the server runs', {
	tags: 'deep',
}, async () => {
	await cups.stop();
	shop = await openShop(cups.uri);
	await until(async () => expect(await shop.health()).toBe(`${cups.uri}: queue_unreachable`));
	const { print_id } = await shop.print(1);
	await until(() => expect(shop.told(print_id)).toEqual(['printing', 'printing queue_unreachable']));
	await cups.start();
	expect(await shop.fate(print_id)).toBe('done');
	expect(await shop.health()).toBe(cups.uri);
	expect(out()).toEqual(['1']);
});

test('if the print server restarts during a print and keeps the job, the receipt is printed once', async () => {
	shop = await openShop(cups.uri);
	cups.paper.set('slow');
	const { print_id } = await shop.print(1);
	await atThePrinter('slow');
	await cups.stop();
	await until(() => expect(shop.told(print_id)).toEqual(['printing', 'printing queue_unreachable']));
	cups.paper.set('good');
	await cups.start();
	expect(await shop.fate(print_id)).toBe('done');
	expect(out()).toEqual(['1']);
});

test('if the print server loses the job in a crash, the print fails and the next print is a copy', { tags: 'deep' }, async () => {
	shop = await openShop(cups.uri);
	cups.paper.set('slow');
	const { print_id } = await shop.print(1);
	await atThePrinter('slow');
	await cups.stop('SIGKILL');
	await cups.emptySpool();
	cups.paper.set('good');
	await cups.start();
	expect(await shop.fate(print_id)).toBe('failed lost');
	expect(await shop.printed(1)).toBe('done');
	expect(out()).toEqual(['1 SALINAN']);
});

test('if the print server crashes right after a print, the receipt is not printed again', async () => {
	shop = await openShop(cups.uri);
	expect(await shop.printed(1)).toBe('done');
	await cups.stop('SIGKILL');
	await cups.start();
	expect(await cups.waiting()).toEqual([]);
	expect(await shop.printed(2)).toBe('done');
	expect(out()).toEqual(['1', '2']);
});

test('if the kiosk is killed while paper is out, the next start cancels the job, and the next print is a copy', {
	tags: 'deep',
}, async () => {
	shop = await openShop(cups.uri);
	cups.paper.set('paper-out');
	const { print_id } = await shop.print(1);
	await until(() => expect(shop.told(print_id)).toEqual(['printing', 'printing paper_out']));
	await shop.crash(async () => expect(await cups.waiting()).toHaveLength(1));
	await until(() => expect(shop.kiosk.daemon.events('print.leftovers')).toMatchObject([{ jobs: 1 }]));
	expect(await cups.waiting()).toEqual([]);
	cups.paper.set('good');
	expect(await shop.printed(1)).toBe('done');
	expect(out()).toEqual(['1 SALINAN']);
});

test('if the kiosk is killed during a print, the next print is a copy', async () => {
	shop = await openShop(cups.uri);
	cups.paper.set('slow');
	await shop.print(1);
	await atThePrinter('slow');
	await shop.crash(async () => {
		cups.paper.set('good');
		await until(() => expect(out()).toEqual(['1']));
	});
	expect(await shop.printed(1)).toBe('done');
	expect(out()).toEqual(['1', '1 SALINAN']);
});

test('after a restart, the second print of a payment is still a copy', { tags: 'deep' }, async () => {
	shop = await openShop(cups.uri);
	expect(await shop.printed(1)).toBe('done');
	await shop.crash();
	expect(await shop.printed(1)).toBe('done');
	expect(await shop.printed(2)).toBe('done');
	expect(out()).toEqual(['1', '1 SALINAN', '2']);
});
