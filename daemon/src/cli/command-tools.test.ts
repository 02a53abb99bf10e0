import { afterEach, expect, test, vi } from 'vitest';
import { createCommandTools } from './command-tools.ts';

afterEach(() => vi.restoreAllMocks());

test('printed texts show control and invisible characters as "?", except line ends and tabs', () => {
	const written: string[] = [];
	vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
		written.push(String(text));
		return true;
	});
	const refuse = (sentence: string): never => {
		throw new Error(sentence);
	};
	const { say } = createCommandTools({ by: '', why: '', yes: true, ask: vi.fn(), refuse });
	say('INV/7\x1b[2J\x1b[1;1H paid\x9b31m\u202e\n\tRp 5.000');
	expect(written).toEqual(['INV/7?[2J?[1;1H paid?31m?\n\tRp 5.000\n']);
});
