import { useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import styles from './health-mark.module.css';
import { Icon } from './icon.tsx';

/**
 * Shows passing staff whether the kiosk needs attention. Not touchable and without information for
 * customers.
 */
export function HealthMark() {
	// A silent daemon does not count as healthy.
	const ok = useAppSelector((state) => state.health === 'ok');
	return (
		<span className={styles.mark} data-state={ok ? 'ok' : 'look'} role="img" aria-label={ok ? text.healthOk : text.healthLook}>
			<Icon name={ok ? 'check' : 'eye'} />
		</span>
	);
}
