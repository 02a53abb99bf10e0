import { useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import styles from './health-mark.module.css';
import { Icon } from './icon.tsx';

/**
 * Shows staff who pass by whether the kiosk needs attention. The mark cannot be pressed and means
 * nothing to customers.
 */
export function HealthMark() {
	// As long as the daemon has reported nothing, the mark says that the kiosk needs attention.
	const ok = useAppSelector((state) => state.health === 'ok');
	return (
		<span className={styles.mark} data-state={ok ? 'ok' : 'look'} role="img" aria-label={ok ? text.healthOk : text.healthLook}>
			<Icon name={ok ? 'check' : 'eye'} />
		</span>
	);
}
