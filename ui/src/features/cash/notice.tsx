import { DoubtPanel } from '../../components/doubt-panel.tsx';
import { Icon } from '../../components/icon.tsx';
import type { NextStep } from '../../state/next-step.ts';
import { text } from '../../text/screens.ts';
import styles from './notice.module.css';

/**
 * The instruction that interrupts the insertion of notes, if there is one.
 * @param step what the customer does now
 * @param invoice its number, for staff to find the payment
 */
export function Notice({ step, invoice }: { step: NextStep; invoice: string }) {
	if (step.doubt !== null) return <DoubtPanel note={step.doubt} />;
	// A working machine shows its state at the top and in its row; a third message would move the
	// layout.
	if (step.task === 'insert' || step.task === 'process') return null;
	const stop = step.tone === 'stop';
	return (
		<div className={styles.strip} data-tone={stop ? 'stop' : 'wait'} role="status">
			<Icon name={step.task === 'take_note' && !stop ? 'note' : 'warning'} />
			<p>
				{step.task === 'take_note' && <strong>{step.title} </strong>}
				{step.body}
				{stop && invoice && ` ${text.reference(invoice)}`}
			</p>
		</div>
	);
}
