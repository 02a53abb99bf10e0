// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { rupiah } from '../../../daemon/contract/money.ts';
import { invoiceInfo, settings, storeWith } from '../test-support.tsx';
import { customerDetailOf } from './customer-detail.ts';
import { paidReceipt, printReceipt } from './receipt-actions.ts';
import { machineAsked, noteReceived } from './state/cash.ts';
import { invoiceFound } from './state/invoice.ts';
import { settingsKnown } from './state/settings.ts';
import { readReceipt } from './visit-storage.ts';

const at = { now: new Date('2026-11-21T02:05:00Z'), timezone: 'Asia/Jakarta' };

function paidInCash(answers: Parameters<typeof storeWith>[0] = {}) {
	const { store, calls } = storeWith(answers);
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	store.dispatch(machineAsked({ id: 42, known: [] }));
	store.dispatch(noteReceived({ note_id: 'a', nominal: rupiah(150_000), time: '' }));
	return { store, calls };
}

test('a receipt of cash says paid, the method and what the machine took', () => {
	const { invoice, cash } = paidInCash().store.getState();
	const receipt = invoice.detail && paidReceipt(invoice.detail, cash, true, at);
	expect(receipt).toMatchObject({ is_paid: true, metode: 'Tunai', received: 150_000, tanggal: '21-11-2026 09:05', total: 137_500 });
});

test('the method is what the back office calls it, else cash where cash was taken, else what was paid by on the screen', () => {
	const { cash } = paidInCash().store.getState();
	const none = storeWith().store.getState().cash;
	const metode = (payment_type_display: string, by: typeof cash, method?: string) =>
		paidReceipt(customerDetailOf(invoiceInfo({ payment_type_display })), by, true, at, method).metode;
	expect(metode('Virtual Account', cash, 'QRIS')).toBe('Virtual Account');
	expect(metode('', cash, 'QRIS')).toBe('Tunai');
	expect(metode('', none, 'Virtual Account BCA')).toBe('Virtual Account BCA');
	expect(metode('', none)).toBe('-');
});

test('an older payment carries its own date', () => {
	const detail = customerDetailOf(invoiceInfo({ is_paid: true, list_pembayaran: [{ nominal: 137_500, tanggal: '2026-01-02T03:04:00' }] }));
	expect(paidReceipt(detail, storeWith().store.getState().cash, false, at)).toMatchObject({
		tanggal: '02-01-2026 03:04',
		received: 137_500,
	});
});

test('two quick touches print once; without a printer the receipt waits for the page', async () => {
	const { store, calls } = paidInCash();
	store.dispatch(settingsKnown(settings));
	await Promise.all([store.dispatch(printReceipt()), store.dispatch(printReceipt())]);
	expect(calls).toEqual(['print']);
	store.dispatch(settingsKnown({ ...settings, print: 'browser' }));
	expect(await store.dispatch(printReceipt())).toBe('page');
	expect(readReceipt()).toMatchObject({ nomor: 'INV/42', clock_in_doubt: false });
});

test('the page is told whether the clock is in doubt at this moment, not when the screen began', async () => {
	const { store } = paidInCash({ settings: async () => ({ ok: true, value: { ...settings, clock_in_doubt: true } }) });
	store.dispatch(settingsKnown({ ...settings, print: 'browser' }));
	await store.dispatch(printReceipt());
	expect(readReceipt()?.clock_in_doubt).toBe(true);
});
