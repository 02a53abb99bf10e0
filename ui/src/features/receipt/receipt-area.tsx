import { Icon } from '../../components/icon.tsx';
import type { PrintReport } from '../../state/paid.ts';
import { shownOf } from './print-state.tsx';
import styles from './receipt-area.module.css';
import { ReceiptPicture } from './receipt-picture.tsx';

type ReceiptAreaProps = {
	fate: PrintReport | null;
	/** Whether the receipt will print by itself. */
	announced: boolean;
	/** What to do when no paper comes. */
	hint: string;
};

/**
 * The receipt on its way to the tray, and its state in words. It has the same height in every
 * state, so that nothing moves when a copy is printed.
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
