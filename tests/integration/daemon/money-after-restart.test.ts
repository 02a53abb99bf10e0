import { describe, expect, test } from 'vitest';
import { startLyingOffice } from '../../simulators/back-office/lying-office.ts';
import { until } from '../../support/until.ts';
import {
	aroundLyingOffice,
	close,
	customer,
	kiosk,
	listed,
	lookUp,
	newScreen,
	of,
	office,
	open,
	openScreen,
	paidTexts,
	pay,
	phases,
	screen,
	sell,
	start,
	stop,
	tap,
	told,
} from './lying-kiosk.ts';

aroundLyingOffice();

describe('restarts', () => {
	test('if the server books a note but its answer is lost, the note is counted once, even after a restart', async () => {
		const { hp, invoice } = customer(137_500);
		await kiosk.openCash(hp);
		office.onNote = () => {
			invoice.list_pembayaran = [listed(50_000)];
			return 'cut';
		};
		await pay(50_000);
		const received = async () => {
			const { results } = (await lookUp(hp)).body as { results: { list_pembayaran: { nominal: number }[] } };
			return results.list_pembayaran.map(({ nominal }) => nominal);
		};
		await until(() => expect(invoice.list_pembayaran).toHaveLength(1));
		expect(await received()).toEqual([50_000]);
		await kiosk.crash();
		await newScreen();
		expect(await received()).toEqual([50_000]);
		office.onNote = () => ({ status: 200 });
		await told();
		expect(await received()).toEqual([50_000]);
		expect(new Set(office.notes.filter(({ noinvoice }) => noinvoice === invoice.noinvoice).map(({ note_id }) => note_id)).size).toBe(1);
	});

	test('after a restart, payments that were made elsewhere still count, even if the server lists them in one sum with the kiosk’s note', {
		tags: 'deep',
	}, async () => {
		const { hp, invoice } = customer(137_500, { list_pembayaran: [listed(30_000), listed(20_000)] });
		await kiosk.openCash(hp);
		await pay(20_000);
		await kiosk.crash();
		await newScreen();
		const sum = async () => {
			const { entries } = (await open(hp, invoice)).body as { entries: { nominal: number }[] };
			return entries.reduce((total, { nominal }) => total + nominal, 0);
		};
		await told();
		invoice.list_pembayaran = [listed(30_000), listed(20_000), listed(20_000)];
		await lookUp(hp);
		expect(await sum()).toBe(70_000);
		invoice.list_pembayaran = [listed(70_000)];
		await lookUp(hp);
		expect(await sum()).toBe(70_000);
		await close(invoice);
	});

	test('if a crash interrupts a card sale and the customer pays by virtual account, a double payment is reported when staff settle the sale as charged', async () => {
		const { hp, invoice } = customer(61_000);
		await lookUp(hp);
		sell(invoice, 61_000);
		await until(() => expect(phases().at(-1)).toBe('acked'));
		await kiosk.crash(tap);
		Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(61_000)] });
		await openScreen();
		await until(async () => expect((await kiosk.health()).card.unknown).toHaveLength(1));
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(paidTexts(invoice).length).toBeGreaterThan(0));
		expect((await kiosk.health()).state).not.toBe('ok');
		const attempt = (await kiosk.health()).card.unknown[0]?.attempt_id.slice(0, 8) ?? '';
		const by = ['--by', 'Sari', '--why', 'the slip', '--yes'];
		expect(await kiosk.ctl('edc', 'settle', attempt, '--outcome', 'charged', ...by)).toMatchObject({ code: 0 });
		expect(of('invoice.paid_twice', invoice).at(-1)).toMatchObject({ twice: 61_000 });
		await until(() => expect(screen.of('kiosk_paid_twice').at(-1)).toMatchObject({ id: invoice.id, twice: 61_000 }));
	});

	test('notes taken after a log-in in development mode are kept in separate books and sent with the token of that log-in', {
		tags: 'deep',
	}, async () => {
		const { hp, invoice } = customer(137_500);
		await kiosk.openCash(hp);
		await pay(50_000);
		await told();
		await close(invoice);
		await kiosk.staff();
		office.onLogin = (username) => ({ token: `development-${username}`, development: true });
		await kiosk.post('/kiosk/logout', {});
		await kiosk.login();
		await openScreen();
		expect((await lookUp(hp)).body.results).toMatchObject({ is_paid: false, list_pembayaran: [] });
		expect((await open(hp, invoice)).body).toMatchObject({ entries: [] });
		await pay(20_000);
		await told();
		expect(office.notes.at(-1)).toMatchObject({ nominal: 20_000, authorization: expect.stringContaining('development-') });
		await close(invoice);
	});

	test('if the server’s address changes in the settings, the new server gets no token and the notes keep waiting', async () => {
		const { hp } = customer(137_500);
		await kiosk.openCash(hp);
		office.onNote = () => 'cut';
		await pay(50_000);
		const other = await startLyingOffice();
		try {
			for (const [from, to] of [
				[office.socketUrl, other.socketUrl],
				[office.url, other.url],
			] as const) {
				await kiosk.crash(undefined, (settings) => settings.replace(from, to));
				await until(() => expect(kiosk.daemon.events('session.of_other_server')).toHaveLength(1));
				const { outbox, state } = await kiosk.health();
				expect(outbox).toMatchObject({ count: 1, total: 50_000 });
				expect(state).not.toBe('ok');
			}
			expect([other.sockets, other.asked.filter(({ authorization }) => authorization !== '')]).toEqual([[], []]);
		} finally {
			await other.stop();
		}
	});
});

test('if the server lacks the notes call, cash stays closed, even after a restart, until the call exists', {
	tags: 'deep',
}, async () => {
	await stop();
	await start();
	office.onNote = () => ({ status: 405 });
	const first = customer(50_000);
	await kiosk.openCash(first.hp);
	await pay(10_000);
	await until(() => expect(kiosk.daemon.events('outbox.call_unknown')).toHaveLength(1));
	await close(first.invoice);
	const next = customer(50_000);
	const refused = { status: 409, body: { code: 'cash_not_told', message: expect.stringContaining('tunai') } };
	await lookUp(next.hp);
	expect(await open(next.hp, next.invoice)).toMatchObject(refused);
	await kiosk.crash();
	await newScreen();
	await until(() => expect(kiosk.daemon.events('outbox.call_unknown')).toHaveLength(1));
	await lookUp(next.hp);
	expect(await open(next.hp, next.invoice)).toMatchObject(refused);
	expect((await kiosk.health()).state).not.toBe('ok');
	office.onNote = () => ({ status: 200 });
	await told();
	expect((await open(next.hp, next.invoice)).status).toBe(200);
	await close(next.invoice);
});
