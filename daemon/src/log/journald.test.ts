import { expect, test } from 'vitest';
import type { EventFields } from './event-fields.ts';
import type { EventId } from './events.ts';
import { journaldEntry, journaldStream, messageId } from './journald.ts';
import { logTo } from './log.ts';

/** @returns the datagram for the line that pino writes for this event */
function entryOf<E extends EventId>(id: E, fields: EventFields[E]): Buffer {
	const lines: string[] = [];
	logTo({ write: (line) => void lines.push(line) }, 'debug').event(id, fields);
	expect(lines).toHaveLength(1);
	return journaldEntry(lines.join(''));
}

test('an entry has fields for filtering, and its message contains all fields of the event', () => {
	const entry = entryOf('cash.note_in_doubt', { note_id: 'n-1', nominal: 50_000, invoice: 'INV/1', payment_id: 7, why: 'silence' });
	expect(String(entry).split('\n')).toEqual([
		'MESSAGE=cash.note_in_doubt: note_id=n-1 nominal=50000 invoice=INV/1 payment_id=7 why=silence ' +
			'(It is unknown whether this note is in the cashbox. Look for the note in the cashbox, then settle it: `kioskctl cash settle`.)',
		`MESSAGE_ID=${messageId('cash.note_in_doubt')}`,
		'PRIORITY=3',
		'SYSLOG_IDENTIFIER=kioskd',
		'KIOSK_EVENT=cash.note_in_doubt',
		'KIOSK_PART=cash',
		'KIOSK_NOTE_ID=n-1',
		'KIOSK_NOMINAL=50000',
		'KIOSK_INVOICE=INV/1',
		'KIOSK_PAYMENT_ID=7',
		'KIOSK_WHY=silence',
		'',
	]);
});

test('null and undefined values get no field; a list is written as JSON', () => {
	expect(String(entryOf('settings.refused', { file: 'kiosk.toml', problems: ['a', 'b'] }))).toContain('\nKIOSK_PROBLEMS=["a","b"]\n');
	expect(String(entryOf('cash.collected', { period: 1, expected: 0, difference: null }))).not.toMatch(/KIOSK_DIFFERENCE|difference=/);
	expect(String(entryOf('card.unknown', { attempt_id: 'a-1', why: 'silence', amount: undefined }))).not.toMatch(/KIOSK_AMOUNT|amount=/);
});

test('text with a line break is sent with its length, so that it cannot add fields', () => {
	const entry = entryOf('screen.fault', { what: 'render', detail: 'x\nKIOSK_INVOICE=forged' });
	const at = entry.indexOf('KIOSK_DETAIL\n') + 'KIOSK_DETAIL\n'.length;
	expect(entry.readBigUInt64LE(at)).toBe(22n);
	expect(entry.subarray(at + 8, at + 30).toString()).toBe('x\nKIOSK_INVOICE=forged');
});

test('a very long field is cut, so that the entry fits into one datagram', () => {
	expect(entryOf('screen.fault', { what: 'render', detail: 'x'.repeat(1e6) }).length).toBeLessThan(10_000);
});

test('a line that journald does not accept goes to standard output unchanged', () => {
	const lines: string[] = [];
	const noSocket = -1;
	logTo(journaldStream(noSocket, { write: (line) => void lines.push(line) }), 'info').event('trace.kept', { file: 'a.txt', cause: 'b' });
	expect(JSON.parse(lines.join(''))).toMatchObject({ level: 'info', event: 'trace.kept', file: 'a.txt', cause: 'b' });
});
