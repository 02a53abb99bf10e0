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

/** Writes a variable as in efivarfs: four bytes of attributes, then the value. */
const variable = (name: string, value: number) => {
	mkdirSync(firmware, { recursive: true });
	writeFileSync(join(firmware, `${name}-8be4df61-93ca-11d2-aa0d-00e098032b8c`), Buffer.from([6, 0, 0, 0, value]));
};
const said = (image = 'Debian GNU/Linux 13, image 0.1.0') => secureBoot({ secure_boot: readSecureBoot(firmware), system: image });

test('on a PC without UEFI the part is absent', () => {
	expect(said()).toEqual([]);
});

test('the part shows whether Secure Boot is on, off or in setup mode; only on is ok', () => {
	variable('SecureBoot', 1);
	variable('SetupMode', 0);
	expect(said()).toMatchObject([{ part: 'secure boot', state: 'ok', code: 'on' }]);
	variable('SecureBoot', 0);
	expect(said()).toMatchObject([{ state: 'off', code: 'off' }]);
	variable('SetupMode', 1);
	expect(said()).toMatchObject([{ state: 'off', code: 'setup', text: expect.stringContaining('no keys') }]);
});

test('an image signed with a test key is a warning even if Secure Boot is on', () => {
	variable('SecureBoot', 1);
	expect(said('Debian GNU/Linux 13, image 0.1.0-testkeys')).toMatchObject([
		{ state: 'warn', code: 'test_keys', text: expect.stringContaining('signed with a test key') },
	]);
});
