import { createHash, randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StaffRole } from '@kiosk/contract/staff-names';
import { beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import type { Clock } from '../base/clock.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import type { ListedPerson } from '../journal/records.ts';
import { openStore } from '../journal/store.ts';
import { openStaffNames } from '../staff/staff-names.ts';
import { type StaffPeople, staffPeople } from './staff-people.ts';

const clock: Clock = { now: () => 0, wall: () => new Date(), after: () => () => {} };
const hashOf = async (pin: string, salt: Buffer) => createHash('sha256').update(salt).update(pin).digest();
const PAGE = 'page';
const CODES = { Sari: '111111', Budi: '222222', Rina: '333333' };
let directory = '';
let journal: Journal;
let people: StaffPeople;

function open(needsCodes: boolean): StaffPeople {
	const deps = { directory, needsCodes, log: { event: vi.fn() } };
	const names = openStaffNames({ ...deps, journal, newId: randomUUID, now: () => '2026-11-24T09:25:00+07:00' });
	return staffPeople({ ...deps, names, staff: { openedAt: () => 0 }, clock, hashOf });
}

beforeEach(async () => {
	directory = temporaryFolder('staff-people');
	journal = openJournal({ directory: join(directory, 'journal'), minFreeBytes: 0 }, clock, openStore, () => 1_000_000);
	people = open(true);
	await add('Sari', 'supervisor', null);
	await prove('Sari');
	await add('Budi', 'cashier', 'Sari');
	people.forgetProofs(PAGE);
});

const prove = (name: keyof typeof CODES) => people.prove(PAGE, { name, code: CODES[name] });
const add = (name: keyof typeof CODES, role: StaffRole, by: string | null) =>
	people.change(PAGE, { action: 'add', name, role, by, code: CODES[name] });

test('a code typed for one kind of action is not accepted for another kind', async () => {
	await prove('Sari');
	expect(people.refusalOf(PAGE, ['Sari'], 'names')).toBeNull();
	expect(people.refusalOf(PAGE, ['Sari'], 'names')).toBeNull();
	for (const act of ['box', 'case', 'rehearsal'] as const) expect(people.refusalOf(PAGE, ['Sari'], act)).toEqual({ code: 'need_code' });
	await prove('Sari');
	expect(people.refusalOf(PAGE, ['Sari'], 'case')).toBeNull();
	expect(people.refusalOf(PAGE, ['Sari'], 'names')).toEqual({ code: 'need_code' });
});

test('an action that is refused because its second code is missing does not use up the first code', async () => {
	await prove('Sari');
	expect(people.refusalOf(PAGE, ['Sari', 'Budi'], 'case')).toEqual({ code: 'need_code' });
	expect(people.refusalOf(PAGE, ['Sari'], 'box')).toBeNull();
});

test('after a name was added again or got another code, the code must be typed again', async () => {
	await prove('Sari');
	expect((await people.change(PAGE, { action: 'retire', name: 'Budi', by: 'Sari' })).ok).toBe(true);
	await prove('Sari');
	expect((await add('Budi', 'cashier', 'Sari')).ok).toBe(true);
	expect(people.refusalOf(PAGE, ['Budi'], 'box')).toEqual({ code: 'need_code' });
	await prove('Budi');
	await prove('Sari');
	expect((await people.change(PAGE, { action: 'set_code', name: 'Budi', by: 'Sari', code: '333333' })).ok).toBe(true);
	expect(people.refusalOf(PAGE, ['Budi'], 'box')).toEqual({ code: 'need_code' });
});

test('for each change of the names the supervisor must type the code again, even after a refused change', async () => {
	await prove('Sari');
	expect((await add('Rina', 'cashier', 'Sari')).ok).toBe(true);
	expect(await people.change(PAGE, { action: 'retire', name: 'Rina', by: 'Sari' })).toMatchObject({ error: { code: 'need_code' } });
	await prove('Sari');
	expect(await add('Rina', 'cashier', 'Sari')).toMatchObject({ error: { code: 'known_name' } });
	expect(await people.change(PAGE, { action: 'retire', name: 'Rina', by: 'Sari' })).toMatchObject({ error: { code: 'need_code' } });
});

test('if two simultaneous requests use the same typed code, only one of them changes a name', async () => {
	await prove('Sari');
	const answers = await Promise.all([add('Rina', 'cashier', 'Sari'), people.change(PAGE, { action: 'retire', name: 'Budi', by: 'Sari' })]);
	expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
});

test('if two simultaneous requests with the PIN alone add a first supervisor, only one is added', async () => {
	expect(journal.append({ ...listOf([]), action: 'clear', by: 'Teknisi' }).ok).toBe(true);
	const answers = await Promise.all([add('Sari', 'supervisor', null), add('Rina', 'supervisor', null)]);
	expect(answers.map((one) => (one.ok ? 'added' : one.error.code)).sort()).toEqual(['added', 'need_supervisor']);
});

test('the first supervisor is recorded without an approving supervisor, even if the request names one', async () => {
	journal.append({ ...listOf([]), action: 'clear', by: 'Teknisi' });
	expect((await add('Rina', 'supervisor', 'Sari')).ok).toBe(true);
	expect(journal.names.changes(1)).toMatchObject([{ action: 'add', staff_name: 'Rina', by: null }]);
});

test('after the codes are lost, the PIN alone cannot add a name or set a code', async () => {
	rmSync(join(directory, 'staff-codes.json'));
	people = open(true);
	expect(people.list()).toMatchObject({ needs_supervisor: true, lost: 'codes' });
	expect(await add('Rina', 'supervisor', null)).toMatchObject({ error: { code: 'need_supervisor' } });
	expect(await people.change(PAGE, { action: 'set_code', name: 'Sari', by: null, code: '444444' })).toMatchObject({
		error: { code: 'need_supervisor' },
	});
	expect(await prove('Sari')).toMatchObject({ error: { code: 'no_code' } });
	expect(await add('Rina', 'supervisor', 'Sari')).toMatchObject({ error: { code: 'need_code' } });
});

test('if no supervisor has a code, the PIN alone can set the code of one of them, but cannot retire a supervisor', async () => {
	journal.append(
		listOf([
			{ staff_name: 'Sari', role: 'supervisor', code_id: null },
			{ staff_name: 'Rina', role: 'supervisor', code_id: null },
		]),
	);
	expect(await people.change(PAGE, { action: 'retire', name: 'Rina', by: null })).toMatchObject({ error: { code: 'need_supervisor' } });
	expect((await people.change(PAGE, { action: 'set_code', name: 'Sari', by: null, code: '444444' })).ok).toBe(true);
	expect(await people.change(PAGE, { action: 'set_code', name: 'Rina', by: null, code: '444444' })).toMatchObject({
		error: { code: 'need_supervisor' },
	});
});

test('if the list of an earlier version is damaged, no first name can be added', async () => {
	journal = openJournal({ directory: join(directory, 'other'), minFreeBytes: 0 }, clock, openStore, () => 1_000_000);
	writeFileSync(join(directory, 'staff-names.json'), '{');
	for (const needsCodes of [false, true]) {
		people = open(needsCodes);
		expect(people.list()).toMatchObject({ people: [], needs_supervisor: true, lost: 'names' });
		expect(await add('Rina', 'supervisor', null)).toMatchObject({ error: { code: 'names_lost' } });
	}
});

const listOf = (listed: ListedPerson[]) =>
	({
		kind: 'staff_names_changed',
		change_id: randomUUID(),
		action: 'take_over',
		staff_name: null,
		by: null,
		people: listed,
		time: '2026-11-24T09:25:00+07:00',
	}) as const;
