import { useEffect } from 'react';
import { alertClosed } from '../app/state/alert.ts';
import { useAppDispatch, useAppSelector } from '../app/store.ts';
import { text } from '../text/screens.ts';
import styles from './alert-bar.module.css';
import { Icon } from './icon.tsx';

/** Without settings (a screen before they are known) the specification's time holds. */
const DEFAULT_MS = 10_000;

/** The one alert of the screen: it goes by itself or by touch. */
export function AlertBar() {
	const alert = useAppSelector((state) => state.alert);
	const alertMs = useAppSelector((state) => state.settings?.alert_ms ?? DEFAULT_MS);
	const dispatch = useAppDispatch();

	// biome-ignore lint/correctness/useExhaustiveDependencies: a new number is a new alert and gets its full time
	useEffect(() => {
		if (!alert.show) return;
		const timer = setTimeout(() => dispatch(alertClosed()), alertMs);
		return () => clearTimeout(timer);
	}, [alert.show, alert.number, alertMs, dispatch]);

	if (!alert.show) return null;
	return (
		<div className={`${styles.alert} ${styles[alert.color]}`} role="alert">
			<Icon name={alert.color === 'danger' ? 'stop' : 'warning'} />
			<p>{alert.text}</p>
			<button type="button" className={styles.close} aria-label={text.tutup} onClick={() => dispatch(alertClosed())}>
				<Icon name="cross" />
			</button>
		</div>
	);
}
