import { formatRupiah, type Rupiah } from '../../../../daemon/contract/money.ts';
import { noteReference } from '../../app/live-events.ts';
import { useAppSelector } from '../../app/store.ts';
import { Button } from '../../components/button.tsx';
import { CountdownQuestion } from '../../components/countdown-question.tsx';
import { edcText, saleText } from '../../text/edc.ts';
import { text } from '../../text/screens.ts';
import { useLeaveQuestion } from './use-leave-question.ts';
import { Facts, Verdict } from './verdict.tsx';

/** Whoever went for staff gets the time to come back with them, ms. */
const ANSWER_MS = 60_000;

/** Nobody knows whether money moved. Only the daemon's word or a person ends this; nothing begins by itself. */
export function UnknownView({ attempt, amount, onLeave }: { attempt: string; amount: Rupiah; onLeave: () => void }) {
	const { asking, ask, stay } = useLeaveQuestion();
	const words = useAppSelector((state) => saleText[state.edc.method].unknown);
	const reference = noteReference(attempt);
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
