import type { DoubtfulNote } from '@kiosk/contract/back-office';
import { formatRupiah } from '@kiosk/contract/money';
import { referenceOf } from '@kiosk/contract/reference';
import { paymentText } from '../text/payment.ts';
import styles from './doubt-panel.module.css';
import { Icon } from './icon.tsx';

/**
 * Tells the customer about a note in doubt: what happened, what not to do, and what to tell staff.
 */
export function DoubtPanel({ note }: { note: DoubtfulNote }) {
	return (
		<section className={styles.doubt} role="alert">
			<Icon name="stop" />
			<h2>{paymentText.cash.doubt.title}</h2>
			<p>{paymentText.cash.doubt.body(formatRupiah(note.nominal))}</p>
			<p className={styles.reference}>
				<span>{paymentText.cash.doubt.reference}</span>
				<strong>{referenceOf(note.note_id)}</strong>
			</p>
		</section>
	);
}
