import { paymentOnScreen } from '../state/paid.ts';
import { useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import { FilledPanel } from './filled-panel.tsx';
import { Icon } from './icon.tsx';
import styles from './invoice-panel.module.css';
import { Ways } from './ways.tsx';

/** The invoice. It is to the right of the task, or above it on a portrait panel. */
export function InvoicePanel() {
	const detail = useAppSelector((state) => state.invoice.detail);
	const paid = useAppSelector((state) => paymentOnScreen(state) !== null);
	return (
		<aside className={styles.panel} data-empty={detail === null} aria-label={text.invoice.title}>
			{detail === null ? (
				<div className={styles.empty}>
					<Icon name="receipt" />
					<p>{text.invoice.empty}</p>
					<Ways />
				</div>
			) : (
				<FilledPanel detail={detail} paid={paid || detail.is_paid} />
			)}
		</aside>
	);
}
