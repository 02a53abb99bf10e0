// @module-tag deep
/**
 * A message "paid" comes before or after a restart of the daemon, and look-ups do not show the
 * payment yet.
 */
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import {
	aroundLyingOffice,
	close,
	customer,
	kiosk,
	listed,
	lookUp,
	lookUps,
	newScreen,
	office,
	open,
	phases,
	screen,
	sell,
} from './lying-kiosk.ts';

aroundLyingOffice();

const paid = ({ id }: { id: unknown }) => office.say({ type: 'payment_notification', id });

test('no card is charged after a restart if a message reported the invoice as paid before the restart', async () => {
	const { hp, invoice } = customer(137_500);
	await lookUp(hp);
	const before = lookUps();
	paid(invoice);
	await until(() => expect(lookUps()).toBeGreaterThan(before));
	await kiosk.crash();
	await newScreen();
	expect(await lookUp(hp)).toMatchObject({ status: 409, body: { code: 'dispute' } });
	sell(invoice, 137_500);
	await until(() => expect(phases().at(-1)).toBe('unresolved'));
	expect(await open(hp, invoice)).toMatchObject({ status: 409, body: { code: 'dispute' } });
	Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(137_500)] });
	expect((await lookUp(hp)).body.results).toMatchObject({ is_paid: true });
});

test('no card is charged if a message "paid" comes after a restart and before a look-up', async () => {
	const { hp, invoice } = customer(137_500);
	const other = customer(100_000);
	await lookUp(hp);
	await kiosk.crash();
	await newScreen();
	await kiosk.login();
	await newScreen();
	paid(invoice);
	paid(other.invoice);
	other.invoice.is_paid = true;
	await until(() => expect(screen.of('payment_notification').at(-1)).toMatchObject({ id: other.invoice.id }));
	expect(await lookUp(hp)).toMatchObject({ status: 409, body: { code: 'dispute' } });
	sell(invoice, 137_500);
	await until(() => expect(phases().at(-1)).toBe('unresolved'));
	expect((await lookUp(other.hp)).body.results).toMatchObject({ is_paid: true });
	await close(invoice);
});
