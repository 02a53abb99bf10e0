import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import type { Clock } from '../base/clock.ts';
import { fail } from '../base/result.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { openStore } from '../journal/store.ts';
import { openStaffNames, type StaffNames } from './staff-names.ts';

const TIME = '2026-11-24T09:25:00+07:00';
const clock: Clock = { now: () => 1_000, wall: () => new Date(TIME), after: () => () => {} };
const CODE = { salt: 'c2FsdA==', hash: 'aGFzaA==' };
const OTHER_CODE = { salt: 'c2FsdA==', hash: 'b3RoZXI=' };

let directory: string;
let journal: Journal;
let events: string[];

const openBooks = () => openJournal({ directory: join(directory, 'journal'), minFreeBytes: 0 }, clock, openStore, () => 1_000_000);
const open = (needsCodes = false): StaffNames =>
	openStaffNames({ journal, directory, needsCodes, newId: randomUUID, now: () => TIME, log: { event: (id) => void events.push(id) } });
/** Starts again, as after the daemon was killed. */
function restart(needsCodes = false): StaffNames {
	journal.close();
	journal = openBooks();
	return open(needsCodes);
}
beforeEach(() => {
	events = [];
	directory = temporaryFolder('staff-names');
	journal = openBooks();
});
const codeFile = () => join(directory, 'staff-codes.json');
const oldFile = () => join(directory, 'staff-names.json');
const supervisor = (name: string, code: typeof CODE | null = null) => ({ name, role: 'supervisor', code }) as const;
const cashier = (name: string, code: typeof CODE | null = null) => ({ name, role: 'cashier', code }) as const;
const namesOf = (names: StaffNames) => names.list().map(({ name }) => name);
const historyOf = (names: StaffNames) => names.changes(99).map(({ action, staff_name, by }) => [action, staff_name, by]);

test('names are sorted, unique and can be retired, except the last supervisor', () => {
	const names = open();
	expect(names.add(supervisor('Sari'), null).ok).toBe(true);
	expect(names.add(cashier('Budi'), 'Sari').ok).toBe(true);
	expect(names.add(supervisor('sari'), 'Sari')).toMatchObject({ error: { code: 'known_name' } });
	expect(namesOf(names)).toEqual(['Budi', 'Sari']);
	expect(names.retire('Sari', 'Sari')).toMatchObject({ error: { code: 'last_supervisor' } });
	expect(names.retire('Budi', 'Sari').ok).toBe(true);
	const again = restart();
	expect(namesOf(again)).toEqual(['Sari']);
	expect(again.clear('Teknisi').ok).toBe(true);
	expect(namesOf(restart())).toEqual([]);
});

test('after a restart, all changes of the list are known from the journal alone, each with the person who approved it', () => {
	const names = open();
	names.add(supervisor('Sari'), null);
	names.add(cashier('Budi'), 'Sari');
	names.setCode('Budi', CODE, 'Sari');
	names.retire('Budi', 'Sari');
	names.clear('Teknisi');
	rmSync(codeFile(), { force: true });
	expect(historyOf(restart())).toEqual([
		['add', 'Sari', null],
		['add', 'Budi', 'Sari'],
		['set_code', 'Budi', 'Sari'],
		['retire', 'Budi', 'Sari'],
		['clear', null, 'Teknisi'],
	]);
});

test('a name that would exceed the maximum number of names is refused', () => {
	const names = open();
	for (const letter of 'abcdefghjkmn') expect(names.add(supervisor(`Sari ${letter}`), null).ok).toBe(true);
	expect(names.add(supervisor('Budi'), null)).toMatchObject({ error: { code: 'too_many_names' } });
});

test('a name that could be confused with another name on a slip is not added', () => {
	const names = open();
	names.add(supervisor('Adil Sari 1'), null);
	for (const alike of ['ADIL SARI 1', 'AdiI Sari l', 'Ádil Sari 1', 'Adıl Sari 1', 'Adil-Sari 1.', 'AdilSari 1'])
		expect([alike, names.add(cashier(alike), null)]).toMatchObject([alike, { error: { code: 'known_name' } }]);
	expect(names.add(cashier('Adil Sari 2'), null).ok).toBe(true);
});

test('if a change cannot be written because the disk is full, it is refused and the list stays', () => {
	const names = open(true);
	names.add(supervisor('Sari', CODE), null);
	// A folder with this name makes the write fail, as it fails on a full disk.
	mkdirSync(`${codeFile()}.new`);
	expect(names.add(supervisor('Budi', CODE), null)).toMatchObject({ error: { code: 'names_not_kept' } });
	expect(names.setCode('Sari', OTHER_CODE, 'Sari')).toMatchObject({ error: { code: 'names_not_kept' } });
	journal.close();
	expect(names.clear('Teknisi')).toMatchObject({ error: { code: 'names_not_kept' } });
	expect(namesOf(restart(true))).toEqual(['Sari']);
	expect(open(true).codeOf('Sari')).toEqual(CODE);
});

