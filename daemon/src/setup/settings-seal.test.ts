import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { type Digests, openSeal } from './settings-seal.ts';

const OWN: Digests = { '[acceptor] port': 'a', authorized_keys: 'k' };
const LATER = { ...OWN, '[update] url': 'u' };

function start(directory: string, sealed: Digests) {
	return openSeal({ directories: [directory], sealed, now: () => '2026-11-21T14:31:08+07:00', log: { event: () => {} } as never });
}
const accepted = (directory: string): Digests =>
	JSON.parse(readFileSync(join(directory, 'accepted-settings.json'), 'utf8')).digests as Digests;

test('a name that only a later version seals is kept and does not count as a change when the kiosk returns to this version', () => {
	const directory = temporaryFolder('seal');
	start(directory, LATER);
	const seal = start(directory, { ...OWN, '[acceptor] port': 'b' });
	expect(seal.unconfirmed()).toEqual(['[acceptor] port']);
	seal.confirmSettings('Sari');
	expect(accepted(directory)).toEqual({ ...LATER, '[acceptor] port': 'b' });
	expect(start(directory, { ...LATER, '[acceptor] port': 'b', '[update] url': 'other' }).unconfirmed()).toEqual(['[update] url']);
});

test('a name that this version seals counts as changed when it is missing', () => {
	const directory = temporaryFolder('seal');
	start(directory, OWN);
	expect(start(directory, { '[acceptor] port': 'a' }).unconfirmed()).toEqual(['authorized_keys']);
	writeFileSync(join(directory, 'accepted-settings.json'), '{');
	expect(start(directory, OWN).unconfirmed()).toEqual(['[acceptor] port', 'authorized_keys']);
});
