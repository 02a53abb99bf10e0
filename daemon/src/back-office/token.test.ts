import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { openOutletToken } from './token.ts';

/** A folder in place of the file cannot be removed, as on a disk that has become read-only. */
function makeReadOnly(file: string): void {
	rmSync(file);
	mkdirSync(file);
}

test('a log-out counts for the whole kiosk although the file of the token cannot be deleted', () => {
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
