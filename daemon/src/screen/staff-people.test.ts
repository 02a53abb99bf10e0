import type { StaffRole } from '@kiosk/contract/staff-names';
import { beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import type { Clock } from '../base/clock.ts';
import { openStaffNames } from '../staff/staff-names.ts';
import { type StaffPeople, staffPeople } from './staff-people.ts';

const clock: Clock = { now: () => 0, wall: () => new Date(), after: () => () => {} };
const PAGE = 'page';
const CODES = { Sari: '111111', Budi: '222222' };
let directory = '';
let people: StaffPeople;

beforeEach(async () => {
	directory = temporaryFolder('staff-people');
	const names = openStaffNames(directory, { event: vi.fn() }, () => new Date());
	people = staffPeople({ names, needsCodes: true, directory, staff: { openedAt: () => 0 }, clock, log: { event: vi.fn() } });
	await add('Sari', 'supervisor', null);
	await prove('Sari');
	await add('Budi', 'cashier', 'Sari');
	people.forgetProofs(PAGE);
});

const prove = (name: keyof typeof CODES) => people.prove(PAGE, { name, code: CODES[name] });
const add = (name: keyof typeof CODES, role: StaffRole, by: string | null) =>
	people.change(PAGE, { action: 'add', name, role, by, code: CODES[name] });

test('a code that was typed for one kind of act does not serve for another', async () => {
	await prove('Sari');
	expect(people.refusalOf(PAGE, ['Sari'], 'names')).toBeNull();
	expect(people.refusalOf(PAGE, ['Sari'], 'names')).toBeNull();
	for (const act of ['box', 'case', 'rehearsal'] as const) expect(people.refusalOf(PAGE, ['Sari'], act)).toEqual({ code: 'need_code' });
	await prove('Sari');
	expect(people.refusalOf(PAGE, ['Sari'], 'case')).toBeNull();
	expect(people.refusalOf(PAGE, ['Sari'], 'names')).toEqual({ code: 'need_code' });
});

test('an act for which one of two codes is missing uses none of them', async () => {
	await prove('Sari');
	expect(people.refusalOf(PAGE, ['Sari', 'Budi'], 'case')).toEqual({ code: 'need_code' });
	expect(people.refusalOf(PAGE, ['Sari'], 'box')).toBeNull();
});

test('the code of a name that was retired and added again, or that got another code, must be typed again', async () => {
	await prove('Budi');
	await prove('Sari');
	expect((await people.change(PAGE, { action: 'retire', name: 'Budi', by: 'Sari' })).ok).toBe(true);
	expect((await add('Budi', 'cashier', 'Sari')).ok).toBe(true);
	expect(people.refusalOf(PAGE, ['Budi'], 'box')).toEqual({ code: 'need_code' });
	await prove('Budi');
	expect((await people.change(PAGE, { action: 'set_code', name: 'Budi', by: 'Sari', code: '333333' })).ok).toBe(true);
	expect(people.refusalOf(PAGE, ['Budi'], 'box')).toEqual({ code: 'need_code' });
});
