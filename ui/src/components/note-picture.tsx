import { formatThousands, type Rupiah } from '@kiosk/contract/money';
import styles from './note-picture.module.css';

/** Colours of Indonesian notes by value. A note of any other value gets a neutral colour. */
const FAMILIES: Record<number, string> = {
	1000: 'olive',
	2000: 'grey',
	5000: 'brown',
	10000: 'violet',
	20000: 'green',
	50000: 'blue',
	100000: 'red',
};

const ROSETTE = Array.from({ length: 12 }, (_, turn) => turn * 30);

/** A drawn banknote with its colour, shape and value. */
export function NotePicture({ nominal }: { nominal: Rupiah }) {
	return (
		<span className={`${styles.note} ${styles[FAMILIES[nominal] ?? 'plain']}`}>
			<svg className={styles.art} viewBox="0 0 232 100" preserveAspectRatio="none" aria-hidden="true">
				<rect className={styles.band} x="0" y="84" width="232" height="16" />
				<path
					className={styles.wave}
					d="M28 76c50-24 84 16 136-8s48-8 68-14M28 85c50-24 84 16 136-8s48-8 68-14M28 94c50-24 84 16 136-8s48-8 68-14M28 103c50-24 84 16 136-8s48-8 68-14"
				/>
			</svg>
			<svg className={styles.rosette} viewBox="-50 -50 100 100" aria-hidden="true">
				{ROSETTE.map((turn) => (
					<ellipse key={turn} rx="44" ry="15" transform={`rotate(${turn})`} />
				))}
			</svg>
			<span className={styles.value}>{formatThousands(nominal)}</span>
		</span>
	);
}
