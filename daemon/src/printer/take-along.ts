import type { TakeAlong } from '@kiosk/contract/kiosk-api';
import { formatRupiah } from '@kiosk/contract/money';
import { CODE, COPY, overpaid, type Receipt } from '@kiosk/contract/receipt';
import type { PaperCode } from '../proof/paper-code.ts';

/**
 * Maximum length of each text from the receipt, because longer texts make the QR code too dense for
 * the cameras of cheap phones.
 */
const LONGEST = 32;

/**
 * The receipt for the customer's phone. It has no personal data of the customer, because the phone
 * sends the text to the number in `link`.
 * @param link `[receipt] whatsapp_link`; '' for none
 * @param code null if the printout has no code; the result is then null
 */
export function takeAlong(link: string, receipt: Receipt, copy: boolean, code: PaperCode | null): TakeAlong | null {
	if (code === null) return null;
	return { ...code, link: link === '' ? null : link.replace('{text}', () => encodeURIComponent(messageOf(receipt, copy, code))) };
}

function messageOf(receipt: Receipt, copy: boolean, { code }: PaperCode): string {
	const change = overpaid(receipt);
	return [
		cut(receipt.ahass),
		`${copy ? `${COPY} struk` : 'Struk'} ${cut(receipt.nomor)}`,
		receipt.tanggal,
		`Sudah dibayar: ${cut(receipt.metode)}`,
		`Total ${formatRupiah(receipt.total)}`,
		...(change > 0 ? [`Lebih Bayar ${formatRupiah(change)}`] : []),
		...(code === '' ? [] : [`${CODE} ${code}`]),
	]
		.filter((line) => line !== '')
		.join('\n');
}

/** Cuts between whole characters, because half a surrogate pair cannot be encoded. */
const cut = (text: string): string => [...text.toWellFormed()].slice(0, LONGEST).join('');
