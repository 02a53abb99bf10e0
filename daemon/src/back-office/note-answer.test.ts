import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readNoteAnswer } from './note-answer.ts';

const read = (body: string | Buffer, contentType = 'application/json') =>
	readNoteAnswer({ status: 200, contentType, setCookie: [], body: Buffer.from(body) });
const notTaken = (refused: 'yes' | 'perhaps', text: string) => ({ refused, text: expect.stringContaining(text) });

const PAGE = '<!doctype html><title>Wi-Fi</title>';
test.each([
	['text/html; charset=utf-8', `\n${PAGE}`],
	['text/html; charset=utf-8', `\ufeff${PAGE}`],
	['application/json', PAGE],
])('a network’s log-in page with the content type %s does not confirm the note', (type, page) => {
	expect(read(page, type)).toEqual(notTaken('perhaps', 'a web page was answered'));
});

test.each([
	['compressed without a header for it', gzipSync('{"success":false}')],
	['in UTF-16', Buffer.from('\ufeff{"success":false}', 'utf16le')],
	['preceded by two byte order marks', Buffer.from('\ufeff\ufeff{"success":false}')],
	['preceded by the warning of a script', Buffer.from('Warning: no connection in x.php on line 3\n{"success":false}')],
])('an answer that is %s does not confirm the note', (_what, body) => {
	expect(read(body)).toEqual(notTaken('perhaps', 'the answer cannot be read (200)'));
});

test.each(['{', '{"success": fal', '{"success": false, "message": "Invoice {42', '[{"error": {"code": 200}}', '{"message": "\\"}'])(
	'an answer that was cut off (%s) does not confirm the note',
	(body) => expect(read(body)).toEqual(notTaken('perhaps', 'the answer was cut off (200)')),
);

test.each([
	'{"success": false, "message": "Invoice terkunci"}',
	'{"success": 0}',
	'{"success": "False"}',
	'{"success": "FALSE "}',
	'{"success": false}<br>Notice',
	'{"jsonrpc": "2.0", "id": null, "result": {"success": false}}',
	'{"success": true, "data": {"success": false}}',
	'{"results": {"success": false, "message": "Invoice sudah ditutup"}}',
	'[{"success": false}]',
	'"{\\"success\\": false}"',
])('the answer %s refuses the note', (body) => {
	expect(read(body)).toEqual(notTaken('yes', 'the back office refused it and answered 200'));
});

test.each([
	'{"jsonrpc": "2.0", "id": null, "error": {"code": 200, "message": "Odoo Server Error"}}',
	'{"error": "Invoice tidak ditemukan"}',
	'{"error": true}',
	'{"result": {"error": "Invoice terkunci"}}',
	'{"errors": ["Invoice sudah ditutup"]}',
	'{"status": "error", "message": "Invoice sudah ditutup"}',
])('the answer %s may be a server error, so it is undecided whether the note is refused', (body) => {
	expect(read(body)).toEqual(notTaken('perhaps', 'the back office refused it and answered 200'));
});

test.each([
	...['', 'OK', 'null', '{}', '[]', '"{"', '{"message": "}{"}', '{"success": true}<br>Notice'],
	...[
		'{"success": true}',
		'{"success": "true"}',
		'{"success": null}',
		'{"error": null, "message": "ok"}',
		'{"error": false}',
		'{"error": ""}',
		'{"success": true, "error": [], "errors": {}}',
		'{"status": "success"}',
	],
	...['{"result": {"success": true}, "data": null}', '{"data": [], "message": "success: false"}', '"{\\"success\\": true}"'],
])('the answer %j confirms the note, even if its content type is HTML', (body) => {
	expect(read(body, 'text/html; charset=utf-8')).toEqual({ is_paid: false });
});

test('the time to read an answer of blank lines grows with its length, not with the square of its length', () => {
	const time = (lines: number): number => {
		const before = performance.now();
		read('\n'.repeat(lines));
		return performance.now() - before;
	};
	const best = (lines: number): number => Math.min(...Array.from({ length: 5 }, () => time(lines)));
	best(4_000);
	expect(best(80_000)).toBeLessThan(100 * best(4_000));
});

test('a confirmation may report that the invoice is paid', () => {
	expect(read('{"is_paid": true}')).toEqual({ is_paid: true });
});
