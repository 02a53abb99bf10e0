import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { openOutletToken } from './token.ts';

/** Replaces the file by a folder, which cannot be removed, like a file on a read-only disk. */
function makeReadOnly(file: string): void {
	rmSync(file);
	mkdirSync(file);
}

test('if the token’s file cannot be deleted, a log-out still applies to the whole kiosk', () => {
	const directory = temporaryFolder('token');
	const event = vi.fn();
	const token = openOutletToken(directory, { server: 'https://office.example', socket: '', ca: '' }, { event } as never);
	const heard = vi.fn();
	token.onChange(heard);
	token.keep('secret', { outlet: 'one', development: false });
	makeReadOnly(join(directory, 'outlet-token.json'));
	token.forget();
	expect([token.current(), heard.mock.calls]).toEqual([null, [[true], [true]]]);
	expect(event).toHaveBeenCalledWith('session.not_removed', { reason: expect.any(String) });
});
