import { formatRupiah } from '@kiosk/contract/money';
import { CLOCK_DOUBT, CODE, COPY, EXCHANGE, linesLeftOut, overpaid, type Receipt } from '@kiosk/contract/receipt';
import { formatQuantity, formatShown } from '@kiosk/contract/receipt-line';
import { ascii } from '../base/ascii.ts';
import type { PaperCode } from '../proof/paper-code.ts';

/**
 * One element of a printout; elements are listed from the top. Each format draws it in its own way.
 * All texts are ASCII.
 */
export type PaperRow =
	| { kind: 'title'; text: string }
	/** The mark of a paid invoice: a watermark in PDF, a large line in ESC/POS. */
	| { kind: 'lunas' }
	| { kind: 'rule' }
	| { kind: 'text'; text: string }
	/** Two texts at the edges of one line, or on two lines if they do not fit. */
	| { kind: 'pair'; left: string; right: string; bold: boolean }
	/** A QR code with this text; the last row. */
	| { kind: 'qr'; text: string };

/** The row that every printout gets while the kiosk's clock is in doubt. */
export const CLOCK_IN_DOUBT: PaperRow = { kind: 'text', text: CLOCK_DOUBT };

/**
 * @returns the rows of a receipt, the same for every format
 * @param copy marks the receipt as a copy, so that the customer cannot claim change twice
 */
export function receiptRows(receipt: Receipt, copy: boolean): PaperRow[] {
	const pair = (left: string, right: string, bold = false): PaperRow => ({ kind: 'pair', left: ascii(left), right: ascii(right), bold });
	const text = (text: string): PaperRow => ({ kind: 'text', text: ascii(text) });
	const rule: PaperRow = { kind: 'rule' };
	const change = overpaid(receipt);
	const leftOut = linesLeftOut(receipt);

	return [
		{ kind: 'title', text: ascii(receipt.ahass) || 'Struk Pembayaran' },
		...(receipt.is_paid ? [{ kind: 'lunas' } as const] : []),
		...(copy ? [{ kind: 'title', text: COPY } as const] : []),
		rule,
		pair('Tanggal', receipt.tanggal),
		pair('AHASS', receipt.ahass),
		pair('Nomor', receipt.nomor),
		pair('Nama', receipt.nama),
		pair('Status', receipt.is_paid ? 'Sudah dibayar' : 'Belum dibayar'),
		pair('Metode Pembayaran', receipt.metode),
		pair('NOPOL', receipt.nopol),
		rule,
		...receipt.lines.flatMap((line) => [
			text(line.name),
			pair(`  ${formatQuantity(line.qty)} x ${formatShown(line.price)}`, formatShown(line.subtotal)),
		]),
		...(leftOut === null ? [] : [text(leftOut)]),
		rule,
		pair('Untaxed Amount', formatRupiah(receipt.untaxed)),
		pair('Taxed', formatRupiah(receipt.taxed)),
		pair('Total', formatRupiah(receipt.total), true),
		...(receipt.received === null ? [] : [pair('Total diterima', formatRupiah(receipt.received))]),
		...(change > 0 ? [pair('Lebih Bayar', formatRupiah(change), true), text(copy ? EXCHANGE.copy : EXCHANGE.original)] : []),
	];
}

/** @returns the foot of a printout: its code, which staff type or scan to check the printout */
export function codeRows({ code, text }: PaperCode): PaperRow[] {
	return [
		{ kind: 'rule' },
		...(code === '' ? [] : [{ kind: 'pair', left: CODE, right: code, bold: false } as const]),
		{ kind: 'qr', text },
	];
}
