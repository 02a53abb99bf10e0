import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { type Cups, startCups } from './cups.ts';
import { openShop, type Shop, titles } from './shop.ts';

let cups: Cups;
let shop: Shop;
let payment = 0;
let before = 0;

beforeAll(async () => {
	cups = await startCups();
	shop = await openShop(cups.uri);
});
afterAll(async () => {
	await shop?.stop();
	await cups?.remove();
});
afterEach(async () => {
	cups.paper.set('good');
	await until(async () => expect(await cups.waiting()).toEqual([]));
	before = cups.paper.sheets().length;
	payment += 1;
});

/** @returns the sheets printed during this test */
const out = () => titles(cups.paper.sheets().slice(before));
/** @returns the printer's behaviour at each start of the backend */
const runs = () => cups.paper.runs().map((run) => run.split(' ')[1]);

test('the screen reports that the paper is out and later that it is back, and the receipt is printed once', async () => {
	cups.paper.set('paper-out');
	const { print_id } = await shop.print(payment);
	await until(() => expect(shop.told(print_id)).toEqual(['printing', 'printing paper_out']));
	expect(await shop.health()).toBe(`${cups.uri}: paper_out`);
	cups.paper.set('slow');
	await until(() => expect(shop.told(print_id)).toEqual(['printing', 'printing paper_out', 'printing']));
	cups.paper.set('good');
	expect(await shop.fate(print_id)).toBe('done');
	expect(out()).toEqual([`${payment}`]);
	expect(await shop.health()).toBe(cups.uri);
});

test.each([
	['fail', 'failed aborted'],
	['cancel', 'failed canceled'],
	['stop', 'failed paused'],
] as const)(
	'if the backend ends with "%s", the screen gets "%s", CUPS does not retry, and the next print is a copy',
	async (mode, told) => {
		cups.paper.set(mode);
		const started = runs().length;
		expect(await shop.printed(payment)).toBe(told);
		expect(await cups.waiting()).toEqual([]);
		cups.paper.set('good');
		expect(await shop.printed(payment)).toBe('done');
		expect(out()).toEqual([`${payment} SALINAN`]);
		expect(runs().slice(started)).toEqual([mode, 'good']);
	},
);

test('if the printer loses power during a print, the next print is a copy', async () => {
	cups.paper.set('tear');
	expect(await shop.printed(payment)).toBe('failed aborted');
	expect(shop.kiosk.daemon.events('print.failed').at(-1)).toMatchObject({ reason: 'aborted', may_be_on_paper: true });
	cups.paper.set('good');
	expect(await shop.printed(payment)).toBe('done');
	expect(out()).toEqual([`${payment}`, `${payment} SALINAN`]);
});

test('if the backend asks for a retry, the screen gets "printing held", and the receipt is printed once', {
	tags: 'deep',
}, async () => {
	cups.paper.set('retry');
	const { print_id } = await shop.print(payment);
	await until(() => expect(shop.told(print_id)).toEqual(['printing', 'printing held']));
	cups.paper.set('good');
	expect(await shop.fate(print_id)).toBe('done');
	expect(out()).toEqual([`${payment}`]);
});

test('if the queue is stopped, the kiosk resumes it for the next receipt', async () => {
	await cups.command('cupsdisable', 'receipt');
	expect(await shop.printed(payment)).toBe('done');
	expect(out()).toEqual([`${payment}`]);
	expect(await shop.health()).toBe(cups.uri);
});

test('if the queue is stopped during a print, the receipt is cancelled and the next print is a copy', async () => {
	cups.paper.set('slow');
	const { print_id } = await shop.print(payment);
	await until(() => expect(cups.paper.runs().at(-1)).toMatch(/slow$/));
	await cups.command('cupsdisable', 'receipt');
	expect(await shop.fate(print_id)).toBe('failed paused');
	cups.paper.set('good');
	expect(await shop.printed(payment)).toBe('done');
	expect(out()).toEqual([`${payment} SALINAN`]);
});

test('if a technician cancels a job, its print is reported as failed', async () => {
	cups.paper.set('paper-out');
	const { print_id } = await shop.print(payment);
	await until(() => expect(shop.told(print_id)).toHaveLength(2));
	await cups.command('cancel', 'receipt');
	expect(await shop.fate(print_id)).toBe('failed paper_out');
});

test('if the queue accepts no jobs, the print fails and the next print is the original', async () => {
	await cups.command('cupsreject', 'receipt');
	expect(await shop.printed(payment)).toBe('failed refused');
	expect(await shop.health()).toBe(`${cups.uri}: refused`);
	await cups.command('cupsaccept', 'receipt');
	expect(await shop.printed(payment)).toBe('done');
	expect(out()).toEqual([`${payment}`]);
});
