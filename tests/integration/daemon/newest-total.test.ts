// @module-tag deep
/** The total or the payments of an invoice change while the customer pays, closes or prints. */
import { beforeAll, expect, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
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

beforeAll(async () => {
	await kiosk.staff();
});

/** Feeds the last note and taps "close" while the note is on its way into the cashbox. */
async function closeDuringNote(invoice: Parameters<typeof close>[0], nominal: number, between: () => void | Promise<void>) {
	const { timing } = kiosk.acceptor.device as unknown as { timing: { stackMs: number } };
	const before = timing.stackMs;
	timing.stackMs = 2_000;
	try {
		await feedNote(kiosk, nominal, 'accepted');
		await between();
		return await close(invoice);
	} finally {
		timing.stackMs = before;
	}
}

test('if the total grows and the page closes while the last note is being stacked, the answer does not say paid', async () => {
	const { hp, invoice } = customer(100_000);
	await newScreen();
	await kiosk.openCash(hp);
	await pay(50_000);
	const answer = await closeDuringNote(invoice, 50_000, () => {
		invoice.total = 150_000;
	});
	expect(answer.body).toMatchObject({ received: 100_000, is_paid: false });
});

test('if the total grows and the customer leaves while the last note is being stacked, the slip is printed', async () => {
	const { hp, invoice } = customer(100_000);
	await newScreen();
	await kiosk.openCash(hp);
	await pay(50_000);
	const requested = kiosk.daemon.events('print.sent').length;
	const closed = await closeDuringNote(invoice, 50_000, async () => {
		void close(invoice);
		invoice.total = 150_000;
		await lookUp(hp);
	});
	expect(closed.body).toMatchObject({ received: 100_000, is_paid: false });
	await until(() => expect(kiosk.daemon.events('print.sent').length).toBeGreaterThan(requested), 8_000);
});

const VA = { payment_type: 2, payment_type_display: 'Virtual Account', no_va: '8860800000000009', bank: 'mandiri', company_code: '88608' };
const account = async (id: unknown) => {
	const { status, body } = await kiosk.post('/kiosk/print', { of: 'account', id });
	return { status, code: (body as { code?: string }).code };
};

test('the slip of an open virtual account is printed', async () => {
	const { hp, invoice } = customer(100_000, { ...VA, json_data: VA });
	await newScreen();
	await lookUp(hp);
	expect(await account(invoice.id)).toMatchObject({ status: 202 });
});

test('no slip of a virtual account is printed if its look-up shows that the invoice has been paid', async () => {
	const { hp, invoice } = customer(100_000, { ...VA, json_data: VA });
	await newScreen();
	await lookUp(hp);
	// The customer has paid with the bank's app; the server's message is lost.
	Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(100_000)] });
	expect((await account(invoice.id)).status).not.toBe(202);
});

test('no slip of a virtual account is printed for an invoice that was paid in cash at this kiosk', async () => {
	const { hp, invoice } = customer(100_000, { ...VA, json_data: VA });
	await newScreen();
	office.onNote = () => ({ status: 503 });
	await kiosk.openCash(hp);
	await pay(100_000);
	await until(() => expect(screen.of('payment_notification').at(-1)).toMatchObject({ id: invoice.id, is_paid: true }));
	await close(invoice);
	const printed = await account(invoice.id);
	office.onNote = () => ({ status: 200 });
	await told();
	expect(printed.status).not.toBe(202);
});

test('if the page opens the acceptor again during the last look-up, neither the answer nor the screen says paid for an earlier, smaller total', async () => {
	const { hp, invoice } = customer(100_000);
	await newScreen();
	await kiosk.openCash(hp);
	await pay(100_000);
	await until(() => expect(of('cash.paid', invoice)).toMatchObject([{ total: 100_000 }]));
	await close(invoice);
	await told();
	const own = () =>
		office.notes.filter(({ noinvoice }) => noinvoice === invoice.noinvoice).map(({ nominal, note_id }) => listed(nominal, note_id));
	// The workshop adds work for 50,000.
	Object.assign(invoice, { total: 150_000, list_pembayaran: own() });
	await newScreen();
	expect((await kiosk.openCash(hp)).total).toBe(150_000);
	// It adds work for another 50,000 just before the last note, and the look-up takes a while.
	invoice.total = 200_000;
	const held = holdLookUp();
	await pay(50_000);
	await held.asked();
	// The customer taps "Reload Mesin".
	const again = await openCash(hp, { ...invoice, total: 150_000 } as typeof invoice);
	const shown = screen.of('payment_notification').length;
	held.answer();
	await until(() => expect(kiosk.acceptor.device.enabled).toBe(true), 5_000);
	expect(again).toMatchObject({ status: 200, body: { is_paid: false } });
	expect(shown).toBe(0);
});

