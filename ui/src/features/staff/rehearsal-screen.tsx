import { type ListedRehearsal, RehearsalLook, type RehearsalWish } from '@kiosk/contract/rehearsal';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../components/button.tsx';
import { useAppDispatch } from '../../state/store.ts';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import { NamePicker } from './name-picker.tsx';
import styles from './rehearsal-screen.module.css';
import { RehearsalSteps } from './rehearsal-steps.tsx';
import { callForStaff } from './staff-actions.ts';

const words = staffText.rehearsal;
/**
 * How often the screen asks for the state, ms. It must ask, because only the daemon sees when a
 * step ends.
 */
const AGAIN_MS = 1_000;

function stateOf({ possible, last }: ListedRehearsal): string {
	if (!possible) return words.off;
	return last ? words.done(words.verdict[last.verdict], last.ended.slice(0, 10)) : words.never;
}

/**
 * @returns the newest state (null before the first answer), and a function that sends the
 * technician's choice
 */
function useRehearsals(): [RehearsalLook | null, (wish: RehearsalWish) => Promise<void>] {
	const [look, setLook] = useState<RehearsalLook | null>(null);
	const dispatch = useAppDispatch();

	useEffect(() => {
		const here = new AbortController();
		async function load() {
			const found = await dispatch(callForStaff((api) => api.rehearsals(RehearsalLook, here.signal), here.signal));
			if (found && !here.signal.aborted) setLook(found);
		}
		void load();
		const timer = setInterval(load, AGAIN_MS);
		return () => {
			clearInterval(timer);
			here.abort();
		};
	}, [dispatch]);

	async function wish(one: RehearsalWish) {
		const next = await dispatch(callForStaff((api) => api.rehearse(one, RehearsalLook)));
		if (next) setLook(next);
	}
	return [look, wish];
}

/**
 * Guides a technician through a rehearsal: the list of rehearsals, the choice of a supervisor, the
 * steps and the verdict.
 */
export default function RehearsalScreen() {
	const [look, wish] = useRehearsals();
	const [chosen, setChosen] = useState<string | null>(null);
	const navigate = useNavigate();

	if (look === null) return <div aria-busy />;
	if (look.running)
		return (
			<RehearsalSteps
				key={look.running.name}
				running={look.running}
				onAnswer={(value) => wish({ action: 'answer', value })}
				onHome={() => navigate('/')}
				onStop={() => wish({ action: 'stop' })}
			/>
		);
	if (chosen !== null)
		return (
			<NamePicker
				title={words.who}
				only="supervisor"
				onLeave={() => setChosen(null)}
				onPick={({ name }) => {
					setChosen(null);
					void wish({ action: 'begin', name: chosen, by: name });
				}}
			/>
		);
	const { ended, list } = look;
	return (
		<div className={styles.screen}>
			<header>
				<h1 className={styles.title}>{words.title}</h1>
				<p className={styles.hint}>{words.hint}</p>
			</header>
			<div className={styles.body}>
				{ended && (
					<section className={styles.verdict} data-verdict={ended.verdict} role="status">
						<h2>
							{words.verdict[ended.verdict]}: {ended.title}
						</h2>
						<p>
							{ended.text} {ended.remedy}
						</p>
					</section>
				)}
				<div className={styles.list}>
					{list.map((one) => (
						<Button key={one.name} disabled={!one.possible} onClick={() => setChosen(one.name)}>
							{one.title}
							<small className={styles.state}>{stateOf(one)}</small>
						</Button>
					))}
				</div>
			</div>
			<footer className={styles.foot}>
				<Button icon="back" onClick={() => navigate('/staf')}>
					{text.kembali}
				</Button>
			</footer>
		</div>
	);
}
