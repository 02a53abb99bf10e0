// @vitest-environment happy-dom

import type { VaBank } from '@kiosk/contract/back-office';
import { beforeEach, expect, test } from 'vitest';
import type { Api, ApiFailure } from '../../lib/api.ts';
import { customerDetailOf } from '../../lib/customer-detail.ts';
import { readDetail } from '../../lib/stored-visit.ts';
import { answered, invoiceInfo } from '../../lib/test-data.ts';
import { writeHp } from '../../lib/visit-storage.ts';
import { invoiceFound } from '../../state/invoice.ts';
import { checkPayment } from '../../state/refresh-invoice.ts';
import { endVisit } from '../../state/session-end.ts';
import { storeWith } from '../../state/test-store.tsx';
import { cancelPayment, chooseBank, chooseMethod, loadBanks, paymentShown, renewPayment } from './non-cash-actions.ts';

const QRIS = { qr_url: '000201', payment_type: 1, json_data: { expiry_time: '2026-11-21T10:00:00+07:00' } };
const BCA: VaBank = { id: 1, nama: 'BCA', logo: '', script_kode: 'BCA', is_active: true };

const failed =
	(status: number | null, message: string | null = null) =>
	async (): Promise<ApiFailure> => ({ ok: false, status, message });
const found = (results: Record<string, unknown> = {}) => ({ invoiceInfo: async () => answered(invoiceInfo(results)) });

/** Opens an invoice on the screen, before a payment is chosen. */
function before(results: Record<string, unknown>, answers: Partial<Api> = {}) {
	const made = storeWith(answers);
	made.store.dispatch(invoiceFound(customerDetailOf(invoiceInfo(results))));
	return made;
}
/** A call that stays pending until the test releases it. */
function held<T>(answer: T) {
	const { promise: gate, resolve: go } = Promise.withResolvers<void>();
	return {
		go,
		call: async () => {
			await gate;
			return answer;
		},
	};
}

beforeEach(() => {
	sessionStorage.clear();
	writeHp('0812');
});

test('[spec 4.24] choosing QRIS or a virtual account creates one payment and stores the invoice', async () => {
	const { store, calls } = before({});
	const both = [store.dispatch(chooseMethod('transfer')), store.dispatch(chooseMethod('transfer'))];
	expect(await Promise.all(both)).toEqual(['done', 'ignored']);
	expect(calls).toEqual(['createPayment']);
	expect(readDetail()?.id).toBe(42);
});

test('[spec 4.24] choosing QRIS or a virtual account again continues the open payment', async () => {
	const { store, calls } = before(QRIS);
	expect(await store.dispatch(chooseMethod('transfer'))).toBe('done');
	expect(calls).toEqual([]);
});

test('[spec 8.9] after a refused create-payment call, the server’s message is shown or, if there is none, "Kami sedang mengalami gangguan"', async () => {
	const refused = before({}, { createPayment: failed(400, 'Outlet tutup') });
	expect(await refused.store.dispatch(chooseMethod('transfer'))).toBe('failed');
	expect(refused.store.getState().alert.text).toBe('Outlet tutup');
	expect(readDetail()).toBeNull();
	const silent = before({}, { createPayment: failed(null) });
	await silent.store.dispatch(chooseMethod('transfer'));
	expect(silent.store.getState().alert.text).toBe('Kami sedang mengalami gangguan');
});

test('if the server opens a code but answers only with a message or not at all, the code is shown, and choosing cash cancels it', async () => {
	for (const answer of [failed(200, 'QRIS berhasil dibuat'), failed(null)]) {
		const { store, calls } = before({}, { ...found(QRIS), createPayment: answer });
		expect(await store.dispatch(chooseMethod('transfer'))).toBe('done');
		expect([readDetail()?.qr_url, store.getState().alert.show]).toEqual(['000201', false]);
		await store.dispatch(chooseMethod('cash'));
		expect(calls).toEqual(['createPayment', 'invoiceInfo', 'cancelPayment', 'invoiceInfo']);
	}
});

