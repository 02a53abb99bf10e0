/** Performs what staff can do at the kiosk's screen, and checks each answer. */
import { BoxState } from '@kiosk/contract/box-count';
import { DECISIONS, needsSupervisor, type StaffCase, StaffCases, type StaffDecision } from '@kiosk/contract/staff-cases';
import * as v from 'valibot';
import type { Random } from '../support/random.ts';
import { leavePage, logIn } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import { PIN } from './sim-pin-truth.ts';
import { TWO_NAMES_ABOVE } from './sim-settings.ts';
import { honestNote, honestSale } from './sim-staff.ts';
import { NOMINALS, type StaffAnswer, type StaffPage } from './sim-staff-calls.ts';

/**
 * This person approves changes of the list of names, and decides the cases that need a supervisor.
 */
const SUPERVISOR = 'Sari';
export const PEOPLE = [SUPERVISOR, 'Budi', 'Wayan', 'Agus', 'Dewi'];
/** Bytes from the daemon arrive at the acceptor within this time, ms. */
const ON_THE_LINE_MS = 100;
const PIN_PATH = '/payment/api/v1/login-pin-screen/';
const Refusal = v.object({ code: v.string(), message: v.pipe(v.string(), v.minLength(5)) });
const Names = v.object({ people: v.array(v.object({ name: v.string() })) });

/** A page and what it shows, which may be outdated. */
export interface Desk extends StaffPage {
	cases: StaffCases | null;
	/** The result of a count. */
	count: BoxState['result'];
}

/** The outlet's staff, who use two pages. */
export class StaffPeople {
	readonly desks: readonly [Desk, Desk] = [
		{ name: 'panel', cookie: null, cases: null, count: null },
		{ name: 'second page', cookie: null, cases: null, count: null },
	];
	/** Names that are certainly in the list, and names that are certainly retired. */
	readonly listed = new Set<string>();
	readonly retired = new Set<string>();
	readonly world: SimKiosk;

	constructor(world: SimKiosk) {
		this.world = world;
	}

	/** Sends a request to the running daemon. A dead daemon never answers. */
	async ask(desk: Desk, method: 'GET' | 'POST', path: string, body?: unknown): Promise<StaffAnswer> {
		const { world } = this;
		const { staffCalls } = world;
		if (staffCalls === null) return new Promise(() => {});
		if (desk.cookie === null) staffCalls.start(desk);
		const answer = await staffCalls.ask(desk, method, path, body);
		if (world.staffCalls !== staffCalls) return new Promise(() => {});
		const said = (answer.body ?? {}) as { code?: unknown; message?: unknown };
		world.note(`staff at the ${desk.name}: ${method} ${path} ${JSON.stringify(body ?? null)}: ${answer.status} ${String(said.code ?? '')}`);
		if (answer.status === 401) desk.cookie = null;
		if (answer.status >= 500 && path !== PIN_PATH) world.violated(`S9: ${path} fails: ${JSON.stringify(answer.body)}`);
		if (answer.status === 409 && path !== PIN_PATH && !v.is(Refusal, answer.body))
			world.violated(`S9: ${path} refuses without a message: ${JSON.stringify(answer.body)}`);
		return answer;
	}

	/** Types a PIN. @returns whether the PIN opened the page */
	async types(desk: Desk, pin: string): Promise<boolean> {
		const { status, body } = await this.ask(desk, 'POST', PIN_PATH, { pin });
		const isRight = status >= 200 && status < 300 && Boolean((body as { success?: unknown } | null)?.success ?? body);
		if (isRight || status === 400) this.world.staff.pins.answered(isRight);
		return isRight;
	}

	/**
	 * Opens the staff page. Adds the first two of `PEOPLE` if they are not in the list.
	 * @returns whether the page is open
	 */
	async enters(desk: Desk): Promise<boolean> {
		const { body } = await this.ask(desk, 'GET', '/kiosk/staff');
		const isOpen = (body as { open?: unknown } | null)?.open === true;
		if (!isOpen && !(await this.types(desk, PIN))) return false;
		for (const name of PEOPLE.slice(0, 2)) if (!this.listed.has(name)) await this.names(desk, 'add', name);
		return true;
	}

