import { expect, test } from 'vitest';
import { shownLine } from './log-line.ts';

test('only warnings and errors are shown, with their details', () => {
	expect(shownLine('{"level":30,"time":1,"msg":"started"}')).toBeNull();
	expect(shownLine('{"level":40,"time":1,"pid":2,"event":"acceptor_silent","msg":"no answer","missed":5}')).toBe(
		'warn [acceptor_silent] no answer missed=5',
	);
	expect(shownLine('{"level":"error","msg":"x","err":{"message":"y"}}')).toBe('error x err={"message":"y"}');
});

test('text that is not JSON, such as a stack trace, is shown unchanged', () => {
	expect(shownLine('    at main.ts:3')).toBe('    at main.ts:3');
	expect(shownLine('')).toBeNull();
});
