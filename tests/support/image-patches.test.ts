import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from './folder.ts';

const run = promisify(execFile);
const IMAGE = join(import.meta.dirname, '..', '..', 'image');
const PATCHED = 'usr/lib/python3/dist-packages/mkosi/__init__.py';

/** The hunks of the patches, without headers. */
const patches = readdirSync(join(IMAGE, 'patches'))
	.sort()
	.map((name) =>
		readFileSync(join(IMAGE, 'patches', name), 'utf8')
			.split(/^@@ .*\n/m)
			.slice(1)
			.join(''),
	);
/**
 * @returns the part of mkosi that the patches change: without '+' lines its state before the
 * patches, without '-' lines its state after them
 */
const linesWithout = (sign: '+' | '-') =>
	patches
		.flatMap((hunks) => hunks.split(/(?<=\n)/))
		.filter((line) => !line.startsWith(sign))
		.map((line) => line.slice(1))
		.join('');

let builder: string;
const mkosi = () => readFileSync(join(builder, PATCHED), 'utf8');
const apply = () => run(join(IMAGE, 'apply-patches'), [builder]);

beforeEach(() => {
	builder = temporaryFolder('builder');
	mkdirSync(join(builder, dirname(PATCHED)), { recursive: true });
	writeFileSync(join(builder, PATCHED), linesWithout('+'));
});

test('applying the image’s patches a second time changes nothing', async () => {
	await apply();
	expect(mkosi()).toBe(linesWithout('-'));
	await apply();
	expect(mkosi()).toBe(linesWithout('-'));
});

test('if a patch does not fit mkosi, the build stops with a message that names the patch', async () => {
	const other = linesWithout('+').replace('amd.iterdir', 'amd.glob');
	writeFileSync(join(builder, PATCHED), other);
	await expect(apply()).rejects.toThrow('image/patches/microcode-order.patch does not apply to mkosi of an unknown version');
	expect(mkosi()).toBe(other);
});
