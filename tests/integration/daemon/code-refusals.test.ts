import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { aroundLyingOffice, close, customer, kiosk, lookUp, office, pay, phases, sell, tap, told } from './lying-kiosk.ts';

aroundLyingOffice();

const TOTAL = 60_000;
const PAYMENT = '/payment/api/v1/payment/';
const CREATE_VA = '/payment/api/v1/create-va-kiosbank/';
const CANCEL = '/payment/api/v1/cancel-payment/';
const opened = () => office.asked.filter(({ path }) => path.endsWith('/payment/')).length;

test('no QRIS code is opened for an invoice while its card sale is open or unknown', async () => {
	const { hp, invoice } = customer(TOTAL);
	await lookUp(hp);
	expect((await kiosk.call(PAYMENT, { payment_id: invoice.id })).status).toBe(200);
	const before = opened();
	sell(invoice, TOTAL);
	await until(() => expect(phases().at(-1)).toBe('acked'));
	expect(await kiosk.call(PAYMENT, { payment_id: invoice.id })).toMatchObject({ status: 409, body: { code: 'paid_by_card' } });
	// If the terminal does not answer within the limit, the card may have been charged.
	await until(() => expect(phases().at(-1)).toBe('unknown'), 30_000);
	expect(await kiosk.call(PAYMENT, { payment_id: invoice.id })).toMatchObject({ status: 409, body: { code: 'paid_by_card' } });
	expect(opened()).toBe(before);
	// The next customer's invoice is not affected.
	const next = customer(TOTAL);
	await lookUp(next.hp);
	expect((await kiosk.call(PAYMENT, { payment_id: next.invoice.id })).status).toBe(200);
	await tap();
});

test('no QRIS code is opened for an invoice until the server has confirmed the cash for this invoice', async () => {
	const { hp, invoice } = customer(137_500);
	office.onNote = () => ({ status: 503 });
	await kiosk.openCash(hp);
	await pay(50_000);
	await close(invoice);
	await lookUp(hp);
	const before = opened();
	// A code would ask for the whole total.
	expect(await kiosk.call(PAYMENT, { payment_id: invoice.id })).toMatchObject({ status: 409, body: { code: 'dispute' } });
	// Although another page has now looked up another invoice, the requests name the first invoice.
	const other = customer(TOTAL);
	await lookUp(other.hp);
	expect(await kiosk.call(PAYMENT, { payment_id: invoice.id })).toMatchObject({ status: 409, body: { code: 'dispute' } });
	expect(await kiosk.call(CREATE_VA, { bank_id: 1, results: invoice })).toMatchObject({ status: 409, body: { code: 'dispute' } });
	expect(opened()).toBe(before);
	expect((await kiosk.call(PAYMENT, { payment_id: other.invoice.id })).status).toBe(200);
	office.onNote = () => ({ status: 200 });
	expect((await kiosk.call(PAYMENT, { payment_id: invoice.id })).status).toBe(200);
	await told();
});

test('no virtual account is opened for a total that the kiosk has not looked up', async () => {
	const { hp, invoice } = customer(TOTAL);
	await lookUp(hp);
	const before = office.asked.length;
	for (const total of [2_000, '2000', null, 60_000.5, 1e12])
		expect(await kiosk.call(CREATE_VA, { bank_id: 1, results: { ...invoice, total } })).toMatchObject({ status: 409 });
	expect(office.asked).toHaveLength(before);
	expect((await kiosk.call(CREATE_VA, { bank_id: 1, results: invoice })).status).toBe(200);
});

