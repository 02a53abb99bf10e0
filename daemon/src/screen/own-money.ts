import type { InvoiceInfo } from '../../contract/back-office.ts';
import type { CashEntry } from '../../contract/kiosk-api.ts';
import { receivedEntries } from '../acceptor/received.ts';

/** What this kiosk's journal knows of one invoice. */
export interface OwnMoney {
	/** Credited notes, oldest first. */
	notes: readonly CashEntry[];
	/** Whether a card was charged for it. */
	paidByCard: boolean;
}

/**
 * The server's answer with what it does not know yet: notes that wait to be sent and a card sale it has not booked. Without them
 * a customer who comes back would be asked for the whole sum again.
 * @param body the answer as it came
 * @param info the same, parsed
 * @returns the body itself when the server knows everything
 */
export function withOwnMoney(body: Buffer, info: InvoiceInfo, own: OwnMoney): Buffer {
	const listed = info.results.list_pembayaran ?? [];
	const received = receivedEntries(listed, own.notes);
	const paid = own.paidByCard && !info.results.is_paid;
	if (received.length === listed.length && !paid) return body;
	const answer = JSON.parse(body.toString('utf8')) as { results: Record<string, unknown> };
	if (received.length !== listed.length)
		answer.results.list_pembayaran = received.map((entry) => ({ nominal: entry.nominal, tanggal: entry.time }));
	if (paid) answer.results.is_paid = true;
	return Buffer.from(JSON.stringify(answer));
}
