import { type Rupiah, remaining } from '@kiosk/contract/money';
import { Amount } from '../../components/amount.tsx';
import { paymentText } from '../../text/payment.ts';
import styles from './cash-summary.module.css';

/**
 * Shows the received amount, the total and, in the largest type, the amount still due or overpaid.
 */
export function CashSummary({ total, received }: { total: Rupiah; received: Rupiah }) {
	const under = total > received;
	const share = total === 0 ? 1 : Math.min(1, received / total);
	return (
		<section className={styles.summary} data-covered={!under}>
			<div className={styles.pair}>
				<div>
					<span>{paymentText.cash.received}</span>
					<Amount value={received} atMost={total} className={styles.amount} />
				</div>
				<div>
					<span>{paymentText.cash.totalInvoice}</span>
					<Amount value={total} className={styles.amount} />
				</div>
			</div>
			<div
				className={styles.bar}
				role="progressbar"
				aria-label={paymentText.cash.received}
				aria-valuemin={0}
				aria-valuemax={100}
				aria-valuenow={Math.floor(share * 100)}
			>
				<span style={{ transform: `scaleX(${share})` }} />
			</div>
			<div className={styles.due}>
				<span>{under ? paymentText.cash.under : paymentText.cash.over}</span>
				<Amount value={under ? remaining(total, received) : remaining(received, total)} atMost={total} className={styles.hero} />
			</div>
		</section>
	);
}
