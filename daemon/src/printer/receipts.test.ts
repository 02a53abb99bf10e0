import { InvoiceInfo, Transaction } from '@kiosk/contract/back-office';
import type { CashEntry } from '@kiosk/contract/kiosk-api';
import { rupiah, sumRupiah } from '@kiosk/contract/money';
import { openPaymentOf } from '@kiosk/contract/open-payment';
import * as v from 'valibot';
import { beforeEach, expect, test, vi } from 'vitest';
import type { CurrentInvoice } from '../back-office/known-invoices.ts';
import { balanceOf } from '../journal/balance.ts';
import type { InvoiceView, PaidClaim } from '../journal/money-facts.ts';
import { type PaymentKey, paymentKey } from '../journal/records.ts';
import type { OwnSale } from './paid-facts.ts';
import { type Receipts, startReceipts } from './receipts.ts';

const NOW = new Date('2026-11-21T02:05:00Z');
let now = 0;
const clock = { now: () => now, wall: () => NOW, after: () => () => {} };
const ACCOUNT = { server: 'https://office.example', outlet: 'outlet', development: false };

let own: { notes: CashEntry[]; cards: OwnSale[] };
let claim: PaidClaim | null;
let current: CurrentInvoice | null;
let answer: InvoiceInfo | null;
let isUnreadable: boolean;
let givenBack: number;
const expectLogo = vi.fn();
let receipts: Receipts;

/** @returns the balance; with `key`, the last look-up counts only if it was about that payment */
const balance = (key?: PaymentKey) => {
	const view = current && (key === undefined || paymentKey(current.payment) === key) ? current.view : null;
	return balanceOf({
		view,
		claim,
		total: view?.total ?? rupiah(137_500),
		notes: own.notes.map(({ nominal, time }, at) => ({ note_id: `n${at}`, nominal, time, beforeGiveBack: false })),
		cards: own.cards.map(({ amount, time }) => ({ note_id: null, nominal: amount, time })),
		givenBack: rupiah(givenBack),
	});
};

/**
 * @returns the current invoice from a look-up; the kiosk's payments count as confirmed if the back
 * office lists at least their sum
 */
function currentOf(of: InvoiceInfo): CurrentInvoice {
	const { id, noinvoice, total, is_paid, list_pembayaran } = of.results;
	const listed = (list_pembayaran ?? []).map(({ nominal, tanggal }) => ({ nominal, note_id: null, time: tanggal }));
	const told = sumRupiah([...own.notes.map(({ nominal }) => nominal), ...own.cards.map(({ amount }) => amount)]);
	const confirmed = sumRupiah(listed.map(({ nominal }) => nominal)) >= told ? told : rupiah(0);
	const [notes_confirmed, cards_confirmed] = own.cards.length > 0 ? [rupiah(0), confirmed] : [confirmed, rupiah(0)];
	const view: InvoiceView = { total, is_paid, listed, own: { notes_confirmed, cards_confirmed, told: confirmed } };
	const open = openPaymentOf(of.results);
	return { number: `08${id}`, info: of, open, payment: { account: ACCOUNT, id, odoo_id: null, noinvoice, total }, view, askedAt: 0 };
}
/** The outlet that is logged in. */
let account: typeof ACCOUNT | null;

beforeEach(() => {
	now = 0;
	own = { notes: [], cards: [] };
	claim = null;
	current = null;
	answer = null;
	isUnreadable = false;
	account = ACCOUNT;
	givenBack = 0;
	expectLogo.mockClear();
	receipts = startReceipts({
		invoices: {
			current: () => current,
			isFresh: () => now < 5_000,
			balanceOf: balance,
			async lookUp() {
				current = answer && currentOf(answer);
				return current;
			},
			async refresh() {
				current = answer && currentOf(answer);
				return 'answered';
			},
		},
		account: () => account,
		cardsOf: () => own.cards,
		isUnreadable: () => isUnreadable,
		expectLogo,
		clock,
		timezone: 'Asia/Jakarta',
	});
});

