import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { StaffNameRequest, StaffNames, StaffProof } from '@kiosk/contract/staff-names';
import type { Clock } from '../base/clock.ts';
import { type HashOf, hashPin, matchesPin, type PinHash } from '../base/pin-hash.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { Log } from '../log/log.ts';
import type { StaffNames as NameList } from '../staff/staff-names.ts';
import { openPinTries, type PinTries } from './pin-tries.ts';
import type { StaffSessions } from './staff-sessions.ts';

type Refusal = {
	code:
		| 'names_lost'
		| 'unknown_name'
		| 'known_name'
		| 'too_many_names'
		| 'last_supervisor'
		| 'names_not_kept'
		| 'need_supervisor'
		| 'need_code'
		| 'no_code'
		| 'wrong_code'
		| 'too_many_codes';
};

/** Kinds of actions on the staff screen. A typed code is valid for one kind. */
type ActKind = 'names' | 'box' | 'case' | 'rehearsal';

/** A typed code. `act`: the kind of action for which it was used; null before the first action. */
type Proof = { code: PinHash; act: ActKind | null };

/** People who act on the staff screen: their names, roles and personal codes. */
export interface StaffPeople {
	list(): StaffNames;
	/**
	 * Adds or retires a name, or sets its code. A supervisor must approve, unless no supervisor can
	 * approve yet. An approved request uses up the page's typed codes, even if it fails.
	 */
	change(session: string, wish: StaffNameRequest): Promise<Result<StaffNames, Refusal>>;
	/**
	 * Checks a code. A correct code is valid on this page for one kind of action, at most until the
	 * staff session ends.
	 */
	prove(session: string, proof: StaffProof): Promise<Result<void, Refusal>>;
	/**
	 * @returns why this action of these people is refused on this page; null if it is allowed. From
	 * then on, the typed codes are valid only for this kind of action.
	 */
	refusalOf(session: string, names: readonly string[], act: ActKind): Refusal | null;
	isSupervisor(name: string): boolean;
	/** Discards the typed codes of this page, so that the next action needs them again. */
	forgetProofs(session: string): void;
}

/**
 * @param deps.needsCodes `[staff] personal_codes`
 * @param deps.directory the daemon's state directory
 * @param deps.hashOf replaces the slow hash in tests
 */
export function staffPeople(deps: {
	names: NameList;
	needsCodes: boolean;
	directory: string;
	staff: Pick<StaffSessions, 'openedAt'>;
	clock: Clock;
	log: Log;
	hashOf?: HashOf;
}): StaffPeople {
	const { names, needsCodes, directory, staff, clock, log, hashOf } = deps;
	/**
	 * For each page: the typed codes by name, and when the staff session began in which they were
	 * typed.
	 */
	const proofs = new Map<string, { openedAt: number; of: ReadonlyMap<string, Proof> }>();
	/**
	 * Wrong codes are counted for each name, because the correct code of one person must not restore
	 * the tries for another person's code.
	 */
	const tries = new Map<string, PinTries>();

	function triesOf(name: string): PinTries {
		const known = tries.get(name);
		if (known) return known;
		const id = createHash('sha256').update(name).digest('hex').slice(0, 16);
		const refused = (in_a_row: number, wait_ms: number) => log.event('staff.code_refused', { staff_name: name, in_a_row, wait_ms });
		const opened = openPinTries({ file: join(directory, `code-tries-${id}.json`), clock, log, refused });
		tries.set(name, opened);
		return opened;
	}

	/**
	 * @returns the typed code of this name if it is valid for this action; null if it must be typed
	 * again
	 */
	function proofOf(session: string, name: string, act: ActKind): Proof | null {
		const page = proofs.get(session);
		const proof = page?.openedAt === staff.openedAt(session) ? page.of.get(name) : undefined;
		// Since the code was typed, the name may have been given to another person or got another code.
		if (!proof || proof.code !== names.codeOf(name)) return null;
		return proof.act === null || proof.act === act ? proof : null;
	}

	// A supervisor whose code was lost still counts: otherwise the PIN alone could add another
	// supervisor.
	const approves = ({ role, code }: StaffNames['people'][number]): boolean => role === 'supervisor' && (code !== 'none' || !needsCodes);
	const needsSupervisor = (): boolean => names.lost() === 'names' || names.list().some(approves);
	const list = (): StaffNames => ({
		people: [...names.list()],
		needs_codes: needsCodes,
		needs_supervisor: needsSupervisor(),
		lost: names.lost(),
	});
	const isSupervisor = (name: string): boolean => names.list().some((one) => one.name === name && one.role === 'supervisor');

	function refusalOf(session: string, acting: readonly string[], act: ActKind): Refusal | null {
		const known = new Set(names.list().map(({ name }) => name));
		if (acting.some((name) => !known.has(name))) return { code: 'unknown_name' };
		if (!needsCodes) return null;
		const typed = acting.map((name) => proofOf(session, name, act));
		if (typed.includes(null)) return { code: 'need_code' };
		for (const proof of typed) if (proof) proof.act = act;
		return null;
	}

	function approvalProblem(session: string, { by, ...wish }: StaffNameRequest): Refusal | null {
		if (names.lost() === 'names') return { code: 'names_lost' };
		if (needsSupervisor()) {
			if (by === null || !isSupervisor(by)) return { code: 'need_supervisor' };
			return refusalOf(session, [by], 'names');
		}
		// While no supervisor can approve, the only allowed change is one after which a supervisor can.
		const becomes = wish.action === 'add' ? wish.role === 'supervisor' : wish.action === 'set_code' && isSupervisor(wish.name);
		return becomes ? null : { code: 'need_supervisor' };
	}

	function carryOut(wish: StaffNameRequest, by: string | null, code: PinHash | null): Result<void, Refusal> {
		if (wish.action === 'retire') return names.retire(wish.name, by);
		if (wish.action === 'add') return names.add({ name: wish.name, role: wish.role, code }, by);
		return code ? names.setCode(wish.name, code, by) : ok(undefined);
	}

	const forgetProofs = (session: string): void => void proofs.delete(session);

	return {
		list,
		isSupervisor,
		refusalOf,
		async change(session, wish) {
			if (wish.action === 'add' && needsCodes && wish.code === null) return fail({ code: 'need_code' });
			// Nothing may be awaited between the check of the approval and the record, because another
			// page could change the list meanwhile.
			const code = wish.action === 'retire' || wish.code === null ? null : await hashPin(wish.code, hashOf);
			const refused = approvalProblem(session, wish);
			if (refused) return fail(refused);
			// While no supervisor can approve, the approver's name in the request is not checked, so it
			// is not recorded.
			const by = needsSupervisor() ? wish.by : null;
			forgetProofs(session);
			const done = carryOut(wish, by, code);
			if (!done.ok) return done;
			log.event('staff.names_changed', { action: wish.action, staff_name: wish.name, by: by ?? '' });
			return ok(list());
		},
		async prove(session, { name, code }) {
			const openedAt = staff.openedAt(session);
			const hash = names.codeOf(name);
			if (hash === null || openedAt === null) return fail({ code: 'no_code' });
			const ended = triesOf(name).begin();
			if (ended === null) return fail({ code: 'too_many_codes' });
			const isRight = await matchesPin(code, hash, hashOf);
			ended(isRight ? 'right' : 'wrong');
			if (!isRight) return fail({ code: 'wrong_code' });
			const before = proofs.get(session);
			const others = before?.openedAt === openedAt ? before.of : [];
			proofs.set(session, { openedAt, of: new Map([...others, [name, { code: hash, act: null }]]) });
			return ok(undefined);
		},
		forgetProofs,
	};
}
