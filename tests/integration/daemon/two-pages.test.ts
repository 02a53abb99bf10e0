// @module-tag deep
/** Customers pay in cash on the kiosk's page and on a technician's page at the same time. */
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { feedNote } from '../../support/feed-note.ts';
import type { Kiosk, LiveMessage } from '../../support/kiosk.ts';
import { kioskForTest } from '../../support/kiosk-for-test.ts';
import { as, logInElsewhere, postForm, postJson } from '../../support/raw-page.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const JOKO = '081200000008';
const OPEN = '/payment/api/v1/open-machine/';

/** Logs in on a page of another computer. */
async function technician(kiosk: Kiosk) {
	const key = await logInElsewhere(kiosk);
	const ask = async (path: string, value: object) => {
		const { status, body } = await postForm(kiosk, path, value, as(key));
		return { status, body: JSON.parse(body) as Record<string, unknown> };
	};
	const socket = new WebSocket(`${kiosk.daemon.url.replace('http', 'ws')}/ws/${key}`, 'echo-protocol', { origin: kiosk.daemon.url });
	const heard: LiveMessage[] = [];
	socket.on('message', (data) => heard.push((JSON.parse(String(data)) as { text: LiveMessage }).text));
	await new Promise((resolve) => socket.on('open', resolve));
	const post = (path: string, value: object) => postJson(kiosk, path, value, as(key));
	return {
		heard,
		lookUp: async (hp: string) =>
			(await ask('/payment/api/v1/get-invoice-info/', { noinvoice: hp })).body.results as Record<string, unknown>,
		open: (invoice: object, hp: string) => ask(OPEN, { ...invoice, hp }),
		draw: (id: unknown) => post('/kiosk/rendered', { screen: '/cash-payment', visit: '', id }),
		close: (id: unknown) => post('/kiosk/cash/close', { id }),
		leave: () => socket.terminate(),
	};
}
const machine = (messages: readonly LiveMessage[]) => messages.filter(({ type }) => type === 'machine_ready').at(-1);
const booked = (kiosk: Kiosk) => kiosk.backOffice.books.notes.map(({ noinvoice, nominal }) => ({ noinvoice, nominal }));

test('while another page takes notes for another invoice, the customer’s page does not ask for notes', async () => {
	const kiosk = await kioskForTest();
	const budi = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	const other = await technician(kiosk);
	// Reconnects the customer's page, because the technician's log-in has disconnected all pages.
	const screen = await kiosk.screen();
	await kiosk.draw({ id: budi.id });
	await until(() => expect(machine(screen.messages)).toMatchObject({ is_ready: true }));
	const joko = await other.lookUp(JOKO);
	expect(await other.open(joko, JOKO)).toMatchObject({ status: 200 });
	await kiosk.draw({ id: budi.id });
	await other.draw(joko.id);
	await until(() => expect(machine(other.heard)).toMatchObject({ is_ready: true }));
	expect(machine(screen.messages)).toMatchObject({ is_ready: false });
	await kiosk.draw({ id: budi.id });
	await feedNote(kiosk, 20_000);
	await until(() => expect(booked(kiosk)).toHaveLength(2));
	expect(booked(kiosk)).toEqual([
		{ noinvoice: budi.noinvoice, nominal: 50_000 },
		{ noinvoice: joko.noinvoice, nominal: 20_000 },
	]);
	other.leave();
});

test('if one of two pages of an invoice closes the payment, the other page learns that no notes are taken', async () => {
	const kiosk = await kioskForTest();
	const other = await technician(kiosk);
	const screen = await kiosk.screen();
	const budi = await kiosk.openCash(BUDI);
	const same = await other.lookUp(BUDI);
	expect(await other.open(same, BUDI)).toMatchObject({ status: 200 });
	await other.draw(same.id);
	await kiosk.draw({ id: budi.id });
	await until(() => expect(machine(other.heard)).toMatchObject({ is_ready: true }));
	expect(machine(screen.messages)).toMatchObject({ is_ready: false });
	// While both pages draw, the customer taps "Reload Mesin".
	await kiosk.call(OPEN, { ...budi, hp: BUDI });
	await until(() => expect(machine(screen.messages)).toMatchObject({ is_ready: true }));
	await until(() => expect(machine(other.heard)).toMatchObject({ is_ready: false }));
	await feedNote(kiosk, 50_000);
	await until(() => expect(screen.of('payment_cash_notification')).toHaveLength(1));
	await kiosk.post('/kiosk/cash/close', { id: budi.id });
	await until(() => expect(machine(other.heard)).toMatchObject({ is_ready: false }));
	expect(kiosk.acceptor.device.insert({ nominal: 20_000 })).toMatchObject({ taken: false });
	expect(await other.open(same, BUDI)).toMatchObject({ status: 200, body: { entries: [{ nominal: 50_000 }] } });
	await other.draw(same.id);
	await until(() => expect(machine(other.heard)).toMatchObject({ is_ready: true }));
	await feedNote(kiosk, 100_000);
	await until(() => expect(booked(kiosk)).toHaveLength(2));
	await other.close(same.id);
	expect((await kiosk.lookUp(BUDI)).is_paid).toBe(true);
	other.leave();
});
