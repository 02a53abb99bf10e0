import { formatRupiah, type Rupiah } from '@kiosk/contract/money';
import type { CSSProperties } from 'react';
import styles from './amount.module.css';

/** Widths in em of this typeface: "Rp " and a digit are fixed, a dot is narrow. */
const emsOf = (written: string): number => 1.6 + (written.match(/\d/g)?.length ?? 0) * 0.605 + (written.match(/\./g)?.length ?? 0) * 0.38;

/** An amount at the font size of its style, shrunk to fit its container. */
export function Amount({ value, className }: { value: Rupiah; className?: string | undefined }) {
	const written = formatRupiah(value);
	return (
		<span className={`${styles.place} ${className ?? ''}`}>
			<span className={styles.amount} style={{ '--ems': emsOf(written) } as CSSProperties}>
				{written}
			</span>
		</span>
	);
}
