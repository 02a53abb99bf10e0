import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { STAFF_ROLES, type StaffNames as StaffNamesAnswer, type StaffPerson, type StaffRole } from '@kiosk/contract/staff-names';
import * as v from 'valibot';
import { PinHash } from '../base/pin-hash.ts';
import { replaceFileForGood } from '../base/replace-file.ts';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import type { Journal } from '../journal/journal.ts';
import type { NameChange } from '../journal/name-book.ts';
import type { ListedPerson } from '../journal/records.ts';
import { isClosed } from '../journal/trouble.ts';
import type { Log } from '../log/log.ts';
import { looksAlike } from './alike.ts';

/** Maximum number of names: enough for an outlet, and few enough for the screen. */
const MOST_NAMES = 12;

/** Hashes of the personal codes, by the id of the change that set the code. */
const Codes = v.record(v.string(), PinHash);
const CodeFile = v.object({ codes: Codes });
/** The file in which earlier versions kept names and codes. */
const OldFile = v.object({
	people: v.array(v.object({ name: v.string(), role: v.picklist(STAFF_ROLES), code: v.nullable(PinHash) })),
});
type OldList = { people: ListedPerson[]; codes: v.InferOutput<typeof Codes> };

type NotKept = { code: 'names_not_kept'; message: string };
type Changed<C extends string> = Result<void, { code: C } | NotKept>;

/**
 * Names of the outlet's staff with their roles and personal codes. Each staff action needs a name.
 */
export interface StaffNames {
	list(): readonly StaffPerson[];
	/**
	 * The data that the kiosk has lost, or null. `names`: the list is unknown, which is not the same
	 * as empty.
	 */
	lost(): StaffNamesAnswer['lost'];
	/** @returns the hash of this name's code; null if the name has no code or the code was lost */
	codeOf(name: string): PinHash | null;
	/** @param by the supervisor who approves; null if none can approve */
	add(person: { name: string; role: StaffRole; code: PinHash | null }, by: string | null): Changed<'known_name' | 'too_many_names'>;
	setCode(name: string, code: PinHash, by: string | null): Changed<'unknown_name'>;
	/** Removes a name from the list. Records of its actions stay in the journal. */
	retire(name: string, by: string | null): Changed<'unknown_name' | 'last_supervisor'>;
	/**
	 * Removes all names. A supervisor must then be added first.
	 * @param by the technician
	 */
	clear(by: string): Result<void, NotKept>;
	/**
	 * @param most maximum number of changes
	 * @returns the newest changes, oldest first
	 */
	changes(most: number): NameChange[];
}

/**
 * The list is in the journal. The hashes of the codes are in a separate file, because six digits
 * can be guessed from their hash and the journal is copied and exported without encryption.
 * @param deps.directory the daemon's state directory
 * @param deps.needsCodes `[staff] personal_codes`
 * @param deps.newId returns a fresh UUID
 * @param deps.now returns the present time, ISO 8601
 */
