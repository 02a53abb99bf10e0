/** Checks what the simulated kiosk has printed. */
import type { PaperRow } from '../../daemon/src/printer/receipt-rows.ts';
import type { Invoice } from '../simulators/back-office/invoice.ts';
import { keyOf } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import { judge } from './sim-oracle.ts';

/** Checks a printed LUNAS, which is proof of payment. */
export function judgePaper(world: SimKiosk, rows: readonly PaperRow[]): void {
	if (rows.every(({ kind }) => kind !== 'lunas')) return;
	const invoice = lookedUpLast(world, numberOn(rows));
	if (invoice) judge(world, invoice, { where: 'a receipt', received: null, is_paid: true });
	else world.violated(`I14: a receipt says LUNAS for invoice ${numberOn(rows)}, which does not exist`);
}

/**
 * Several outlets use the same invoice numbers, and the outlet may change while a receipt waits for
 * the printer. A customer may also ask for the receipt of a deleted invoice.
 * @returns the invoice with this number that has an open print; if none has, the invoice that the
 * kiosk looked up last, at any outlet
 */
function lookedUpLast(world: SimKiosk, noinvoice: string): Invoice | undefined {
	const at = (invoice: Invoice): number => world.truth.newestLookUp(invoice)?.heardAt ?? -1;
	const sharing = [...world.office.at.everyInvoice(), ...world.office.everyInvoice()].filter((one) => one.noinvoice === noinvoice);
	const printing = new Set(world.rows(`SELECT payment_id FROM prints WHERE state = 'requested'`).map(({ payment_id }) => payment_id));
	const begun = sharing.filter((one) => printing.has(keyOf(world, one)));
	return (begun.length > 0 ? begun : sharing).reduce<Invoice | undefined>(
		(last, one) => (last === undefined || at(one) > at(last) ? one : last),
		undefined,
	);
}

/** @returns the name of a print: its kind and its invoice number */
export function nameOf(rows: readonly PaperRow[]): string {
	const copy = rows.some((row) => row.kind === 'title' && row.text === 'SALINAN');
	const isReceipt = rows.some((row) => row.kind === 'pair' && row.left === 'Status');
	return `${isReceipt ? (copy ? 'copy' : 'original') : 'slip'} ${numberOn(rows)}`;
}

/** @returns the invoice number on a print */
const numberOn = (rows: readonly PaperRow[]): string =>
	rows.flatMap((row) => (row.kind === 'pair' && row.left === 'Nomor' ? [row.right] : [])).at(-1) ?? '';
