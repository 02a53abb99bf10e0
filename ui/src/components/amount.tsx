import type { CSSProperties } from 'react';
import { formatRupiah, type Rupiah } from '../../../daemon/contract/money.ts';
import styles from './amount.module.css';

/** Widths of this typeface in em: "Rp " and a figure are fixed, a dot is narrow. */
const emsOf = (written: string): number => 1.6 + (written.match(/\d/g)?.length ?? 0) * 0.605 + (written.match(/\./g)?.length ?? 0) * 0.38;

/** An amount as large as its style asks for, and never wider than its place. */
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