	/** Adds or retires a name. */
	async names(desk: Desk, action: 'add' | 'retire', name: string): Promise<void> {
		this.listed.delete(name);
		this.retired.delete(name);
		const by = name === SUPERVISOR && action === 'add' ? null : SUPERVISOR;
		const person = { role: name === SUPERVISOR ? 'supervisor' : 'cashier', code: null };
		const wish = action === 'add' ? { action, name, by, ...person } : { action, name, by };
		const { status, body } = await this.ask(desk, 'POST', '/kiosk/staff/names', wish);
		if (status === 409 && action === 'add') {
			const { code } = body as { code?: unknown };
			// The name is already in the list. The daemon reports this, or refuses this person as first
			// supervisor because the list contains a supervisor.
			if (code === 'known_name' || (code === 'need_supervisor' && by === null)) this.listed.add(name);
		}
		if (status !== 200) return;
		if (action === 'retire' && name === SUPERVISOR) this.world.violated('S8: the last supervisor is retired');
		(action === 'add' ? this.listed : this.retired).add(name);
		if (v.parse(Names, body).people.some((one) => one.name === name) !== (action === 'add'))
			this.world.violated(`S8: after ${action} of ${name} the names are ${JSON.stringify(body)}`);
	}

	/**
	 * Loads the open cases. They must contain every note in doubt on disk, but no decided note or
	 * sale.
	 */
	async looks(desk: Desk): Promise<StaffCases | null> {
		const { world } = this;
		const { status, body } = await this.ask(desk, 'GET', '/kiosk/staff/cases');
		if (status !== 200) return null;
		desk.cases = v.parse(StaffCases, body);
		this.#judgeList(desk.cases);
		const shown = new Set(desk.cases.cases.map(({ id }) => id));
		for (const { note_id } of world.rows(`SELECT note_id FROM notes WHERE state = 'in_doubt'`))
			if (!shown.has(String(note_id))) world.violated(`S4: the open cases do not have the note ${String(note_id)} in doubt`);
		return desk.cases;
	}

	/** Sends a decision and judges the answer. @returns whether the daemon accepted it */
	async decides(desk: Desk, wish: StaffDecision): Promise<boolean> {
		const { world } = this;
		const since = world.staff.order;
		world.staff.chosen.set(wish.id, wish.kind);
		const wasRetired = this.retired.has(wish.by);
		const { status, body } = await this.ask(desk, 'POST', '/kiosk/staff/cases', wish);
		if (status !== 200) return false;
		desk.cases = v.parse(StaffCases, body);
		this.#judgeList(desk.cases);
		if (wish.kind === 'slip') return this.#judgeSlip(desk.cases, wish.id);
		if (wasRetired && this.retired.has(wish.by)) world.violated(`S8: ${wish.by} decides although retired`);
		const needsTwo = (wish.amount ?? wish.nominal ?? 0) > TWO_NAMES_ABOVE;
		if (needsTwo && (wish.second === null || wish.second === wish.by)) world.violated(`S7: ${wish.amount} is decided by ${wish.by} alone`);
		if (needsSupervisor(wish.kind) && wish.by !== SUPERVISOR && wish.second !== SUPERVISOR)
			world.violated(`S7: a ${wish.kind} is decided without a supervisor`);
		if (wish.kind === 'lock') return this.#judgeUnlock();
		const act = world.staff.claim(since, (record) => record.by === wish.by && isOf(wish, record));
		if (act === null) world.violated(`S6: the journal has no record of ${JSON.stringify(wish)}`);
		else if (needsTwo && !('why' in act && act.why.includes(String(wish.second))))
			world.violated(`S6: the journal does not name ${wish.second}`);
		if (wish.decision === 'given') world.staff.handsOver(wish.id, wish.amount ?? 0);
		return true;
	}

