/**
 * One journey for each past bug with a page that sends reports or requests that it must not send.
 */
import { describe, expect, test } from 'vitest';
import { aroundHostileWorld, feeds, newInvoice, noteMoves, opens, playEach, sound, world } from './hostile-world.ts';
import { CASH_PAGE, closeCash, drawn, leavePage, logOut, lookUp, openCash, printReceipt } from './sim-desk.ts';

aroundHostileWorld();

describe('an untrusted page', () =>
	playEach({
		'B1 a note inserted at the home screen is not accepted': async () => {
			const invoice = newInvoice(137_000);
			await opens(invoice);
			await feeds(invoice, 50_000);
			world.browser.close();
			await world.run(8_000);
			world.browser.reload(true);
			await world.run(60_000);
			await feeds(null, 20_000);
		},
		'B1 if the page returns home without closing the acceptor, a note is not accepted': async () => {
			const invoice = newInvoice(137_000);
			await opens(invoice);
			world.screen.route = '/';
			world.screen.visit = null;
			world.browser.report();
			await world.run(6_000);
			await feeds(null, 20_000);
		},
		'B1 the heartbeat of another browser does not keep a cash session open': async () => {
			const invoice = newInvoice(137_000);
			await opens(invoice);
			world.screen.drawing = false;
			for (let beat = 0; beat < 12; beat += 1) {
				drawn(world, { session: 'another browser', route: CASH_PAGE, visit: invoice.id });
				await world.run(5_000);
			}
			await feeds(invoice, 50_000);
		},
		'B2 a page cannot open the acceptor for an invoice that was not looked up': async () => {
			const invoice = newInvoice(137_000);
			await openCash(world, invoice);
			await world.run(1_000);
			await feeds(invoice, 50_000);
		},
		'B2 a page cannot open the acceptor while no outlet is logged in': async () => {
			const invoice = newInvoice(137_000);
			await lookUp(world, invoice);
			logOut(world);
			await openCash(world, invoice);
			await world.run(1_000);
			await feeds(invoice, 50_000);
		},
		'B2 if two pages ask for cash while a note moves, at most one page gets "ready"': async () => {
			const [first, second, third] = [newInvoice(137_000), newInvoice(138_000), newInvoice(139_000)];
			for (const invoice of [second, third, first]) await lookUp(world, invoice);
			await opens(first);
			await noteMoves(first);
			const asks = [second, third].map((invoice) => openCash(world, invoice));
			const [one, other] = await Promise.all(asks);
			await world.run(1_000);
			if (one?.ready && other?.ready) world.violated('B2: two pages are told that the acceptor is open for them');
		},
		'B2 if a page leaves before the acceptor opens, the acceptor stays closed': async () => {
			const [first, second] = [newInvoice(137_000), newInvoice(138_000)];
			for (const invoice of [second, first]) await lookUp(world, invoice);
			await opens(first);
			await noteMoves(first);
			const asks = openCash(world, second);
			const leaves = closeCash(world, second.id);
			await Promise.all([asks, leaves]);
			leavePage(world);
			await world.run(2_000);
			await feeds(null, 20_000);
		},
		'B3 if a page asks for the receipt of an unpaid invoice, no LUNAS is printed': async () => {
			const invoice = newInvoice(137_000);
			await lookUp(world, invoice);
			printReceipt(world, invoice);
			await world.run(10_000);
		},
	}));

test('if the screen stays disconnected, the cash session ends', async () => {
	const invoice = newInvoice(137_000);
	await opens(invoice);
	await feeds(invoice, 50_000);
	world.browser.close();
	await world.run(20_000);
	expect(world.kiosk?.cash.isOpen()).toBe(false);
	sound();
});