test('the slip is printed if the customer leaves a part unpaid', async () => {
	const { hp, invoice } = customer(150_000);
	await newScreen();
	await kiosk.openCash(hp);
	await pay(50_000);
	const requested = kiosk.daemon.events('print.sent').length;
	await closeDuringNote(invoice, 50_000, () => {});
	await until(() => expect(kiosk.daemon.events('print.sent').length).toBeGreaterThan(requested), 8_000);
});

test('if the total falls to the received amount and the customer leaves while a note is being stacked, no slip is printed', async () => {
	const { hp, invoice } = customer(150_000);
	await newScreen();
	await kiosk.openCash(hp);
	await pay(50_000);
	const requested = kiosk.daemon.events('print.sent').length;
	const closed = await closeDuringNote(invoice, 50_000, async () => {
		void close(invoice);
		invoice.total = 100_000;
		await lookUp(hp);
	});
	expect(closed.body).toMatchObject({ received: 100_000, is_paid: true });
	expect((await print(invoice)).status).toBe(202);
	await until(() => expect(kiosk.daemon.events('print.sent').at(-1)).toMatchObject({ purpose: 'receipt' }));
	expect(kiosk.daemon.events('print.sent')).toHaveLength(requested + 1);
});

test('if another payment begins during the last look-up, the answer to the close call does not report the invoice as paid at its old total', async () => {
	const { hp, invoice } = customer(50_000);
	const other = customer(100_000);
	await newScreen();
	await kiosk.openCash(hp);
	invoice.total = 100_000;
	const held = holdLookUp(503);
	await pay(50_000);
	await held.asked();
	await kiosk.openCash(other.hp);
	const closed = await close(invoice);
	held.answer();
	await close(other.invoice);
	expect(closed.body).toMatchObject({ received: 50_000, is_paid: false });
});

test('kioskctl refuses `cash done` while the customer pays the rest at the terminal', async () => {
	const { hp, invoice } = customer(137_500);
	await newScreen();
	await kiosk.openCash(hp);
	await pay(50_000);
	await close(invoice);
	await told();
	invoice.list_pembayaran = [listed(50_000, office.notes.at(-1)?.note_id)];
	await lookUp(hp);
	sell(invoice, 87_500);
	await until(() => expect(kiosk.edc.terminal.waiting).not.toBeNull());
	const wish = { action: 'partial', invoice: invoice.noinvoice, state: 'partial', held: 50_000, twice: 0, by: 'Sari', why: 'test' };
	const done = await staffCall(kiosk, 'POST', '/cash', wish);
	await tap();
	await until(() => expect(phases().at(-1)).toBe('approved'));
	expect(done).toMatchObject({ status: 409, body: { code: 'busy' } });
});

test('before a card sale for a paid invoice is refused, the invoice is looked up; if its total has grown, the screen does not show LUNAS', async () => {
	const { hp, invoice } = customer(100_000);
	await newScreen();
	await kiosk.openCash(hp);
	await pay(100_000);
	await until(() => expect(of('cash.paid', invoice)).toMatchObject([{ total: 100_000 }]));
	await close(invoice);
	await told();
	invoice.list_pembayaran = [listed(100_000, office.notes.at(-1)?.note_id)];
	await lookUp(hp);
	await newScreen();
	await kiosk.pass(6_000);
	const before = lookUps();
	const began = phases().length;
	// The workshop adds work for 50,000.
	invoice.total = 150_000;
	sell(invoice, 100_000);
	await until(() => expect(phases().slice(began)).toEqual(['bad_amount']));
	expect(paidTexts(invoice)).toEqual([]);
	expect(lookUps()).toBeGreaterThan(before);
});
