/**
 * Observes the back office's QRIS codes and virtual accounts. The back office receives their money,
 * so these observations are used only for log and metrics, not for decisions.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Id, Invoice } from '@kiosk/contract/back-office';
import { type Rupiah, remaining, sumRupiah } from '@kiosk/contract/money';
import { RupiahSchema } from '@kiosk/contract/money-schema';
import { openPaymentOf } from '@kiosk/contract/open-payment';
import { sameId } from '@kiosk/contract/same-id';
import * as v from 'valibot';
import { replaceFile } from '../base/replace-file.ts';
import { messageOf } from '../base/result.ts';
import { aboutPayment } from '../log/about-payment.ts';
import type { Log } from '../log/log.ts';

/**
 * Maximum number of stored codes and virtual accounts: about as many as are opened in a busy month.
 */
const MOST_KEPT = 500;

const Transfer = v.strictObject({
	id: v.string(),
	noinvoice: v.string(),
	method: v.picklist(['qris', 'va']),
	/** The due amount when the code or virtual account was opened. */
	amount: RupiahSchema,
	total: RupiahSchema,
	state: v.picklist(['open', 'paid', 'closed']),
});
type Transfer = v.InferOutput<typeof Transfer>;

export interface Transfers {
	/** Called when the back office has answered with this invoice. */
	onInvoice(invoice: Invoice): void;
	/** Called when the back office has closed the invoice's code or virtual account. */
	onCancelled(id: Id): void;
	/** Called when the invoice is paid, by any method. */
	onPaid(id: Id): void;
}

/**
 * Counts each code and each virtual account once. An observation is saved before it is logged, so
 * that a repeated message or a look-up after a restart is not counted again.
 * @param of.directory the daemon's state directory
 * @param of.ownMoney returns the rupiah that this kiosk received for an invoice
 */
export function openTransfers(of: { directory: string; ownMoney: (id: Id, noinvoice: string) => Rupiah; log: Log }): Transfers {
	const file = join(of.directory, 'transfers.json');
	let kept = load(file);

	const find = (id: Id): Transfer | undefined => kept.find((one) => sameId(one.id, id));

	function record(transfer: Transfer): void {
		kept = [...kept.filter(({ id }) => id !== transfer.id), transfer].slice(-MOST_KEPT);
		try {
			mkdirSync(of.directory, { recursive: true, mode: 0o700 });
			replaceFile(file, JSON.stringify(kept));
		} catch (error) {
			of.log.event('transfer.not_kept', { reason: messageOf(error) });
		}
		const { id, noinvoice, method, amount, state } = transfer;
		of.log.event(EVENT[state], { method, amount, ...aboutPayment({ id, noinvoice }) });
	}

	function end(id: Id, state: 'paid' | 'closed'): void {
		const transfer = find(id);
		if (transfer?.state === 'open') record({ ...transfer, state: state === 'paid' && isPaidHere(transfer) ? 'closed' : state });
	}

	/**
	 * Whether the invoice was paid with cash or card at this kiosk, and not through the QRIS code or
	 * virtual account. The back office reports cash and card payments as "paid", too.
	 */
	function isPaidHere({ id, noinvoice, total }: Transfer): boolean {
		return of.ownMoney(id, noinvoice) >= total;
	}

	return {
		onInvoice(invoice) {
			if (invoice.is_paid) return end(invoice.id, 'paid');
			const known = find(invoice.id);
			const open = openPaymentOf(invoice);
			if (!open) return end(invoice.id, 'closed');
			// Nothing has changed: the same code is still open, or this answer is older than the payment.
			if (known?.state === 'paid' || (known?.state === 'open' && known.method === open.kind)) return;
			end(invoice.id, 'closed');
			record({ ...openedTransferOf(invoice), method: open.kind, state: 'open' });
		},
		onCancelled: (id) => end(id, 'closed'),
		onPaid: (id) => end(id, 'paid'),
	};
}

const EVENT = { open: 'transfer.opened', paid: 'transfer.paid', closed: 'transfer.closed' } as const;

function openedTransferOf({ id, noinvoice, total, list_pembayaran }: Invoice): Pick<Transfer, 'id' | 'noinvoice' | 'amount' | 'total'> {
	const received: Rupiah = sumRupiah((list_pembayaran ?? []).map(({ nominal }) => nominal));
	return { id: String(id), noinvoice, amount: remaining(total, received), total };
}

/** @returns the saved codes and virtual accounts; an empty list if the file is unreadable */
function load(file: string): Transfer[] {
	try {
		return v.parse(v.array(Transfer), JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		return [];
	}
}
