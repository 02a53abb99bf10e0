import type { Clock } from '../../../daemon/src/base/clock.ts';
import type { RequestFields, ResponseFields } from './frame.ts';

/** Transaction types of the ECR link that this terminal supports. */
export const TYPE = {
	sale: '01',
	saleAndCash: '02',
	void: '08',
	settlement: '10',
	contactless: '13',
	echo: '17',
	reprint: '19',
	qris: '31',
	qrisInquiry: '32',
} as const;

export const SALE_TYPES: readonly string[] = [TYPE.sale, TYPE.saleAndCash, TYPE.contactless];

/** Response codes of the host for an unknown transaction and an unsupported request. */
export const NOT_FOUND = '25';
export const NOT_SUPPORTED = '12';

/** A transaction that the bank captured, even if the kiosk got another answer or none. */
export interface BankTransaction {
	type: string;
	/** rupiah */
	amount: number;
	invoice: string;
	trace: string;
	approval: string;
	at: string;
	batch: string;
	voided: boolean;
	settled: boolean;
}

export interface QrisCode {
	reference: string;
	amount: number;
	paid: boolean;
	expired: boolean;
	at: string;
}

export interface BankLedger {
	transactions: BankTransaction[];
	qrisCodes: QrisCode[];
	/** The invoice number that was used last. */
	number: number;
	batch: number;
}

const MERCHANT_ID = '000885000012345';
const TERMINAL_ID = 'ECR00417';
const CARD = '************3367';
const QRIS_PAYER = 'PELANGGAN CONTOH';
/** Time by which Jakarta's clocks are ahead of UTC, ms. Terminals use the time of Jakarta. */
const AHEAD_MS = 7 * 3_600_000;

/**
 * The bank behind the terminal. It gives every captured sale an invoice number, which the slip
 * shows.
 */
export class Bank {
	/** Id of the terminal; a test changes it to simulate an exchanged terminal. */
	terminalId = TERMINAL_ID;
	readonly #ledger: BankLedger;
	readonly #clock: Pick<Clock, 'wall'>;
	readonly #onChange: (ledger: BankLedger) => void;

	/** @param ledger earlier captures, or null */
	constructor(clock: Pick<Clock, 'wall'>, ledger: BankLedger | null, onChange: (ledger: BankLedger) => void) {
		this.#clock = clock;
		this.#ledger = ledger ?? { transactions: [], qrisCodes: [], number: 0, batch: 1 };
		this.#onChange = onChange;
	}

	get transactions(): readonly BankTransaction[] {
		return this.#ledger.transactions;
	}

	get qrisCodes(): readonly QrisCode[] {
		return this.#ledger.qrisCodes;
	}

	/** Rupiah that customers have paid and have not got back. */
	get captured(): number {
		const cards = this.transactions.filter((transaction) => !transaction.voided).reduce((sum, { amount }) => sum + amount, 0);
		return cards + this.qrisCodes.filter((code) => code.paid).reduce((sum, { amount }) => sum + amount, 0);
	}

