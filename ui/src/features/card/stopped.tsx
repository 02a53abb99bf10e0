import { Button } from '../../components/button.tsx';
import { IdleQuestion } from '../../components/idle-question.tsx';
import { useSpoken } from '../../components/use-spoken.ts';
import { triedAgain } from '../../state/edc.ts';
import { useAppDispatch } from '../../state/store.ts';
import { edcText, type TerminalText } from '../../text/edc.ts';
import { text as words } from '../../text/screens.ts';
import { Facts, Verdict } from './verdict.tsx';

type StoppedProps = {
	text: TerminalText;
	/** Where the money is. */
	money: string;
	/** The reference for staff. */
	reference: string;
	/** Whether a button offers to retry. */
	again?: boolean;
	/** After this time without a touch, the idle question opens, ms; `idle_ms` by default */
	idleAfter?: number;
	onLeave: () => void;
};

/**
 * Shows why a sale stopped, where the money is, and the next step. The sale cannot begin, its
 * result was missed, or it did not cover the invoice.
 */
export function StoppedView({ text, money, reference, again = false, idleAfter, onLeave }: StoppedProps) {
	const dispatch = useAppDispatch();
	useSpoken(text.status, money, text.advice);
	return (
		<>
			<Verdict
				tone="wait"
				icon="warning"
				title={text.status}
				actions={
					<>
						<Button icon="back" onClick={onLeave}>
							{words.kembali}
						</Button>
						{again && (
							<Button kind="primary" icon="reload" onClick={() => dispatch(triedAgain())}>
								{edcText.again}
							</Button>
						)}
					</>
				}
			>
				<p>{money}</p>
				<p>{text.advice}</p>
				<Facts facts={[{ name: edcText.reference, value: reference }]} />
			</Verdict>
			<IdleQuestion enabled onLeave={onLeave} {...(idleAfter !== undefined && { after: idleAfter })} />
		</>
	);
}
