/**
 * One journey for each past bug with a back office that refuses notes or lacks the call for notes.
 */
import { describe, expect, test } from 'vitest';
import { aroundHostileWorld, feeds, newInvoice, opens, pays, playEach, runUntil, sound, world } from './hostile-world.ts';
import { checkWaitingMoneyShown } from './invariants.ts';
import { WAITING_LIMIT_MS } from './sim-desk.ts';
import { enterByHand } from './sim-parked.ts';

aroundHostileWorld();

describe('a back office that refuses notes', () =>
	playEach({
		'A6 a permanently refused note does not block other notes': async () => {
			world.office.at.refuseNext = 409;
			const invoice = newInvoice(500_000);
			await pays(invoice, 20_000, 50_000, 100_000);
			await world.run(1_800_000);
			expect(world.office.books.notes.map(({ nominal }) => nominal).sort()).toEqual([100_000, 50_000].sort());
		},
		'A6 if the server lacks the call for notes, the kiosk closes cash for new payments': async () => {
			world.office.at.withoutNotes = 404;
			await pays(newInvoice(500_000), 20_000, 50_000);
			await world.run(600_000);
			await pays(newInvoice(500_000), 50_000);
		},
		'A6 a refused note that staff enter by hand counts as received and opens no dispute': async () => {
			const { at } = world.office;
			at.books.manners.echoesNoteId = true;
			at.refuseNext = 409;
			const invoice = newInvoice(500_000);
			await pays(invoice, 20_000, 50_000);
			await world.run(600_000);
			for (const note of world.journal?.parked() ?? []) await enterByHand(world, invoice, note);
			expect(await opens(invoice)).not.toBeNull();
		},
		'A6 cash opens again after staff enter two refused notes by hand': async () => {
			const { at } = world.office;
			await pays(newInvoice(10_000), 10_000);
			const invoices = [newInvoice(50_000), newInvoice(20_000)];
			for (const invoice of invoices) {
				at.refuseNext = 404;
				await pays(invoice, invoice.total);
			}
			await world.run(600_000);
			for (const note of world.journal?.parked() ?? []) {
				const invoice = invoices.find(({ noinvoice }) => noinvoice === note.noinvoice);
				if (invoice) await enterByHand(world, invoice, note);
			}
			expect(await opens(newInvoice(70_000))).not.toBeNull();
		},
	}));

test('a note that waits without a network is shown in health, and is sent as soon as the live socket reconnects', async () => {
	const invoice = newInvoice(137_000);
	await opens(invoice);
	world.office.network = 'down';
	await feeds(invoice, 50_000);
	await world.run(2 * WAITING_LIMIT_MS);
	checkWaitingMoneyShown(world);
	world.screen.heard = [];
	world.office.network = 'good';
	await runUntil(() => world.screen.heard.some((text) => text.type === 'connection' && text.is_connected), 60_000);
	await world.run(2_000);
	expect(world.rows('SELECT 1 FROM notes WHERE uploaded_seq IS NOT NULL')).toHaveLength(1);
	sound();
});
