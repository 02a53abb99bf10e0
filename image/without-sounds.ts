/**
 * Empties the sounds (FLAC, 5 MB) in a file of Chromium's resources: node without-sounds.ts FILE.
 * Only pages of ChromeOS play these sounds. Each sound stays as an empty entry, because the browser
 * finds resources by their number.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const VERSION = 5;
const HEADER = 12;
const ENTRY = 6;
const ALIAS = 4;
const FLAC = Buffer.from('fLaC');

/**
 * @param pack version, encoding, counts of resources and aliases, number and offset of each
 * resource, aliases, contents
 * @returns the file with empty sounds; throws if its version is unknown
 */
export function withoutSounds(pack: Buffer): Buffer {
	if (pack.readUInt32LE(0) !== VERSION) throw new Error(`the resources have version ${pack.readUInt32LE(0)}, not ${VERSION}`);
	const count = pack.readUInt16LE(8);
	const head = Buffer.from(pack.subarray(0, HEADER + ENTRY * (count + 1) + ALIAS * pack.readUInt16LE(10)));
	const contents: Buffer[] = [];
	let at = head.length;
	for (let index = 0; index <= count; index += 1) {
		const place = HEADER + ENTRY * index + 2;
		head.writeUInt32LE(at, place);
		if (index === count) break;
		const content = pack.subarray(pack.readUInt32LE(place), pack.readUInt32LE(place + ENTRY));
		if (content.subarray(0, FLAC.length).equals(FLAC)) continue;
		contents.push(content);
		at += content.length;
	}
	return Buffer.concat([head, ...contents]);
}

const file = process.argv[2];
if (import.meta.main && file !== undefined) writeFileSync(file, withoutSounds(readFileSync(file)));
