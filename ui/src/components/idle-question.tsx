import { resetChoices } from '../state/session-end.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import { CountdownQuestion } from './countdown-question.tsx';
import styles from './idle-question.module.css';
import { useQuietQuestion } from './use-quiet-question.ts';

/**
 * If the screen was not touched for some time, asks whether the customer is still there. Without an
 * answer the visit ends, so that the next customer does not see this customer's data. Callers
 * disable the question while money is in the acceptor.
 * @param enabled whether there is data to clear, and thus a reason to ask
 * @param onLeave ends the visit
 * @param after how many ms without a touch pass before the question opens; `idle_ms` by default
 */
export function IdleQuestion({ enabled, onLeave, after }: { enabled: boolean; onLeave: () => void; after?: number }) {
	const dispatch = useAppDispatch();
	const usual = useAppSelector((state) => state.settings?.idle_ms ?? 0);
	const answerMs = useAppSelector((state) => state.settings?.idle_question_ms ?? 0);
	const [asking, stay] = useQuietQuestion({ enabled, after: after ?? usual });
	if (!asking) return null;
	const leave = () => {
		stay();
		dispatch(resetChoices());
		onLeave();
	};
	return (
		<CountdownQuestion
			title={text.idle.title}
			answerMs={answerMs}
			stay={text.idle.stay}
			leave={text.idle.leave}
			onStay={stay}
			onLeave={leave}
		>
			{(left) => (
				<p className={styles.body}>
					{text.idle.body}
					<strong className={styles.count}>{left}</strong>
					{text.idle.seconds(left)}
				</p>
			)}
		</CountdownQuestion>
	);
}
