/**
 * Reports of the terminal that could not be written to the journal. They are kept in memory, oldest
 * first, until the journal can be written.
 */
import { isDeepStrictEqual } from 'node:util';
import type { TerminalResponse } from '../edc/terminal.ts';
import type { JournalRecord } from '../journal/records.ts';
import type { CardEffect, CardState, KeptWord, WriteEffect } from './card-state.ts';

/** Keeps the complete record of a report, with its response. */
export const keepRecord = (
	state: CardState,
	record: Extract<JournalRecord, { kind: 'card_evidence' | 'card_unknown' }>,
	response: TerminalResponse | null,
): CardState => ({ ...state, unwritten: [...state.unwritten, { record, response }] });

/**
 * Keeps an unwritten response until the disk recovers. Meanwhile the terminal gets no
 * acknowledgement and may repeat the response. A repeated response is kept once.
 */
export function keepResponse(state: CardState, request_id: string | null, response: TerminalResponse | null): CardState {
	const isKept = state.unwritten.some((word) => !word.record && isDeepStrictEqual(word.response, response));
	if (!response || isKept) return state;
	return { ...state, unwritten: [...state.unwritten, { request_id, response, isIdle: state.open === null }] };
}

/**
 * Keeps a report whose record could not be written. A report that was kept before stays in its
 * place, because later reports are judged after it.
 */
export function keepInPlace(state: CardState, word: KeptWord, record: JournalRecord): CardState {
	const { unwritten } = state;
	const kept = wordAfter(word, record);
	const isKept = unwritten.includes(word);
	return { ...state, unwritten: isKept ? unwritten.map((one) => (one === word ? kept : one)) : [...unwritten, kept] };
}

/** @returns the report as it is kept after `record` could not be written */
function wordAfter(word: KeptWord, record: JournalRecord): KeptWord {
	// Evidence may be on disk nevertheless. Its record shows this later; the response alone would
	// then count as a second answer.
	if (record.kind === 'card_evidence') return { record, response: word.response };
	// The report belongs to the sale that it has ended.
	return record.kind === 'card_unknown' && !word.record ? { ...word, request_id: record.attempt_id } : word;
}

/** Adds the report to its writes, so that it is kept until all of them have succeeded. */
export const keepUntilWritten = (effects: readonly CardEffect[], word: KeptWord): CardEffect[] =>
	writeInSequence(effects.map((effect) => (effect.kind === 'write' ? { ...effect, word } : effect)));

/** Puts the writes first. Each write begins only after the write before it has succeeded. */
export function writeInSequence(effects: readonly CardEffect[]): CardEffect[] {
	const writes = effects.filter((effect): effect is WriteEffect => effect.kind === 'write');
	const first = writes.reduceRight<WriteEffect | null>((next, one) => ({ ...one, ...(next && { next }) }), null);
	return [...(first ? [first] : []), ...effects.filter(({ kind }) => kind !== 'write')];
}

/**
 * The decline of the newest sale may have been a repeated answer to an older sale. Then an
 * unrequested approval of the same amount may be the real answer to the newest sale.
 * @returns the id of the newest sale if this response may be its real answer, else null. The caller
 * passes only a response that answers no request
 */
export function declinedBefore({ open, last }: CardState, { type, code, amount }: TerminalResponse): string | null {
	if (open !== null || last?.phase !== 'declined') return null;
	return type === 'sale' && code === '00' && amount === last.sale.amount ? last.sale.attempt_id : null;
}

/** @returns the id of the request or sale that an unwritten report may concern; null if unknown */
export function subjectOf(state: CardState, word: KeptWord): string | null {
	if (word.record) return word.record.attempt_id;
	// A charge that was reported during a request does not belong to this request's later decline.
	return word.request_id ?? (word.isIdle ? declinedBefore(state, word.response) : null);
}
