/** I15: invoices that were paid twice must be listed for staff. */
import type { Payment } from '../../daemon/src/journal/records.ts';
import { type Invoice, sumOf } from '../simulators/back-office/invoice.ts';
import { isListedTwice, isOf, keyOf } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import { nameOf, uncredited } from './sim-oracle.ts';

/**
 * Two payments for one amount due are listed as paid twice as soon as the kiosk knows of both.
 * A sale without an outcome is listed as unknown instead.
 */
export function checkDoublesListed(world: SimKiosk): void {
	const { truth } = world;
	for (const invoice of world.office.everyInvoice()) {
		if (isListedTwice(world, invoice) || hasOpenSale(world, invoice)) continue;
		const card = truth.card(invoice) - chargedWithoutInvoice(world, invoice) - truth.givenBack(invoice);
		const elsewhere = truth.elsewhere(invoice);
		if (card >= 2 * invoice.total && truth.chargesOf(invoice).length > 1)
			world.violated(`I15: invoice ${nameOf(invoice)} was charged ${card} by card, but is not listed as paid twice`);
		else if (
			card > 0 &&
			elsewhere >= invoice.total &&
			truth.toldPaidElsewhere.has(invoice) &&
			!mayHaveReported(world, invoice) &&
			!isAnnouncedOnly(world, invoice) &&
			!isTakenForSale(world, invoice)
		)
			world.violated(`I15: invoice ${nameOf(invoice)} is not listed as paid twice: ${card} by card, ${elsewhere} elsewhere`);
		else if (knowsCashTwice(world, invoice))
			world.violated(`I15: invoice ${nameOf(invoice)} is not listed as paid twice: ${truth.cash(invoice)} cash, ${elsewhere} elsewhere`);
	}
}

/**
 * Whether the kiosk recorded the beginning of a card report before it learned that the invoice is
 * paid. If the kiosk dies after this record, it cannot know whether it sent the report.
 */
const mayHaveReported = (world: SimKiosk, invoice: Invoice): boolean =>
	world.rows(
		`SELECT 1 FROM records AS begun JOIN card_sales ON card_sales.attempt_id = begun.body ->> 'attempt_id'
		WHERE begun.kind = 'card_approval_begun' AND card_sales.payment_id = ?1 AND begun.seq < (
			SELECT min(seq) FROM records WHERE kind = 'invoice_seen' AND body ->> 'is_paid' = 1 AND body ->> '$.payment.noinvoice' = ?2)`,
		keyOf(world, invoice),
		invoice.noinvoice,
	).length > 0;

/**
 * @returns the sum of this invoice's charges that the kiosk lists without an invoice, because it
 * cannot know their sale, rupiah
 */
function chargedWithoutInvoice(world: SimKiosk, invoice: Invoice): number {
	const listed = world.rows(`SELECT response ->> 'rrn' AS rrn FROM card_sales WHERE payment_id IS NULL`).map(({ rrn }) => rrn);
	return sumOf(world.truth.chargesOf(invoice).flatMap(({ trace, amount }) => (listed.includes(trace) ? [{ nominal: amount }] : [])));
}

/**
 * @returns whether a look-up was answered "unpaid" after the message "paid", and the kiosk cannot
 * look up again because another outlet is logged in
 */
function isAnnouncedOnly({ truth, office }: SimKiosk, invoice: Invoice): boolean {
	const lookUp = truth.newestLookUp(invoice);
	const toldAt = truth.toldPaidElsewhere.get(invoice) ?? Number.POSITIVE_INFINITY;
	return lookUp !== null && !lookUp.paid && lookUp.heardAt >= toldAt && office.outletOf(invoice) !== office.at;
}

/**
 * If the total grows after "paid" and the list shows only a payment that is larger than the sale,
 * the kiosk takes this payment for the sum of the sale and a smaller payment;
 * docs/developer/money.md states this limit.
 */
function isTakenForSale({ truth }: SimKiosk, invoice: Invoice): boolean {
	const lookUp = truth.newestLookUp(invoice);
	if (lookUp?.total == null || lookUp.cards > 0 || lookUp.elsewhere < truth.card(invoice)) return false;
	const newest = lookUp.total;
	return truth.statements(invoice).some(({ total }) => total !== null && total < newest);
}

const hasOpenSale = (world: SimKiosk, invoice: Invoice): boolean =>
	world
		.rows(`SELECT payment FROM card_sales WHERE state IN ('sent', 'unknown') AND payment_id IS NOT NULL`)
		.some(({ payment }) => isOf(world, JSON.parse(String(payment)) as Payment, invoice));

/**
 * @returns whether cash covers the invoice and the newest look-up lists other payments that cover
 * the invoice, too. If the list names no notes, the part of the listed sum that exceeds the cash
 * counts as paid elsewhere.
 */
function knowsCashTwice(world: SimKiosk, invoice: Invoice): boolean {
	const statement = world.truth.newestLookUp(invoice);
	const cash = world.truth.cash(invoice) - world.truth.givenBack(invoice) - uncredited(world);
	if (statement?.total == null || statement.total !== invoice.total || cash < statement.total) return false;
	const beyond =
		statement.named && statement.contains.size > 0 ? statement.elsewhere : statement.listed - statement.cards - world.truth.cash(invoice);
	return beyond >= statement.total;
}
