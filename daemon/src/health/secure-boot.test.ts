import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { readSecureBoot, secureBoot } from './secure-boot.ts';

let firmware: string;
beforeEach(() => {
	firmware = join(temporaryFolder('efi'), 'efivars');
});
afterEach(() => rmSync(join(firmware, '..'), { recursive: true, force: true }));

/** A variable as in efivarfs: four bytes of attributes, then the value. */
const variable = (name: string, value: number) => {
	mkdirSync(firmware, { recursive: true });
	writeFileSync(join(firmware, `${name}-8be4df61-93ca-11d2-aa0d-00e098032b8c`), Buffer.from([6, 0, 0, 0, value]));
};
const said = (image = 'Debian GNU/Linux 13, image 0.1.0') => secureBoot({ secure_boot: readSecureBoot(firmware), system: image });

test('a PC without UEFI reports nothing', () => {
	expect(said()).toEqual([]);
});

test('on, off and setup mode are reported; only on is healthy', () => {
	variable('SecureBoot', 1);
	variable('SetupMode', 0);
	expect(said()).toMatchObject([{ part: 'secure boot', state: 'ok', code: 'on' }]);
	variable('SecureBoot', 0);
	expect(said()).toMatchObject([{ state: 'off', code: 'off' }]);
	variable('SetupMode', 1);
	expect(said()).toMatchObject([{ state: 'off', code: 'setup', text: expect.stringContaining('no keys') }]);
});

test('an image signed with a throw-away key is reported for every answer of the firmware', () => {
	variable('SecureBoot', 1);
	expect(said('Debian GNU/Linux 13, image 0.1.0-testkeys')).toMatchObject([
		{ state: 'warn', code: 'test_keys', text: expect.stringContaining('signed with a test key') },
	]);
});
