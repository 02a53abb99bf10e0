import type { Transaction } from '@kiosk/contract/back-office';
import { formatRupiah } from '@kiosk/contract/money';
import { Icon } from '../../components/icon.tsx';
import { Pill } from '../../components/pill.tsx';
import { modalOpened } from '../../state/modal.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { staffText } from '../../text/staff.ts';
import styles from './transaction-table.module.css';

/** The `tipe` of the modal while it shows one row. */
export const DETAIL = 'detail';

const Badge = ({ paid }: { paid: boolean }) =>
	paid ? (
		<Pill tone="good" icon="check">
			{staffText.list.paid}
		</Pill>
	) : (
		<Pill tone="wait" icon="clock">
			{staffText.list.unpaid}
		</Pill>
	);

function Row({ transaction, number }: { transaction: Transaction; number: number }) {
	const dispatch = useAppDispatch();
	return (
		<tr>
			<td>{number}</td>
			<td>{transaction.hp}</td>
			<td>{transaction.nopol}</td>
			<td>
				<span className={styles.name}>{transaction.konsumen_name}</span>
			</td>
			<td>{transaction.tanggal_display}</td>
			<td>
				<Badge paid={transaction.is_paid} />
			</td>
			<td>{formatRupiah(transaction.total)}</td>
			<td>
				<button type="button" className={styles.detail} onClick={() => dispatch(modalOpened({ tipe: DETAIL, id: String(transaction.id) }))}>
					{staffText.list.detail}
					<span className="silent"> {transaction.noinvoice}</span>
					<Icon name="next" />
				</button>
			</td>
		</tr>
	);
}

/**
 * The rows of the current page. Column `#` continues after the `before` rows of earlier pages. A
 * portrait panel shows each row on two lines.
 */
export function TransactionTable({ before }: { before: number }) {
	const rows = useAppSelector((state) => state.list.obj);
	return (
		<table className={styles.table}>
			<thead>
				<tr>
					{staffText.list.columns.map((column) => (
						<th key={column} scope="col">
							{column}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{rows.map((transaction, index) => (
					<Row key={String(transaction.id)} transaction={transaction} number={before + index + 1} />
				))}
			</tbody>
		</table>
	);
}
