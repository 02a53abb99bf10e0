import { lazy, Suspense, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { CustomerDetail } from '../lib/customer-detail.ts';
import { useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import { Amount } from './amount.tsx';
import { Icon } from './icon.tsx';
import { invoiceLines } from './invoice-lines.tsx';
import styles from './invoice-panel.module.css';
import { maskedName } from './masked-name.ts';
import { Pill } from './pill.tsx';
import { useHeight } from './use-height.ts';

const InvoiceDetails = lazy(() => import('./invoice-details.tsx'));

function Fact({ name, value }: { name: string; value: string }) {
	return (
		<div className={styles.fact}>
			<dt>{name}</dt>
			<dd>{value === '' ? '–' : value}</dd>
		</div>
	);
}

/** Shows the invoice lines that fit, and how many lines are hidden. */
function FirstLines({ detail }: { detail: CustomerDetail }) {
	const place = useRef<HTMLDivElement>(null);
	const measure = useRef<HTMLDivElement>(null);
	const [room, row] = [useHeight(place), useHeight(measure)];
	const lines = invoiceLines(detail, false);
	const rows = row === 0 ? lines.length : Math.floor((room + 1) / row);
	const shown = lines.length <= rows ? lines.length : Math.max(0, rows - 1);
	return (
		<div ref={place} className={styles.lines}>
			<div ref={measure} className={styles.measure} />
			<ul>{lines.slice(0, shown)}</ul>
			{shown < lines.length && <p className={styles.more}>{text.invoice.more(lines.length - shown)}</p>}
		</div>
	);
}

/**
 * @returns whether names are masked: before a method is chosen, because the typed number may be
 * another person's
 */
function useMasking(): boolean {
	const wanted = useAppSelector((state) => state.settings?.mask_names ?? false);
	return useLocation().pathname === '/payment-method' && wanted;
}

/**
 * The panel with an invoice. Its code is part of the page's first load, so that the panel is never
 * blank while another file loads.
 */
export function FilledPanel({ detail, paid }: { detail: CustomerDetail; paid: boolean }) {
	const [open, setOpen] = useState(false);
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
					<Pill tone="plain" icon="clock">
						{text.invoice.unpaid}
					</Pill>
				)}
			</header>
			<dl className={styles.facts}>
				<Fact name={text.invoice.pelanggan} value={masking ? maskedName(name) : name} />
				<Fact name={text.invoice.noInvoice} value={detail.noinvoice ?? ''} />
			</dl>
			<FirstLines key={String(detail.id)} detail={detail} />
			<button type="button" className={styles.details} onClick={() => setOpen(true)}>
				<Icon name="search" />
				{text.invoice.details}
			</button>
			<div className={styles.total}>
				<span>{text.invoice.total}</span>
				<Amount value={detail.total} />
			</div>
			{open && (
				<Suspense>
					<InvoiceDetails detail={detail} onClose={() => setOpen(false)} />
				</Suspense>
			)}
		</>
	);
}
