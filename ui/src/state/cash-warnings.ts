import type { DoubtfulNote } from '@kiosk/contract/back-office';
import { moneyInvolved } from './cash.ts';
import type { RootState } from './store.ts';

/**
 * What a customer must know before the first note. `paper`: why no receipt can be expected.
 * `doubts`: notes from earlier visits for this invoice, which staff must still check.
 */
export type CashWarnings = { paper: string | null; doubts: DoubtfulNote[] };

type Known = Pick<RootState, 'printer' | 'cash' | 'invoice'>;

/** @returns the warnings that the customer has not accepted yet; null if there are none */
export function cashWarnings({ printer, cash, invoice }: Known): CashWarnings | null {
	const inSession = (note: DoubtfulNote) => cash.doubts.some(({ note_id }) => note_id === note.note_id);
	const doubts = (invoice.detail?.kiosk_doubts ?? []).filter((note) => !cash.accepted.includes(note.note_id) && !inSession(note));
	const paper = cash.accepted.includes(PAPER) ? null : printer.trouble;
	return paper === null && doubts.length === 0 ? null : { paper, doubts };
}

/**
 * @returns whether the question about the warnings is open; it is asked only before the first note
 */
export const isWarningAsked = (state: Known): boolean => cashWarnings(state) !== null && !moneyInvolved(state.cash);

const PAPER = 'paper';

/** @returns what to remember if the customer continues despite these warnings */
export const acceptedOf = ({ paper, doubts }: CashWarnings): string[] => [
	...(paper === null ? [] : [PAPER]),
	...doubts.map(({ note_id }) => note_id),
];