test('choosing cash or card cancels an open payment and looks the invoice up again; if no payment is open, no call is made', async () => {
	for (const method of ['cash', 'card'] as const) {
		const { store, calls } = before(QRIS, found());
		expect(await store.dispatch(chooseMethod(method))).toBe('done');
		expect(calls).toEqual(['cancelPayment', 'invoiceInfo']);
		expect(readDetail()?.qr_url).toBe('');
	}
	const { store, calls } = before({});
	expect(await store.dispatch(chooseMethod('cash'))).toBe('done');
	expect(calls).toEqual([]);
});

test('if a payment was completed before it is cancelled, it is shown as paid, whatever the server answers to the cancellation', async () => {
	for (const cancelled of [async () => answered({}), failed(400, 'Sudah dibayar')]) {
		const { store } = before(QRIS, { ...found({ ...QRIS, is_paid: true }), cancelPayment: cancelled });
		expect(await store.dispatch(chooseMethod('cash'))).toBe('paid');
		expect(store.getState().paid.payment).toEqual({ id: '42', noinvoice: 'INV/42', how: 'fresh' });
		expect(store.getState().alert.show).toBe(false);
		expect(readDetail()).toBeNull();
	}
});

test('a refused cancellation shows an alert; if the answer is lost, a look-up finds out whether the payment was cancelled', async () => {
	const refused = before(QRIS, { ...found(QRIS), cancelPayment: failed(400, 'Tidak bisa dibatalkan') });
	expect(await refused.store.dispatch(chooseMethod('cash'))).toBe('failed');
	expect(refused.store.getState().alert.text).toBe('Tidak bisa dibatalkan');
	const unknown = before(QRIS, { invoiceInfo: failed(null), cancelPayment: failed(null) });
	expect(await unknown.store.dispatch(cancelPayment())).toBe('failed');
	expect(unknown.store.getState().alert.text).toBe('Kami sedang mengalami gangguan');
	const lost = before(QRIS, { ...found(), cancelPayment: failed(null) });
	expect(await lost.store.dispatch(cancelPayment())).toBe('done');
	// This server confirms a cancellation with a message only.
	const worded = before(QRIS, { ...found(), cancelPayment: failed(200, 'Dibatalkan') });
	expect(await worded.store.dispatch(cancelPayment())).toBe('done');
	expect(worded.store.getState().alert.show).toBe(false);
});

test('if an answer arrives only after the customer has left, it changes nothing', async () => {
	const late = held<ApiFailure>({ ok: false, status: 500, message: null });
	const { store } = before({}, { createPayment: late.call });
	const choosing = store.dispatch(chooseMethod('transfer'));
	store.dispatch(endVisit());
	expect(store.getState().nonCash.busy).toBe(false);
	late.go();
	expect(await choosing).toBe('ignored');
	expect(store.getState().alert.show).toBe(false);

	const made = held(answered({ result_record: { no_va: '39107', company_code: '' } }));
	const other = before({}, { createVa: made.call });
	const making = other.store.dispatch(chooseBank(BCA));
	other.store.dispatch(endVisit());
	made.go();
	expect(await making).toBe('ignored');
	expect(other.store.getState().nonCash.created).toBeNull();
});

test('[spec 7.8] if the customer taps a bank twice, one virtual account is created and is shown even if the next look-up fails; after a refusal, the server’s message is shown', async () => {
	const { store, calls } = before({}, { invoiceInfo: failed(502) });
	const both = [store.dispatch(chooseBank(BCA)), store.dispatch(chooseBank({ ...BCA, id: 2 }))];
	expect(await Promise.all(both)).toEqual(['done', 'ignored']);
	expect(calls).toEqual(['createVa', 'invoiceInfo']);
	expect(store.getState().nonCash.created).toMatchObject({ no_va: '3910700000000042', bank: 'bca' });
	const refused = before({}, { createVa: failed(400, 'Bank sedang libur') });
	expect(await refused.store.dispatch(chooseBank(BCA))).toBe('failed');
	expect(refused.store.getState().alert.text).toBe('Bank sedang libur');
});

