import { useAppSelector } from '../../state/store.ts';
import styles from './insert-picture.module.css';

/**
 * A note that goes into the slot, on the side of the panel where the slot is.
 * @param moving a note is inside: the picture stands still and the slot's light pulses
 */
export function InsertPicture({ moving }: { moving: boolean }) {
	const slot = useAppSelector((state) => state.settings?.places.slot ?? null);
	return (
		<svg className={styles.picture} viewBox="0 0 96 96" data-slot={slot ?? 'below'} data-moving={moving} aria-hidden="true">
			<g className={styles.turn}>
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
			</g>
		</svg>
	);
}
