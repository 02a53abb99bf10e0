import { Icon } from '../../components/icon.tsx';
import { isOnline } from '../../state/connection.ts';
import { useAppSelector } from '../../state/store.ts';
import { nonCashText } from '../../text/non-cash.ts';
import { writtenTimeLeft } from './use-time-left.ts';
import styles from './waiting-line.module.css';

/**
 * Shows that the payment is pending, the time left, and whether the kiosk is online.
 * @param timeLeft ms until the expiry; null if unknown
 */
export function WaitingLine({ timeLeft }: { timeLeft: number | null }) {
	const online = useAppSelector((state) => isOnline(state.connection));
	return (
		<p className={styles.line} data-tone={online ? 'plain' : 'wait'}>
			<Icon name={online ? 'clock' : 'offline'} />
			<span role="status">{online ? nonCashText.waiting : nonCashText.offline}</span>
			{timeLeft !== null && timeLeft > 0 && <strong role="timer">{writtenTimeLeft(timeLeft)}</strong>}
		</p>
	);
}
