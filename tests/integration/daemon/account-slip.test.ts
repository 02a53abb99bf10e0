// @module-tag deep
import { expect, test } from 'vitest';
import { escposText } from '../../simulators/printer/escpos-text.ts';
import { printerSection } from '../../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';

const WITH_VA = '081200000009';

async function started() {
	const printer = await printerForTest(10);
	const kiosk = await kioskForTest({ settings: printerSection(printer.uri) });
	const invoice = kiosk.backOffice.books.find(WITH_VA) ?? expect.fail('no such invoice');
	return { printer, kiosk, invoice };
}

test('the slip of a virtual account shows until when it can be paid', async () => {
	const { printer, kiosk, invoice } = await started();
	const answer = await kiosk.lookUp(WITH_VA);
	expect(answer.json_data).toMatchObject({ expiry_time: expect.stringMatching(/^20/) });
	expect((await kiosk.post('/kiosk/print', { id: invoice.id, of: 'account' })).status).toBe(202);
	await until(() => expect(printer.queue.receipts).toHaveLength(1));
	expect(escposText(printer.queue.receipts[0]?.data ?? expect.fail())).toContain('Bayar Sebelum');
});

test('a virtual account whose number is only in json_data can be printed', async () => {
	const { kiosk, invoice } = await started();
	const { no_va, bank, company_code, json_data } = invoice as unknown as Record<string, unknown>;
	Object.assign(invoice, { no_va: '', bank: '', company_code: '', json_data: { ...(json_data as object), no_va, bank, company_code } });
	await kiosk.lookUp(WITH_VA);
	expect((await kiosk.post('/kiosk/print', { id: invoice.id, of: 'account' })).status).toBe(202);
});

test('the receipt of a QRIS payment names QRIS if the back office sends no payment_type_display', async () => {
	const kiosk = await kioskForTest({});
	const hp = '081234567890';
	const { id } = await kiosk.lookUp(hp);
	expect((await kiosk.call('/payment/api/v1/payment/', { payment_id: id })).status).toBe(200);
	expect(await kiosk.lookUp(hp)).toMatchObject({ qr_url: expect.stringMatching(/.+/) });
	Object.assign(kiosk.backOffice.books.find(hp) ?? {}, { is_paid: true, payment_type_display: '' });
	expect(await kiosk.lookUp(hp)).toMatchObject({ is_paid: true, payment_type_display: '' });
	const { body } = await kiosk.post('/kiosk/print', { id });
	expect((body.receipt as { metode: string }).metode).toBe('QRIS');
});