test('choosing cash cancels a created virtual account even if no look-up has reported it yet', async () => {
	const { store, calls } = before({}, found());
	await store.dispatch(chooseBank(BCA));
	expect(await store.dispatch(chooseMethod('cash'))).toBe('done');
	expect(calls).toContain('cancelPayment');
	expect(store.getState().nonCash.created).toBeNull();
});

test('a late answer to an older look-up does not overwrite a newer answer', async () => {
	const old = held(answered(invoiceInfo(QRIS)));
	const answers = [old.call(), Promise.resolve(answered(invoiceInfo({ ...QRIS, qr_url: 'BARU' })))];
	const { store } = before({}, { invoiceInfo: () => answers.shift() as ReturnType<Api['invoiceInfo']> });
	const first = store.dispatch(checkPayment());
	expect(await store.dispatch(checkPayment())).toBe(true);
	old.go();
	expect(await first).toBe(false);
	expect(store.getState().invoice.detail?.qr_url).toBe('BARU');
});

test('only active banks are offered; after a failed call there is no list', async () => {
	const results = [BCA, { ...BCA, id: 2, is_active: false }];
	expect(await storeWith({ vaBanks: async () => answered({ results }) }).store.dispatch(loadBanks())).toEqual([BCA]);
	expect(await storeWith({ vaBanks: failed(500) }).store.dispatch(loadBanks())).toBeNull();
});

test('[spec 7.6] renewing a QRIS code cancels the old payment, if there is one, creates a new payment and looks the invoice up', async () => {
	const { store, calls } = before(QRIS, found());
	expect(await store.dispatch(renewPayment())).toBe('done');
	expect(calls).toEqual(['cancelPayment', 'invoiceInfo', 'createPayment', 'invoiceInfo']);
	const none = before({});
	await none.store.dispatch(renewPayment());
	expect(none.calls).toEqual(['createPayment', 'invoiceInfo']);
});

test('a QRIS code is not renewed if it is already paid or the old payment cannot be cancelled', async () => {
	const paid = before(QRIS, found({ is_paid: true }));
	expect(await paid.store.dispatch(renewPayment())).toBe('paid');
	expect(paid.calls).not.toContain('createPayment');
	const refused = before(QRIS, { ...found(QRIS), cancelPayment: failed(500) });
	expect(await refused.store.dispatch(renewPayment())).toBe('failed');
	expect(refused.calls).not.toContain('createPayment');
});

test('when a look-up reports the invoice as paid, the paid screen is shown once', async () => {
	const { store } = before(QRIS, found({ is_paid: true }));
	await store.dispatch(checkPayment());
	const { payment } = store.getState().paid;
	expect(payment).toEqual({ id: '42', noinvoice: 'INV/42', how: 'fresh' });
	await store.dispatch(checkPayment());
	expect(store.getState().paid.payment).toBe(payment);
	const unpaid = before(QRIS, found(QRIS));
	await unpaid.store.dispatch(checkPayment());
	expect(unpaid.store.getState().paid.payment).toBeNull();
});

test('if a payment is shown twice, its amount is sent to the back office only once', () => {
	const { store, said } = before(QRIS);
	store.dispatch(paymentShown());
	store.dispatch(paymentShown());
	expect(said).toEqual([{ message: 'transaction', amount: 137_500 }]);
});

test('if the customer leaves during a renewal, no code is opened on the next customer’s invoice', async () => {
	const cancel = held(answered({}));
	const { store, calls } = before(QRIS, { ...found({ id: 43, noinvoice: 'INV/43' }), cancelPayment: cancel.call });
	const renewing = store.dispatch(renewPayment());
	store.dispatch(endVisit());
	writeHp('0813');
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo({ id: 43, noinvoice: 'INV/43' }))));
	cancel.go();
	expect(await renewing).toBe('ignored');
	expect(calls).toEqual(['cancelPayment']);
});
