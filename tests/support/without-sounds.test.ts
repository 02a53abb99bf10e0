import { expect, test } from 'vitest';
import { withoutSounds } from '../../image/without-sounds.ts';

/**
 * @returns a resource file of Chromium that has these contents, numbered from 100, and one alias
 */
function pack(...contents: readonly string[]): Buffer {
	const head = Buffer.alloc(12 + 6 * (contents.length + 1) + 4);
	head.writeUInt32LE(5, 0);
	head.writeUInt16LE(contents.length, 8);
	head.writeUInt16LE(1, 10);
	let at = head.length;
	for (const [index, content] of [...contents, ''].entries()) {
		head.writeUInt16LE(index === contents.length ? 0 : 100 + index, 12 + 6 * index);
		head.writeUInt32LE(at, 14 + 6 * index);
		at += content.length;
	}
	head.writeUInt16LE(200, head.length - 4);
	return Buffer.concat([head, Buffer.from(contents.join(''))]);
}

test('sounds are emptied, and all other resources keep their contents and numbers', () => {
	expect(withoutSounds(pack('text', 'fLaCsound', 'picture', 'fLaC'))).toEqual(pack('text', '', 'picture', ''));
});

test('a resource file of another format version is refused', () => {
	const other = pack('text');
	other.writeUInt32LE(6, 0);
	expect(() => withoutSounds(other)).toThrow('version 6, not 5');
});
