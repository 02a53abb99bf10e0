/** One journey for each past bug with a back office that changes totals, payments and lists. */
import { describe, expect } from 'vitest';
import { aroundHostileWorld, feeds, goesToTheTerminal, newInvoice, offline, opens, pays, playEach, taps, world } from './hostile-world.ts';
import { changeTotal, payAtCounter, payElsewhere, reverse, withdrawAtCounter } from './sim-adversary.ts';
import { closeCash, giveBack, lookUp, openCash, startCard } from './sim-desk.ts';
import { checkDoublesListed } from './sim-doubles.ts';

aroundHostileWorld();

describe('a back office that changes invoices', () =>
	playEach({
		'A2 if a paid invoice grows, the difference is due': async () => {
			const invoice = newInvoice(137_000);
			await pays(invoice, 100_000, 50_000);
			changeTotal(world, invoice, 337_000);
			await opens(invoice);
		},
		'A2 if an invoice paid by card grows, the difference is due': async () => {
			const invoice = newInvoice(137_000);
			await goesToTheTerminal(invoice);
			await taps();
			await world.run(10_000);
			changeTotal(world, invoice, 337_000);
			await opens(invoice);
		},
		'A2 after a payment is reversed and the list emptied, no LUNAS is shown': async () => {
			const invoice = newInvoice(137_000);
			await pays(invoice, 100_000, 50_000);
			reverse(world, invoice, 'emptied');
			await opens(invoice);
		},
		'A2 after a payment is reversed and the list kept, no LUNAS is shown': async () => {
			const invoice = newInvoice(137_000);
			await pays(invoice, 100_000, 50_000);
			reverse(world, invoice, 'kept');
			await opens(invoice);
		},
		'A2 after a payment by phone is reversed, no LUNAS is shown': async () => {
			const invoice = newInvoice(137_000);
			await opens(invoice);
			payElsewhere(world, invoice, 'qris');
			await world.run(2_000);
			await closeCash(world, invoice.id);
			reverse(world, invoice, 'emptied');
			await opens(invoice);
		},
		'A2 if a payment at the counter is withdrawn while the last note goes in, no LUNAS is shown': async () => {
			const invoice = newInvoice(150_000);
			const payment = payAtCounter(world, invoice, 50_000);
			await opens(invoice);
			world.clock.after(1_000, () => withdrawAtCounter(world, invoice, payment));
			await feeds(invoice, 100_000);
			await world.run(15_000);
		},
		'A2 if the total rises during a session, the new total is due': async () => {
			const invoice = newInvoice(137_000);
			await opens(invoice);
			await feeds(invoice, 100_000);
			changeTotal(world, invoice, 337_000);
			await world.run(11_000);
			await feeds(invoice, 50_000);
			await world.run(15_000);
		},
		'A2 if an invoice grows and a disk sync fails during the session, the new total is due': async () => {
			const invoice = newInvoice(137_000);
			await opens(invoice);
			await feeds(invoice, 100_000);
			changeTotal(world, invoice, 337_000);
			world.disk.fate = (_write, { kind }) => (kind === 'note_uploaded' ? 'sync_failed_but_kept' : 'well');
			await feeds(invoice, 50_000);
			world.disk.fate = () => 'well';
			await world.run(20_000);
			await closeCash(world, invoice.id);
		},
		'A3 if an invoice is paid by phone while the terminal waits, and then by card, it is listed as paid twice': async () => {
			const invoice = newInvoice(137_000);
			await goesToTheTerminal(invoice);
			payElsewhere(world, invoice, 'va');
			world.office.sayPaidNow(invoice);
			await world.run(2_000);
			await taps();
			await lookUp(world, invoice);
			checkDoublesListed(world);
		},
		'A3 if an invoice is paid by phone while the terminal waits and the disk is full, it is listed as paid twice once the disk has space':
			async () => {
				const invoice = newInvoice(137_000);
				const other = newInvoice(50_000);
				await goesToTheTerminal(invoice);
				world.disk.full = true;
				payElsewhere(world, invoice, 'va');
				world.office.sayPaidNow(invoice);
				await world.run(5_000);
				await lookUp(world, other);
				world.disk.full = false;
				await world.run(6_000);
				await taps();
				checkDoublesListed(world);
			},
		'A3 no card sale begins for an invoice that the server reports paid': async () => {
			const invoice = newInvoice(137_000);
			const detail = (await lookUp(world, invoice)) ?? expect.fail('it cannot be looked up');
			payElsewhere(world, invoice, 'va');
			world.office.sayPaidNow(invoice);
			await world.run(2_000);
			startCard(world, detail);
			await world.run(2_000);
		},
		'A3 an invoice paid in cash and by phone is listed as paid twice after the next look-up': async () => {
			world.office.at.books.manners.listsOthers = true;
			world.office.at.books.manners.echoesNoteId = true;
			const invoice = newInvoice(137_000);
			await opens(invoice);
			await offline(async () => {
				await feeds(invoice, 100_000, 50_000);
				payElsewhere(world, invoice, 'qris');
			});
			await world.run(120_000);
			await closeCash(world, invoice.id);
			await lookUp(world, invoice);
			checkDoublesListed(world);
		},
		'A3 a deposit at the counter and the remaining amount in cash are not listed as paid twice': async () => {
			const invoice = newInvoice(185_000);
			payAtCounter(world, invoice, 50_000);
			await opens(invoice);
			await feeds(invoice, 100_000, 20_000, 20_000);
			await world.run(6_000);
			await closeCash(world, invoice.id);
			expect(world.lines.filter((line) => line.includes('invoice.paid_twice'))).toEqual([]);
		},
		'A4 money that was given back does not count as received': async () => {
			const invoice = newInvoice(150_000);
			await pays(invoice, 50_000);
			expect(giveBack(world, invoice)).toBe(50_000);
			await opens(invoice);
		},
		'A4 repeated requests to give money back record one give-back': async () => {
			const invoice = newInvoice(150_000);
			await pays(invoice, 50_000);
			giveBack(world, invoice);
			expect(giveBack(world, invoice)).toBe(0);
			await pays(invoice, 100_000);
			expect(world.truth.received(invoice)).toBe(100_000);
		},
		'A5 payments made elsewhere still count after a restart during a session': async () => {
			const invoice = newInvoice(300_000);
			payAtCounter(world, invoice, 50_000);
			await opens(invoice);
			await feeds(invoice, 100_000);
			world.die('killed');
			world.boot();
			await world.run(4_000);
			await openCash(world, invoice);
		},
		'A5 notes that the server lists as one sum are counted once': async () => {
			world.office.at.books.manners.lumps = true;
			const invoice = newInvoice(500_000);
			await pays(invoice, 100_000, 50_000);
			await opens(invoice);
		},
		'A5 a waiting note and an equal payment at the counter both count': async () => {
			const invoice = newInvoice(300_000);
			await opens(invoice);
			world.office.network = 'down';
			await feeds(invoice, 50_000);
			await closeCash(world, invoice.id);
			payAtCounter(world, invoice, 50_000);
			// The note's next retry is not due yet, so the look-up is sent first.
			world.office.network = 'good';
			await opens(invoice);
		},
		'A5 a look-up that the disk refuses to store does not count': async () => {
			const invoice = newInvoice(300_000);
			await opens(invoice);
			await feeds(invoice, 100_000);
			const next = world.disk.writes + 1;
			world.disk.fate = (write) => (write === next ? 'sync_failed' : 'well');
			await lookUp(world, invoice);
			await world.run(6_000);
			await opens(invoice);
		},
	}));
