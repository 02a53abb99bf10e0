/** After all repairs, a technician ends disputes with `kioskctl cash review`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { handleOf, moneyCalls } from '../../daemon/src/staff/money-calls.ts';
import { parkedCalls } from '../../daemon/src/staff/parked-calls.ts';
import type { Invoice } from '../simulators/back-office/invoice.ts';
import type { Random } from '../support/random.ts';
import { correctBooks } from './sim-cashier.ts';
import { visit } from './sim-customer.ts';
import { during, isDisputed, isOf, keyOf, lookUp } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import { LATEST_MESSAGE_MS } from './sim-office.ts';
import { depsOfCalls } from './sim-parked.ts';

const DECISION = { by: 'Teknisi', why: 'compared both books' };
/** A customer pays at most this much in one visit, rupiah. */
const MOST_DUE = 200_000;

/**
 * Checks I25: a dispute ends as the cashier's manual says. If the server's books are wrong, the
 * cashier corrects them. Then a technician reviews the dispute. If the dispute stays, the cashier
 * removes all payments and enters them again, and finally adds the kiosk's card sales. Afterwards,
 * if nothing counts as received for the invoice, a customer must be able to pay it.
 */
export async function reviewDisputes(world: SimKiosk, random: Random): Promise<void> {
	// Waits until no "paid" is in flight, because an old "paid" would contradict the corrected books.
	await world.run(LATEST_MESSAGE_MS);
	for (const invoice of [...world.office.at.books.invoices]) {
		// A note in doubt or an unknown sale may keep the invoice in dispute.
		if (!isDisputed(world, invoice) || hasUnknown(world, invoice)) continue;
		const { why } = balanceOf(world, invoice);
		if (!(await endDispute(world, invoice))) {
			if (mayCountReturned(world, invoice)) continue;
			world.violated(`I25: nothing ends the dispute of invoice ${invoice.noinvoice}: ${why}; ${balanceOf(world, invoice).why}`);
			continue;
		}
		await world.run(1_000);
		const [{ due }, real] = [balanceOf(world, invoice), dueOf(world, invoice)];
		if (due < real) world.violated(`I25: after the dispute of invoice ${invoice.noinvoice} Rp ${due} is due instead of ${real}`);
		// The kiosk may ask for too much, because it cannot know everything: see the limits in
		// docs/developer/money.md. The simulated customer inserts the whole total, and the smallest
		// note is 1,000 rupiah.
		if (due > real || due !== invoice.total || due > MOST_DUE || due % 1_000 > 0) continue;
		if (world.office.at.withoutNotes !== null) continue;
		// A message of an earlier visit must not count for this visit.
		world.browser.reload(false);
		const { told } = await visit(world, random, 'cash_exact', invoice);
		if (told !== 'paid') world.violated(`I25: after the dispute of invoice ${invoice.noinvoice} a payment of Rp ${due} ended as "${told}"`);
		await world.run(30_000);
	}
}

/**
 * @returns whether the server rightly says "paid", but the kiosk cannot exclude that this "paid"
 * counts money that was given back. See the limits in docs/developer/money.md.
 */
function mayCountReturned(world: SimKiosk, invoice: Invoice): boolean {
	return invoice.is_paid && dueOf(world, invoice) === 0 && balanceOf(world, invoice).why.startsWith('the back office says paid and counts');
}

/**
 * Checks I27: if the screen shows a dispute, the list for staff contains it. This holds only if the
 * kiosk holds money of the invoice or has recorded an answer "paid". A dispute that only a message
 * caused ends by itself.
 */
export async function checkDisputesListed(world: SimKiosk): Promise<void> {
	for (const invoice of [...world.office.at.books.invoices]) {
		await lookUp(world, invoice);
		const [key, { kiosk, journal }] = [keyOf(world, invoice), world];
		if (kiosk === null || journal === null || isDisputed(world, invoice)) continue;
		const { state, why } = kiosk.invoices.balanceOf(key);
		if (state !== 'dispute' || why.startsWith('the back office announced')) continue;
		if (journal.money.paidTotal(key) !== null || journal.money.hasMoneyOf(key))
			world.violated(`I27: the dispute of invoice ${invoice.noinvoice} is not in the list for staff: ${why}`);
	}
}

