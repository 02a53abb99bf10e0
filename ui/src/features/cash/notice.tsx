import { DoubtPanel } from '../../components/doubt-panel.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import type { Cash } from '../../state/cash.ts';
import { returnText } from '../../text/returns.ts';
import { text } from '../../text/screens.ts';
import type { AcceptorStatus } from './acceptor-status.ts';
import styles from './notice.module.css';

function Strip({ tone, icon, title, body }: { tone: 'wait' | 'stop'; icon: IconName; title?: string; body: string }) {
	return (
		<div className={styles.strip} data-tone={tone} role="status">
			<Icon name={icon} />
			<p>
				{title && <strong>{title} </strong>}
				{body}
			</p>
		</div>
	);
}

/**
 * The most serious message about the acceptor or a note.
 * @param advice null without one
 * @param invoice its number, for staff to find the payment
 */
export function Notice({ cash, advice, invoice }: { cash: Cash; advice: AcceptorStatus | null; invoice: string }) {
	const [doubt] = cash.doubts;
	if (doubt !== undefined) return <DoubtPanel note={doubt} />;
	if (advice?.tone === 'stop') {
		const body = `${advice.advice} ${invoice && text.reference(invoice)}`;
		return <Strip tone="stop" icon="warning" title={cash.returned === null ? '' : text.note.returned} body={body} />;
	}
	if (cash.returned !== null) {
		return <Strip tone="wait" icon="note" title={text.note.returned} body={returnText[cash.returned.reason]} />;
	}
	return advice === null ? null : <Strip tone="wait" icon="warning" body={advice.advice} />;
}