	/** Loads the state of the box, which must not show the expected sum before a count. */
	async box(desk: Desk): Promise<BoxState | null> {
		const isBlind = this.world.staff.attempts === 0;
		const { status, body } = await this.ask(desk, 'GET', '/kiosk/staff/box');
		if (status !== 200) return null;
		const state = v.parse(BoxState, body);
		if (isBlind && state.result !== null) this.world.violated('S5: the box shows what it expects before a count');
		this.#judgeBox(state);
		desk.count = state.result;
		return state;
	}

	/** Enters a count. */
	async counts(desk: Desk, by: string, notes: readonly { nominal: number; count: number }[]): Promise<BoxState | null> {
		const { world } = this;
		world.staff.attempts += 1;
		world.staff.newestCount = null;
		const { status, body } = await this.ask(desk, 'POST', '/kiosk/staff/box/count', { by, notes });
		if (status !== 200) {
			world.staff.attempts = Math.max(0, world.staff.attempts - 1);
			return null;
		}
		const known = new Set(notes.map(({ nominal }) => nominal));
		if (known.size < notes.length || notes.some(({ nominal, count }) => !NOMINALS.includes(nominal) || count < 0))
			world.violated(`S5: a count of ${JSON.stringify(notes)} is accepted`);
		if (this.retired.has(by)) world.violated(`S8: ${by} counts although retired`);
		const state = v.parse(BoxState, body);
		this.#judgeBox(state);
		desk.count = state.result;
		world.staff.newestCount = notes.reduce((sum, { nominal, count }) => sum + nominal * count, 0);
		if (state.result?.counted !== world.staff.newestCount)
			world.violated(`S5: ${world.staff.newestCount} were counted, but the result says ${state.result?.counted}`);
		return state;
	}

	/** Saves the count that the page shows, which may not be the newest. */
	async saves(desk: Desk, by: string): Promise<boolean> {
		const { world } = this;
		const since = world.staff.order;
		const counted = world.staff.newestCount;
		const { period = 1, expected = 0, counted: shown = 0 } = desk.count ?? {};
		const { status } = await this.ask(desk, 'POST', '/kiosk/staff/box/save', { by, period, expected, counted: shown });
		if (status !== 200) return false;
		const act = world.staff.claim(since, (record) => record.kind === 'cashbox_collected' && record.by === by);
		// The daemon accepts a repeated save, but does not record it again.
		if (act === null && isSaved(world, { by, period, expected, counted: shown })) return true;
		if (act?.kind !== 'cashbox_collected') world.violated(`S6: the journal has no count by ${by}`);
		else if (act.expected !== expected || act.counted !== shown)
			world.violated(`S5: the page shows ${shown} counted, ${expected} expected, but ${act.counted} and ${act.expected} were saved`);
		else if (counted !== null && act.counted !== counted) world.violated(`S5: ${counted} were counted, but ${act.counted} were saved`);
		if (this.retired.has(by)) world.violated(`S8: ${by} saves a count although retired`);
		return true;
	}

	/** Logs the outlet out, and logs it in again after `forMs`. */
	async logsOut(desk: Desk, forMs: number): Promise<void> {
		const { world } = this;
		const { status } = await this.ask(desk, 'POST', '/kiosk/logout');
		if (status !== 204) return;
		// An ACCEPT may still be on the line.
		world.clock.after(ON_THE_LINE_MS, () => {
			// Staff may have logged in again meanwhile.
			if (world.token?.current() === null) world.loggedIn = false;
			leavePage(world);
		});
		world.clock.after(forMs, () => logsInAgain(world));
	}

	/** Counts the notes in the box. @param keepsOne whether the cashier withholds one note */
	inHand(keepsOne: boolean): { nominal: number; count: number }[] {
		const notes = this.world.staff.sinceCount();
		const counted = keepsOne ? notes.slice(1) : notes;
		return NOMINALS.map((nominal) => ({ nominal, count: counted.filter((one) => one === nominal).length }));
	}

