import type { ReactNode } from 'react';
import { useAppSelector } from '../state/store.ts';
import styles from './device-picture.module.css';

type DevicePictureProps = {
	device: 'slot' | 'terminal' | 'tray';
	/** The class that styles the drawing: its strokes and its movement. */
	className: string | undefined;
	/** The state that the drawing shows; the style sheet uses it as a selector. */
	state?: string;
	/**
	 * The drawing, in a square of 96 units, for a device below the panel. For a device at another
	 * side, the drawing is rotated.
	 */
	children: ReactNode;
};

/**
 * A drawing that points to the side of the panel where the device is according to the settings, by
 * default below.
 */
export function DevicePicture({ device, className, state, children }: DevicePictureProps) {
	const place = useAppSelector(({ settings }) => settings?.places[device] ?? null);
	return (
		<svg
			className={`${styles.picture} ${className}`}
			viewBox="0 0 96 96"
			data-device={device}
			data-place={place ?? 'below'}
			data-state={state}
			aria-hidden="true"
		>
			<g className={styles.turn}>{children}</g>
		</svg>
	);
}
