import type { Rupiah } from '@kiosk/contract/money';
import { Actions } from '../../components/actions.tsx';
import { Amount } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import type { IconName } from '../../components/icon.tsx';
import { IdleQuestion } from '../../components/idle-question.tsx';
import { Pill, type Tone } from '../../components/pill.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useSpoken } from '../../components/use-spoken.ts';
import type { CardSale } from '../../state/edc.ts';
import { useAppSelector } from '../../state/store.ts';
import { edcText, saleText, terminalText } from '../../text/edc.ts';
import { text } from '../../text/screens.ts';
import styles from './instructions.module.css';
import { StepPicture } from './step-picture.tsx';
import { TerminalPicture } from './terminal-picture.tsx';

/**
 * The customer's steps at the terminal, by index. The terminal does not report which of them the
 * customer does now, so all of them are highlighted.
 */
const YOUR_TURN = [0, 1, 2];

type Status = { tone: Tone; icon: IconName; words: string; hint: string | null };

/** @returns m:ss */
const minutesOf = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/**
 * A customer normally pays by card within this time after the terminal's acknowledgement, s. After
 * it, the screen says that the terminal has not answered yet.
 */
const LONG_S = 60;

/**
 * If the terminal has not acknowledged a request after this time, s, the screen shows the waiting
 * time.
 */
const SLOW_S = 3;

/**
 * @returns the state of terminal and sale in a few words, and a hint
 * @param waited whole seconds since the terminal acknowledged the request
 */
function useStatus(at: CardSale['at'], waited: number): Status {
	const socket = useAppSelector((state) => state.connection.socket);
	const { terminal, method } = useAppSelector((state) => state.edc);
	const wait = (words: string, hint: string | null = null): Status => ({ tone: 'wait', icon: 'clock', words, hint });
	if (!socket)
		return { tone: 'stop', icon: 'offline', words: edcText.offline, hint: at === 'none' ? edcText.offlineNone : edcText.offlineOpen };
	if (at === 'acked' && method === 'card' && waited >= LONG_S) return wait(edcText.noAnswerYet, edcText.noAnswerHint);
	if (at === 'acked') {
		const { yourTurn, cancelThere } = saleText[method];
		return { tone: 'good', icon: method === 'qris' ? 'qr' : 'card', words: yourTurn, hint: cancelThere };
	}
	if (at === 'asked' || at === 'sent') return wait(edcText.sending, edcText.wait);
	if (at === 'none' && terminal === 'starting') return wait(terminalText.starting.status, edcText.wait);
	return wait(edcText.contacting);
}

/**
 * Tells the customer how to pay at the terminal.
 * @param amount what the terminal will charge, rupiah
 * @param onLeave null while leaving is not possible
 */
export function Instructions({ at, amount, onLeave }: { at: CardSale['at']; amount: Rupiah; onLeave: (() => void) | null }) {
	const waited = useElapsed(at === 'acked');
	const sending = useElapsed(at === 'sent');
	const shown = at === 'acked' ? waited : sending >= SLOW_S ? sending : null;
	const status = useStatus(at, waited);
	const method = useAppSelector((state) => state.edc.method);
	useSpoken(status.words, ...(at === 'acked' ? saleText[method].steps.slice(0, YOUR_TURN.length) : []), status.hint);
	return (
		<div className={styles.instructions}>
			<div className={styles.top}>
				<div className={styles.status}>
					<TerminalPicture />
					<div role="status">
						<Pill tone={status.tone} icon={status.icon} large>
							{status.words}
						</Pill>
					</div>
					{shown !== null && (
						<p className={styles.waited} role="timer">
							<span className="silent">{edcText.waited} </span>
							{minutesOf(shown)}
						</p>
					)}
				</div>
				<div className={styles.total}>
					<span>{edcText.total}</span>
					<Amount value={amount} className={styles.hero} />
				</div>
			</div>
			<h1 className={styles.title}>{edcText.title}</h1>
			<ol className={styles.steps}>
				{saleText[method].steps.map((words, step) => (
					<li
						key={words}
						className={styles.step}
						data-now={at === 'acked' && YOUR_TURN.includes(step)}
						aria-current={at === 'acked' && step === YOUR_TURN[0] ? 'step' : undefined}
					>
						<span className={styles.number}>{step + 1}</span>
						<StepPicture method={method} step={step} done={at === 'approved'} />
						<span>{words}</span>
					</li>
				))}
			</ol>
			<p className={styles.hint}>{status.hint}</p>
			<Actions>
				<Button icon="back" onClick={() => onLeave?.()} disabled={onLeave === null}>
					{text.kembali}
				</Button>
			</Actions>
			<IdleQuestion enabled={at === 'none'} onLeave={() => onLeave?.()} />
		</div>
	);
}