const info = (more: Record<string, unknown> = {}, around: Record<string, unknown> = {}): InvoiceInfo =>
	v.parse(InvoiceInfo, {
		results: { id: 42, noinvoice: 'INV/42', konsumen_name: 'Budi', nopol: 'B 1 X', total: 137_500, is_paid: false, ...more },
		logo: '',
		ahass_name: 'AHASS 01234',
		...around,
	});
const row = (more: Record<string, unknown> = {}): Transaction =>
	v.parse(Transaction, {
		id: 42,
		noinvoice: 'INV/42',
		konsumen_name: 'Budi',
		nopol: 'B 1 X',
		total: 137_500,
		is_paid: true,
		tanggal_display: '21-11-2026 09:05',
		ahass_name: 'AHASS 01234',
		list_invoice: [{ noinvoice_odoo: 'INV/42', total: 137_500, detail: [{ produk_name: 'Servis', qty: 2, harga: 68_750 }] }],
		...more,
	});
function see(of: InvoiceInfo): void {
	current = currentOf(of);
	receipts.onBalance(current.payment, balance());
}
const note = (nominal: number, time = '2026-11-21T09:00:00+07:00') => ({ note_id: 'n', nominal: rupiah(nominal), time });
const paid = (nominal: number, tanggal = '') => ({ nominal, tanggal });
/** @returns the receipt of the customer's invoice, or the error code */
function made(id: number | string = 42) {
	const result = receipts.ofInvoice(id);
	return result.ok ? result.value.receipt : result.error.code;
}
async function listed(id: number | string = 42) {
	const result = await receipts.ofRow(id);
	return result.ok ? result.value.receipt : result.error.code;
}

test('after the look-up of another number, only the invoice found last has a receipt; after a log-out no invoice has one', () => {
	expect(made()).toBe('unknown_payment');
	see(info({ is_paid: true }));
	expect(made('42')).toMatchObject({ nomor: 'INV/42', is_paid: true, ahass: 'AHASS 01234' });
	expect(made(43)).toBe('unknown_payment');
	see(info({ id: 43, is_paid: true }));
	expect(made(42)).toBe('unknown_payment');
	current = null;
	receipts.forget();
	expect(made(43)).toBe('unknown_payment');
});

test('an invoice is paid when the payments in the journal and at the back office cover its present total', () => {
	see(info());
	expect(made()).toBe('not_paid');
	own = { ...own, notes: [note(100_000)] };
	expect(made()).toBe('not_paid');
	see(info({ list_pembayaran: [paid(37_500)] }));
	expect(made()).toMatchObject({ received: 137_500 });
	own = { notes: [], cards: [{ amount: rupiah(100_000), method: 'card', time: '' }] };
	expect(made()).toMatchObject({ received: 37_500 });
	see(info({ total: 337_500, list_pembayaran: [paid(37_500)] }));
	expect(made()).toBe('not_paid');
	own = { notes: [], cards: [] };
	see(info({ total: 0 }));
	expect(made()).toBe('not_paid');
});

test('a disputed invoice is not paid', async () => {
	own = { ...own, notes: [note(150_000)] };
	claim = { total: rupiah(137_500), elsewhere: rupiah(0) };
	see(info());
	expect(made()).toBe('not_paid');
	receipts.rows({ results: [row()], count: 1 });
	answer = info();
	expect(await listed()).toBe('not_paid');
});

test('if the look-up fails, a paid row whose total is smaller than the known total does not count as paid', async () => {
	own = { ...own, notes: [note(50_000)] };
	receipts.rows({ results: [row({ total: 100_000 })], count: 1 });
	expect(await listed()).toBe('not_paid');
	receipts.rows({ results: [row()], count: 1 });
	expect(await listed()).toMatchObject({ is_paid: true, total: 137_500, received: null });
});

test('an overpayment by more than one method is not shown as change for the customer', () => {
	own = { notes: [note(150_000)], cards: [{ amount: rupiah(137_500), method: 'card', time: '' }] };
	see(info());
	expect(made()).toMatchObject({ is_paid: true, received: null });
});

