// @module-tag deep
/** The back office or staff change an invoice while its customer pays. */
import { beforeAll, expect, test } from 'vitest';
import type { SentNote } from '../../simulators/back-office/lying-office.ts';
import { staffCall } from '../../support/staff-call.ts';
import { until } from '../../support/until.ts';
import {
	aroundLyingOffice,
	close,
	customer,
	holdLookUp,
	kiosk,
	listed,
	lookUp,
	lookUps,
	newScreen,
	of,
	office,
	open as openCash,
	pay,
	phases,
	print,
	screen,
	sell,
	tap,
	told,
} from './lying-kiosk.ts';

aroundLyingOffice();

const BY = { by: 'Sari', why: 'test' };
const money = (method: string, path: string, body: object | null = null) => staffCall(kiosk, method, path, body);

beforeAll(async () => {
	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
});

test('kioskctl gives no money back if the customer begins to pay the rest in cash during its look-up', async () => {
	const { hp, invoice } = customer(150_000);
	await newScreen();
	await kiosk.openCash(hp);
	await pay(50_000);
	await close(invoice);
	await told();
	invoice.list_pembayaran = [listed(50_000, office.notes.at(-1)?.note_id)];
	await lookUp(hp);
	const held = holdLookUp();
	const amounts = { invoice: invoice.noinvoice, amount: 50_000, held: 50_000, whole: true };
	const giving = money('POST', '/money', { action: 'give_back', ...amounts, ...BY });
	await held.asked();
	// The page now shows 100,000 as due.
	expect((await openCash(hp, invoice)).body).toMatchObject({ entries: [{ nominal: 50_000 }] });
	held.answer();
	expect(await giving).toMatchObject({ status: 409, body: { code: 'busy' } });
});

test.each(['move', 'book'])(
	'kioskctl refuses to %s a parked note while the customer pays the rest of its invoice at the terminal',
	async (action) => {
		const { hp, invoice } = customer(137_500);
		office.onNote = ({ noinvoice }: SentNote) => ({ status: noinvoice === invoice.noinvoice ? 422 : 200 });
		await kiosk.openCash(hp);
		await pay(50_000);
		await close(invoice);
		await until(async () => {
			if (of('outbox.parked', invoice).length > 0) return;
			await kiosk.login();
			throw new Error('the note is not parked yet');
		});
		const { parked } = (await money('GET', '/money/parked')).body as { parked: { note_id: string; noinvoice: string }[] };
		const note = parked.find(({ noinvoice }) => noinvoice === invoice.noinvoice)?.note_id;
		const number = customer(100_000).invoice.noinvoice;
		const expected = (await money('GET', `/money/look-up/${encodeURIComponent(number)}`)).body.key;
		await newScreen();
		await lookUp(hp);
		sell(invoice, 87_500);
		await until(() => expect(kiosk.edc.terminal.waiting).not.toBeNull());
		const decided = await money('POST', '/money', { action, note, ...(action === 'move' && { number, expected }), ...BY });
		await tap();
		await until(() => expect(phases().at(-1)).toBe('approved'));
		const sale = screen.of('kiosk_edc_sale').at(-1);
		expect(decided).toMatchObject({ status: 409, body: { code: 'busy' } });
		expect(sale).toMatchObject({ paid: true, due: 0 });
	},
);

test('while a note is in doubt, its invoice takes neither a card sale nor a QRIS code, under its own number or another number', async () => {
	const { hp, invoice } = customer(137_500);
	await kiosk.openCash(hp);
	kiosk.acceptor.device.insert({ nominal: 50_000 });
	await kiosk.crashWhileStacking();
	await kiosk.login();
	await newScreen();
	await lookUp(hp);
	sell(invoice, 137_500);
	await until(() => expect(phases().at(-1)).toBe('cash_inside'));
	const openCode = () => kiosk.call('/payment/api/v1/payment/', { payment_id: invoice.id });
	expect(await openCode()).toMatchObject({ status: 409, body: { code: 'dispute' } });
	const before = phases().length;
	invoice.noinvoice += '-B';
	await lookUp(hp);
	sell(invoice, 137_500);
	await until(() => expect(phases().length).toBeGreaterThan(before));
	expect(phases()[before]).toBe('cash_inside');
	expect(await openCode()).toMatchObject({ status: 409, body: { code: 'dispute' } });
});

test('if the back office withdraws a payment made elsewhere while the last note is being stacked, the page does not show LUNAS', async () => {
	await kiosk.afterDoubt();
	const { hp, invoice } = customer(150_000);
	await newScreen();
	invoice.list_pembayaran = [listed(50_000)];
	await kiosk.openCash(hp);
	// The cashier withdraws the 50,000, e.g. because it was entered for the wrong invoice.
	invoice.list_pembayaran = [];
	const before = lookUps();
	await pay(100_000);
	// After the look-up the acceptor takes notes for the amount that is due again.
	await until(() => expect(lookUps()).toBeGreaterThan(before));
	await until(() => expect(kiosk.acceptor.device.enabled).toBe(true));
	expect((await print(invoice)).status).toBe(409);
	await pay(50_000);
	await until(() => expect(screen.of('payment_notification').at(-1)).toMatchObject({ id: invoice.id, is_paid: true }));
	expect((await close(invoice)).body).toMatchObject({ received: 150_000, is_paid: true });
});
