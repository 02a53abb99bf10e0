import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { openStaffNames, type StaffNames } from './staff-names.ts';

let directory: string;
let events: string[];
const open = () => openStaffNames(directory, { event: (id) => void events.push(id) }, () => new Date('2026-11-24T02:25:00Z'));
beforeEach(() => {
	events = [];
	directory = temporaryFolder('staff-names');
});
const supervisor = (name: string) => ({ name, role: 'supervisor', code: null }) as const;
const namesOf = (names: StaffNames) => names.list().map(({ name }) => name);

test('names are sorted, added once, and retired; the last supervisor stays', () => {
	const names = open();
	expect(names.add(supervisor('Sari')).ok).toBe(true);
	expect(names.add({ name: 'Budi', role: 'cashier', code: null }).ok).toBe(true);
	expect(names.add(supervisor('sari'))).toMatchObject({ error: { code: 'known_name' } });
	expect(namesOf(names)).toEqual(['Budi', 'Sari']);
	expect(names.retire('Sari')).toMatchObject({ error: { code: 'last_supervisor' } });
	expect(names.retire('Budi').ok).toBe(true);
	expect(namesOf(open())).toEqual(['Sari']);
	expect(names.clear().ok).toBe(true);
	expect(namesOf(open())).toEqual([]);
});

test('a full list takes no more names', () => {
	const names = open();
	for (let at = 0; at < 12; at += 1) expect(names.add(supervisor(`Sari ${at}`)).ok).toBe(true);
	expect(names.add(supervisor('Budi'))).toMatchObject({ error: { code: 'too_many_names' } });
});

test('a change that a full disk rejects is refused, and the list stays', () => {
	const names = open();
	names.add(supervisor('Sari'));
	// A folder of this name refuses the new file as a full disk does.
	mkdirSync(join(directory, 'staff-names.json.new'));
	expect(names.add(supervisor('Budi'))).toMatchObject({ error: { code: 'names_not_kept' } });
	expect(names.clear()).toMatchObject({ error: { code: 'names_not_kept' } });
	expect(namesOf(names)).toEqual(['Sari']);
});

test.each(['{"people":[{"na', '', '{"people":1}'])('a damaged list %j is kept and reported, and the names are typed again', (text) => {
	const file = join(directory, 'staff-names.json');
	writeFileSync(file, text);
	const names = open();
	expect(namesOf(names)).toEqual([]);
	expect(events).toEqual(['staff.names_damaged']);
	expect(names.add(supervisor('Sari')).ok).toBe(true);
	expect(readdirSync(directory).sort()).toEqual(['staff-names.json', 'staff-names.json.damaged-20261124022500']);
	expect(readFileSync(`${file}.damaged-20261124022500`, 'utf8')).toBe(text);
	expect(namesOf(open())).toEqual(['Sari']);
	expect(events).toHaveLength(1);
});

test('a kiosk without a list begins with none and reports nothing', () => {
	expect(namesOf(open())).toEqual([]);
	expect(events).toEqual([]);
});
