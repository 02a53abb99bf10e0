import type { SaleMethod } from '@kiosk/contract/live';
import styles from './step-picture.module.css';

/** The keys of the bottom row from left to right: cancel, correct, accept. */
const KEYS = { red: 16, yellow: 24, green: 32 } as const;

/**
 * The terminal from the front.
 * @param lit the highlighted key, which the customer must press
 * @param pin whether the terminal's display shows a PIN
 */
function Terminal({ lit, pin = false }: { lit: keyof typeof KEYS; pin?: boolean }) {
	return (
		<>
			<rect className={styles.body} x="10" y="1.5" width="28" height="37" rx="4" />
			<rect x="14" y="5.5" width="20" height="8" rx="1.5" />
			{pin && <path className={styles.bold} d="M18 9.5h.01M22 9.5h.01M26 9.5h.01M30 9.5h.01" />}
			<path d="M16 18h.01M24 18h.01M32 18h.01M16 22.5h.01M24 22.5h.01M32 22.5h.01M16 27h.01M24 27h.01M32 27h.01" />
			{Object.entries(KEYS).map(([key, x]) => (
				<circle key={key} className={styles[key]} cx={x} cy="33" r={key === lit ? 3.6 : 2} />
			))}
			<path className={styles.bold} d={`M${KEYS[lit]} 47v-6.5M${KEYS[lit] - 3.6} 43.6l3.6-3.6 3.6 3.6`} />
		</>
	);
}

/** A square QR code, 12 units wide. */
function Code({ x, y }: { x: number; y: number }) {
	return (
		<path
			d={`M${x} ${y}h4v4h-4zM${x + 8} ${y}h4v4h-4zM${x} ${y + 8}h4v4h-4zM${x + 8} ${y + 8}v4M${x + 12} ${y + 8}v4M${x + 6} ${y + 6}h.01`}
		/>
	);
}

/** A phone, 20 units wide. */
function Phone({ x }: { x: number }) {
	return (
		<>
			<rect className={styles.body} x={x} y="3" width="20" height="42" rx="3.5" />
			<path d={`M${x + 8} 41h4`} />
		</>
	);
}

const DONE = (
	<>
		<circle className={styles.done} cx="24" cy="24" r="19" />
		<path className={styles.tick} d="M15 24.7l6.4 6.4L33.6 18" />
	</>
);

const CARD = [
	<Terminal key="press" lit="yellow" />,
	<>
		<path className={styles.body} d="M8 1.5h32v19.5H8z" />
		<path d="M13 6.5h22v8H13z" />
		<path className={styles.bold} d="M11 21h26" />
		<path className={styles.card} d="M14.5 24h19v13.5a2.5 2.5 0 0 1-2.5 2.5H17a2.5 2.5 0 0 1-2.5-2.5V24Z" />
		<path d="M14.5 35h19M19 27.5h5v3.5h-5z" />
		<path className={styles.bold} d="M43.5 40V27M39.9 30.6l3.6-3.6 3.6 3.6" />
	</>,
	<Terminal key="pin" lit="green" pin />,
	<>
		<path className={styles.body} d="M15 20V2l3 2 3-2 3 2 3-2 3 2 3-2v18" />
		<path d="M19 9h10M19 13.5h6" />
		<path className={styles.body} d="M8 20h32v22a4.5 4.5 0 0 1-4.5 4.5h-23A4.5 4.5 0 0 1 8 42V20Z" />
		<path className={styles.bold} d="M12 20h24" />
		<path d="M13 25h22v7H13zM16 37h.01M24 37h.01M32 37h.01M16 41.5h.01M24 41.5h.01M32 41.5h.01" />
		<path className={styles.bold} d="M42 17V4M38.4 7.6L42 4l3.6 3.6" />
	</>,
	DONE,
];

const QRIS = [
	<>
		<rect className={styles.body} x="10" y="1.5" width="28" height="45" rx="4" />
		<rect x="14" y="5.5" width="20" height="20" rx="1.5" />
		<Code x={18} y={9.5} />
		<path d="M16 31h.01M24 31h.01M32 31h.01M16 36h.01M24 36h.01M32 36h.01M16 41h.01M24 41h.01M32 41h.01" />
	</>,
	<>
		<Code x={1.5} y={18} />
		<path className={styles.bold} d="M17.5 24h6.5M20.6 20.4l3.6 3.6-3.6 3.6" />
		<Phone x={27} />
		<path d="M31 20v-4h3.5M39.5 16H43v4M43 28v4h-3.5M34.5 32H31v-4" />
	</>,
	<>
		<Phone x={15} />
		<path className={styles.green} d="M20 30h10v6H20z" />
		<path className={styles.bold} d="M20 14h10M20 20h6" />
	</>,
	<>
		<rect className={styles.body} x="3" y="6" width="42" height="29" rx="3" />
		<path d="M24 35v7M16 42.5h16" />
		<path className={styles.bold} d="M24 12.5a8 8 0 1 1 0 16 8 8 0 0 1 0-16ZM24 16.5v4.2l3 2" />
	</>,
	DONE,
];

/**
 * The picture of one step at the terminal.
 * @param step index of the step
 * @param done whether the transaction is done; until then the picture of the last step is grey
 */
export function StepPicture({ method, step, done }: { method: SaleMethod; step: number; done: boolean }) {
	return (
		<svg className={styles.picture} data-done={done} viewBox="0 0 48 48" aria-hidden="true">
			{(method === 'qris' ? QRIS : CARD)[step]}
		</svg>
	);
}