	#judgeList({ cases }: StaffCases): void {
		for (const { kind, id } of cases) {
			if (kind === 'slip' && this.#printsOf(id, 'done').length > 0) this.world.violated(`S11: the slip ${id} is on paper, but still open`);
			if ((kind === 'note' || kind === 'sale') && this.world.staff.isDecided(kind, id))
				this.world.violated(`S4: ${kind} ${id} is open again`);
		}
	}

	/** S11: after staff ask for a slip, it is printed, queued for the printer, or still open. */
	#judgeSlip({ cases }: StaffCases, id: string): true {
		const isOpen = cases.some((one) => one.kind === 'slip' && one.id === id);
		if (!isOpen && this.#printsOf(id, 'requested', 'done').length === 0)
			this.world.violated(`S11: the slip ${id} is neither printed nor open`);
		return true;
	}

	#judgeUnlock(): true {
		if (this.world.rows('SELECT 1 FROM acceptor_lock WHERE locked = 1').length > 0)
			this.world.violated('S6: staff unlock the acceptor, but the journal still has it locked');
		return true;
	}

	#printsOf(id: string, ...states: readonly string[]): unknown[] {
		const marks = states.map(() => '?').join(', ');
		return this.world.rows(`SELECT 1 FROM prints WHERE payment_id = ? AND state IN (${marks})`, id, ...states);
	}

	#judgeBox({ result, removed }: BoxState): void {
		const { world } = this;
		if ((removed !== null) !== world.staff.isRemovalDue())
			world.violated(`S5: the box to be counted is shown as ${removed === null ? 'present' : 'removed'}`);
		// An outdated count lacks the newest notes, so it is not compared.
		if (result !== null && !result.outdated)
			world.staff.checkExpected(
				'the count',
				result.notes.map(({ nominal, expected }) => ({ nominal, count: expected })),
			);
	}
}

/**
 * Staff log in at the outlet where they logged out, even if the kiosk died before it answered the
 * log-out.
 */
export function logsInAgain(world: SimKiosk): void {
	if (world.token?.current() === null) logIn(world, world.office.at);
}

/** @returns whether this record is the record of the decision */
function isOf(wish: StaffDecision, record: { kind: string } & object): boolean {
	if ('note_id' in record) return wish.kind === 'note' && record.note_id === wish.id;
	if ('attempt_id' in record) return wish.kind === 'sale' && record.attempt_id === wish.id;
	if (!('payment_id' in record) || record.payment_id !== wish.id) return false;
	// If an invoice is paid twice and the kiosk holds none of its money, staff record the double
	// payment as settled.
	const isSettled = wish.decision === 'rest_elsewhere' || (wish.kind === 'twice' && wish.amount === 0);
	return isSettled ? record.kind === 'partial_settled' : 'amount' in record && record.amount === wish.amount;
}

/**
 * @returns the true decision; null if the truth is not known yet or the screen offers no decision
 */
export function honest(world: SimKiosk, random: Random, one: StaffCase): Pick<StaffDecision, 'decision' | 'nominal'> | null {
	if (one.kind === 'note') return honestNote(world, one.id);
	if (one.kind === 'sale') {
		const outcome = honestSale(world, one.amount ?? 0);
		return outcome === null ? null : { decision: outcome, nominal: null };
	}
	const choices: readonly StaffDecision['decision'][] = DECISIONS[one.kind];
	return choices.length === 0 ? null : { decision: random.pick(choices), nominal: null };
}

/** @returns whether the journal's last count, which may end several periods, is this count */
function isSaved({ journal }: SimKiosk, of: { by: string; period: number; expected: number; counted: number }): boolean {
	const last = journal?.cashbox.lastCount();
	return !!last && last.number >= of.period && last.by === of.by && last.expected === of.expected && last.counted === of.counted;
}
