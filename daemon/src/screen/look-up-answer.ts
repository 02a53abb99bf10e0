import type { InvoiceInfo } from '../../contract/back-office.ts';
import { rupiah, sumRupiah } from '../../contract/money.ts';
import type { Balance } from '../journal/balance.ts';

/**
 * The server's answer with what the kiosk knows beyond it: notes that wait to be sent, a card sale that is not booked yet, money that
 * was given back. Without that a customer who comes back would be asked for the wrong sum.
 * @param body the answer as it came
 * @param info the same, parsed
 * @returns the body itself when the server knows everything
 */
export function withBalance(body: Buffer, info: InvoiceInfo, balance: Balance): Buffer {
	const listed = info.results.list_pembayaran ?? [];
	const is_paid = balance.state === 'paid' || balance.state === 'paid_twice';
	const same = rupiah(sumRupiah(listed.map(({ nominal }) => nominal))) === balance.received || (is_paid && info.results.is_paid);
	if (same && is_paid === info.results.is_paid) return body;
	const answer = JSON.parse(body.toString('utf8')) as { results: Record<string, unknown> };
	if (!same) answer.results.list_pembayaran = balance.entries.map((entry) => ({ nominal: entry.nominal, tanggal: entry.time }));
	answer.results.is_paid = is_paid;
	return Buffer.from(JSON.stringify(answer));
}
