import { DevicePicture } from '../../components/device-picture.tsx';
import { useAppSelector } from '../../state/store.ts';
import styles from './terminal-picture.module.css';

/**
 * Draws this panel with the terminal beside it, but only if the settings name the terminal's side.
 */
export function TerminalPicture() {
	const isKnown = useAppSelector((state) => (state.settings?.places.terminal ?? null) !== null);
	if (!isKnown) return null;
	return (
		<span className={styles.place}>
			<DevicePicture device="terminal" className={styles.picture}>
				<rect className={styles.panel} x="12" y="4" width="72" height="40" rx="5" />
				<path className={styles.arrow} d="M48 18v38M40 48l8 8 8-8" />
				<rect className={styles.terminal} x="32" y="62" width="32" height="30" rx="5" />
				<path className={styles.keys} d="M42 70h12M42 82h.1M48 82h.1M54 82h.1" />
			</DevicePicture>
		</span>
	);
}
