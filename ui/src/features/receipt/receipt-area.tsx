import { Icon } from '../../components/icon.tsx';
import type { PrintReport } from '../../state/paid.ts';
import { shownOf } from './print-state.tsx';
import styles from './receipt-area.module.css';
import { ReceiptPicture } from './receipt-picture.tsx';

type ReceiptAreaProps = {
	fate: PrintReport | null;
	/** Whether the receipt will print automatically. */
	announced: boolean;
	/** What the customer should do if no receipt comes out. */
	hint: string;
};

/**
 * Shows a picture of the receipt, and its state in words. The area has the same height in every
 * state, so that nothing on the screen moves when a copy is printed.
 */
export function ReceiptArea({ fate, announced, hint: whenFailed }: ReceiptAreaProps) {
	const { tone, words, hint } = shownOf(fate, whenFailed, announced);
	return (
		<div className={styles.area} data-tone={tone} role="status">
			{tone === 'stop' ? (
				<Icon name="warning" className={styles.sign} />
			) : (
				<ReceiptPicture at={fate === null ? 'waiting' : fate.state === 'done' ? 'out' : 'printing'} />
			)}
			<p className={styles.words}>
				<strong>{words}</strong>
				{hint && <span>{hint}</span>}
			</p>
		</div>
	);
}
