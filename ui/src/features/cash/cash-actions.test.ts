// @vitest-environment happy-dom

import type { InvoiceInfo } from '@kiosk/contract/back-office';
import type { CashCloseAnswer, OpenMachineAnswer } from '@kiosk/contract/kiosk-api';
import type { AcceptorState } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import type * as v from 'valibot';
import { beforeEach, expect, test, vi } from 'vitest';
import { until } from '../../../../tests/support/until.ts';
import type { ApiFailure, ApiResult } from '../../lib/api.ts';
import { customerDetailOf } from '../../lib/customer-detail.ts';
import { readDetail, writeDetail } from '../../lib/stored-visit.ts';
import { answered, invoiceInfo } from '../../lib/test-data.ts';
import { writeHp } from '../../lib/visit-storage.ts';
import { acceptorReported } from '../../state/acceptor.ts';
import { machineAsked, noteInDoubt } from '../../state/cash.ts';
import { invoiceFound } from '../../state/invoice.ts';
import { paymentDone } from '../../state/paid.ts';
import { endVisit } from '../../state/session-end.ts';
import { storeWith } from '../../state/test-store.tsx';
import { closeAfterPayment } from '../receipt/close-after-payment.ts';
import { enterCash, leaveCash, openMachine } from './cash-actions.ts';

const detail = customerDetailOf(invoiceInfo());
const failed =
	(status: number | null, message: string | null = null) =>
	async (): Promise<ApiFailure> => ({ ok: false, status, message });
const entry = { note_id: 'a', nominal: rupiah(100_000), time: '' };
const closed =
	(received: number, is_paid = false) =>
	async () =>
		answered({ entries: [entry], received: rupiah(received), is_paid, in_doubt: rupiah(0) });

beforeEach(() => {
	sessionStorage.clear();
	writeHp('0812');
});

test('[spec 4.15, 7.10] entering the cash screen looks up the invoice, stores it and opens the acceptor', async () => {
	const { store, calls } = storeWith();
	expect(await store.dispatch(enterCash())).toBe(true);
	expect(calls).toEqual(['invoiceInfo', 'openMachine']);
	expect(readDetail()?.id).toBe(42);
});

test('[spec 7.7] a late answer to open-machine does not overwrite a newer machine_ready message', async () => {
	const { store } = storeWith({
		openMachine: async () => {
			store.dispatch(acceptorReported({ state: 'ready', is_ready: true }));
			return answered({ machine_ready: false, message: 'inhibited', entries: [], is_paid: false });
		},
	});
	await store.dispatch(enterCash());
	expect(store.getState().acceptor.is_ready).toBe(true);
});

test('[spec 8.8] after a failed look-up, the cash screen opens only if the invoice is stored; no alert is shown in that case', async () => {
	writeDetail(detail);
	const known = storeWith({ invoiceInfo: failed(502) });
	expect(await known.store.dispatch(enterCash())).toBe(true);
	expect(known.store.getState().alert.show).toBe(false);
	sessionStorage.removeItem('customerDetail');
	expect(await storeWith({ invoiceInfo: failed(502) }).store.dispatch(enterCash())).toBe(false);
});

test('[spec 4.4] without a phone number the cash screen makes no calls, even when an invoice is stored', async () => {
	sessionStorage.clear();
	writeDetail(detail);
	const { store, calls } = storeWith();
	expect(await store.dispatch(enterCash())).toBe(false);
	expect(calls).toEqual([]);
});

test('for an invoice that is already paid, the acceptor is not opened', async () => {
	const { store, calls } = storeWith({ invoiceInfo: async () => answered(invoiceInfo({ is_paid: true })) });
	await store.dispatch(enterCash());
	expect(calls).not.toContain('openMachine');
	expect(store.getState().paid.payment?.how).toBe('before');
});

test('if the answer to open-machine reports the invoice as paid, the invoice is shown as just paid', async () => {
	const { store } = storeWith({
		openMachine: async () => answered({ machine_ready: false, message: 'inhibited', entries: [entry], is_paid: true }),
	});
	await store.dispatch(enterCash());
	expect(store.getState().paid.payment).toEqual({ id: '42', noinvoice: 'INV/42', how: 'fresh' });
});

