import { useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import styles from './health-mark.module.css';
import { Icon } from './icon.tsx';

/**
 * Shows passing staff whether the kiosk needs attention. The mark is not touchable and tells
 * customers nothing.
 */
export function HealthMark() {
	// Without a report of the daemon, the mark says that the kiosk needs attention.
	const ok = useAppSelector((state) => state.health === 'ok');
	return (
		<span className={styles.mark} data-state={ok ? 'ok' : 'look'} role="img" aria-label={ok ? text.healthOk : text.healthLook}>
			<Icon name={ok ? 'check' : 'eye'} />
		</span>
	);
}
