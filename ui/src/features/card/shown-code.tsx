import type { Rupiah } from '@kiosk/contract/money';
import { CountdownQuestion } from '../../components/countdown-question.tsx';
import { edcText } from '../../text/edc.ts';
import { Instructions } from './instructions.tsx';
import { useLeaveQuestion } from './use-leave-question.ts';

const ANSWER_MS = 30_000;

/**
 * The instructions while the terminal shows a QRIS code, which can stay there for minutes. If the
 * customer leaves, the daemon keeps inquiring about the code and blocks the invoice.
 */
export function ShownCode({ amount, onLeave }: { amount: Rupiah; onLeave: () => void }) {
	const { asking, ask, stay } = useLeaveQuestion();
	return (
		<>
			<Instructions at="acked" amount={amount} onLeave={ask} />
			{asking && (
				<CountdownQuestion
					title={edcText.leaveCode.title}
					answerMs={ANSWER_MS}
					stay={edcText.leaveCode.stay}
					leave={edcText.leaveCode.go}
					onStay={stay}
					onLeave={onLeave}
				>
					{(left) => (
						<>
							<p>{edcText.leaveCode.body}</p>
							<p>{edcText.home(left)}</p>
						</>
					)}
				</CountdownQuestion>
			)}
		</>
	);
}