test('[spec 8.10] if Reload Mesin fails, the server’s message is shown only for status 400, otherwise a fixed text; if opening the acceptor on entry fails, the server’s message is shown for any status', async () => {
	const alertOf = async (reload: boolean, failure: () => Promise<ApiFailure>) => {
		const { store } = storeWith({ openMachine: failure });
		store.dispatch(invoiceFound(detail));
		await store.dispatch(openMachine({ reload }));
		return store.getState().alert.text;
	};
	expect(await alertOf(true, failed(500, 'rahasia'))).toBe('Error reload bill acceptor');
	expect(await alertOf(true, failed(400, 'Mesin sibuk'))).toBe('Mesin sibuk');
	expect(await alertOf(true, failed(null))).toBe('Error reload bill acceptor');
	expect(await alertOf(false, failed(null))).toBe('Kami sedang mengalami gangguan');
	expect(await alertOf(false, failed(503, 'Sebentar'))).toBe('Sebentar');
});

test('[spec 8.10] Reload Mesin shows an error only if the acceptor cannot recover', async () => {
	const alertOf = async (message: string, reload = true) => {
		const { store } = storeWith({
			openMachine: async () => answered({ machine_ready: message === 'Ready', message, entries: [], is_paid: false }),
		});
		store.dispatch(invoiceFound(detail));
		await store.dispatch(openMachine({ reload }));
		return store.getState().alert.text;
	};
	for (const dead of ['disconnected', 'silent', 'garbled', 'locked', 'stacker_problem', 'not_configured'])
		expect(await alertOf(dead)).toBe('Error reload bill acceptor');
	for (const alive of ['Ready', 'inhibited', 'busy', 'starting', 'bill_jam']) expect(await alertOf(alive)).toBe('');
	expect(await alertOf('silent', false)).toBe('');
});

test('[spec 8.10] if the acceptor fails during a reload or never becomes ready, the error appears after some seconds, unless the customer has left', async () => {
	vi.useFakeTimers();
	const alertAfter = async (state: AcceptorState, left = false) => {
		const { store } = storeWith({
			openMachine: async () => answered({ machine_ready: true, message: 'Ready', entries: [], is_paid: false }),
		});
		store.dispatch(invoiceFound(detail));
		await store.dispatch(openMachine({ reload: true }));
		store.dispatch(acceptorReported({ state, is_ready: state === 'ready' }));
		if (left) store.dispatch(endVisit());
		await vi.advanceTimersByTimeAsync(6_000);
		return store.getState().alert.text;
	};
	expect([await alertAfter('silent'), await alertAfter('starting')]).toEqual(Array(2).fill('Error reload bill acceptor'));
	expect([await alertAfter('ready'), await alertAfter('silent', true)]).toEqual(['', '']);
	vi.useRealTimers();
});

test('if the acceptor opens after the customer has left, the screen closes it', async () => {
	const { promise: gate, resolve: open } = Promise.withResolvers<void>();
	const { store, calls } = storeWith({
		openMachine: async () => {
			await gate;
			return answered({ machine_ready: true, message: 'Ready', entries: [], is_paid: false });
		},
	});
	store.dispatch(invoiceFound(detail));
	const opening = store.dispatch(openMachine({ reload: false }));
	store.dispatch(endVisit());
	open();
	await opening;
	expect(calls).toEqual(['openMachine', 'closeCash']);
});

test('the screen lets the customer leave if no money was added or the cash session no longer exists, but not after more money, a payment or a failed close call', async () => {
	const outcome = (closeCash: Parameters<typeof storeWith>[0]) => storeWith(closeCash).store.dispatch(leaveCash(42, rupiah(100_000)));
	expect(await outcome({ closeCash: closed(100_000) })).toBe('left');
	expect(await outcome({ closeCash: closed(120_000) })).toBe('more');
	expect(await outcome({ closeCash: closed(140_000, true) })).toBe('paid');
	expect(await outcome({ closeCash: failed(404) })).toBe('left');
	expect(await outcome({ closeCash: failed(500) })).toBe('failed');
	expect(await outcome({ closeCash: failed(null) })).toBe('failed');
});

test('a completed payment closes the acceptor', async () => {
	const { store, calls } = storeWith({
		openMachine: async () => answered({ machine_ready: true, message: 'Ready', entries: [], is_paid: false }),
		closeCash: closed(140_000, true),
	});
	store.dispatch(invoiceFound(detail));
	await store.dispatch(openMachine({ reload: false }));
	await store.dispatch(closeAfterPayment());
	expect(calls).toEqual(['openMachine', 'closeCash']);
});

