import { DoubtPanel } from '../../components/doubt-panel.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { NotePicture } from '../../components/note-picture.tsx';
import type { CashTask, NextStep } from '../../state/next-step.ts';
import { useAppSelector } from '../../state/store.ts';
import { text } from '../../text/screens.ts';
import { InsertPicture } from './insert-picture.tsx';
import styles from './task-area.module.css';

const SIGNS: Record<Exclude<CashTask, 'insert' | 'process'>, IconName> = { take_note: 'note', wait: 'clock', stop: 'stop' };

function AcceptedNotes() {
	const notes = useAppSelector((state) => state.settings?.notes ?? []);
	if (notes.length === 0) return null;
	return (
		<section className={styles.notes} aria-label={text.cashGuide.notes}>
			<ul>
				{notes.toReversed().map((nominal) => (
					<li key={nominal}>
						<NotePicture nominal={nominal} />
					</li>
				))}
			</ul>
		</section>
	);
}

/**
 * Shows the present instruction, and below it the accepted denominations, which are dimmed while no
 * note may be inserted.
 * @param invoice the number by which staff find the payment
 */
export function TaskArea({ step, invoice }: { step: NextStep; invoice: string }) {
	const { task, status, title, body, tone, doubt } = step;
	// If the status at the top already shows the title, only the body is shown.
	const said = title === status;
	const working = task === 'insert' || task === 'process';
	return (
		<div className={styles.area} data-task={task} data-doubt={doubt !== null} role="status">
			{doubt !== null ? (
				<DoubtPanel note={doubt} />
			) : (
				<div key={task} className={styles.task} data-tone={working ? 'plain' : tone}>
					{task === 'insert' || task === 'process' ? (
						<InsertPicture moving={task === 'process'} />
					) : (
						<Icon name={tone === 'stop' ? 'stop' : SIGNS[task]} className={styles.sign} />
					)}
					<div className={styles.words}>
						<h1 className={said ? styles.advice : styles.title}>{said ? body : title}</h1>
						{task !== 'process' && (
							<p className={styles.body}>
								{!said && body}
								{tone === 'stop' && invoice !== '' && <span className={styles.reference}> {text.reference(invoice)}</span>}
							</p>
						)}
					</div>
				</div>
			)}
			<AcceptedNotes />
		</div>
	);
}
