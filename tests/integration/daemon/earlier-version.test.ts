// @module-tag deep
/**
 * Customers return to a kiosk whose journal was written by release 0.1.0. That release did not
 * record which outlet took the money.
 */
import { beforeEach, expect, test } from 'vitest';
import type { Kiosk } from '../../support/kiosk.ts';
import { kioskForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';
import { unpackSample } from '../releases/samples.ts';

const LOOK_UP = '/payment/api/v1/get-invoice-info/';
const BY = ['--by', 'Sari', '--why', 'test', '--yes'];
/** Invoices of the sample day, by the customer's phone number. */
const SOLD = '081200000003';
const UNKNOWN = '081200000005';
const PARTIAL = { hp: '081200000006', number: 'INV/2026/11/0048', note: 'cdf80b6f-d523-4b60-8f4c-164bdff9b1b2' };
const DOUBT = { hp: '081200000008', number: 'INV/2026/11/0050', note: '0a09e03e' };
const PAID = { hp: '081234567890', notes: ['77b3a664-4997-42a1-9d80-e3efba8ddc39', '7888fc03-da6f-4bd5-aa6f-02fc4b1cf31d'] };

let kiosk: Kiosk;
beforeEach(async () => {
	kiosk = await kioskForTest({
		environment(directory) {
			unpackSample('0.1.0', directory);
			return {};
		},
	});
	Object.assign(kiosk.backOffice.books.manners, { echoesNoteId: true });
});

const lookUp = (hp: string) => kiosk.call(LOOK_UP, { noinvoice: hp });
const invoiceOf = (hp: string) => kiosk.backOffice.books.find(hp) ?? expect.fail(`no invoice for ${hp}`);
const listed = (nominal: number, note_id: string) => ({ nominal, tanggal: '2026-11-24T00:09:36+07:00', note_id });
const DISPUTE = { status: 409, body: { code: 'dispute' } };

test('an invoice whose card sale is unreported or unknown takes no payment until the back office says "paid"', async () => {
	expect(await lookUp(SOLD)).toMatchObject(DISPUTE);
	expect(await lookUp(UNKNOWN)).toMatchObject(DISPUTE);
	expect(await kiosk.ctl('edc', 'settle', '406c2feb', '--outcome', 'charged', ...BY)).toMatchObject({ code: 0 });
	expect(await lookUp(UNKNOWN)).toMatchObject(DISPUTE);
	for (const hp of [SOLD, UNKNOWN]) {
		invoiceOf(hp).is_paid = true;
		expect(await lookUp(hp)).toMatchObject({ status: 200, body: { results: { is_paid: true } } });
	}
});

test('an invoice is due again after staff settle its sale as not charged or give its money back', async () => {
	expect(await kiosk.ctl('edc', 'settle', '406c2feb', '--outcome', 'not-charged', ...BY)).toMatchObject({ code: 0 });
	expect(await kiosk.ctl('cash', 'give-back', 'INV/2026/11/0045', '--all', ...BY)).toMatchObject({ code: 0 });
	for (const hp of [SOLD, UNKNOWN]) expect(await lookUp(hp)).toMatchObject({ status: 200, body: { results: { is_paid: false } } });
});

test('an invoice with a note in doubt takes no money until staff find the note and move it to the invoice', async () => {
	expect(await lookUp(DOUBT.hp)).toMatchObject(DISPUTE);
	expect(await kiosk.ctl('cash', 'settle', DOUBT.note, '--outcome', 'in-box', ...BY)).toMatchObject({ code: 0 });
	expect(await lookUp(DOUBT.hp)).toMatchObject(DISPUTE);
	expect(await kiosk.ctl('cash', 'move', DOUBT.note, DOUBT.number, ...BY)).toMatchObject({ code: 0 });
	await until(() => expect(kiosk.backOffice.books.notes).toHaveLength(1));
	expect(await lookUp(DOUBT.hp)).toMatchObject({ status: 200, body: { results: { list_pembayaran: [{ nominal: 2_000 }] } } });
});

test('notes of the earlier version cause no dispute when the server lists them', async () => {
	invoiceOf(PARTIAL.hp).list_pembayaran = [listed(10_000, PARTIAL.note)];
	expect(await lookUp(PARTIAL.hp)).toMatchObject({ status: 200, body: { results: { list_pembayaran: [{ nominal: 10_000 }] } } });
	expect((await kiosk.openCash(PARTIAL.hp)).total).toBe(2_940_000);
	const paid = { is_paid: true, list_pembayaran: [listed(100_000, PAID.notes[0] ?? ''), listed(50_000, PAID.notes[1] ?? '')] };
	Object.assign(invoiceOf(PAID.hp), paid);
	expect(await lookUp(PAID.hp)).toMatchObject({ status: 200, body: { results: { is_paid: true } } });
});

test('after staff give back a note of the earlier version, its money is due again although the server lists it', async () => {
	invoiceOf(PARTIAL.hp).list_pembayaran = [listed(10_000, PARTIAL.note)];
	expect(await kiosk.ctl('cash', 'give-back', PARTIAL.number, '--all', ...BY)).toMatchObject({ code: 0 });
	expect(await lookUp(PARTIAL.hp)).toMatchObject({ status: 200, body: { results: { list_pembayaran: [] } } });
});
