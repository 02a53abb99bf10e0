import type { CashEntry } from '@kiosk/contract/kiosk-api';
import { formatRupiah, type Rupiah } from '@kiosk/contract/money';
import { useRef } from 'react';
import { useHeight } from '../../components/use-height.ts';
import { siteTimeOf } from '../../lib/written-time.ts';
import { useTimezone } from '../../state/timezone.ts';
import { paymentText } from '../../text/payment.ts';
import styles from './cash-table.module.css';

/**
 * @returns how many of the newest entries fit, and whether to show a line about the hidden ones.
 * The heading and this line take one row each. If there is room for only one row, the line is left
 * out.
 * @param room height for heading and rows, px
 * @param row height of a row, px; 0 before layout
 */
export function shownEntries(count: number, room: number, row: number): { shown: number; tellsEarlier: boolean } {
	if (row === 0) return { shown: count, tellsEarlier: false };
	const rows = Math.max(0, Math.floor(room / row) - 1);
	if (count <= rows) return { shown: count, tellsEarlier: false };
	return rows >= 2 ? { shown: rows - 1, tellsEarlier: true } : { shown: rows, tellsEarlier: false };
}

type CashTableProps = {
	entries: readonly CashEntry[];
	/** rupiah */
	moving: Rupiah | null;
	/** Whether only staff can help now. If so, a moving note is called "not yet certain". */
	stopped: boolean;
};

/** Lists the received notes and the moving note. The newest notes are visible without scrolling. */
export function CashTable({ entries, moving, stopped }: CashTableProps) {
	const place = useRef<HTMLDivElement>(null);
	const measure = useRef<HTMLDivElement>(null);
	const [room, row] = [useHeight(place), useHeight(measure)];
	const onItsWay = moving === null ? 0 : 1;
	const { shown, tellsEarlier } = shownEntries(entries.length + onItsWay, room + row, row);
	const timezone = useTimezone();
	const hidden = entries.length + onItsWay - shown;
	return (
		<div ref={place} className={styles.place}>
			<div ref={measure} className={styles.measure} />
			{entries.length + onItsWay === 0 && !stopped && <p className={styles.none}>{paymentText.cash.noneYet}</p>}
			{shown > 0 && (
				<table className={styles.table}>
					<colgroup>
						<col className={styles.number} />
						<col />
						<col className={styles.time} />
						<col className={styles.amount} />
					</colgroup>
					<thead className="silent">
						<tr>
							{paymentText.cash.columns.map((column) => (
								<th key={column} scope="col">
									{column}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{tellsEarlier && (
							<tr className={styles.earlier}>
								<td colSpan={4}>{paymentText.cash.earlier(hidden)}</td>
							</tr>
						)}
						{entries.slice(hidden).map((entry, index) => {
							const number = hidden + index + 1;
							return (
								<tr key={number} data-newest={moving === null && number === entries.length}>
									<td>{number}</td>
									<td>{paymentText.cash.terima(number)}</td>
									<td>{siteTimeOf(timezone, entry.time)?.time ?? entry.time}</td>
									<td>{formatRupiah(entry.nominal)}</td>
								</tr>
							);
						})}
						{moving !== null && shown > 0 && (
							<tr className={styles.moving} data-stopped={stopped}>
								<td>{entries.length + 1}</td>
								<td colSpan={2} role="status">
									{stopped ? paymentText.cash.movingStopped : paymentText.cash.moving}
								</td>
								<td>{formatRupiah(moving)}</td>
							</tr>
						)}
					</tbody>
				</table>
			)}
		</div>
	);
}