test('a note that the back office also lists counts only once as cash if the rest of the invoice was paid by phone', () => {
	own = { notes: [note(50_000)], cards: [] };
	see(info({ is_paid: true, list_pembayaran: [paid(50_000)] }));
	expect(made()).toMatchObject({ is_paid: true, received: 50_000, total: 137_500 });
});

test('the receipt names the back office’s method, else the method used at this kiosk, else the method of the open payment', () => {
	const metode = (of: InvoiceInfo) => {
		see(of);
		const receipt = made();
		return typeof receipt === 'string' ? receipt : receipt.metode;
	};
	const sale = (method: 'card' | 'qris') => [{ amount: rupiah(137_500), method, time: '' }];
	own = { notes: [note(150_000)], cards: [] };
	expect(metode(info({ payment_type_display: 'Virtual Account' }))).toBe('Virtual Account');
	expect(metode(info())).toBe('Tunai');
	own = { notes: [], cards: sale('card') };
	expect(metode(info())).toBe('Kartu Debit BCA');
	own = { notes: [], cards: sale('qris') };
	expect(metode(info({ list_pembayaran: [paid(137_500)] }))).toBe('QRIS');
	own = { notes: [note(50_000)], cards: [{ amount: rupiah(87_500), method: 'card', time: '' }] };
	expect(metode(info())).toBe('Tunai, Kartu Debit BCA');
	own = { notes: [], cards: [] };
	expect(metode(info({ is_paid: true }))).toBe('-');
	see(info({ id: 43, qr_url: '000201' }));
	expect(metode(info({ is_paid: true }))).toBe('-');
	see(info({ no_va: '3910', bank: 'bca' }));
	expect(metode(info({ is_paid: true }))).toBe('Virtual Account BCA');
	see(info({ payment_type: 1, qr_url: '000201' }));
	expect(metode(info({ is_paid: true }))).toBe('QRIS');
});

test('the receipt has the time when the kiosk saw the invoice become paid, else the time of the last payment, else the present time', () => {
	const tanggal = () => (made() as { tanggal: string }).tanggal;
	see(info({ is_paid: true, list_pembayaran: [paid(137_500, '2026-01-02T03:04:00')] }));
	expect(tanggal()).toBe('02-01-2026 03:04');
	see(info({ is_paid: true, list_pembayaran: [paid(137_500, '2026-01-02T03:04:00Z')] }));
	expect(tanggal()).toBe('02-01-2026 10:04');
	see(info({ is_paid: true, list_pembayaran: [paid(137_500, 'kemarin')] }));
	expect(tanggal()).toBe('21-11-2026 09:05');
	own = { notes: [note(150_000, '2026-11-20T08:00:00+07:00')], cards: [] };
	see(info());
	expect(tanggal()).toBe('20-11-2026 08:00');
	own = { notes: [], cards: [] };
	see(info());
	see(info({ is_paid: true, list_pembayaran: [paid(137_500, '2026-01-02T03:04:00')] }));
	expect(tanggal()).toBe('21-11-2026 09:05');
});

test('`freshen` looks the invoice up again six seconds after the last look-up, but not after four seconds', async () => {
	own = { ...own, cards: [{ amount: rupiah(137_500), time: '2026-11-21T09:00:00+07:00', method: 'card' }] };
	see(info({ is_paid: false }));
	answer = info({ is_paid: false, total: 337_500 });
	now = 4_000;
	await receipts.freshen(42);
	expect(made()).toMatchObject({ total: 137_500 });
	now = 6_000;
	await receipts.freshen(42);
	expect(made()).toBe('not_paid');
});

test('the logo is loaded when the invoice is looked up', () => {
	see(info({}, { logo: 'https://dealer.example/logo.png' }));
	expect(expectLogo).toHaveBeenCalledWith('https://dealer.example/logo.png');
});

