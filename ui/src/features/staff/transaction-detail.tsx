import type { InvoiceBlock, Transaction } from '@kiosk/contract/back-office';
import { formatRupiah } from '@kiosk/contract/money';
import { formatQuantity, formatShown } from '@kiosk/contract/receipt-line';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Fact } from '../../components/fact.tsx';
import { InvoicePages } from '../../components/invoice-pages.tsx';
import { modalClosed } from '../../state/modal.ts';
import { printFate } from '../../state/paid.ts';
import { useAppDispatch, useAppSelector } from '../../state/store.ts';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';
import { StatusLine, shownOf } from '../receipt/print-state.tsx';
import { printTransaction, type ResendOutcome, resendCallback } from './staff-actions.ts';
import styles from './transaction-detail.module.css';

/** A dash stands for a field that the back office left empty. */
const shown = (value: string): string => (value === '' ? '–' : value);

function Block({ block }: { block: InvoiceBlock }) {
	return (
		<tbody>
			<tr className={styles.block}>
				<th scope="rowgroup" colSpan={2}>
					{block.noinvoice_odoo}
					{block.nowo_odoo !== '' && <span className={styles.order}>{block.nowo_odoo}</span>}
				</th>
				<td>{formatShown(block.total)}</td>
			</tr>
			{(block.detail ?? []).map((line, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: lines have no id and never move
				<tr key={index}>
					<td>{line.produk_name}</td>
					<td>{formatQuantity(line.qty)}</td>
					<td>{formatShown(line.harga)}</td>
				</tr>
			))}
		</tbody>
	);
}

/**
 * Lists invoices and their products. Rows that do not fit are on further pages, so that the buttons
 * below stay visible.
 */
function Lines({ blocks }: { blocks: readonly InvoiceBlock[] }) {
	if (blocks.length === 0) return <p>{staffText.detail.noLines}</p>;
	return (
		<div className={styles.lines}>
			<InvoicePages>
				<table className={styles.table}>
					<thead>
						<tr>
							{staffText.detail.columns.map((column) => (
								<th key={column} scope="col">
									{column}
								</th>
							))}
						</tr>
					</thead>
					{blocks.map((block, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: blocks have no id and never move
						<Block key={index} block={block} />
					))}
				</table>
			</InvoicePages>
		</div>
	);
}

/**
 * Shows one transaction in the modal. If it is paid, staff can print its receipt and resend its
 * callback.
 */
export function TransactionDetail({ transaction }: { transaction: Transaction }) {
	const dispatch = useAppDispatch();
	const navigate = useNavigate();
	/** What staff requested last; the result of this request is shown. */
	const [asked, setAsked] = useState<'nothing' | 'print' | 'resend'>('nothing');
	const [resent, setResent] = useState<ResendOutcome | null>(null);
	const fate = useAppSelector((state) => printFate(state.paid));
	const sending = useAppSelector((state) => state.loading);
	// The pending print request may be for another row. Until it is answered, its result would be
	// shown for this row.
	const waits = useAppSelector((state) => state.paid.asking);
	const close = () => dispatch(modalClosed());

	const print = async () => {
		setAsked('print');
		if ((await dispatch(printTransaction(transaction))) === 'page') navigate('/cetak');
	};
	const resend = async () => {
		setAsked('resend');
		setResent(null);
		setResent(await dispatch(resendCallback(transaction)));
	};
	const printing = asked === 'print' && fate?.state === 'printing' && fate.reason === null;

	return (
		<Dialog
			title={staffText.detail.title}
			onDismiss={close}
			actions={
				<>
					{transaction.is_paid && (
						<>
							<Button kind="primary" icon="printer" onClick={print} busy={printing || waits}>
								{text.cetak}
							</Button>
							<Button icon="reload" onClick={resend} busy={sending}>
								{staffText.detail.resend}
							</Button>
						</>
					)}
					<Button icon="cross" onClick={close}>
						{staffText.detail.cancel}
					</Button>
				</>
			}
		>
			<div className={styles.detail} data-wide>
				<dl className={styles.facts}>
					<Fact name={staffText.detail.name} value={shown(transaction.konsumen_name)} />
					<Fact name={staffText.detail.hp} value={shown(transaction.hp)} />
					<Fact name={staffText.detail.total} value={formatRupiah(transaction.total)} />
					<Fact name={staffText.detail.date} value={shown(transaction.tanggal_display)} />
					<Fact name={staffText.detail.method} value={shown(transaction.payment_type_display)} />
					<Fact name={staffText.detail.status} value={transaction.is_paid ? staffText.list.paid : staffText.list.unpaid} />
				</dl>
				<Lines blocks={transaction.list_invoice ?? []} />
				<div className={styles.status}>
					{!transaction.is_paid && <StatusLine tone="plain" icon="clock" words={staffText.detail.unpaidHint} />}
					{asked === 'print' && fate !== null && <StatusLine {...shownOf(fate, staffText.detail.printFailedHint)} />}
					{asked === 'resend' && resent === null && <StatusLine tone="plain" icon="reload" words={staffText.detail.resending} />}
					{asked === 'resend' && resent !== null && (
						<StatusLine tone={resent.sent ? 'good' : 'stop'} icon={resent.sent ? 'check' : 'warning'} words={resent.words} />
					)}
				</div>
			</div>
		</Dialog>
	);
}
