import { DevicePicture } from '../../components/device-picture.tsx';
import styles from './receipt-picture.module.css';

/**
 * A receipt that slides out of the printer towards the tray.
 * @param at waiting: no paper is visible yet; printing: the paper slides out; out: the paper hangs
 * in the tray
 */
export function ReceiptPicture({ at }: { at: 'waiting' | 'printing' | 'out' }) {
	return (
		<DevicePicture device="tray" className={styles.picture} state={at}>
			<clipPath id="receipt-outside">
				<path d="M0 30h96v66H0z" />
			</clipPath>
			<g clipPath="url(#receipt-outside)">
				<g className={styles.paper}>
					<path className={styles.sheet} d="M26 28h44v56l-5.5-3.5-5.5 3.5-5.5-3.5-5.5 3.5-5.5-3.5-5.5 3.5-5.5-3.5-5.5 3.5V28Z" />
					<path d="M34 44h28M34 54h28M34 64h16" />
				</g>
			</g>
			<rect className={styles.machine} x="12" y="8" width="72" height="26" rx="6" />
			<path className={styles.slit} d="M22 29h52" />
		</DevicePicture>
	);
}
