import type { ReceivedPayment } from '../../contract/back-office.ts';
import type { CashEntry } from '../../contract/kiosk-api.ts';
import type { Rupiah } from '../../contract/money.ts';

/**
 * Everything received for one invoice, from two witnesses: the back office's list and this kiosk's own journal. A note that
 * was uploaded is in both, and a lost confirmation leaves nobody sure, so notes are matched by nominal: each nominal counts
 * as often as the witness that saw it more often. That never counts a note twice; the one thing it can miss for a moment is
 * a note still waiting here beside an equal one taken elsewhere.
 * @param own credited notes of this kiosk, oldest first
 */
export function receivedEntries(listed: readonly ReceivedPayment[], own: readonly CashEntry[]): CashEntry[] {
	const unmatched = new Map<Rupiah, number>();
	for (const payment of listed) unmatched.set(payment.nominal, (unmatched.get(payment.nominal) ?? 0) + 1);
	for (const note of own) unmatched.set(note.nominal, Math.max(0, (unmatched.get(note.nominal) ?? 0) - 1));

	// The kiosk's own entry is the better witness (it has the id); what only the back office knows is listed before it.
	const elsewhere: CashEntry[] = [];
	for (const payment of listed) {
		const left = unmatched.get(payment.nominal) ?? 0;
		if (left === 0) continue;
		unmatched.set(payment.nominal, left - 1);
		elsewhere.push({ note_id: null, nominal: payment.nominal, time: payment.tanggal ?? '' });
	}
	return [...elsewhere, ...own];
}