	capture(type: string, amount: number): BankTransaction {
		const number = String(this.#nextNumber()).padStart(6, '0');
		const { time } = this.#now();
		// The approval code is the time, as for BCA debit cards.
		const transaction = {
			type,
			amount,
			invoice: number,
			trace: number,
			approval: time,
			at: this.#clock.wall().toISOString(),
			batch: this.#batchNumber(),
			voided: false,
			settled: false,
		};
		this.#ledger.transactions.push(transaction);
		this.#onChange(this.#ledger);
		return transaction;
	}

	/** @param invoice six digits; "000000" or spaces stand for the newest transaction */
	find(invoice: string): BankTransaction | undefined {
		if (/^[0 ]*$/.test(invoice)) return this.transactions.at(-1);
		return this.transactions.findLast((transaction) => transaction.invoice === invoice);
	}

	/** Voids a transaction before the settlement. @returns the voided transaction, or undefined */
	voidSale(invoice: string): BankTransaction | undefined {
		const found = this.transactions.find((transaction) => transaction.invoice === invoice && !transaction.voided && !transaction.settled);
		if (found !== undefined) found.voided = true;
		this.#onChange(this.#ledger);
		return found;
	}

	/** Closes the batch. @returns the total of the batch, rupiah */
	settle(): number {
		const open = this.transactions.filter((transaction) => !transaction.settled);
		for (const transaction of open) transaction.settled = true;
		this.#ledger.batch += 1;
		this.#onChange(this.#ledger);
		return open.filter((transaction) => !transaction.voided).reduce((sum, { amount }) => sum + amount, 0);
	}

	openQris(amount: number): QrisCode {
		const reference = String(600_000_000_000 + this.#nextNumber());
		const code = { reference, amount, paid: false, expired: false, at: this.#clock.wall().toISOString() };
		this.#ledger.qrisCodes.push(code);
		this.#onChange(this.#ledger);
		return code;
	}

	/**
	 * Ends the newest open QRIS code: a customer pays, or the code expires.
	 * @returns false if no code is open
	 */
	endQris(how: 'paid' | 'expired'): boolean {
		const code = this.#ledger.qrisCodes.findLast(({ paid, expired }) => !paid && !expired);
		if (code === undefined) return false;
		code[how] = true;
		this.#onChange(this.#ledger);
		return true;
	}

	/** @returns the fields of an answer about a captured transaction */
	cardFields(transaction: BankTransaction, type: string): Partial<ResponseFields> {
		return {
			...this.#common(type, transaction.amount),
			pan: CARD,
			rrn: transaction.trace.padStart(12),
			approval: transaction.approval,
			cardholder: '/ '.padStart(26),
			invoice: transaction.invoice,
			batch: transaction.batch,
			issuer: '00',
		};
	}

	qrisFields(code: QrisCode, type: string): Partial<ResponseFields> {
		return {
			...this.#common(type, code.amount),
			pan: '9360001400000123456',
			rrn: code.reference,
			approval: 'Q'.concat(code.reference.slice(-8)),
			cardholder: QRIS_PAYER,
			invoice: '000000',
			batch: this.#batchNumber(),
			issuer: '08',
		};
	}

	/** @returns the fields of the answer to an echo test or a settlement */
	plainFields(type: string, amount: number): Partial<ResponseFields> {
		return { ...this.#common(type, amount), approval: '000000', invoice: '000000', batch: this.#batchNumber() };
	}

	#common(type: string, amount: number): Partial<ResponseFields> {
		return {
			type,
			amount: wireAmount(amount),
			otherAmount: wireAmount(0),
			expiry: '****',
			respCode: '00',
			...this.#now(),
			merchantId: MERCHANT_ID,
			terminalId: this.terminalId,
			offlineFlag: 'N',
			installmentFlag: 'N',
			dccFlag: 'N',
			redeemFlag: 'N',
			infoAmount: wireAmount(0),
			dccDecimals: '0',
			dccRate: '00000000',
			couponFlag: 'N',
		};
	}

	#nextNumber(): number {
		this.#ledger.number += 1;
		return this.#ledger.number;
	}

	#batchNumber(): string {
		return String(this.#ledger.batch).padStart(6, '0');
	}

	#now(): { date: string; time: string } {
		const local = new Date(this.#clock.wall().getTime() + AHEAD_MS).toISOString();
		return { date: local.slice(0, 10).replaceAll('-', ''), time: local.slice(11, 19).replaceAll(':', '') };
	}
}

/** @returns rupiah × 100 in 12 digits */
export const wireAmount = (amount: number): string => String(amount * 100).padStart(12, '0');

/** @returns rupiah, or null if the field is not a whole number of rupiah */
export function readAmount(request: RequestFields): number | null {
	return /^\d{10}00$/.test(request.amount) ? Number(request.amount) / 100 : null;
}

/**
 * Response codes of the refusals that real terminals fill with spaces. They fill other refusals
 * with zeros.
 */
const SPACE_FILLED: readonly string[] = ['PT', 'P3'];

/** @returns the fields of a refusal, in one of its two layouts */
export function refusalFields(type: string, respCode: string): Partial<ResponseFields> {
	if (SPACE_FILLED.includes(respCode)) return { type, amount: wireAmount(0), otherAmount: wireAmount(0), respCode };
	return {
		type,
		amount: wireAmount(0),
		otherAmount: wireAmount(0),
		expiry: '0000',
		respCode,
		rrn: '0'.repeat(12),
		approval: '0'.repeat(6),
		date: '0'.repeat(8),
		time: '0'.repeat(6),
		invoice: '000000',
		batch: '000000',
		offlineFlag: 'N',
		installmentFlag: 'N',
		dccFlag: 'N',
		redeemFlag: 'N',
		couponFlag: 'N',
		infoAmount: wireAmount(0),
	};
}
