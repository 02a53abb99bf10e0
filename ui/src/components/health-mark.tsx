import { useAppSelector } from '../app/store.ts';
import { text } from '../text/screens.ts';
import styles from './health-mark.module.css';
import { Icon } from './icon.tsx';

/** For staff who pass by: whether somebody should look after the kiosk. Nothing to touch, and nothing that a customer needs. */
export function HealthMark() {
	// A daemon that says nothing is not well.
	const ok = useAppSelector((state) => state.health === 'ok');
	return (
		<span className={styles.mark} data-state={ok ? 'ok' : 'look'} role="img" aria-label={ok ? text.healthOk : text.healthLook}>
			<Icon name={ok ? 'check' : 'eye'} />
		</span>
	);
}
