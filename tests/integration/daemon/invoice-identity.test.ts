/** A message, a look-up or a new total affects only its own invoice. */
import { afterEach, expect, test } from 'vitest';
import { saleShown, startCard, tapCard } from '../../support/card.ts';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const JOKO = '081200000008';
const LOOK_UP = '/payment/api/v1/get-invoice-info/';
const OPEN = '/payment/api/v1/open-machine/';

let kiosk: Kiosk;
afterEach(() => kiosk.stop());

test('a message about another invoice does not replace the customer’s invoice', { tags: 'deep' }, async () => {
	kiosk = await startKiosk({ edc: {} });
	const budi = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 100_000);
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.backOffice.books.notes).toHaveLength(2));
	await kiosk.post('/kiosk/cash/close', { id: budi.id });
	const joko = await kiosk.lookUp(JOKO);
	for (let time = 0; time < 3; time += 1) kiosk.backOffice.live.say({ type: 'payment_notification', id: budi.id, is_paid: true });
	const screen = await kiosk.screen();
	kiosk.backOffice.live.say({ type: 'payment_notification', id: 99, is_paid: false });
	await until(() => expect(screen.of('payment_notification').at(-1)).toMatchObject({ id: 99 }));
	startCard(screen, { amount: joko.total, id: joko.id });
	await tapCard(kiosk);
	await saleShown(screen, 'approved', { id: joko.id });
});

test('if the kiosk by itself looks up another invoice and finds it paid twice, the customer’s invoice can still be paid', {
	tags: 'deep',
}, async () => {
	kiosk = await startKiosk({ edc: {} });
	await kiosk.backOffice.setNetwork({ mode: 'error', path: 'payment-cash' });
	const budi = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 100_000);
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.daemon.events('cash.paid')).toHaveLength(1));
	await kiosk.post('/kiosk/cash/close', { id: budi.id });
	const joko = await kiosk.lookUp(JOKO);
	const before = kiosk.backOffice.calls.length;
	kiosk.backOffice.live.say({ type: 'payment_notification', id: budi.id });
	await until(() => expect(kiosk.daemon.events('invoice.paid_twice')).toHaveLength(1));
	await until(() =>
		expect(kiosk.backOffice.calls.slice(before).filter(({ path, status }) => path === LOOK_UP && status === 200)).toHaveLength(1),
	);
	const screen = await kiosk.screen();
	startCard(screen, { amount: joko.total, id: joko.id });
	await tapCard(kiosk);
	await saleShown(screen, 'approved', { id: joko.id });
	expect((await kiosk.post('/kiosk/print', { id: joko.id })).status).toBe(200);
	expect((await kiosk.health()).state).not.toBe('ok');
});

test('if the total grows while the acceptor opens, the new total is due', async () => {
	kiosk = await startKiosk();
	const invoice = await kiosk.lookUp(BUDI);
	const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
	let asked = false;
	kiosk.backOffice.change(OPEN, async (answer) => {
		asked = true;
		await held;
		return answer;
	});
	const opening = kiosk.call(OPEN, { ...invoice, hp: BUDI });
	await until(() => expect(asked).toBe(true));
	kiosk.backOffice.change(LOOK_UP, (answer) => ({ ...answer, body: answer.body.replace('"total":137500', '"total":337500') }));
	const grown = await kiosk.lookUp(BUDI);
	expect(grown.total).toBe(337_500);
	letGo();
	expect((await opening).status).toBe(200);
	await kiosk.draw(invoice);
	expect(kiosk.daemon.events('cash.opened').at(-1)).toMatchObject({ total: 337_500 });
	await feedNote(kiosk, 100_000);
});

test('if the next look-up no longer shows an invoice as paid, the invoice gets no receipt', { tags: 'deep' }, async () => {
	kiosk = await startKiosk({ movableClock: true });
	const siti = await kiosk.lookUp('081200000001');
	expect(siti.is_paid).toBe(true);
	kiosk.backOffice.change(LOOK_UP, (answer) => ({ ...answer, body: answer.body.replace('"is_paid":true', '"is_paid":false') }));
	await kiosk.pass(31_000);
	expect((await kiosk.post('/kiosk/print', { id: siti.id })).body).toMatchObject({ code: 'not_paid' });
});
