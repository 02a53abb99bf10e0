import { expect, test } from 'vitest';
import { fileOf, parseManifest } from './manifest.ts';
import { bytesOf, manifestOf, rootName } from './release.fixture.ts';

const parsed = (manifest: object) => parseManifest(bytesOf(manifest));
const files = manifestOf().files;
const withRoot = (change: object) => ({
	...manifestOf(),
	files: files.map((file) => (file.kind === 'root' ? { ...file, ...change } : file)),
});

test('a manifest is parsed, and unknown fields are ignored', () => {
	const read = parsed({ ...manifestOf(), from_the_future: { a: 1 } });
	expect(read).toEqual({ ok: true, value: manifestOf() });
	expect(fileOf(manifestOf(), 'root').name).toBe(rootName('0.3.0'));
});

test('missing optional fields get cautious defaults', () => {
	const { severity, notes, hold, failed, retry, ...rest } = manifestOf();
	expect(parsed(rest)).toMatchObject({ value: { severity, notes, hold, failed, retry } });
});

test.each<[string, object, RegExp]>([
	['another format', { ...manifestOf(), format: 2 }, /format/],
	['a version that sysupdate cannot match', manifestOf({ version: '0.3.0~dirty' }), /version/],
	['a path for a file', withRoot({ name: '../etc/passwd' }), /files.0.name/],
	['an address for a file', withRoot({ name: 'https://elsewhere.example/kiosk_0.3.0.efi' }), /files.0.name/],
	['the name of another version', withRoot({ name: rootName('0.4.0') }), /is not the name of a root file of version 0.3.0/],
	['a root larger than any slot', withRoot({ bytes: 5 * 1024 ** 3 }), /files.0.bytes/],
	['a fraction of a byte', withRoot({ bytes: 1.5 }), /files.0.bytes/],
	['a hash in capitals', withRoot({ sha256: 'A'.repeat(64) }), /files.0.sha256/],
	['a manifest with two root files', { ...manifestOf(), files: [...files.slice(0, 2), ...files.slice(0, 1)] }, /two files of kind root/],
	['a manifest without a root', { ...manifestOf(), files: files.map((file) => ({ ...file, kind: 'uki' })) }, /no file of kind root/],
	['a percentage above 100', manifestOf({ rollout: { percent: 101, seed: 'x' } }), /rollout.percent/],
	['a manifest without a percentage', { ...manifestOf(), rollout: { seed: 'x' } }, /rollout.percent/],
	['a time in words', manifestOf({ expires: 'tomorrow' }), /expires/],
	['a window that is not a time of day', manifestOf({ window: '25:00-26:00' }), /window/],
])('%s is refused, and the message names the field', (_what, manifest, message) => {
	expect(parsed(manifest)).toMatchObject({ ok: false, error: { code: 'manifest', message: expect.stringMatching(message) } });
});

test('text that is not JSON, or is nested too deeply, is refused', () => {
	expect(parseManifest(Buffer.from('{"format":1'))).toMatchObject({
		error: { code: 'manifest', message: expect.stringMatching(/not JSON/) },
	});
	expect(parseManifest(Buffer.from('['.repeat(100_000)))).toMatchObject({ error: { code: 'manifest' } });
});