describe('personal codes', () => {
	test('are stored as hashes in a file that only the daemon can read, and not in the journal', () => {
		const names = open(true);
		names.add(supervisor('Sari', CODE), null);
		expect(names.codeOf('Sari')).toEqual(CODE);
		expect(statSync(codeFile()).mode & 0o777).toBe(0o600);
		journal.close();
		expect(readFileSync(join(directory, 'journal', 'journal.sqlite')).includes(CODE.hash)).toBe(false);
		expect(restart(true).codeOf('Sari')).toEqual(CODE);
	});

	test('stay unchanged if the daemon is killed before the record of a new code is written', () => {
		const names = open(true);
		names.add(supervisor('Sari', CODE), null);
		const { append } = journal;
		journal.append = () => fail({ code: 'journal_unhealthy', message: 'killed' });
		expect(names.setCode('Sari', OTHER_CODE, 'Sari').ok).toBe(false);
		journal.append = append;
		expect(readFileSync(codeFile(), 'utf8')).toContain(OTHER_CODE.hash);
		expect(restart(true).codeOf('Sari')).toEqual(CODE);
	});

	test('are deleted from the file when they are replaced or their names are removed', () => {
		const names = open(true);
		names.add(supervisor('Sari', CODE), null);
		names.setCode('Sari', OTHER_CODE, 'Sari');
		expect(readFileSync(codeFile(), 'utf8')).not.toContain(CODE.hash);
		names.clear('Teknisi');
		expect(readFileSync(codeFile(), 'utf8')).not.toContain(OTHER_CODE.hash);
	});

	test.each(['{"codes":{"x', '', '{"codes":1}', null])('count as lost if their file is %j, and the names stay', (text) => {
		const names = open(true);
		names.add(supervisor('Sari', CODE), null);
		names.add(cashier('Budi', CODE), 'Sari');
		if (text === null) rmSync(codeFile());
		else writeFileSync(codeFile(), text);
		const found = restart(true);
		expect(found.list().map(({ name, code }) => [name, code])).toEqual([
			['Budi', 'lost'],
			['Sari', 'lost'],
		]);
		expect([found.lost(), events]).toEqual(['codes', ['staff.codes_lost']]);
		expect(found.codeOf('Sari')).toBeNull();
		expect(found.setCode('Sari', CODE, 'Sari').ok).toBe(true);
		expect(
			restart(true)
				.list()
				.map(({ code }) => code),
		).toEqual(['lost', 'set']);
		// If personal codes are not required, a lost code is not reported.
		expect(restart(false).lost()).toBeNull();
	});

	test('protect, if they are required, the last supervisor with a code from being retired', () => {
		const names = open(false);
		names.add(supervisor('Rina'), null);
		names.add(supervisor('Sari', CODE), 'Rina');
		const needed = restart(true);
		expect(needed.retire('Sari', 'Sari')).toMatchObject({ error: { code: 'last_supervisor' } });
		expect(needed.retire('Rina', 'Sari').ok).toBe(true);
	});
});

describe('the file of an earlier version', () => {
	const OLD = {
		people: [
			{ name: 'Budi', role: 'cashier', code: null },
			{ name: 'Sari', role: 'supervisor', code: CODE },
		],
	};
	beforeEach(() => writeFileSync(oldFile(), JSON.stringify(OLD)));

	test('is moved only once: its names into the journal, its codes into their own file', () => {
		const names = open(true);
		expect(names.list()).toEqual([
			{ name: 'Budi', role: 'cashier', code: 'none' },
			{ name: 'Sari', role: 'supervisor', code: 'set' },
		]);
		expect([names.codeOf('Sari'), names.lost(), events, existsSync(oldFile())]).toEqual([CODE, null, ['staff.names_taken_over'], false]);
		names.retire('Budi', 'Sari');
		const again = restart(true);
		expect([namesOf(again), again.codeOf('Sari'), events]).toEqual([['Sari'], CODE, ['staff.names_taken_over']]);
		expect(historyOf(again)).toEqual([
			['take_over', null, null],
			['retire', 'Budi', 'Sari'],
		]);
	});

	test('is ignored and deleted if the journal already has a list', () => {
		open(true).retire('Budi', 'Sari');
		writeFileSync(oldFile(), JSON.stringify(OLD));
		expect([namesOf(restart(true)), existsSync(oldFile())]).toEqual([['Sari'], false]);
		expect(events).toEqual(['staff.names_taken_over']);
	});

	test('stays in use while its codes cannot be written to the disk', () => {
		mkdirSync(`${codeFile()}.new`);
		const names = open(true);
		expect([namesOf(names), names.codeOf('Sari')]).toEqual([['Budi', 'Sari'], CODE]);
		expect(names.retire('Budi', 'Sari')).toMatchObject({ error: { code: 'names_not_kept' } });
		expect([journal.names.people(), existsSync(oldFile()), events]).toEqual([null, true, []]);
		rmdirSync(`${codeFile()}.new`);
		expect(names.retire('Budi', 'Sari').ok).toBe(true);
		expect([restart(true).codeOf('Sari'), events]).toEqual([CODE, ['staff.names_taken_over']]);
	});

	test('is moved later if the journal cannot be opened at the start', () => {
		journal.close();
		const names = open(true);
		expect([namesOf(names), events, existsSync(oldFile())]).toEqual([['Budi', 'Sari'], [], true]);
		journal.reopen();
		expect([namesOf(names), events, existsSync(oldFile())]).toEqual([['Budi', 'Sari'], ['staff.names_taken_over'], false]);
	});

	test.each(['{"people":[{"na', '', '{"people":1}'])(
		'that is damaged (%j) is reported as lost names until a technician clears the list',
		(text) => {
			writeFileSync(oldFile(), text);
			const names = open();
			expect([namesOf(names), names.lost(), events]).toEqual([[], 'names', ['staff.names_damaged']]);
			expect(readFileSync(oldFile(), 'utf8')).toBe(text);
			expect(names.clear('Teknisi').ok).toBe(true);
			expect([names.lost(), existsSync(oldFile())]).toEqual([null, false]);
			expect(historyOf(restart())).toEqual([['clear', null, 'Teknisi']]);
		},
	);
});

test('a new kiosk begins with an empty list and reports no loss', () => {
	const names = open(true);
	expect([namesOf(names), names.lost(), events, existsSync(codeFile())]).toEqual([[], null, [], false]);
});
