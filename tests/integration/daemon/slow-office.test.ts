/** The back office answers slowly, so an answer may be outdated when it arrives. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Told } from '../../simulators/back-office/lying-office.ts';
import { until } from '../../support/until.ts';
import {
	answered,
	aroundLyingOffice,
	close,
	customer,
	kiosk,
	lookUp,
	lookUps,
	of,
	office,
	open,
	paidTexts,
	pay,
	print,
	told,
} from './lying-kiosk.ts';

aroundLyingOffice();

test('if the total grows before the answer to an uploaded note arrives, a "paid" in that answer does not pay the invoice', async () => {
	const { hp, invoice } = customer(100_000);
	let answer = (_told: Told) => {};
	office.onNote = () => new Promise<Told>((resolve) => (answer = resolve));
	await kiosk.openCash(hp);
	await pay(100_000);
	const before = lookUps();
	Object.assign(invoice, { total: 150_000, list_pembayaran: [] });
	await until(() => expect(lookUps()).toBeGreaterThan(before));
	await until(() => expect(of('invoice.total_changed', invoice)).toMatchObject([{ before: 100_000, total: 150_000 }]));
	invoice.list_pembayaran = [{ nominal: 100_000, tanggal: '2026-11-23T10:00:00+07:00', note_id: office.notes.at(-1)?.note_id }];
	answer({ status: 200, body: { is_paid: true } });
	await told();
	expect(paidTexts(invoice)).toEqual([]);
	expect(await print(invoice)).toMatchObject({ status: 409 });
	expect((await open(hp, invoice)).body).toMatchObject({ is_paid: false, entries: [{ nominal: 100_000 }] });
	expect(await lookUp(hp)).toMatchObject({ status: 200, body: { results: { is_paid: false, total: 150_000 } } });
	expect(of('invoice.dispute', invoice)).toEqual([]);
	await close(invoice);
});

test('if an invoice grows while another page looks up another invoice, notes for the old total do not pay the grown invoice', async () => {
	const { hp, invoice } = customer(100_000);
	const other = customer(70_000);
	await kiosk.openCash(hp);
	await lookUp(other.hp);
	Object.assign(invoice, { total: 150_000 });
	await pay(100_000);
	await until(() => expect(of('invoice.total_changed', invoice)).toMatchObject([{ before: 100_000, total: 150_000 }]));
	expect(paidTexts(invoice)).toEqual([]);
	await close(invoice);
});

test('if the customer leaves right after the last note, a grown invoice is not shown as paid', async () => {
	const { hp, invoice } = customer(100_000);
	await kiosk.openCash(hp);
	const before = lookUps();
	office.onLookUp = async (asked) => {
		await delay(1_000);
		return answered(asked);
	};
	Object.assign(invoice, { total: 150_000 });
	await pay(100_000);
	await until(() => expect(lookUps()).toBeGreaterThan(before));
	expect(await close(invoice)).toMatchObject({ status: 200, body: { is_paid: false, received: 100_000 } });
	expect(paidTexts(invoice)).toEqual([]);
	expect(kiosk.acceptor.device.enabled).toBe(false);
});
