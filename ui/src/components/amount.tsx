import { formatRupiah, type Rupiah } from '@kiosk/contract/money';
import type { CSSProperties } from 'react';
import styles from './amount.module.css';

/**
 * @returns the width of an amount in em: the sum of "Rp ", the digits and the dots, with the letter
 * spacing of amount.module.css
 */
const emsOf = (written: string): number => 1.57 + (written.match(/\d/g)?.length ?? 0) * 0.568 + (written.match(/\./g)?.length ?? 0) * 0.376;

/**
 * An amount. It has the font size of its style, or a smaller one if it would not fit its container.
 * @param atMost the largest amount expected here; smaller amounts get the same font size as this
 * one
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
