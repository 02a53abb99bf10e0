import { useEffect, useEffectEvent, useState } from 'react';
import { modalClosed, modalOpened } from '../app/state/modal.ts';
import { useAppDispatch, useAppSelector } from '../app/store.ts';
import { text } from '../text/screens.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './idle-question.module.css';

const TIPE = 'idle';

/** Asks before it acts: the answer "still here" leaves everything exactly as it was. */
function Question({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
	const questionMs = useAppSelector((state) => state.settings?.idle_question_ms ?? 0);
	const [left, setLeft] = useState(() => Math.ceil(questionMs / 1_000));
	const leave = useEffectEvent(onLeave);
	useEffect(() => {
		if (left <= 0) {
			leave();
			return;
		}
		const timer = setTimeout(() => setLeft(left - 1), 1_000);
		return () => clearTimeout(timer);
	}, [left]);

	return (
		<Dialog
			title={text.idle.title}
			onDismiss={onStay}
			actions={
				<>
					<Button onClick={onLeave}>{text.idle.leave}</Button>
					<Button kind="primary" onClick={onStay}>
						{text.idle.stay}
					</Button>
				</>
			}
		>
			<p className={styles.body}>
				{text.idle.body}
				<strong className={styles.count}>{left}</strong>
				{text.idle.seconds}
			</p>
		</Dialog>
	);
}

/**
 * Leads a forgotten screen home, so that nobody finds the data of the one before. Never used while money is in the machine.
 * @param enabled whether there is anything to forget; @param onLeave ends the visit
 */
export function IdleQuestion({ enabled, onLeave }: { enabled: boolean; onLeave: () => void }) {
	const idleMs = useAppSelector((state) => state.settings?.idle_ms ?? 0);
	const modal = useAppSelector((state) => state.modal);
	const dispatch = useAppDispatch();
	const asking = enabled && modal.show && modal.tipe === TIPE;

	useEffect(() => {
		if (!enabled || asking) return;
		let timer: ReturnType<typeof setTimeout>;
		const restart = () => {
			clearTimeout(timer);
			timer = setTimeout(() => dispatch(modalOpened({ tipe: TIPE, title: text.idle.title })), idleMs);
		};
		restart();
		window.addEventListener('pointerdown', restart);
		window.addEventListener('keydown', restart);
		return () => {
			clearTimeout(timer);
			window.removeEventListener('pointerdown', restart);
			window.removeEventListener('keydown', restart);
		};
	}, [enabled, asking, idleMs, dispatch]);

	if (!asking) return null;
	const close = () => dispatch(modalClosed());
	return (
		<Question
			onStay={close}
			onLeave={() => {
				close();
				onLeave();
			}}
		/>
	);
}
