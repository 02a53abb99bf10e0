import type { Rupiah } from '@kiosk/contract/money';
import { RupiahSchema } from '@kiosk/contract/money-schema';
import * as v from 'valibot';
import { decode32, encode32 } from './base32.ts';
import type { PrintedRecord } from './short-code.ts';
import type { SlipKey } from './slip-key.ts';

/** The letter that stands for the kind of printout in the QR code. */
const PAPERS = { receipt: 'R', copy: 'S', partial: 'B', collection: 'K', given: 'G' } as const;
/**
 * `copy`: a receipt that is printed again. `partial`: the slip for an invoice that is not paid in
 * full. `collection`: the slip of the cashbox. `given`: the slip for money that staff gave back.
 */
export type PaperKind = keyof typeof PAPERS;

/** The signed contents of a printout. Amounts are in rupiah. */
export interface PaperFacts {
	kind: PaperKind;
	/** The invoice number, or the period of a cashbox slip. */
	noinvoice: string;
	/** Total of a receipt, amount received or given back, or expected contents of the cashbox. */
	amount: Rupiah;
	/** The customer's change when the receipt was printed. */
	change: Rupiah;
	/** When it was printed, DD-MM-YYYY HH:mm in the site's time zone. */
	time: string;
}

/** The contents of a QR code. */
export interface SlipText extends PaperFacts, PrintedRecord {
	/** The beginning of the record's hash, hex. */
	hash: string;
	/** Id of the key that signed the text, according to the text itself. */
	kiosk: string;
}

const NAME = 'KIOSK1';
/**
 * Number of hex digits of the hash in the text. They carry 64 bits, so it is infeasible to make
 * another record with the same digits.
 */
const HASH_DIGITS = 16;
/**
 * Maximum length of the escaped invoice number. A longer number is cut, so that the code stays
 * small; the record contains the whole number.
 */
const INVOICE_LETTERS = 40;
const SHAPE =
	/^(KIOSK1\/([RSBKG])\/([0-9A-Z]{8})\/(\d{1,9})\/([0-9A-F]{16})\/(\d{2})(\d{2})(\d{4})(\d{2})(\d{2})\/(\d{1,13})\/(\d{1,13})\/([-0-9A-Z.%]*))\/([0-9A-Z]{103})$/;

/**
 * @returns the text of a printout's QR code. It has only the alphanumeric characters of QR codes,
 * so that a scanner may type it in capitals. The signature at its end covers all other parts.
 */
export function slipText(key: Pick<SlipKey, 'id' | 'sign'>, facts: PaperFacts, of: PrintedRecord): string {
	const [day = '', clock = ''] = facts.time.split(' ');
	const fields = [
		NAME,
		PAPERS[facts.kind],
		key.id,
		of.record,
		of.hash.slice(0, HASH_DIGITS).toUpperCase(),
		`${day}${clock}`.replace(/\D/g, ''),
		facts.amount,
		facts.change,
		escaped(facts.noinvoice),
	].join('/');
	return `${fields}/${encode32(key.sign(fields))}`;
}

const Amounts = v.object({ amount: RupiahSchema, change: RupiahSchema });

/** @returns whether the text begins like a kiosk's QR code. A printout's short code does not. */
export const isSlipText = (text: string): boolean => text.trim().toUpperCase().startsWith('KIOSK');

/**
 * Reads the text of a QR code.
 * @returns null if the text is not complete or not valid. The caller checks `signed` and
 * `signature` with `SlipKey.hasSigned`.
 */
export function readSlipText(text: string): (SlipText & { signed: string; signature: Uint8Array }) | null {
	const found = SHAPE.exec(text.trim().toUpperCase());
	if (!found) return null;
	const [
		,
		signed = '',
		letter,
		kiosk = '',
		record,
		hash = '',
		day,
		month,
		year,
		hour,
		minute,
		amount,
		change,
		noinvoice = '',
		sealed = '',
	] = found;
	const kind = (Object.keys(PAPERS) as PaperKind[]).find((one) => PAPERS[one] === letter);
	const signature = decode32(sealed);
	const name = plain(noinvoice);
	const money = v.safeParse(Amounts, { amount, change });
	if (kind === undefined || signature === null || name === null || !money.success) return null;
	return {
		kind,
		kiosk,
		record: Number(record),
		hash: hash.toLowerCase(),
		time: `${day}-${month}-${year} ${hour}:${minute}`,
		...money.output,
		noinvoice: name,
		signed,
		signature,
	};
}

const escaped = (name: string): string => {
	const bytes = [...Buffer.from(name.toWellFormed())];
	const letters = bytes.map((byte) => {
		const letter = String.fromCharCode(byte);
		return /[-0-9A-Z.]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
	});
	let text = '';
	for (const letter of letters) {
		if (text.length + letter.length > INVOICE_LETTERS) break;
		text += letter;
	}
	return text;
};

/** @returns the text with its escapes decoded; null if an escape is broken */
function plain(text: string): string | null {
	if (!/^([^%]|%[0-9A-F]{2})*$/.test(text)) return null;
	const bytes = text.replace(/%(..)|./g, (letter, hex) => hex ?? letter.charCodeAt(0).toString(16).padStart(2, '0'));
	return Buffer.from(bytes, 'hex').toString();
}