test('the receipt of a row has the date, method and lines of the row, and the cash amount of the look-up', async () => {
	receipts.rows({ results: [row({ payment_type_display: 'QRIS' })], count: 1 });
	expect(await listed(7)).toBe('unknown_payment');
	expect(await listed()).toMatchObject({
		tanggal: '21-11-2026 09:05',
		metode: 'QRIS',
		nomor: 'INV/42',
		lines: [{ name: 'Servis', qty: 2, price: 68_750, subtotal: 137_500 }],
		total: 137_500,
		received: null,
	});
	receipts.rows({ results: [row()], count: 1 });
	answer = info({ is_paid: true, list_pembayaran: [paid(100_000), paid(50_000)] });
	expect(await listed()).toMatchObject({ metode: 'Tunai', received: 150_000 });
	answer = info({ noinvoice: 'INV/43', is_paid: true, list_pembayaran: [paid(100_000)] });
	expect(await listed()).toMatchObject({ metode: '-', received: null });
});

test('if the invoice of a row has changed, the receipt shows the changed invoice', async () => {
	receipts.rows({ results: [row()], count: 1 });
	answer = info({ is_paid: false });
	expect(await listed()).toBe('not_paid');
	answer = info({ is_paid: true, total: 200_000 });
	expect(await listed()).toMatchObject({ total: 200_000, tanggal: '21-11-2026 09:05' });
});

test('an unpaid row does not count as paid if a different invoice with the same number is paid', async () => {
	receipts.rows({ results: [row({ is_paid: false })], count: 1 });
	answer = info({ id: 43, is_paid: true });
	expect(await listed()).toBe('not_paid');
});

test('if the look-up fails, the receipt shows the kiosk’s cash only if it covers the whole amount', async () => {
	receipts.rows({ results: [row()], count: 1 });
	own = { ...own, notes: [note(50_000)] };
	expect(await listed()).toMatchObject({ received: null });
	own = { ...own, notes: [note(150_000)] };
	expect(await listed()).toMatchObject({ received: 150_000 });
	receipts.rows({ results: [row({ is_paid: false })], count: 1 });
	own = { ...own, notes: [note(50_000)] };
	expect(await listed()).toBe('not_paid');
});

test('if the look-up fails, an unpaid row whose total differs from the total that the kiosk knows as paid gets no receipt', async () => {
	own = { ...own, notes: [note(150_000)] };
	// The row was loaded before the invoice grew, so its receipt would promise change that is not
	// owed.
	receipts.rows({ results: [row({ total: 100_000, is_paid: false })], count: 1 });
	expect(await listed()).toBe('unknown_payment');
	// The row was loaded after the invoice grew, so its receipt would show the new total as paid.
	receipts.rows({ results: [row({ total: 200_000, is_paid: false })], count: 1 });
	expect(await listed()).toBe('not_paid');
	// The back office reports the new total as paid.
	receipts.rows({ results: [row({ total: 200_000 })], count: 1 });
	expect(await listed()).toMatchObject({ total: 200_000, received: null });
});

/** @returns a function that later checks whether a receipt made now is still valid */
async function waiting(of: 'invoice' | 'row'): Promise<() => boolean> {
	const result = of === 'invoice' ? receipts.ofInvoice(42) : await receipts.ofRow(42);
	return result.ok ? result.value.isTrue : expect.fail(result.error.code);
}

test('a waiting receipt stays valid while the journal cannot be read', async () => {
	own = { ...own, notes: [note(150_000)] };
	see(info());
	const isTrue = await waiting('invoice');
	[own, isUnreadable] = [{ ...own, notes: [] }, true];
	expect(isTrue()).toBe(true);
	isUnreadable = false;
	expect(isTrue()).toBe(false);
});

test('after a wait, a receipt is checked against a new look-up of its invoice', async () => {
	see(info({ is_paid: true }));
	const made = receipts.ofInvoice(42);
	if (!made.ok) expect.fail(made.error.code);
	answer = info({ total: 200_000 });
	await made.value.freshen();
	expect(made.value.isTrue()).toBe(true);
	now = 10_000;
	await made.value.freshen();
	expect(made.value.isTrue()).toBe(false);
});

