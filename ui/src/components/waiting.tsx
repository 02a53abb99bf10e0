import { text } from '../text/screens.ts';
import { Button } from './button.tsx';
import { Spinner } from './spinner.tsx';
import styles from './waiting.module.css';

/**
 * Fills a payment screen until the screen has its invoice.
 * @param onBack leaves the screen; if it is missing, there is no button to leave
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
