import { Button } from '../../components/button.tsx';
import { IdleQuestion } from '../../components/idle-question.tsx';
import { useCountdown } from '../../components/use-countdown.ts';
import { useSpoken } from '../../components/use-spoken.ts';
import { declineCode } from '../../lib/card-decline.ts';
import { type CardSale, type Edc, triedAgain } from '../../state/edc.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { declineText, edcText, saleText } from '../../text/edc.ts';
import { text } from '../../text/screens.ts';
import { Countdown, Verdict } from './verdict.tsx';

/** Pause before the automatic retry; the specification says 7 s. */
const RETRY_AFTER_MS = 7_000;
const HOME_AFTER_MS = 5_000;

/** The response code after the customer has cancelled with the red key. */
const CANCELLED = 'P3';

type Declined = Extract<CardSale, { at: 'declined' }>;

/** @returns the title, the cause, and where the money is */
function wordsOf({ code, next }: Declined, method: Edc['method']): { title: string; cause: string | null; money: string } {
	const words = saleText[method];
	if (code === null) return { title: words.declined, cause: null, money: words.notCharged };
	const { cause, retrying = edcText.retrying(cause), money = words.terminalSays } = declineText[declineCode(code)];
	switch (next) {
		case 'retry':
			return { title: retrying, cause: null, money };
		case 'given_up':
			return { title: edcText.givenUp, cause, money };
		case 'home':
			return { title: cause, cause: null, money };
		case 'choose':
			return { title: words.declined, cause, money };
		default:
			return next satisfies never;
	}
}

/** Shows a declined sale: the reason, where the money is, and the next step. */
export function DeclinedView({ sale, invoice, onLeave }: { sale: Declined; invoice: string; onLeave: () => void }) {
	const dispatch = useAppDispatch();
	const method = useAppSelector((state) => state.edc.method);
	const { code, next } = sale;
	const again = () => dispatch(triedAgain());
	const retryIn = useCountdown(next === 'retry' ? RETRY_AFTER_MS : null, again);
	const homeIn = useCountdown(next === 'given_up' || next === 'home' ? HOME_AFTER_MS : null, onLeave);
	const { title, cause, money } = wordsOf(sale, method);
	useSpoken(title, cause, money, next === 'choose' ? edcText.declinedHint : null);
	return (
		<>
			<Verdict
				tone={next === 'retry' || code === CANCELLED ? 'wait' : 'stop'}
				icon={next === 'retry' || code === CANCELLED ? 'card' : 'stop'}
				title={title}
				next={
					<>
						{retryIn !== null && <Countdown left={retryIn} title={edcText.retry} words={edcText.retryIn(retryIn)} />}
						{homeIn !== null && <Countdown left={homeIn} words={edcText.home(homeIn)} />}
					</>
				}
				actions={
					<>
						<Button icon="back" onClick={onLeave}>
							{text.kembali}
						</Button>
						{next === 'choose' && (
							<Button kind="primary" icon="reload" onClick={again}>
								{edcText.again}
							</Button>
						)}
					</>
				}
			>
				{cause && <p>{cause}</p>}
				<p>
					{money} {next === 'choose' && edcText.declinedHint}
				</p>
				<p>{code === null ? edcText.invoice(invoice) : edcText.code(code, invoice)}</p>
			</Verdict>
			<IdleQuestion enabled={next === 'choose'} onLeave={onLeave} />
		</>
	);
}
