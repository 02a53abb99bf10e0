import type { PrintReport } from '../../app/state/paid.ts';
import { paymentText } from '../../text/payment.ts';
import { Icon, type IconName } from '../icon.tsx';
import styles from './paid.module.css';

type Shown = { tone: 'plain' | 'good' | 'stop'; icon: IconName; words: string; hint?: string };

const reasonText = (reason: string | null): string => paymentText.print.reasons[reason ?? ''] ?? paymentText.print.otherReason;

function shownOf(fate: PrintReport | null): Shown {
	if (fate === null) return { tone: 'plain', icon: 'printer', words: paymentText.paid.willPrint };
	if (fate.state === 'done') return { tone: 'good', icon: 'check', words: paymentText.print.done };
	if (fate.state === 'failed')
		return { tone: 'stop', icon: 'warning', words: paymentText.print.failed(reasonText(fate.reason)), hint: paymentText.print.failedHint };
	if (fate.reason !== null)
		return { tone: 'stop', icon: 'warning', words: paymentText.print.trouble(reasonText(fate.reason)), hint: paymentText.print.failedHint };
	return { tone: 'plain', icon: 'printer', words: paymentText.print.printing };
}

/** The fate of the paper. @param announced whether a print will come by itself */
export function PrintState({ fate, announced }: { fate: PrintReport | null; announced: boolean }) {
	if (fate === null && !announced) return null;
	const { tone, icon, words, hint } = shownOf(fate);
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