test('no code is opened for an invoice during its card sale, even if the request names the invoice in an unusual way', async () => {
	const clean = customer(TOTAL);
	const { hp, invoice } = customer(TOTAL);
	await lookUp(clean.hp);
	await lookUp(hp);
	sell(invoice, TOTAL);
	await until(() => expect(phases().at(-1)).toBe('acked'));
	const { id, odoo_id, noinvoice } = invoice;
	const forged: [string, object][] = [
		[CREATE_VA, { bank_id: 1, payment_id: clean.invoice.id, results: invoice }],
		[CREATE_VA, { bank_id: 1, results: { ...clean.invoice, odoo_id } }],
		[CREATE_VA, { bank_id: 1, results: { ...clean.invoice, noinvoice } }],
		[CREATE_VA, { bank_id: 1, results: [invoice] }],
		['/payment/api/v1/payment-astra-pay/', { id }],
		[PAYMENT, { payment_id: [id] }],
		[PAYMENT, { payment_id: clean.invoice.id, id }],
		[PAYMENT, { payment_id: clean.invoice.id, noinvoice }],
		// Servers may read these spellings as the same id.
		...[`0${id}`, ` ${id}`, `${id}.0`, `+${id}`].map((spelled): [string, object] => [PAYMENT, { payment_id: spelled }]),
	];
	// Simulates another page that looks up another invoice.
	await lookUp(clean.hp);
	const before = office.asked.length;
	for (const [path, request] of forged) expect((await kiosk.call(path, request)).status, JSON.stringify(request)).toBe(409);
	expect(office.asked).toHaveLength(before);
	expect((await kiosk.call(CREATE_VA, { bank_id: 1, results: clean.invoice })).status).toBe(200);
	await tap();
	await until(() => expect(phases().at(-1)).toBe('approved'));
});

test('a code can be opened for an invoice even after another invoice was looked up', async () => {
	const first = customer(TOTAL);
	const second = customer(TOTAL);
	await lookUp(first.hp);
	await lookUp(second.hp);
	expect((await kiosk.call(CREATE_VA, { bank_id: 1, results: first.invoice })).status).toBe(200);
	expect((await kiosk.call(PAYMENT, { payment_id: first.invoice.id })).status).toBe(200);
	expect(await kiosk.call(PAYMENT, { payment_id: 'never looked up' })).toMatchObject({ status: 409, body: { code: 'no_invoice' } });
});

test('between a restart and the first look-up, a code is opened for the exact id of an invoice, but not for another spelling', async () => {
	const { hp, invoice } = customer(TOTAL);
	await lookUp(hp);
	await kiosk.crash();
	expect((await kiosk.call(PAYMENT, { payment_id: `0${invoice.id}` })).status).toBe(409);
	expect((await kiosk.call(PAYMENT, { payment_id: invoice.id })).status).toBe(200);
});

test('between a restart and the first look-up, no code is opened or cancelled for an invoice that the request names by its number', async () => {
	const { hp, invoice } = customer(137_500);
	office.onNote = () => ({ status: 503 });
	await kiosk.openCash(hp);
	await pay(50_000);
	await close(invoice);
	await kiosk.crash();
	const { id, noinvoice, odoo_id } = invoice;
	const requests: [string, object][] = [
		[PAYMENT, { payment_id: id }],
		[PAYMENT, { noinvoice }],
		[PAYMENT, { odoo_id }],
		[PAYMENT, { payment_id: 987_654, noinvoice }],
		[CREATE_VA, { bank_id: 1, results: { ...invoice, id: 987_654 } }],
		[CREATE_VA, { bank_id: 1, noinvoice }],
		[CANCEL, { id: 987_654, noinvoice }],
	];
	const asked = () => office.asked.filter(({ path }) => [PAYMENT, CREATE_VA, CANCEL].some((call) => path.endsWith(call))).length;
	const before = asked();
	for (const [path, request] of requests) expect((await kiosk.call(path, request)).status, JSON.stringify(request)).toBe(409);
	expect(asked()).toBe(before);
	office.onNote = () => ({ status: 200 });
	await told();
});

test('no code is cancelled for an invoice that the kiosk has not looked up', async () => {
	const { hp, invoice } = customer(TOTAL);
	await lookUp(hp);
	const cancelled = () => office.asked.filter(({ path }) => path.endsWith('/cancel-payment/')).length;
	const before = cancelled();
	for (const request of [
		{ id: 424_242, noinvoice: 'INV/OTHER/1' },
		{ ...invoice, noinvoice: 'INV/OTHER/1' },
		{ ...invoice, id: `0${invoice.id}` },
	])
		expect(await kiosk.call(CANCEL, request)).toMatchObject({ status: 409, body: { code: 'no_invoice' } });
	expect(cancelled()).toBe(before);
	expect((await kiosk.call(CANCEL, invoice)).status).toBe(200);
});
