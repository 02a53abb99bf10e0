import { formatQuantity, formatShown, receiptLine } from '@kiosk/contract/receipt-line';
import type { ReactNode } from 'react';
import type { CustomerDetail } from '../lib/customer-detail.ts';
import styles from './invoice-lines.module.css';

type Blocks = NonNullable<CustomerDetail['list_invoice']>;

/**
 * The row of one invoice number. If the invoice has only one number, the panel already shows number
 * and total, so this row shows only values that differ.
 * @returns null if there is nothing left to show
 */
function blockRow(key: string, block: Blocks[number], of: CustomerDetail): ReactNode {
	const single = of.list_invoice?.length === 1;
	const number = single && block.noinvoice_odoo === of.noinvoice ? '' : block.noinvoice_odoo;
	const total = single && block.total === of.total ? '' : formatShown(block.total);
	if (number === '' && total === '' && block.nowo_odoo === '') return null;
	return (
		<li key={key} className={styles.block}>
			<span className={styles.name}>
				{number} {block.nowo_odoo !== '' && <span className={styles.note}>{block.nowo_odoo}</span>}
			</span>
			<span className={styles.sum}>{total}</span>
		</li>
	);
}

/**
 * One row for each invoice number and each product.
 * @param whole whether to write "1 × 5.000 =" even for a quantity of 1. A narrow place omits it,
 * because the sum says the same.
 */
export function invoiceLines(detail: CustomerDetail, whole: boolean): ReactNode[] {
	const rows = (detail.list_invoice ?? []).flatMap((block, blockIndex) => [
		blockRow(`${blockIndex}`, block, detail),
		...(block.detail ?? []).map((line, lineIndex) => (
			// biome-ignore lint/suspicious/noArrayIndexKey: lines have no id and never move
			<li key={`${blockIndex}.${lineIndex}`} className={styles.line}>
				<span className={styles.name}>{line.produk_name}</span>
				{(whole || line.qty !== 1) && (
					<span className={styles.note}>
						{formatQuantity(line.qty)} × {formatShown(line.harga)} =
					</span>
				)}
				<span className={styles.sum}>{formatShown(receiptLine(line).subtotal)}</span>
			</li>
		)),
	]);
	return rows.filter((row) => row !== null);
}
