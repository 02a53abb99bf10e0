import * as v from 'valibot';
import type { InvoiceView } from './money-facts.ts';
import { InvoiceSeen } from './records.ts';

/** The fields of an `invoice_seen` record that make up the back office's statement. */
export const SeenBody = v.pick(InvoiceSeen, ['payment', 'is_paid', 'listed', 'own', 'own_at_list', 'elsewhere_kept']);

export const viewOf = ({ payment, is_paid, listed, own, own_at_list, elsewhere_kept }: v.InferOutput<typeof SeenBody>): InvoiceView => ({
	total: payment.total,
	is_paid,
	listed,
	own,
	ownAtList: own_at_list,
	elsewhereKept: elsewhere_kept,
});
