import type { CSSProperties } from 'react';
import styles from './va-view.module.css';

/** Widths of a digit and of the gap between groups, in em of this typeface. */
const FIGURE_EM = 0.605;
const GAP_EM = 0.3;

/** Groups of four for reading; the text itself stays one number. */
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
