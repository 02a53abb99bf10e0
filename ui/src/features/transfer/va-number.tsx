import type { CSSProperties } from 'react';
import styles from './va-view.module.css';

/** How wide a digit and the gap after a group are in this typeface, em. */
const FIGURE_EM = 0.605;
const GAP_EM = 0.3;

/** Shows an account number in groups of four digits; as text it stays one number without spaces. */
export function VaNumber({ number }: { number: string }) {
	const groups = number.match(/.{1,4}/g) ?? [];
	const ems = number.length * FIGURE_EM + groups.length * GAP_EM;
	return (
		<span className={styles.figures} style={{ '--ems': ems } as CSSProperties}>
			{groups.map((group, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: groups have no id and never move
				<span key={index}>{group}</span>
			))}
		</span>
	);
}
