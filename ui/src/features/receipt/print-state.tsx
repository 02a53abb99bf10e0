import { Icon, type IconName } from '../../components/icon.tsx';
import type { PrintReport } from '../../state/paid.ts';
import { paymentText } from '../../text/payment.ts';
import styles from './print-state.module.css';

export type Shown = { tone: 'plain' | 'good' | 'stop'; icon: IconName; words: string; hint?: string };

const reasonText = (reason: string | null): string =>
	(paymentText.print.reasons as Record<string, string>)[reason ?? ''] ?? paymentText.print.otherReason;

/**
 * @param announced whether the receipt will print automatically
 * @returns the state of a print: words, icon and colour
 */
export function shownOf(fate: PrintReport | null, hint: string, announced = true): Shown {
	const { willPrint, onRequest } = paymentText.paid;
	if (fate === null) return { tone: 'plain', icon: 'printer', words: announced ? willPrint : onRequest };
	if (fate.state === 'done') return { tone: 'good', icon: 'check', words: paymentText.print.done };
	if (fate.state === 'failed') {
		const words = paymentText.print.failed(reasonText(fate.reason));
		return { tone: 'stop', icon: 'warning', words, hint: fate.reason === 'not_paid' ? paymentText.print.unpaidHint : hint };
	}
	if (fate.reason !== null) return { tone: 'stop', icon: 'warning', words: paymentText.print.trouble(reasonText(fate.reason)), hint };
	return { tone: 'plain', icon: 'printer', words: paymentText.print.printing };
}

/** Shows the result of a request by icon, colour and text. */
export function StatusLine({ tone, icon, words, hint }: Shown) {
	return (
		<p className={styles.print} data-tone={tone} role="status">
			<Icon name={icon} />
			<span>
				<strong>{words}</strong>
				{hint && ` ${hint}`}
			</span>
		</p>
	);
}
