import { formatRupiah } from '@kiosk/contract/money';
import { useEffect, useId, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import type { CustomerDetail } from '../lib/customer-detail.ts';
import { useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import { Actions } from './actions.tsx';
import { Button } from './button.tsx';
import styles from './invoice-details.module.css';
import { invoiceLines } from './invoice-lines.tsx';
import { InvoicePages } from './invoice-pages.tsx';

/**
 * @returns a value that changes with each event of a note, the acceptor, a card sale or the payment
 */
function usePaymentNews(): string {
	return useAppSelector(({ cash, acceptor, edc, paid }) =>
		[cash.entries.length, cash.moving, cash.returned?.reason, cash.doubts.length, acceptor.state, edc.sale.at, paid.payment?.id].join(),
	);
}

/**
 * Shows all lines of an invoice on the whole screen. It closes by its button, when the screen
 * changes, and at an event of the payment, because such an event may need the customer.
 */
export default function InvoiceDetails({ detail, onClose }: { detail: CustomerDetail; onClose: () => void }) {
	const titleId = useId();
	const dialog = useRef<HTMLDialogElement>(null);
	const news = `${useLocation().pathname} ${usePaymentNews()}`;
	const first = useRef(news);
	useEffect(() => {
		if (news !== first.current) onClose();
	}, [news, onClose]);
	useEffect(() => {
		const opened = dialog.current;
		opened?.showModal();
		return () => opened?.close();
	}, []);
	return (
		<dialog
			ref={dialog}
			className={styles.details}
			aria-labelledby={titleId}
			onCancel={(event) => {
				event.preventDefault();
				onClose();
			}}
		>
			<header className={styles.head}>
				<h2 id={titleId}>{text.invoice.detailsOf(detail.noinvoice ?? '')}</h2>
				<p>
					{text.invoice.total} <strong>{formatRupiah(detail.total)}</strong>
				</p>
			</header>
			<InvoicePages>
				<ul className={styles.lines}>{invoiceLines(detail, true)}</ul>
			</InvoicePages>
			<Actions>
				<Button kind="primary" icon="back" onClick={onClose}>
					{text.invoice.close}
				</Button>
			</Actions>
		</dialog>
	);
}
