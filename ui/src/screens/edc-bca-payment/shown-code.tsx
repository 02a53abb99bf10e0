import { useState } from 'react';
import type { Rupiah } from '../../../../daemon/contract/money.ts';
import { useAppSelector } from '../../app/store.ts';
import { CountdownQuestion } from '../../components/countdown-question.tsx';
import { useQuietQuestion } from '../../components/use-quiet-question.ts';
import { edcText } from '../../text/edc.ts';
import { Instructions } from './instructions.tsx';

const ANSWER_MS = 30_000;

/**
 * A QRIS code is on the terminal for minutes, and most phones need one: whoever changes their mind may go. The daemon watches
 * the code without them, and holds the invoice meanwhile.
 */
export function ShownCode({ amount, onLeave }: { amount: Rupiah; onLeave: () => void }) {
	const after = useAppSelector((state) => state.settings?.abandoned_ms ?? 0);
	const [asked, setAsked] = useState(false);
	const [quiet, stay] = useQuietQuestion({ enabled: !asked, after });
	return (
		<>
			<Instructions at="acked" amount={amount} onLeave={() => setAsked(true)} />
			{(asked || quiet) && (
				<CountdownQuestion
					title={edcText.leaveCode.title}
					answerMs={ANSWER_MS}
					stay={edcText.leaveCode.stay}
					leave={edcText.leaveCode.go}
					onStay={() => {
						setAsked(false);
						stay();
					}}
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
