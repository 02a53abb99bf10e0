/**
 * One journey for each past bug with this rule: money belongs to the outlet and server where it was
 * paid.
 */
import { describe, expect } from 'vitest';
import type { Invoice } from '../simulators/back-office/invoice.ts';
import {
	aroundHostileWorld,
	feeds,
	goesToTheTerminal,
	newInvoice,
	noteMoves,
	offline,
	opens,
	outlet,
	pays,
	playEach,
	taps,
	world,
} from './hostile-world.ts';
import { checkBooks } from './invariants.ts';
import { moveTo, reuseId } from './sim-adversary.ts';
import { closeCash, logIn, logOut } from './sim-desk.ts';
import type { SimOutlet } from './sim-outlet.ts';

aroundHostileWorld();

/** A customer pays without a network, so the notes are still unsent when another outlet logs in. */
async function notesWaitDuring(next: SimOutlet, invoice: Invoice, ...nominals: number[]): Promise<void> {
	await opens(invoice);
	await offline(async () => {
		await feeds(invoice, ...nominals);
		await closeCash(world, invoice.id);
		await moveTo(world, next);
	});
}

describe('another outlet or server', () =>
	playEach({
		'A1 an invoice with the same id at another outlet starts without credit': async () => {
			const trial = newInvoice(150_000);
			await pays(trial, 100_000, 50_000);
			await moveTo(world, outlet(1));
			const other = newInvoice(500_000);
			expect(other.id).toBe(trial.id);
			await opens(other);
		},
		'A1 an invoice with the same id at a development outlet starts without credit': async () => {
			await moveTo(world, outlet(2));
			await pays(newInvoice(150_000), 100_000, 50_000);
			await moveTo(world, outlet(0));
			await opens(newInvoice(500_000));
		},
		'A1 a card payment at another outlet does not pay the invoice with the same id here': async () => {
			const trial = newInvoice(150_000);
			await goesToTheTerminal(trial);
			await taps();
			await moveTo(world, outlet(1));
			await opens(newInvoice(500_000));
		},
		'A1 waiting notes go only to the outlet of their invoice': async () => {
			const first = newInvoice(500_000);
			newInvoice(500_000, outlet(1));
			await notesWaitDuring(outlet(1), first, 100_000, 50_000);
			await world.run(120_000);
		},
		'A1 waiting notes do not go to another server': async () => {
			const first = newInvoice(500_000);
			newInvoice(500_000, outlet(3));
			await notesWaitDuring(outlet(3), first, 100_000);
			await world.run(120_000);
		},
		'A1 a waiting approval does not go to another outlet': async () => {
			const first = newInvoice(137_000);
			newInvoice(137_000, outlet(1));
			await goesToTheTerminal(first);
			await offline(async () => {
				await taps();
				await moveTo(world, outlet(1));
			});
			await world.run(120_000);
		},
		'A1 an invoice with a reused id at the same server starts without credit': async () => {
			const first = newInvoice(150_000);
			await pays(first, 100_000);
			await opens(reuseId(world, first, 300_000));
		},
		'A1 a screen that connects at another outlet gets no payments of the previous outlet': async () => {
			const first = newInvoice(137_000);
			await goesToTheTerminal(first);
			await taps();
			await moveTo(world, outlet(1));
			newInvoice(500_000);
			world.browser.reload(true);
			expect(world.screen.heard.filter((text) => 'id' in text || text.type === 'payment_edc_bca_notification')).toEqual([]);
		},
		'A1 if staff settle a card sale of another outlet as charged, the invoice with the same id here is not shown as paid': async () => {
			const first = newInvoice(137_000);
			await goesToTheTerminal(first);
			world.edcLine.plug(false);
			await world.run(1_000);
			await moveTo(world, outlet(1));
			const other = newInvoice(500_000);
			expect(other.id).toBe(first.id);
			await opens(other);
			world.screen.heard = [];
			const sale = world.journal?.cards.unknown()[0] ?? expect.fail('no sale is unknown');
			const settled = world.kiosk?.card.carryOut({ action: 'settle', sale, outcome: 'charged', by: 'Sari', why: 'the slip says so' });
			expect(await settled).toMatchObject({ code: 'done' });
			expect(world.screen.heard.filter((text) => 'id' in text)).toEqual([]);
		},
		'A1 if a note is stacked after another outlet logs in, that outlet’s invoice with the same id does not show it': async () => {
			const first = newInvoice(137_000);
			await opens(first);
			await noteMoves(first);
			logOut(world);
			logIn(world, outlet(1));
			expect(newInvoice(500_000).id).toBe(first.id);
			world.browser.open();
			await world.run(5_000);
			expect(world.rows(`SELECT 1 FROM notes WHERE state = 'credited'`)).toHaveLength(1);
			expect(world.screen.heard.filter((text) => 'id' in text)).toEqual([]);
		},
		'I18 health reports money that waits for an outlet that is not logged in': async () => {
			await notesWaitDuring(outlet(1), newInvoice(500_000), 100_000);
			await world.run(8_000_000);
			checkBooks(world);
		},
	}));
