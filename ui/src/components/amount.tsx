import { formatRupiah, type Rupiah } from '@kiosk/contract/money';
import type { CSSProperties } from 'react';
import styles from './amount.module.css';

/**
 * @returns the width of an amount in em: "Rp ", its digits and its dots, with the spacing of
 * amount.module.css
 */
const emsOf = (written: string): number => 1.57 + (written.match(/\d/g)?.length ?? 0) * 0.568 + (written.match(/\./g)?.length ?? 0) * 0.376;

/**
 * An amount at the font size of its style, shrunk to fit its container.
 * @param atMost the largest amount expected here; smaller amounts use the same font size
 */
export function Amount({ value, atMost = value, className }: { value: Rupiah; atMost?: Rupiah; className?: string | undefined }) {
	const ems = Math.max(emsOf(formatRupiah(value)), emsOf(formatRupiah(atMost)));
	return (
		<span className={`${styles.place} ${className ?? ''}`}>
			<span className={styles.amount} style={{ '--ems': ems } as CSSProperties}>
				{formatRupiah(value)}
			</span>
		</span>
	);
}
