import { expect, test } from 'vitest';
import { journaldEntry, messageId } from './journald.ts';

test('an entry has fields for filtering, and its message says everything', () => {
	const entry = journaldEntry('cash.note_in_doubt', { note_id: 'n-1', nominal: 50_000, invoice: 'INV/1', payment_id: 7, why: 'silence' });
	expect(String(entry).split('\n')).toEqual([
		'MESSAGE=cash.note_in_doubt: note_id=n-1 nominal=50000 invoice=INV/1 payment_id=7 why=silence ' +
			'(It is unknown whether this note is in the cashbox. Compare with the cashbox and settle the note: `kioskctl cash settle`.)',
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

test('unknown values have no field; a list is JSON', () => {
	const entry = String(journaldEntry('settings.refused', { problems: ['a', 'b'], file: undefined, code: null }));
	expect(entry).toContain('\nKIOSK_PROBLEMS=["a","b"]\n');
	expect(entry).not.toMatch(/KIOSK_FILE|KIOSK_CODE/);
});

test('text from outside cannot add fields: with a line break it is sent with its length', () => {
	const entry = journaldEntry('screen.fault', { detail: 'x\nKIOSK_INVOICE=forged' });
	const at = entry.indexOf('KIOSK_DETAIL\n') + 'KIOSK_DETAIL\n'.length;
	expect(entry.readBigUInt64LE(at)).toBe(22n);
	expect(entry.subarray(at + 8, at + 30).toString()).toBe('x\nKIOSK_INVOICE=forged');
});

test('an entry with any fields fits into one datagram', () => {
	expect(journaldEntry('screen.fault', { detail: 'x'.repeat(1e6) }).length).toBeLessThan(10_000);
});
