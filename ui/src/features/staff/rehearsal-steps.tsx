import { formatRupiah, rupiah } from '@kiosk/contract/money';
import type { RunningRehearsal } from '@kiosk/contract/rehearsal';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Keypad } from '../../components/keypad.tsx';
import { staffText } from '../../text/staff.ts';
import styles from './rehearsal-screen.module.css';

const words = staffText.rehearsal;
/** Maximum number of typed digits. Amounts in a rehearsal are below ten million rupiah. */
const MOST_DIGITS = 7;

type RehearsalStepsProps = {
	running: RunningRehearsal;
	onAnswer: (value: number) => Promise<void>;
	onHome: () => void;
	onStop: () => Promise<void>;
};

/**
 * Shows all steps of the running rehearsal, marks the present one, and offers a keypad if the step
 * needs an answer.
 */
export function RehearsalSteps({ running, onAnswer, onHome, onStop }: RehearsalStepsProps) {
	const [typed, setTyped] = useState('');
	const { title, by, step, says, ask, judging } = running;
	const isMoney = ask === 'inserted' || ask === 'in_hand' || ask === 'in_box';

	return (
		<div className={styles.screen}>
			<header>
				<h1 className={styles.title}>{title}</h1>
				<p className={styles.hint}>{words.by(by)}</p>
			</header>
			<div className={styles.body}>
				<ol className={styles.steps}>
					{says.map((say, index) => (
						<li key={say} aria-current={!judging && index + 1 === step ? 'step' : undefined}>
							{say}
						</li>
					))}
				</ol>
				{judging && <p role="status">{words.judging}</p>}
				{ask && (
					<div className={styles.answer}>
						<output className={styles.typed}>{isMoney ? formatRupiah(rupiah(Number(typed))) : typed || '0'}</output>
						<Keypad
							confirm={words.answer}
							confirmDisabled={typed === ''}
							onDigit={(digit) => setTyped((typed + digit).slice(0, MOST_DIGITS))}
							onBackspace={() => setTyped(typed.slice(0, -1))}
							onConfirm={() => {
								setTyped('');
								void onAnswer(Number(typed));
							}}
						/>
					</div>
				)}
			</div>
			<footer className={styles.foot}>
				<Button icon="back" onClick={onHome}>
					{words.home}
				</Button>
				<Button icon="stop" onClick={() => void onStop()}>
					{words.stop}
				</Button>
			</footer>
		</div>
	);
}
