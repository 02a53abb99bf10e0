import styles from './icon.module.css';

/** Icons in a square of 24 units, all with the same line width, drawn for this kiosk. */
const paths = {
	backspace: 'M9 5h11a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H9l-6-7 6-7ZM12 9.5l5 5M17 9.5l-5 5',
	cross: 'M6 6l12 12M18 6L6 18',
	check: 'M5 12.8l4.6 4.6L19 7.6',
	next: 'M9 5l7 7-7 7',
	back: 'M15 5l-7 7 7 7',
	note: 'M3 6h18v12H3V6ZM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM6.5 12h.01M17.5 12h.01',
	card: 'M3 6.5A1.5 1.5 0 0 1 4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5v-11ZM3 10h18M6.5 15h4',
	qr: 'M4 4h6v6H4V4ZM14 4h6v6h-6V4ZM4 14h6v6H4v-6ZM14 14h2.5v2.5H14V14ZM20 14v2M17.5 20H20v-1.5M14 20h.01',
	bank: 'M3.5 9.5L12 4l8.5 5.5h-17ZM6 10v7M10 10v7M14 10v7M18 10v7M3.5 20h17',
	printer:
		'M7 9V4h10v5M7 17H4.5A1.5 1.5 0 0 1 3 15.5v-5A1.5 1.5 0 0 1 4.5 9h15a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5H17M7 14h10v6H7v-6Z',
	warning: 'M12 4l9 16H3l9-16ZM12 10.5v4M12 17.2h.01',
	stop: 'M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3L8.3 3ZM12 8v5M12 16.2h.01',
	clock: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM12 7.5V12l3 2',
	online: 'M3 9.5a13 13 0 0 1 18 0M6 13a8.5 8.5 0 0 1 12 0M9 16.3a4.3 4.3 0 0 1 6 0M12 19.5h.01',
	offline:
		'M3 9.5a13 13 0 0 1 5-3M12.5 5.7a13 13 0 0 1 8.5 3.8M6 13a8.5 8.5 0 0 1 4-2.2M15.5 11.4A8.5 8.5 0 0 1 18 13M9 16.3a4.3 4.3 0 0 1 6 0M12 19.5h.01M4 3l16 18',
	receipt: 'M6 3.5h12v17l-2-1.5-2 1.5-2-1.5-2 1.5-2-1.5-2 1.5v-17ZM9 8.5h6M9 12.5h6',
	eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6Z',
	eyeOff:
		'M10 5.7c.6-.1 1.3-.2 2-.2 6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.6 3.3M6.5 7.4A16.5 16.5 0 0 0 2.5 12S6 18.5 12 18.5c1.7 0 3.2-.5 4.5-1.2M10 10a2.8 2.8 0 0 0 4 4M4 3.5l16 17',
	shift: 'M12 4l8 8.5h-4V19H8v-6.5H4L12 4Z',
	reload: 'M20 12a8 8 0 1 1-2.4-5.7L20 8.5M20 3.5v5h-5',
	staff: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM4.5 20.5c.6-4 3.7-6 7.5-6s6.9 2 7.5 6',
	search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13ZM15.5 15.5L20.5 20.5',
	keyboard:
		'M2.5 6h19v12h-19V6ZM6 9.5h.01M9 9.5h.01M12 9.5h.01M15 9.5h.01M18 9.5h.01M6 12.5h.01M18 12.5h.01M9 12.5h.01M12 12.5h.01M15 12.5h.01M8 15.3h8',
	touch:
		'M9 11V5.5a1.8 1.8 0 0 1 3.6 0V11M12.6 10.5v-1a1.7 1.7 0 0 1 3.4 0V11M16 10.8a1.7 1.7 0 0 1 3.4 0v3.7c0 4-2.4 6.5-6 6.5-2.8 0-4.3-1.2-5.6-3.4l-2.6-4.4a1.6 1.6 0 0 1 2.6-1.8L9 13M5.5 5.5a5.3 5.3 0 0 1 10.6 0',
	aid: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM12 7.4h.01M7.5 10.2l4.5 .9 4.5-.9M12 11.1v2.6M9.4 17.2l2.6-3.5 2.6 3.5',
	sound: 'M4 9.5v5h3.5l4.5 4v-13l-4.5 4H4ZM15.5 9.2a4 4 0 0 1 0 5.6M18 6.5a8 8 0 0 1 0 11',
	silence: 'M4 9.5v5h3.5l4.5 4v-13l-4.5 4H4ZM16 9.5l5 5M21 9.5l-5 5',
	wheel: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5ZM12 3.5v6M12 14.5v6M3.5 12h6M14.5 12h6',
} as const;

export type IconName = keyof typeof paths;

/** A picture beside words. Screen readers skip it, because the words say the same. */
export function Icon({ name, className }: { name: IconName; className?: string | undefined }) {
	return (
		<svg className={`${styles.icon} ${className ?? ''}`} viewBox="0 0 24 24" aria-hidden="true">
			<path d={paths[name]} />
		</svg>
	);
}
