import { InvoiceInfo, type ReceivedPayment } from '@kiosk/contract/back-office';
import { sameId } from '@kiosk/contract/same-id';
import * as v from 'valibot';
import { ok } from '../base/result.ts';
import type { Balance } from '../journal/balance.ts';
import type { Journal } from '../journal/journal.ts';
import type { InvoiceView } from '../journal/money-facts.ts';
import { type Payment, type PaymentKey, paymentKey } from '../journal/records.ts';
import type { Refreshed } from './invoice-calls.ts';
import type { InvoiceDesk } from './invoice-desk.ts';
import type { CurrentInvoice } from './known-invoices.ts';

/**
 * Stands in for the invoice desk, on a real journal. The test supplies the back office's answers.
 */
export class PlayedInvoices
	implements Pick<InvoiceDesk, 'balanceOf' | 'keep' | 'current' | 'findPayment' | 'isFresh' | 'refresh' | 'hearWaiting'>
{
	now: CurrentInvoice | null = null;
	/** Invoices that the kiosk looked up on its own. */
	readonly refreshed: string[] = [];
	readonly #journal: () => Journal;

	constructor(journal: () => Journal) {
		this.#journal = journal;
	}

	/** Simulates that the screen has looked this invoice up. */
	lookedUp(payment: Payment, listed: readonly ReceivedPayment[] = [], is_paid = false): CurrentInvoice {
		const { id, odoo_id, noinvoice, total } = payment;
		const view: InvoiceView = {
			total,
			is_paid,
			listed: listed.map(({ nominal, tanggal, note_id }) => ({ nominal, note_id: note_id ?? null, time: tanggal })),
			own: this.#journal().money.ownAtAnswer(paymentKey(payment), {
				seq: this.#journal().money.position(),
				mayBeTold: () => false,
				isConfirmedLately: () => false,
				isNamed: (note_id) => listed.some((entry) => entry.note_id === note_id),
				isPaid: is_paid,
			}),
		};
		const info = v.parse(InvoiceInfo, { results: { id, odoo_id, noinvoice, total, is_paid, list_pembayaran: [...listed] } });
		this.now = { number: noinvoice, info, open: null, payment, view, askedAt: 0 };
		return this.now;
	}

	current = (): CurrentInvoice | null => this.now;
	findPayment = (id: Payment['id']): Payment | null => (this.now && sameId(this.now.payment.id, id) ? this.now.payment : null);
	balanceOf = (key: PaymentKey): Balance =>
		this.#journal().money.balanceOf(key, this.now && paymentKey(this.now.payment) === key ? this.now.view : undefined);
	keep = (): ReturnType<InvoiceDesk['keep']> => ok(undefined);
	/** Simulates the processing of messages that arrived while the journal was unreadable. */
	hearWaiting = () => {};
	/** Whether the journal is readable when an answer comes. */
	readable = true;
	isFresh = (): boolean => true;
	refresh = async ({ noinvoice }: Payment): Promise<Refreshed> => {
		this.refreshed.push(noinvoice);
		return this.readable ? 'answered' : 'unreadable';
	};
}