test('a waiting receipt becomes invalid when another outlet logs in, but stays valid while no outlet is logged in', async () => {
	see(info({ is_paid: true }));
	const isTrue = await waiting('invoice');
	account = null;
	expect(isTrue()).toBe(true);
	account = { ...ACCOUNT, outlet: 'outlet-2' };
	expect(isTrue()).toBe(false);
});

test('a waiting receipt becomes invalid when its invoice is cancelled', async () => {
	see(info({ is_paid: true }));
	const isTrue = await waiting('invoice');
	see(info({ total: 0 }));
	expect(isTrue()).toBe(false);
});

test.each(['invoice', 'row'] as const)(
	'a waiting receipt (of the %s) becomes invalid when a larger total reduces the change, or when staff give the change',
	async (of) => {
		receipts.rows({ results: [row()], count: 1 });
		own = { ...own, notes: [note(150_000)] };
		see(info());
		const isTrue = await waiting(of);
		see(info());
		expect(isTrue()).toBe(true);
		see(info({ total: 140_000 }));
		expect(isTrue()).toBe(false);
		see(info());
		givenBack = 12_500;
		expect(isTrue()).toBe(false);
	},
);

test('the receipt of a row that only the list reports as paid stays valid until a look-up contradicts it', async () => {
	receipts.rows({ results: [row()], count: 1 });
	const isTrue = await waiting('row');
	expect(isTrue()).toBe(true);
	see(info({ is_paid: true }));
	expect(isTrue()).toBe(true);
	see(info({ total: 200_000 }));
	expect(isTrue()).toBe(false);
});

test('the kiosk keeps the last hundred rows of the list until the log-out', async () => {
	receipts.rows({ results: Array.from({ length: 101 }, (_, id) => row({ id })), count: 101 });
	expect(await listed(0)).toBe('unknown_payment');
	expect(await listed(1)).toMatchObject({ total: 137_500 });
	receipts.forget();
	expect(await listed(1)).toBe('unknown_payment');
});

test('a paid invoice keeps its receipt if the customer’s number then finds another invoice, but not if another number is looked up', () => {
	own.notes = [note(150_000)];
	const next = (number?: string): void => {
		const found = currentOf(info({ id: 43, noinvoice: 'INV/43' }));
		current = { ...found, number: number ?? found.number };
		receipts.onBalance(current.payment, balance());
	};
	see(info());
	next('0842');
	expect(made(42)).toMatchObject({ nomor: 'INV/42', received: 150_000 });
	see(info());
	next();
	expect(made(42)).toBe('unknown_payment');
});

test('a waiting original receipt becomes invalid when a smaller total raises the change that is owed', async () => {
	own = { ...own, notes: [note(150_000)] };
	see(info());
	const isTrue = await waiting('invoice');
	see(info({ total: 100_000 }));
	expect(made(42)).toMatchObject({ total: 100_000, received: 150_000 });
	expect(isTrue()).toBe(false);
});

test('a waiting receipt becomes invalid when its invoice has grown, even if the larger total is paid', async () => {
	see(info({ is_paid: true }));
	const isTrue = await waiting('invoice');
	see(info({ total: 200_000, is_paid: true }));
	expect(made(42)).toMatchObject({ total: 200_000 });
	expect(isTrue()).toBe(false);
});

test('if two rows have the same id, the receipt is that of the row with the requested number', async () => {
	receipts.rows({ results: [row({ noinvoice: 'INV/NEW', is_paid: false }), row({ noinvoice: 'INV/OLD' })], count: 2 });
	expect(await listed()).toBe('unknown_payment');
	expect(await receipts.ofRow(42, 'INV/NEW')).toMatchObject({ ok: false, error: { code: 'not_paid' } });
	expect(await receipts.ofRow(42, 'INV/OLD')).toMatchObject({ ok: true, value: { receipt: { nomor: 'INV/OLD' } } });
});

test('a row that was paid gives no receipt if another invoice has its number now', async () => {
	receipts.rows({ results: [row()], count: 1 });
	answer = info({ id: 99, is_paid: false });
	expect(await listed()).toBe('not_paid');
});
