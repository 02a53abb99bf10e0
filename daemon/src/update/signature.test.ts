import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { manifestOf, newKey, signed, writeKeys } from './release.fixture.ts';
import { checkSignature, keyId, readKeys } from './signature.ts';

const active = newKey();
const reserve = newKey();

function keys() {
	const folder = temporaryFolder('keys');
	writeKeys(folder, { active, reserve });
	const read = readKeys(folder);
	if (!read.ok) throw new Error(read.error.message);
	return read.value;
}
const release = signed(manifestOf(), active);
const asText = (change: object): Buffer => Buffer.from(JSON.stringify({ ...JSON.parse(release.signature.toString()), ...change }));

test('a signature of the active or reserve key is accepted, and the result names the key', () => {
	expect(checkSignature(release.bytes, release.signature, keys())).toEqual({ ok: true, value: 'active' });
	const byReserve = signed(manifestOf(), reserve);
	expect(checkSignature(byReserve.bytes, byReserve.signature, keys())).toEqual({ ok: true, value: 'reserve' });
});

test('a manifest is refused if any byte was added after signing', () => {
	const more = Buffer.concat([release.bytes, Buffer.from(' ')]);
	expect(checkSignature(more, release.signature, keys())).toMatchObject({
		error: { code: 'signature', message: expect.stringMatching(/does not match these bytes/) },
	});
});

test.each<[string, Buffer]>([
	['that is empty', Buffer.alloc(0)],
	['that is truncated', release.signature.subarray(0, -20)],
	['that is not JSON', Buffer.from('hello')],
	['that is too long', Buffer.concat([release.signature, Buffer.alloc(2_000, 0x20)])],
	['with a short signature', asText({ signature: 'AAAA' })],
	['with an additional field', asText({ more: 1 })],
])('a signature file %s is refused as damaged or cut off', (_how, file) => {
	expect(checkSignature(release.bytes, file, keys())).toMatchObject({
		error: { code: 'signature', message: expect.stringMatching(/damaged or cut off/) },
	});
});

test('the signature of an unknown key is refused, even under the name of a known key', () => {
	const foreign = signed(manifestOf(), newKey());
	expect(checkSignature(foreign.bytes, foreign.signature, keys())).toMatchObject({
		error: { message: expect.stringMatching(/does not know/) },
	});
	const { signature } = JSON.parse(foreign.signature.toString());
	const disguised = asText({ signature, key: keyId(createPublicKey(active)) });
	expect(checkSignature(release.bytes, disguised, keys())).toMatchObject({
		error: { message: expect.stringMatching(/does not match these bytes/) },
	});
});

test('the update keys are usable if at least one of them is an Ed25519 key', () => {
	const folder = temporaryFolder('keys');
	expect(readKeys(folder)).toMatchObject({ error: { code: 'signature', message: expect.stringMatching(/no usable update key/) } });
	const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
	writeFileSync(join(folder, 'active.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
	expect(readKeys(folder)).toMatchObject({ error: { message: expect.stringMatching(/active.pem is not an Ed25519 key/) } });
	writeKeys(folder, { reserve });
	expect(readKeys(folder)).toMatchObject({ value: [{ name: 'reserve' }] });
});