const dueOf = ({ truth }: SimKiosk, invoice: Invoice): number => Math.max(0, invoice.total - truth.received(invoice));

/** @returns whether the invoice is no longer in dispute */
async function endDispute(world: SimKiosk, invoice: Invoice): Promise<boolean> {
	const isOver = async ({ exactly }: { exactly: boolean }): Promise<boolean> => {
		await lookUp(world, invoice);
		if (!isDisputed(world, invoice)) return true;
		const promised = world.journal?.money.afterReview(keyOf(world, invoice)).due ?? 0;
		const real = dueOf(world, invoice);
		if (promised < real || (exactly && promised > real)) return false;
		return (await review(world, invoice)) && !isDisputed(world, invoice);
	};
	correctBooks(world, invoice);
	if (await isOver({ exactly: true })) return true;
	const { list_pembayaran, is_paid } = invoice;
	const { books } = world.office.outletOf(invoice);
	const enter = (entries: typeof list_pembayaran, paid: boolean): void => {
		[invoice.list_pembayaran, invoice.is_paid] = [entries, paid];
		books.touch(invoice);
	};
	enter([], false);
	await lookUp(world, invoice);
	enter(list_pembayaran, is_paid);
	if (await isOver({ exactly: false })) return true;
	// If the list contains no card sales, another payment may look like a part of a card sale. The
	// cashier therefore adds the sales.
	const sales = world.rows(`SELECT amount FROM card_sales WHERE payment_id = ? AND state = 'approved'`, keyOf(world, invoice));
	const tanggal = world.clock.wall().toISOString();
	enter([...list_pembayaran, ...sales.map(({ amount }) => ({ nominal: Number(amount), tanggal }))], is_paid);
	return isOver({ exactly: false });
}

const balanceOf = (world: SimKiosk, invoice: Invoice) => {
	if (!world.journal) throw new Error('the kiosk does not run after all repairs');
	return world.journal.money.balanceOf(keyOf(world, invoice));
};

/** Whether the invoice has a note in doubt or an unknown sale. */
const hasUnknown = (world: SimKiosk, invoice: Invoice): boolean =>
	world.rows(
		`SELECT 1 FROM notes WHERE payment_id = ?1 AND state = 'in_doubt' UNION ALL SELECT 1 FROM card_sales WHERE payment_id = ?1 AND state = 'unknown'`,
		keyOf(world, invoice),
	).length > 0;

/**
 * If the kiosk refuses the invoice's number because two invoices have it, the technician adds a
 * handle to the number.
 * @returns whether the kiosk accepts the review
 */
async function review(world: SimKiosk, invoice: Invoice): Promise<boolean> {
	const { noinvoice } = invoice;
	const payment = world.journal?.money.paymentsNamed(noinvoice, null).find((one) => isOf(world, one, invoice));
	return (
		(await reviewAs(world, invoice, noinvoice)) || (payment !== undefined && reviewAs(world, invoice, `${noinvoice}#${handleOf(payment)}`))
	);
}

/**
 * @param name the invoice's number, or number and handle
 * @returns whether the kiosk accepts the review
 */
async function reviewAs(world: SimKiosk, invoice: Invoice, name: string): Promise<boolean> {
	const deps = depsOfCalls(world);
	if (deps === null) return false;
	const { due } = deps.journal.money.afterReview(keyOf(world, invoice));
	const { short, why } = balanceOf(world, invoice);
	const now = () => world.clock.wall().toISOString();
	const calls = moneyCalls({ ...deps, parked: parkedCalls(deps), slips: { givenBack: () => {} }, now });
	const wish = { action: 'review', invoice: name, due, dispute: why, ...DECISION };
	const request = Object.assign(Readable.from([Buffer.from(JSON.stringify(wish))]), { method: 'POST', headers: {} });
	let status = 0;
	const response = {
		setHeader: () => {},
		on: () => {},
		writeHead(code: number) {
			status = code;
			return response;
		},
		end: (text: string) => world.note(`staff: review of ${name} (${why}): ${status} ${text}`),
	};
	await during(world, Promise.resolve(calls(request as unknown as IncomingMessage, response as unknown as ServerResponse, '/money')));
	// After an accepted review, the shortage counts as a loss.
	if (status === 200) world.truth.gaveBack(invoice, -short);
	return status === 200;
}