export function openStaffNames(deps: {
	journal: Pick<Journal, 'append' | 'names' | 'trouble'>;
	directory: string;
	needsCodes: boolean;
	newId: () => string;
	now: () => string;
	log: Log;
}): StaffNames {
	const { journal, directory, needsCodes, newId, now, log } = deps;
	const codeFile = join(directory, 'staff-codes.json');
	const oldFile = join(directory, 'staff-names.json');
	let old = readOld(oldFile, newId);
	let codes = readCodes(codeFile);
	if (old !== null && old !== 'damaged') codes = { ...codes, ...old.codes };

	const refuse = (message: string): Result<void, NotKept> => fail({ code: 'names_not_kept', message });

	function keepCodes(next: typeof codes): Result<void, NotKept> {
		try {
			mkdirSync(directory, { recursive: true, mode: 0o700 });
			replaceFileForGood(codeFile, JSON.stringify({ codes: next }));
		} catch (error) {
			return refuse(messageOf(error));
		}
		codes = next;
		return ok(undefined);
	}

	function record(
		action: NameChange['action'],
		staff_name: string | null,
		by: string | null,
		next: readonly ListedPerson[],
		change_id: string,
	): Result<void, NotKept> {
		const written = journal.append({ kind: 'staff_names_changed', change_id, action, staff_name, by, people: [...next], time: now() });
		return written.ok ? ok(undefined) : refuse(written.error.message);
	}

	/**
	 * Moves the list of an earlier version into the journal if the journal has none. If a power cut
	 * comes between the record and the removal of the file, the next call removes the file.
	 */
	function takeOver(): Result<void, NotKept> {
		if (old === null || isClosed(journal.trouble())) return ok(undefined);
		if (journal.names.people() === null) {
			if (old === 'damaged') return ok(undefined);
			const kept = Object.keys(old.codes).length > 0 ? keepCodes(codes) : ok(undefined);
			const taken = kept.ok ? record('take_over', null, null, old.people, newId()) : kept;
			if (!taken.ok) return taken;
			log.event('staff.names_taken_over', { count: old.people.length });
		}
		try {
			rmSync(oldFile, { force: true });
			old = null;
		} catch {
			// The removal is retried at the next call. The list of the journal is already in use.
		}
		return ok(undefined);
	}

	function people(): readonly ListedPerson[] {
		takeOver();
		return journal.names.people() ?? (old === null || old === 'damaged' ? [] : old.people);
	}

	/** @param code the code that this change sets, or null */
	function change(
		action: NameChange['action'],
		staff_name: string | null,
		by: string | null,
		next: readonly ListedPerson[],
		code: { id: string; hash: PinHash } | null = null,
	): Result<void, NotKept> {
		const taken = takeOver();
		if (!taken.ok) return taken;
		// The hash is written before the record that refers to it. A hash without a record has no
		// effect.
		const kept = code ? keepCodes({ ...codes, [code.id]: code.hash }) : taken;
		const done = kept.ok ? record(action, staff_name, by, next, code?.id ?? newId()) : kept;
		if (!done.ok) return done;
		const used = Object.entries(codes).filter(([id]) => next.some(({ code_id }) => code_id === id));
		// Deletes unused hashes. If that fails, the next change retries it.
		if (used.length < Object.keys(codes).length) keepCodes(Object.fromEntries(used));
		return ok(undefined);
	}

	const codeFor = (hash: PinHash | null) => (hash === null ? null : { id: newId(), hash });
	const hashOf = ({ code_id }: ListedPerson): PinHash | null => (code_id === null ? null : (codes[code_id] ?? null));
	const stateOf = (one: ListedPerson): StaffPerson['code'] => (one.code_id === null ? 'none' : hashOf(one) ? 'set' : 'lost');
	const mayApprove = (one: ListedPerson): boolean => one.role === 'supervisor' && (!needsCodes || hashOf(one) !== null);

	function lost(): StaffNamesAnswer['lost'] {
		const listed = people();
		if (old === 'damaged' && journal.names.people() === null && !isClosed(journal.trouble())) return 'names';
		return needsCodes && listed.some((one) => stateOf(one) === 'lost') ? 'codes' : null;
	}

	const missing = lost();
	if (missing === 'names') log.event('staff.names_damaged', { file: oldFile });
	if (missing === 'codes') log.event('staff.codes_lost', { file: codeFile });

	return {
		list: () => people().map((one) => ({ name: one.staff_name, role: one.role, code: stateOf(one) })),
		lost,
		codeOf(name) {
			const found = people().find(({ staff_name }) => staff_name === name);
			return found ? hashOf(found) : null;
		},
		add({ name, role, code: hash }, by) {
			const before = people();
			if (before.some(({ staff_name }) => looksAlike(staff_name, name))) return fail({ code: 'known_name' });
			if (before.length >= MOST_NAMES) return fail({ code: 'too_many_names' });
			const code = codeFor(hash);
			const next = [...before, { staff_name: name, role, code_id: code?.id ?? null }];
			next.sort((a, b) => a.staff_name.localeCompare(b.staff_name, 'id'));
			return change('add', name, by, next, code);
		},
		setCode(name, hash, by) {
			const before = people();
			if (!before.some(({ staff_name }) => staff_name === name)) return fail({ code: 'unknown_name' });
			const id = newId();
			const next = before.map((one) => (one.staff_name === name ? { ...one, code_id: id } : one));
			return change('set_code', name, by, next, { id, hash });
		},
		retire(name, by) {
			const before = people();
			const rest = before.filter(({ staff_name }) => staff_name !== name);
			if (rest.length === before.length) return fail({ code: 'unknown_name' });
			// Without a supervisor, any person with the PIN could become supervisor.
			if (!rest.some(mayApprove)) return fail({ code: 'last_supervisor' });
			return change('retire', name, by, rest);
		},
		clear: (by) => change('clear', null, by, []),
		changes: (most) => journal.names.changes(most),
	};
}

/**
 * @returns the hashes; none if the file is missing or damaged. The journal shows which are lost.
 */
function readCodes(file: string): v.InferOutput<typeof Codes> {
	try {
		return v.parse(CodeFile, JSON.parse(readFileSync(file, 'utf8'))).codes;
	} catch {
		return {};
	}
}

/** @returns the list of an earlier version; null if there is no file */
function readOld(file: string, newId: () => string): OldList | 'damaged' | null {
	try {
		const listed = v.parse(OldFile, JSON.parse(readFileSync(file, 'utf8'))).people.map((one) => ({ ...one, id: newId() }));
		return {
			people: listed.map(({ name, role, code, id }) => ({ staff_name: name, role, code_id: code && id })),
			codes: Object.fromEntries(listed.flatMap(({ code, id }) => (code ? [[id, code]] : []))),
		};
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : 'damaged';
	}
}
