import { formatQuantity, formatShown, receiptLine } from '@kiosk/contract/receipt';
import { useLocation } from 'react-router-dom';
import type { CustomerDetail } from '../lib/customer-detail.ts';
import { useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import { Amount } from './amount.tsx';
import { Icon } from './icon.tsx';
import { InvoicePages } from './invoice-pages.tsx';
import styles from './invoice-panel.module.css';
import { maskedName } from './masked-name.ts';
import { Pill } from './pill.tsx';

function Fact({ name, value }: { name: string; value: string }) {
	return (
		<div className={styles.fact}>
			<dt>{name}</dt>
			<dd>{value === '' ? '–' : value}</dd>
		</div>
	);
}

/** One row for each invoice number and each product. */
const linesOf = (detail: CustomerDetail) =>
	(detail.list_invoice ?? []).flatMap((block, blockIndex) => [
		// biome-ignore lint/suspicious/noArrayIndexKey: blocks of an invoice have no id and never change places
		<li key={`${blockIndex}`} className={styles.block}>
			<span className={styles.blockName}>{block.noinvoice_odoo}</span>
			<span className={styles.sum}>{formatShown(block.total)}</span>
			{block.nowo_odoo !== '' && <span className={styles.note}>{block.nowo_odoo}</span>}
		</li>,
		...(block.detail ?? []).map((line, lineIndex) => (
			// biome-ignore lint/suspicious/noArrayIndexKey: lines of an invoice have no id and never change places
			<li key={`${blockIndex}.${lineIndex}`} className={styles.line}>
				<span className={styles.product}>{line.produk_name}</span>
				<span className={styles.note}>
					{formatQuantity(line.qty)} × {formatShown(line.harga)} =
				</span>
				<span className={styles.sum}>{formatShown(receiptLine(line).subtotal)}</span>
			</li>
		)),
	]);

/** @returns whether names are hidden: until a method is chosen, the number may be a stranger's */
function useMasking(): boolean {
	const wanted = useAppSelector((state) => state.settings?.mask_names ?? false);
	return useLocation().pathname === '/payment-method' && wanted;
}

function Filled({ detail, paid }: { detail: CustomerDetail; paid: boolean }) {
	const name = detail.konsumen_name ?? '';
	const masking = useMasking();
	return (
		<>
			<header className={styles.head}>
				<h2>{text.invoice.title}</h2>
				<span className="silent">{text.invoice.status}</span>
				{paid ? (
					<Pill tone="good" icon="check">
						{text.invoice.paid}
					</Pill>
				) : (
					<Pill tone="wait" icon="clock">
						{text.invoice.unpaid}
					</Pill>
				)}
			</header>
			<dl className={styles.facts}>
				<Fact name={text.invoice.pelanggan} value={masking ? maskedName(name) : name} />
				<Fact name={text.invoice.noInvoice} value={detail.noinvoice ?? ''} />
			</dl>
			<InvoicePages key={String(detail.id)}>
				<ul>{linesOf(detail)}</ul>
			</InvoicePages>
			<div className={styles.total}>
				<span>{text.invoice.total}</span>
				<Amount value={detail.total} />
			</div>
		</>
	);
}

/** The invoice: right of the task, or above it on a portrait panel. */
export function InvoicePanel() {
	const detail = useAppSelector((state) => state.invoice.detail);
	const paid = useAppSelector((state) => state.paid.payment !== null);
	return (
		<aside className={styles.panel} data-empty={detail === null} aria-label={text.invoice.title}>
			{detail === null ? (
				<div className={styles.empty}>
					<Icon name="receipt" />
					<p>{text.invoice.empty}</p>
				</div>
			) : (
				<Filled detail={detail} paid={paid || detail.is_paid} />
			)}
		</aside>
	);
}
