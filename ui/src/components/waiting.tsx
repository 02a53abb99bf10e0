import { text } from '../text/screens.ts';
import { Button } from './button.tsx';
import { Spinner } from './spinner.tsx';
import styles from './waiting.module.css';

/**
 * Shown until a payment screen has its invoice.
 * @param onBack leaves the screen; without it there is no button
 */
export function Waiting({ onBack }: { onBack?: () => void }) {
	return (
		<div className={styles.waiting} role="status">
			<Spinner />
			<p>{text.waiting}</p>
			{onBack && (
				<Button icon="back" onClick={onBack}>
					{text.kembali}
				</Button>
			)}
		</div>
	);
}
