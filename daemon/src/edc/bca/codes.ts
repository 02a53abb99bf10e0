/**
 * Control bytes, transaction types and response codes of BCA's ECR link, on which independent
 * implementations agree. Other numberings in circulation (06 settlement, 07 echo) are not BCA's.
 */
import type { TerminalRequest } from '../terminal.ts';

export const STX = 0x02;
export const ETX = 0x03;
export const ACK = 0x06;
export const NAK = 0x15;

export const APPROVED = '00';

/** Transaction types on the link; a response has the type of its request. */
export const TYPES = {
	sale: '01',
	void: '08',
	settlement: '10',
	echo: '17',
	reprint: '19',
	qris: '31',
	qris_inquiry: '32',
} as const satisfies Record<TerminalRequest['type'], string>;

const MEANINGS: Readonly<Record<string, string>> = {
	'00': 'approved',
	54: 'card expired',
	55: 'wrong PIN',
	P2: 'the card could not be read',
	P3: 'cancelled on the terminal',
	Z3: 'the chip of the card declined',
	CE: 'connection to the bank failed or busy: money may have moved',
	TO: 'the bank did not answer: money may have moved',
	PT: 'trouble in the terminal, or it needs a settlement',
	PS: 'settlement failed',
	S2: 'failed, to be repeated on the terminal',
	S3: 'QR not paid yet',
	S4: 'expired, to be started again',
	TN: 'cash top-up not ready',
};

/**
 * @returns the meaning of a response code, for the log. "aa" in BCA's list stands for any code of
 * the bank's host.
 */
export const codeMeaning = (code: string): string => MEANINGS[code] ?? 'declined with a code of the bank';
