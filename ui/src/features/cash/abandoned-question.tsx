import type { DoubtfulNote } from '@kiosk/contract/back-office';
import { formatRupiah, type Rupiah } from '@kiosk/contract/money';
import { referenceOf } from '@kiosk/contract/reference';
import { CountdownQuestion } from '../../components/countdown-question.tsx';
import { useQuietQuestion } from '../../components/use-quiet-question.ts';
import { mayHoldNote } from '../../state/next-step.ts';
import { mayPromisePaper } from '../../state/printer.ts';
import { useAppSelector } from '../../state/store.ts';
import { paymentText } from '../../text/payment.ts';
import styles from './abandoned-question.module.css';

/**
 * How long the question waits for an answer, ms. The customer has money in the kiosk and, after
 * fetching help, needs time to return.
 */
const ANSWER_MS = 60_000;
const MINUTE_MS = 60_000;

type AbandonedQuestionProps = {
	/** Whether this customer's money is or may be in the kiosk while no note is moving. */
	enabled: boolean;
	/** A value that changes with every event of a note. */
	lastNote: unknown;
	invoice: string;
	received: Rupiah;
	doubts: readonly DoubtfulNote[];
	/** Closes the payment; the received money stays credited to the invoice. */
	onLeave: () => void;
};

/**
 * Asks whether the customer is still there. Because money is in the kiosk, the question comes later
 * than usual. Without an answer the payment closes, so that the next customer can pay.
 */
export function AbandonedQuestion({ enabled, lastNote, invoice, received, doubts, onLeave }: AbandonedQuestionProps) {
	const after = useAppSelector((state) => state.settings?.abandoned_ms ?? 0);
	const prints = useAppSelector(mayPromisePaper);
	const mayHold = useAppSelector(mayHoldNote);
	const [asking, stay] = useQuietQuestion({ enabled, after, since: lastNote });
	if (!asking) return null;
	const { abandoned } = paymentText.cash;
	return (
		<CountdownQuestion
			title={abandoned.title}
			answerMs={ANSWER_MS}
			stay={abandoned.stay}
			leave={abandoned.leave}
			onStay={stay}
			onLeave={() => {
				stay();
				onLeave();
			}}
		>
			{(left) => (
				<div className={styles.body}>
					<p>{abandoned.cause(Math.round(after / MINUTE_MS))}</p>
					{received > 0 && <p className={styles.money}>{abandoned.money(formatRupiah(received), invoice)}</p>}
					{doubts.map((note) => (
						<p key={note.note_id} className={styles.money}>
							{abandoned.doubt(formatRupiah(note.nominal), referenceOf(note.note_id))}
						</p>
					))}
					{mayHold && doubts.length === 0 && <p>{paymentText.cash.leave.mayHold}</p>}
					{received > 0 && prints && <p>{paymentText.cash.leave.slip}</p>}
					<p>{abandoned.next}</p>
					<p>
						{abandoned.countdown} <strong className={styles.count}>{left}</strong> {abandoned.seconds(left)}.
					</p>
				</div>
			)}
		</CountdownQuestion>
	);
}
