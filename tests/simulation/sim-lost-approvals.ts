import type { KeptWord } from '../../daemon/src/card/card-state.ts';
import { keyOf } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';

/** An approval that reaches the kiosk within this time before the process dies may be lost, ms. */
const LOST_WITHIN_MS = 100;

/**
 * If the journal lists no unknown sale for an invoice, hides its charges whose approvals die with
 * the process that had not written them. Only the bank knows of such a charge, because the terminal
 * had declined the sale.
 * @param unwritten the unwritten reports of the process that has died
 */
export function loseApprovals(world: SimKiosk, unwritten: readonly KeptWord[]): void {
	const { truth } = world;
	const kept = unwritten.map((word) => (word.record ?? word).response?.rrn);
	const isFresh = world.clock.now() - world.approvedAfterAllAt < LOST_WITHIN_MS;
	if (kept.length === 0 && !isFresh) return;
	const written = world.rows(`SELECT response ->> 'rrn' AS rrn FROM card_sales`).map(({ rrn }) => rrn);
	const isLost = (rrn: string): boolean => !written.includes(rrn) && (isFresh || kept.includes(rrn));
	for (const invoice of world.office.everyInvoice()) {
		const open = `SELECT 1 FROM card_sales WHERE state IN ('sent', 'unknown') AND payment_id = ?`;
		if (world.rows(open, keyOf(world, invoice)).length > 0) continue;
		for (const { trace, amount } of truth.chargesOf(invoice))
			if (isLost(trace)) truth.sworn.push({ amount: -amount, invoice, attempt_id: '' });
	}
}
