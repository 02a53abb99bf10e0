import { formatRupiah } from '../../../../daemon/contract/money.ts';
import type { Cash } from '../../app/state/cash.ts';
import { DoubtPanel } from '../../components/doubt-panel.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { paymentText } from '../../text/payment.ts';
import { returnText } from '../../text/returns.ts';
import { text } from '../../text/screens.ts';
import type { MachineStatus } from './machine-status.ts';
import styles from './notice.module.css';

function Strip({ tone, icon, title, body }: { tone: 'plain' | 'wait' | 'stop'; icon: IconName; title?: string; body: string }) {
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

/** The one thing to be told about the machine or a note, the gravest first. @param advice null while notes may be inserted */
export function Notice({ cash, advice }: { cash: Cash; advice: MachineStatus | null }) {
	const [doubt] = cash.doubts;
	if (doubt !== undefined) return <DoubtPanel note={doubt} />;
	if (cash.moving !== null) {
		const title = `${paymentText.cash.moving} ${formatRupiah(cash.moving)}.`;
		return <Strip tone="plain" icon="clock" title={title} body={paymentText.cash.movingHint} />;
	}
	if (cash.returned !== null) {
		return <Strip tone="wait" icon="note" title={text.note.returned} body={returnText[cash.returned.reason]} />;
	}
	if (advice === null) return null;
	return <Strip tone={advice.tone === 'stop' ? 'stop' : 'wait'} icon="warning" body={advice.advice} />;
}
