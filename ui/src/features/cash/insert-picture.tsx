import { DevicePicture } from '../../components/device-picture.tsx';
import styles from './insert-picture.module.css';

/**
 * A note that goes into the slot.
 * @param moving whether a note is moving inside the acceptor. If so, the picture stands still, and
 * the light of the slot pulses.
 */
export function InsertPicture({ moving }: { moving: boolean }) {
	return (
		<DevicePicture device="slot" className={styles.picture} state={moving ? 'moving' : 'inviting'}>
			<clipPath id="insert-outside">
				<path d="M0 0h96v62H0z" />
			</clipPath>
			<g clipPath="url(#insert-outside)">
				<g className={styles.note}>
					<rect x="30" y="4" width="36" height="56" rx="3" />
					<circle cx="48" cy="32" r="9" />
					<path d="M36 11h6M54 53h6" />
				</g>
			</g>
			<rect className={styles.machine} x="12" y="60" width="72" height="30" rx="6" />
			<path className={styles.slot} d="M24 66h48" />
			<path className={styles.arrow} d="M41 75.5l7 7 7-7" />
		</DevicePicture>
	);
}
