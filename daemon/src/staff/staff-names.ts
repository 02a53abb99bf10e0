import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { STAFF_ROLES, type StaffPerson } from '@kiosk/contract/staff-names';
import * as v from 'valibot';
import { PinHash } from '../base/pin-hash.ts';
import { replaceFileForGood } from '../base/replace-file.ts';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import type { Log } from '../log/log.ts';

/** More than an outlet has staff; fits on the screen. */
const MOST_NAMES = 12;

/** The rule for names may have changed since, and one refused name would empty the list. */
const Person = v.object({ name: v.string(), role: v.picklist(STAFF_ROLES), code: v.nullable(PinHash) });
type Person = v.InferOutput<typeof Person>;
const Stored = v.object({ people: v.array(Person) });

type NotKept = { code: 'names_not_kept'; message: string };
type Changed<C extends string> = Result<void, { code: C } | NotKept>;

/** Names of the outlet's staff with their roles and personal codes; each act of staff needs one. */
export interface StaffNames {
	list(): readonly StaffPerson[];
	/** @returns the code of this name; null if it has none */
	codeOf(name: string): PinHash | null;
	add(person: Person): Changed<'known_name' | 'too_many_names'>;
	setCode(name: string, code: PinHash): Changed<'unknown_name'>;
	/** Removes a name from the list; records of its acts stay in the journal. */
	retire(name: string): Changed<'unknown_name' | 'last_supervisor'>;
	/** Removes all names: the next person added becomes the supervisor. */
	clear(): Result<void, NotKept>;
}

/**
 * @param directory the daemon's state directory
 * @param now for the name of a damaged file
 */
export function openStaffNames(directory: string, log: Log, now: () => Date): StaffNames {
	const file = join(directory, 'staff-names.json');
	let people = load(file) ?? setAside();

	/** Staff type the names again. The file is kept: the first name they type becomes the supervisor. */
	function setAside(): Person[] {
		const kept = `${file}.damaged-${now().toISOString().replace(/\D/g, '').slice(0, 14)}`;
		try {
			renameSync(file, kept);
			log.event('staff.names_damaged', { file: kept });
		} catch (error) {
			log.event('staff.names_damaged', { file: `${file}: ${messageOf(error)}` });
		}
		return [];
	}

	function keep(next: Person[]): Result<void, NotKept> {
		try {
			mkdirSync(directory, { recursive: true, mode: 0o700 });
			replaceFileForGood(file, JSON.stringify({ people: next }));
		} catch (error) {
			return fail({ code: 'names_not_kept', message: messageOf(error) });
		}
		people = next;
		return ok(undefined);
	}
	const find = (name: string): Person | undefined => people.find((one) => one.name === name);

	return {
		list: () => people.map(({ name, role, code }) => ({ name, role, has_code: code !== null })),
		codeOf: (name) => find(name)?.code ?? null,
		add(person) {
			if (people.some(({ name }) => name.toLowerCase() === person.name.toLowerCase())) return fail({ code: 'known_name' });
			if (people.length >= MOST_NAMES) return fail({ code: 'too_many_names' });
			return keep([...people, person].sort((a, b) => a.name.localeCompare(b.name, 'id')));
		},
		setCode(name, code) {
			if (!find(name)) return fail({ code: 'unknown_name' });
			return keep(people.map((one) => (one.name === name ? { ...one, code } : one)));
		},
		retire(name) {
			const rest = people.filter((one) => one.name !== name);
			if (rest.length === people.length) return fail({ code: 'unknown_name' });
			// Without a supervisor any person with the PIN could become one.
			if (!rest.some(({ role }) => role === 'supervisor')) return fail({ code: 'last_supervisor' });
			return keep(rest);
		},
		clear: () => keep([]),
	};
}

/** @returns the people; an empty list without a file; null for a damaged one */
function load(file: string): Person[] | null {
	try {
		return v.parse(Stored, JSON.parse(readFileSync(file, 'utf8'))).people;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : null;
	}
}