test('if a note goes in doubt while the customer leaves, the cash screen stays open', async () => {
	const { store } = storeWith({
		closeCash: async () => {
			store.dispatch(noteInDoubt({ note_id: 'd', nominal: rupiah(50_000) }));
			return answered({ entries: [entry], received: rupiah(100_000), is_paid: false, in_doubt: rupiah(50_000) });
		},
	});
	expect(await store.dispatch(leaveCash(42, rupiah(100_000)))).toBe('more');
});

test('if the customer taps leave twice, one close call is sent', async () => {
	const { store, calls } = storeWith({ closeCash: closed(0) });
	const both = [store.dispatch(leaveCash(42, rupiah(0))), store.dispatch(leaveCash(42, rupiah(0)))];
	expect(await Promise.all(both)).toEqual(['left', 'busy']);
	expect(calls).toEqual(['closeCash']);
});

/** @returns a call that waits, and a function that answers it */
function held<T>(): { call: () => Promise<T>; answer: (value: T) => void } {
	const waiting = Promise.withResolvers<T>();
	return { call: () => waiting.promise, answer: waiting.resolve };
}

test('a late answer to the close call changes nothing for the next customer', async () => {
	const close = held<ApiResult<v.InferOutput<typeof CashCloseAnswer>>>();
	const { store } = storeWith({ closeCash: close.call });
	await store.dispatch(enterCash());
	const leaving = store.dispatch(leaveCash(42, rupiah(0)));
	store.dispatch(endVisit());
	writeHp('0813');
	store.dispatch(invoiceFound({ ...detail, id: 43 }));
	store.dispatch(machineAsked({ id: 43, known: [] }));
	close.answer(await closed(100_000, true)());
	expect(await leaving).toBe('gone');
	expect(store.getState().cash.entries).toEqual([]);
	expect(store.getState().paid.payment).toBeNull();
});

test('if the invoice is paid while the close call is pending, the paid screen stays', async () => {
	const close = held<ApiResult<v.InferOutput<typeof CashCloseAnswer>>>();
	const { store } = storeWith({ closeCash: close.call });
	await store.dispatch(enterCash());
	const leaving = store.dispatch(leaveCash(42, rupiah(100_000)));
	store.dispatch(paymentDone({ id: '42', how: 'fresh' }));
	close.answer(await closed(100_000, false)());
	expect(await leaving).toBe('paid');
});

test('a late refusal of the previous visit’s request is not shown; the answer to the present visit’s request is used', async () => {
	const [first, second] = [held<ApiResult<OpenMachineAnswer>>(), held<ApiResult<OpenMachineAnswer>>()];
	const calls = [first.call, second.call];
	const { store } = storeWith({ openMachine: async () => (calls.shift() ?? second.call)() });
	const enter = async () => {
		writeHp('0812');
		store.dispatch(invoiceFound(detail));
		const entered = store.dispatch(enterCash());
		await until(() => expect(store.getState().cash.opening).toBe(true));
		return { entered };
	};
	const before = await enter();
	store.dispatch(endVisit());
	const now = await enter();
	await until(() => expect(calls).toEqual([]));
	first.answer({ ok: false, status: 409, message: null, code: 'superseded' });
	await before.entered;
	expect(store.getState().alert.show).toBe(false);
	expect(store.getState().cash.opening).toBe(true);
	second.answer(answered({ machine_ready: true, message: 'Ready', entries: [entry], is_paid: false }));
	await now.entered;
	expect(store.getState().cash.entries).toEqual([entry]);
});

test('if a look-up is answered only after the next customer has arrived, the acceptor is not opened', async () => {
	const look = held<ApiResult<InvoiceInfo>>();
	const { store, calls } = storeWith({ invoiceInfo: look.call });
	const entering = store.dispatch(enterCash());
	store.dispatch(endVisit());
	writeHp('0813');
	store.dispatch(invoiceFound({ ...detail, id: 43 }));
	look.answer(answered(invoiceInfo()));
	expect(await entering).toBe(false);
	expect(calls).not.toContain('openMachine');
	expect(readDetail()).toBeNull();
});
