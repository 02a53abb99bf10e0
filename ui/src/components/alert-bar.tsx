import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { alertClosed } from '../state/alert.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';
import { text } from '../text/screens.ts';
import styles from './alert-bar.module.css';
import { Icon } from './icon.tsx';
import { useSpoken } from './use-spoken.ts';

/**
 * Screens whose alerts close after the specification's fixed time. On all other screens the setting
 * `alert_ms` applies.
 */
const STAFF_SCREENS = ['/login', '/daftar-transaksi'];
const STAFF_MS = 10_000;

/**
 * The screen's only alert. It closes after a fixed time, or by its button.
 * @param hint shown below an error; default: the invoice number, by which staff find the payment
 */
export function AlertBar({ hint }: { hint?: string }) {
	const alert = useAppSelector((state) => state.alert);
	const invoice = useAppSelector((state) => state.invoice.detail?.noinvoice ?? '');
	const paymentMs = useAppSelector((state) => state.settings?.alert_ms ?? STAFF_MS);
	const alertMs = STAFF_SCREENS.includes(useLocation().pathname) ? STAFF_MS : paymentMs;
	const dispatch = useAppDispatch();

	// biome-ignore lint/correctness/useExhaustiveDependencies: a new number is a new alert
	useEffect(() => {
		if (!alert.show) return;
		const timer = setTimeout(() => dispatch(alertClosed()), alertMs);
		return () => clearTimeout(timer);
	}, [alert.show, alert.number, alertMs, dispatch]);

	useSpoken(alert.show ? alert.text : null);
	if (!alert.show) return null;
	const more = hint ?? (invoice && text.reference(invoice));
	return (
		<div className={`${styles.alert} ${styles[alert.color]}`} role="alert">
			<Icon name={alert.color === 'danger' ? 'stop' : 'warning'} />
			<p>
				{alert.text}
				{alert.color === 'danger' && more !== '' && <span className={styles.more}>{more}</span>}
			</p>
			<button type="button" className={styles.close} aria-label={text.tutup} onClick={() => dispatch(alertClosed())}>
				<Icon name="cross" />
			</button>
		</div>
	);
}
