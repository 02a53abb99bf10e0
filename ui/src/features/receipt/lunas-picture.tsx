import { paymentText } from '../../text/payment.ts';
import styles from './lunas-picture.module.css';

const SCALLOPS = Array.from({ length: 16 }, (_, index) => index * 22.5);

/** The Lunas seal with its tick. */
export function LunasPicture() {
	return (
		<svg className={styles.seal} viewBox="-60 -60 120 120" role="img" aria-label={paymentText.paid.lunas}>
			<g className={styles.body}>
				<circle r="50" />
				{SCALLOPS.map((turn) => (
					<circle key={turn} r="9.6" cx="0" cy="-48" transform={`rotate(${turn})`} />
				))}
			</g>
			<circle className={styles.ring} r="42" />
			<path className={styles.tick} pathLength="1" d="M-19 2L-5 16L21 -13" />
		</svg>
	);
}
