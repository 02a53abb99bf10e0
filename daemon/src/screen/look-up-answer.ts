import type { DoubtfulNote, InvoiceInfo } from '@kiosk/contract/back-office';
import { remaining, sumRupiah } from '@kiosk/contract/money';
import { type Balance, isPaidState } from '../journal/balance.ts';

/** @returns the back office's answer with the mark that the journal could not correct it */
export function markUncorrected(body: Buffer): Buffer {
	const answer = JSON.parse(body.toString('utf8')) as { results: Record<string, unknown> };
	answer.results.kiosk_uncorrected = true;
	return Buffer.from(JSON.stringify(answer));
}

/**
 * Corrects the back office's answer from the journal, which knows the notes that are not sent yet,
 * the card sales that are not booked yet, and the money given back. Otherwise a returning customer
 * would be asked for a wrong amount.
 * @param body the answer as received
 * @param info the answer, parsed
 * @param doubts this invoice’s notes in doubt
 * @returns the corrected body; unchanged if nothing differs
 */
export function withBalance(body: Buffer, info: InvoiceInfo, balance: Balance, doubts: readonly DoubtfulNote[]): Buffer {
	const listed = info.results.list_pembayaran ?? [];
	const is_paid = isPaidState(balance.state);
	const sum = sumRupiah(listed.map(({ nominal }) => nominal));
	// The back office may report an invoice as paid without listing every payment, which does not
	// count as a difference. Money given back and unlisted notes of this kiosk count as a difference.
	const unlisted = is_paid && info.results.is_paid ? remaining(balance.elsewhere, balance.elsewhereListed) : 0;
	const same = sum === balance.received || sum + unlisted === balance.received;
	// Only the kiosk knows its notes in doubt, so the back office's fields about them are replaced.
	const knows = doubts.length === 0 && (info.results.kiosk_doubts ?? []).length === 0 && info.results.kiosk_uncorrected === undefined;
	if (same && knows && is_paid === info.results.is_paid && balance.total === info.results.total) return body;
	const answer = JSON.parse(body.toString('utf8')) as { results: Record<string, unknown> };
	if (!same) answer.results.list_pembayaran = balance.entries.map((entry) => ({ nominal: entry.nominal, tanggal: entry.time }));
	answer.results.is_paid = is_paid;
	// A newer answer with another total may have overtaken this one.
	answer.results.total = balance.total;
	answer.results.kiosk_doubts = doubts;
	delete answer.results.kiosk_uncorrected;
	return Buffer.from(JSON.stringify(answer));
}
