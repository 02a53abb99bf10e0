// @module-tag deep
/** A state file is replaced while the disk has room for only a part of the new file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceFile, replaceFileForGood } from '../../../daemon/src/base/replace-file.ts';
import { readLeftOpen, saveLeftOpen } from '../../../daemon/src/journal/open-items-export.ts';
import { canMount, SmallDisk } from './disk.ts';

/** Room for three pages. */
const ROOM = Buffer.alloc(3 * 4_096);
const LONGER = 'y'.repeat(40_000);

describe.skipIf(!canMount)('a disk with room for a part of a file', () => {
	let disk: SmallDisk;
	const path = (name: string): string => join(disk.path, name);
	beforeEach(() => {
		disk = new SmallDisk(1);
		writeFileSync(path('spare'), ROOM);
	});
	afterEach(() => disk.remove());

	function leaveRoom(): void {
		disk.fill();
		writeFileSync(path('spare'), '');
	}

	test.each([
		['replaceFile', replaceFile],
		['replaceFileForGood', replaceFileForGood],
	])('if the disk has no room for the new file, the old file stays (%s)', (_how, replace) => {
		const file = path('box-count.json');
		replace(file, 'counted by Sari');
		leaveRoom();
		expect(() => replace(file, LONGER)).toThrow('no space left');
		expect(readFileSync(file, 'utf8')).toBe('counted by Sari');
	});

	test('if the disk has no room for the list of open items, no incomplete list is saved, and a later start saves the whole list', () => {
		const unwritten = [{ kind: 'card_answer', amount: 137_500, why: LONGER }];
		leaveRoom();
		readLeftOpen(disk.path, unwritten);
		disk.free();
		saveLeftOpen(disk.path);
		expect(JSON.parse(readFileSync(path('open.json'), 'utf8'))).toEqual({ unwritten: [] });
		readLeftOpen(disk.path, [{ kind: 'cash_unexplained' }]);
		readLeftOpen(disk.path, []);
		expect(JSON.parse(readFileSync(path('open.json'), 'utf8'))).toEqual({ unwritten: [{ kind: 'cash_unexplained' }] });
	});
});
