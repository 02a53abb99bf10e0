import { useAppSelector } from '../state/store.ts';
import { paymentText } from '../text/payment.ts';
import { Icon } from './icon.tsx';
import styles from './paper-notice.module.css';

/** @returns why no receipt can be expected, in a few words */
export const noPaperReason = (trouble: string): string =>
	(paymentText.print.reasons as Record<string, string>)[trouble] ?? paymentText.print.otherReason;

/** Shows a screen's hint or, while no receipt can be expected, the reason for that. */
export function HintOrNoPaper({ hint, className }: { hint: string; className: string | undefined }) {
	const trouble = useAppSelector((state) => state.printer.trouble);
	if (trouble === null) return <p className={className}>{hint}</p>;
	return (
		<p className={`${className} ${styles.notice}`} role="status">
			<Icon name="printer" />
			<span>
				<strong>{paymentText.paper.title}</strong> ({noPaperReason(trouble)})
			</span>
		</p>
	);
}
