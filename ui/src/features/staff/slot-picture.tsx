import { staffText } from '../../text/staff.ts';
import styles from './slot-picture.module.css';

/** Shows where a note in doubt may be: in the slot, on its way, or in the cashbox. */
export function SlotPicture() {
	return (
		<svg className={styles.picture} viewBox="0 14 174 160" role="img" aria-label={staffText.open.picture}>
			<rect className={styles.unit} x="20" y="20" width="150" height="70" rx="10" />
			<rect className={styles.unit} x="20" y="96" width="150" height="74" rx="10" />
			<path className={styles.path} d="M4 55h60c60 0 60 10 60 70" />
			<rect className={styles.note} x="2" y="40" width="52" height="30" rx="4" />
			<rect className={styles.note} x="88" y="72" width="52" height="30" rx="4" transform="rotate(60 114 87)" />
			<g className={styles.stack}>
				<rect x="66" y="132" width="72" height="7" rx="2" />
				<rect x="62" y="142" width="72" height="7" rx="2" />
				<rect x="66" y="152" width="72" height="7" rx="2" />
			</g>
		</svg>
	);
}
