import { formatRupiah, type Rupiah } from '@kiosk/contract/money';
import { referenceOf } from '@kiosk/contract/reference';
import { Button } from '../../components/button.tsx';
import { CountdownQuestion } from '../../components/countdown-question.tsx';
import { useSpoken } from '../../components/use-spoken.ts';
import { useAppSelector } from '../../state/store.ts';
import { edcText, saleText } from '../../text/edc.ts';
import { text } from '../../text/screens.ts';
import { useLeaveQuestion } from './use-leave-question.ts';
import { Facts, Verdict } from './verdict.tsx';

/**
 * How long the leave question waits for an answer, ms, because a customer who fetches staff needs
 * time to return.
 */
const ANSWER_MS = 60_000;

/** Shows an unknown sale. Only the daemon or staff can end this state; the sale is not retried. */
export function UnknownView({ attempt, amount, onLeave }: { attempt: string; amount: Rupiah; onLeave: () => void }) {
	const { asking, ask, stay } = useLeaveQuestion();
	const words = useAppSelector((state) => saleText[state.edc.method].unknown);
	const reference = referenceOf(attempt);
	useSpoken(edcText.unknown.title, words.body, words.locked);
	return (
		<>
			<Verdict
				tone="stop"
				icon="stop"
				title={edcText.unknown.title}
				actions={
					<Button icon="back" onClick={ask}>
						{text.kembali}
					</Button>
				}
			>
				<p>{words.body}</p>
				<p>{words.locked}</p>
				<Facts
					facts={[
						{ name: edcText.unknown.amount, value: formatRupiah(amount) },
						{ name: edcText.reference, value: reference },
					]}
				/>
			</Verdict>
			{asking && (
				<CountdownQuestion
					title={edcText.unknown.leave.title}
					answerMs={ANSWER_MS}
					stay={edcText.unknown.leave.stay}
					leave={edcText.unknown.leave.go}
					onStay={stay}
					onLeave={onLeave}
				>
					{(left) => (
						<>
							<p>{edcText.unknown.leave.body(reference)}</p>
							<p>{edcText.home(left)}</p>
						</>
					)}
				</CountdownQuestion>
			)}
		</>
	);
}
