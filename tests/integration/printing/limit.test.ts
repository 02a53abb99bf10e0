import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { type Cups, startCups } from './cups.ts';
import { openShop, type Shop, titles } from './shop.ts';

/** Time limit of a receipt: ten times the usual duration in these tests. */
const LIMIT_MS = 3_000;

let cups: Cups;
let shop: Shop;
let payment = 0;
let before = 0;

beforeAll(async () => {
	cups = await startCups();
	shop = await openShop(cups.uri, LIMIT_MS);
});
afterAll(async () => {
	await shop?.stop();
	await cups?.remove();
});
afterEach(() => {
	cups.paper.set('good');
	before = cups.paper.sheets().length;
	payment += 10;
});

/** @returns the sheets printed during this test */
const out = () => titles(cups.paper.sheets().slice(before));

test('if the paper is out until the time limit, the receipt is cancelled and does not print on the new paper', {
	tags: 'deep',
}, async () => {
	cups.paper.set('paper-out');
	const { print_id } = await shop.print(payment);
	expect(await shop.fate(print_id)).toBe('failed paper_out');
	expect(await cups.waiting()).toEqual([]);
	expect(await shop.health()).toBe(`${cups.uri}: paper_out`);
	cups.paper.set('good');
	// CUPS still reports "media-empty" from the last job, which the next customer must not see.
	const next = await shop.print(payment + 1);
	expect(await shop.fate(next.print_id)).toBe('done');
	expect(shop.told(next.print_id)).toEqual(['printing', 'done']);
	expect(out()).toEqual([`${payment + 1}`]);
	expect(await shop.health()).toBe(cups.uri);
});

test('an old error that CUPS still reports is not the reason for the next failure', { tags: 'deep' }, async () => {
	cups.paper.set('paper-out');
	expect(await shop.printed(payment)).toBe('failed paper_out');
	cups.paper.set('fail');
	expect(await shop.printed(payment + 1)).toBe('failed aborted');
});

test('a receipt that waits too long behind another receipt is not sent, and its next print is the original', async () => {
	cups.paper.set('paper-out');
	const wasSent = (print_id: string) => shop.kiosk.daemon.events('print.sent').some((sent) => sent.print_id === print_id);
	// Two prints run in parallel, so that the limit of the second has passed when the first is
	// cancelled. If the second is sent nevertheless, e.g. on a busy computer, the test tries another
	// pair.
	const waited = await until(async () => {
		payment += 2;
		const prints = await shop.printListed(payment, payment + 1);
		const fates = [];
		for (const { print_id } of prints) fates.push({ fate: await shop.fate(print_id), sent: wasSent(print_id) });
		expect(fates).toContainEqual({ fate: 'failed paper_out', sent: true });
		expect(fates).toContainEqual({ fate: 'failed timeout', sent: false });
		return payment + fates.findIndex(({ sent }) => !sent);
	});
	cups.paper.set('good');
	expect(await shop.printed(waited)).toBe('done');
	expect(out()).toEqual([`${waited}`]);
});

test('if the backend asks for retries until the time limit, the kiosk cancels the job', { tags: 'deep' }, async () => {
	cups.paper.set('retry');
	expect(await shop.printed(payment)).toBe('failed held');
	expect(await cups.waiting()).toEqual([]);
});

test('a print that does not end is cancelled at the time limit, and the next print is a copy', async () => {
	cups.paper.set('slow');
	expect(await shop.printed(payment)).toBe('failed timeout');
	expect(await cups.waiting()).toEqual([]);
	cups.paper.set('good');
	expect(await shop.printed(payment)).toBe('done');
	expect(out()).toEqual([`${payment} SALINAN`]);
});

test('if the print server is down at the time limit, the job is cancelled as soon as the server runs again', { tags: 'deep' }, async () => {
	cups.paper.set('paper-out');
	const { print_id } = await shop.print(payment);
	await until(() => expect(shop.told(print_id)).toHaveLength(2));
	await cups.stop();
	expect(await shop.fate(print_id)).toBe('failed queue_unreachable');
	await cups.start();
	await until(async () => expect(await cups.waiting()).toHaveLength(1));
	await until(async () => expect(await cups.waiting()).toEqual([]));
	await until(() => expect(shop.kiosk.daemon.events('print.leftovers')).toHaveLength(1));
	cups.paper.set('good');
	expect(await shop.printed(payment)).toBe('done');
	expect(out()).toEqual([`${payment} SALINAN`]);
});
