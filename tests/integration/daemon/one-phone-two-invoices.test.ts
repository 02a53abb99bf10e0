/** The customer's phone number leads to a newer invoice, not to the invoice that is being paid. */
import { expect, test } from 'vitest';
import type { ToldInvoice } from '../../simulators/back-office/lying-office.ts';
import { until } from '../../support/until.ts';
import {
	aroundLyingOffice,
	close,
	customer,
	kiosk,
	listed,
	lookUp,
	lookUps,
	of,
	office,
	paidTexts,
	pay,
	phases,
	print,
	screen,
	sell,
	tap,
	told,
} from './lying-kiosk.ts';

aroundLyingOffice();

const TOTAL = 137_500;
const GROWN = 337_500;
/** A look-up of this age, ms, is no longer fresh: the kiosk repeats it. */
const NOT_FRESH_MS = 6_000;

/**
 * Adds a newer invoice for the phone number, and makes the first invoice grow. From now on a
 * look-up by phone number finds the newer invoice; the first is found only by its invoice number.
 */
function grow(hp: string, invoice: ToldInvoice, ...nominals: number[]): void {
	const newer = customer(80_000);
	office.invoices.set(`${hp}-older`, invoice);
	office.invoices.set(hp, newer.invoice);
	Object.assign(invoice, { total: GROWN, list_pembayaran: nominals.map((nominal) => listed(nominal)) });
}

test('if an invoice grows during a cash payment, cash for the old total does not pay the invoice', async () => {
	const { hp, invoice } = customer(150_000);
	await kiosk.openCash(hp);
	await pay(100_000);
	await told();
	grow(hp, invoice, 100_000);
	await pay(50_000);
	await until(() => expect(of('invoice.total_changed', invoice)).toHaveLength(1));
	expect((await close(invoice)).body).toMatchObject({ received: 150_000, is_paid: false });
	expect(paidTexts(invoice)).toEqual([]);
	expect(await print(invoice)).toMatchObject({ status: 409 });
});

test('if an invoice grows during a card sale, a charge of the old total does not pay the invoice', async () => {
	const { hp, invoice } = customer(TOTAL);
	await lookUp(hp);
	sell(invoice, TOTAL);
	await until(() => expect(phases().at(-1)).toBe('acked'));
	grow(hp, invoice);
	await kiosk.pass(NOT_FRESH_MS);
	await tap();
	await until(() => expect(screen.of('kiosk_edc_sale').at(-1)).toMatchObject({ phase: 'approved', paid: false, due: GROWN - TOTAL }));
	expect(paidTexts(invoice)).toEqual([]);
	expect(await print(invoice)).toMatchObject({ status: 409 });
});

test('no receipt is printed for an invoice that grew after it was paid', async () => {
	const { hp, invoice } = customer(100_000);
	await kiosk.openCash(hp);
	await pay(100_000);
	await told();
	await until(() => expect(paidTexts(invoice)).not.toEqual([]));
	await close(invoice);
	grow(hp, invoice, 100_000);
	await kiosk.pass(NOT_FRESH_MS);
	expect(await print(invoice)).toMatchObject({ status: 409, body: { code: 'not_paid' } });
});

test('if an invoice grows, a message about the old total leads to look-ups and no receipt', { tags: 'deep' }, async () => {
	const { hp, invoice } = customer(TOTAL);
	await lookUp(hp);
	grow(hp, invoice, TOTAL);
	const before = lookUps();
	office.say({ type: 'payment_notification', id: invoice.id });
	await until(() => expect(lookUps()).toBe(before + 2));
	expect(await print(invoice)).toMatchObject({ status: 409 });
});
