/**
 * Money of version 0.1.0, which recorded no account: its payments have the bare id as their key.
 */
import { type Rupiah, rupiah } from '@kiosk/contract/money';
import { RupiahSchema } from '@kiosk/contract/money-schema';
import * as v from 'valibot';
import { idAndNumber } from './payment-keys.ts';
import type { PaymentKey } from './records.ts';
import type { Rows } from './rows.ts';

/** @returns the condition in SQL for notes without an account that were taken for this invoice */
export const takenWithoutAccount = (id: string, noinvoice: string): string =>
	`(account IS NULL AND payment_id = ${id} AND noinvoice = ${noinvoice})`;

/**
 * Query for the unassigned money. A give-back is deducted from the reported money first; only the
 * rest of the give-back reduces the money that was not reported.
 */
const UNASSIGNED = `SELECT max(0, sum(amount * is_open) - max(0, sum(given) - sum(amount * (1 - is_open)))) AS total FROM (
	SELECT nominal AS amount, uploaded_seq IS NULL AS is_open, 0 AS given FROM notes
		WHERE state <> 'returned' AND ${takenWithoutAccount('?1', '?2')}
	UNION ALL SELECT amount, relayed_seq IS NULL OR state <> 'approved', 0 FROM card_sales
		WHERE payment_id = ?1 AND account IS NULL AND payment ->> 'noinvoice' = ?2 AND state IN ('sent', 'approved', 'unknown')
	UNION ALL SELECT 0, 0, amount FROM given_back WHERE payment_id = ?1)`;
const Sum = v.object({ total: v.nullable(RupiahSchema) });

/**
 * @returns the money without an account for the invoice of this key, rupiah; it is not sent to the
 * back office until staff decide
 */
export const unassignedMoney = (rows: Rows, key: PaymentKey): Rupiah => rows(Sum, UNASSIGNED, ...idAndNumber(key))[0]?.total ?? rupiah(0);
