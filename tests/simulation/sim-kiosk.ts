import { createHash, type Hash } from 'node:crypto';
import type { Id } from '@kiosk/contract/back-office';
import type { CallBackOffice } from '../../daemon/src/back-office/client.ts';
import { type OutletToken, openOutletToken, tokenServer } from '../../daemon/src/back-office/token.ts';
import type { Journal } from '../../daemon/src/journal/journal.ts';
import { sameAccount } from '../../daemon/src/journal/records.ts';
import { isClosed } from '../../daemon/src/journal/trouble.ts';
import type { Kiosk } from '../../daemon/src/kiosk.ts';
import { type Log, tellListeners } from '../../daemon/src/log/log.ts';
import { parseSettings, type Settings } from '../../daemon/src/settings/settings.ts';
import { IctDevice } from '../simulators/acceptor/device.ts';
import { type Invoice, receivedFor } from '../simulators/back-office/invoice.ts';
import { EcrTerminal } from '../simulators/edc/terminal.ts';
import { type Random, randomFrom } from '../support/random.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { SimBrowser } from './sim-browser.ts';
import { SimDisk } from './sim-disk.ts';
import { SimLine } from './sim-line.ts';
import { loseApprovals } from './sim-lost-approvals.ts';
import { SERVERS, SimOffice } from './sim-office.ts';
import { SimPrinter } from './sim-printer.ts';
import { journalOn, kioskOn } from './sim-process.ts';
import { newScreen } from './sim-screen.ts';
import { settingsFor } from './sim-settings.ts';
import { fillStateFiles, openStaffCalls, type StaffCalls } from './sim-staff-calls.ts';
import { StaffTruth } from './sim-staff-truth.ts';
import { SimTruth } from './sim-truth.ts';
import { watchAcceptor, watchOutbox, watchRestart, watchTerminal } from './sim-watch.ts';

/** The customer at the terminal needs more time than the simulator's default. */
const TERMINAL_TIMING = { ackMs: 100, customerMs: 3_000, customerLimitMs: 60_000 };

/** Kinds of traffic between the kiosk and its surroundings. */
export type StepKind =
	| 'write'
	| 'to_acceptor'
	| 'from_acceptor'
	| 'to_terminal'
	| 'from_terminal'
	| 'call'
	| 'answer'
	| 'to_socket'
	| 'from_socket'
	| 'printer';

/** A violated invariant; `what` names it. */
export type Violation = { at: number; what: string };

/** One kiosk with devices, disk, network and servers. The seed determines all that happens. */
export class SimKiosk {
	readonly clock = new VirtualClock();
	readonly random: Random;
	readonly disk = new SimDisk();
	#diskFullSince = Number.POSITIVE_INFINITY;
	readonly acceptorLine: SimLine;
	readonly acceptor: IctDevice;
	readonly edcLine: SimLine;
	readonly terminal: EcrTerminal;
	readonly printer: SimPrinter;
	readonly office: SimOffice;
	readonly truth: SimTruth;
	readonly screen = newScreen();
	readonly browser = new SimBrowser(this);
	/** Browser and invoice of the last request to open the acceptor; null after the page was left. */
	opener: { session: string; invoice: Invoice | null; at: number } | null = null;
	/** The invoice of the newest card sale at the terminal. */
	cardFor: Invoice | null = null;
	/** Card sales that pages asked for: the invoice, and the invoice number on the page. */
	readonly cardWishes: { noinvoice: string; invoice: Invoice | null }[] = [];
	/** Time at which the running process started. */
	startedAt = 0;
	/**
	 * Notes credited by earlier processes. The running process cannot always know which of them were
	 * sent.
	 */
	creditedEarlier: ReadonlySet<string> = new Set();
	/**
	 * Notes that the log reports as stacked without an intent, each with the number of the process
	 * that logged it.
	 */
	readonly unexplained = new Map<string, number>();
	/**
	 * Time at which the newest card sale's intent was recorded. The request to the terminal may
	 * follow later, after an echo test.
	 */
	saleBeganAt = 0;
	/** Whether the last command to the acceptor was ENABLE and not INHIBIT. */
	isEnabled = false;
	/** When the terminal last charged a declined sale, ms. */
	approvedAfterAllAt = Number.NEGATIVE_INFINITY;
	/** Number of log events of the outbox; each ended attempt to send a note logs at least one. */
	attempts = 0;
	/** The log-in data of the running process. */
	token: OutletToken | null = null;
	/** Whether an outlet is logged in. */
	loggedIn = true;
	/** Calls the server for the running process. */
	call: CallBackOffice = () => new Promise(() => {});
	/** The server named in the settings; a change applies at the next start. */
	server: string = SERVERS[0];
	readonly violations: Violation[] = [];
	/** Wraps all traffic between the kiosk and its surroundings. Serial lines also pass `bytes`. */
	around: (kind: StepKind, act: () => void, bytes?: Uint8Array) => void = (_kind, act) => act();
	/** The running process, or null. */
	kiosk: Kiosk | null = null;
	/** Whether back office, pages and people misbehave too. */
	adverse = false;
	/** Whether staff act at the kiosk's screen too. */
	staffed = false;
	/** Passes requests of staff to the running process; null if no staff act. */
	staffCalls: StaffCalls | null = null;
	/** Records staff's actions at the screen, and checks what the kiosk shows staff there. */
	readonly staff: StaffTruth;
	/** Whether `heal` has run. If so, planned faults no longer happen. */
	healed = false;
	/** The running process's journal. */
	journal: Journal | null = null;
	/** The running process's journal, set even before the start is complete. */
	#opened: Journal | null = null;
	/** Number of process starts since the start of the world. */
	starts = 0;
	readonly #ids: Random;
	#settings: Settings;
	readonly #trace: Hash = createHash('sha256');
	/** The last lines of the trace, for a developer. */
	readonly lines: string[] = [];

	constructor(seed: number) {
		this.random = randomFrom(seed);
		// Each use of random numbers has its own stream, so an extra fault does not change unrelated
		// ids or delays.
		this.#ids = randomFrom(seed ^ 0x1d);
		const lines = randomFrom(seed ^ 0x11e);
		this.acceptorLine = new SimLine(this.clock, lines);
		this.acceptor = new IctDevice({
			clock: this.clock,
			log: (sentence) => this.note(`acceptor: ${sentence}`),
			send: (bytes) => this.acceptorLine.say(Uint8Array.from(bytes)),
			onSettled: (book, isReported) =>
				this.truth.settled(book.stacked, isReported && this.acceptorLine.isHeard && this.acceptor.power !== 'off'),
		});
		this.acceptorLine.onHost = (bytes) => this.acceptor.receive(bytes);
		this.truth = new SimTruth(() => this.terminal.bank.transactions);
		this.edcLine = new SimLine(this.clock, lines);
		this.terminal = new EcrTerminal({
			clock: this.clock,
			log: (sentence) => this.note(`terminal: ${sentence}`),
			send: (bytes) => this.edcLine.say(bytes),
			timing: TERMINAL_TIMING,
		});
		this.edcLine.onHost = (bytes) => {
			watchTerminal(this, bytes);
			this.terminal.hear(bytes);
		};
		this.printer = new SimPrinter(this.clock, randomFrom(seed ^ 0x9a9e));
		this.office = new SimOffice({
			clock: this.clock,
			random: randomFrom(seed ^ 0x0ff1ce),
			truth: this.truth,
			violated: (what) => this.violated(what),
			canJudge: ({ server, name, development }) =>
				!isClosed(this.journal?.trouble() ?? null) &&
				sameAccount(this.token?.current()?.account ?? null, { server, outlet: name, development }),
			startedAt: () => this.startedAt,
		});
		// Payments from before the start of the world count as made elsewhere.
		for (const invoice of this.office.everyInvoice())
			this.truth.paidElsewhere(invoice, invoice.is_paid ? invoice.total : receivedFor(invoice));
		this.staff = new StaffTruth(this);
		this.disk.onKept = (record) => this.staff.kept(record);
		this.disk.onFull = (full) => {
			this.#diskFullSince = full ? this.clock.now() : Number.POSITIVE_INFINITY;
			if (this.staffed) fillStateFiles(this.disk.directory, full);
		};
		this.#settings = this.#read();
		this.acceptorLine.around = (way, bytes, act) => {
			// The page may close before the bytes arrive, so the bytes are checked when they are sent.
			if (way === 'to') watchAcceptor(this, bytes);
			this.around(`${way}_acceptor`, act, bytes);
		};
		this.edcLine.around = (way, bytes, act) => this.around(`${way}_terminal`, act, bytes);
		this.disk.around = (act) => this.around('write', act);
		this.disk.cutPower = (kept) => {
			if (!kept) this.truth.unheard(this.clock.now());
			this.die('power cut at a write');
		};
		this.acceptor.switchOn();
		this.browser.keepReporting();
	}

	/** Starts the daemon with the journal that is on the disk. */
	boot(): void {
		if (this.kiosk !== null) return;
		this.starts += 1;
		this.startedAt = this.clock.now();
		this.truth.forgetToldSince(this.#diskFullSince);
		this.#settings = this.#read();
		// A new process does not know yet that a server lacks the call for notes.
		for (const outlet of this.office.outlets) outlet.forgetWithoutNotes();
		const generation = this.starts;
		const alive = (): boolean => this.starts === generation && this.#running;
		this.#running = true;
		this.note(`process ${generation} starts`);
		const clock = this.clock.ofProcess(alive);
		const log = this.#log(generation);
		const journal = journalOn(this.disk, clock, alive);
		this.#opened = journal;
		this.creditedEarlier = new Set(this.rows(`SELECT note_id FROM notes WHERE state = 'credited'`).map(({ note_id }) => String(note_id)));
		const settings = this.#settings;
		const token = openOutletToken(this.disk.directory, tokenServer(settings.back_office), log);
		const { at } = this.office;
		if (generation === 1) token.keep(at.token, { outlet: at.name, development: at.development });
		this.token = token;
		this.call = this.office.callFor(this.server, alive, (step, act) => this.around(step, act));
		const kiosk = kioskOn(this, { settings, clock, log, journal, token, callBackOffice: this.call, alive });
		// The power may have failed at a write during the start itself.
		if (!alive()) return;
		this.kiosk = kiosk;
		this.journal = journal;
		if (this.staffed) this.staffCalls = openStaffCalls({ world: this, kiosk, journal, token, clock, log, settings, alive });
		this.browser.open();
	}

	/** Kills the process between two instructions; unwritten data are lost. */
	die(why: string): void {
		if (!this.#running) return;
		this.note(`the process dies: ${why}`);
		const unwritten = this.kiosk?.card.unwritten() ?? [];
		this.#running = false;
		this.kiosk = null;
		this.journal = null;
		this.staffCalls = null;
		this.token = null;
		// Closes the dead process's files; otherwise the open files of many worlds would exhaust the
		// file descriptors.
		this.#opened?.close();
		this.#opened = null;
		this.screen.connected = false;
		this.acceptorLine.hangUp();
		this.edcLine.hangUp();
		this.disk.drop();
		loseApprovals(this, unwritten);
		this.#takeNoteNeverOffered();
	}

	/**
	 * While no process listens, a note that was never offered can be pushed into the cashbox. Only
	 * the cashbox count shows such a note; docs/developer/money.md names this limit. Here a person
	 * takes the note out instead.
	 */
	#takeNoteNeverOffered(): void {
		const { note } = this.acceptor;
		if (note?.place !== 'stacking' || note.accepted) return;
		this.acceptor.break('jam');
		this.acceptor.clear('removed');
	}

	/** Runs the world for `ms`, including all promises. */
	async run(ms: number): Promise<void> {
		const until = this.clock.now() + ms;
		for (let more = true; more; ) {
			try {
				more = this.clock.step(until);
				if (more) await settled();
				watchRestart(this);
			} catch (error) {
				this.#crashed(error);
			}
		}
		this.clock.skipTo(until);
	}

	/** Writes a line into the trace. */
	note(line: string): void {
		// The folder name is removed, because it differs in every run.
		const stamped = `${this.clock.now().toFixed(0)} ${line.replaceAll(this.disk.directory, '')}`;
		this.#trace.update(stamped).update('\n');
		this.lines.push(stamped);
		if (this.lines.length > 4_000) this.lines.shift();
	}

	violated(what: string): void {
		this.note(`VIOLATED ${what}`);
		this.violations.push({ at: this.clock.now(), what });
	}

	/** @returns a digest of the whole run, which is equal for two runs of one seed */
	digest(): string {
		return this.#trace.copy().digest('hex');
	}

	/** @returns rows of the journal on disk */
	rows(sql: string, ...parameters: string[]): Record<string, unknown>[] {
		return this.disk.rows(sql, ...parameters);
	}

	end(): void {
		this.die('the world ends');
		this.disk.remove();
	}

	/** Records an exception as a violation. The process ends and restarts a second later. */
	#crashed(error: unknown): void {
		this.violated(`the process crashed: ${error instanceof Error ? error.stack : String(error)}`);
		this.die('a crash');
		this.clock.after(1_000, () => this.boot());
	}

	/**
	 * Inserts a note.
	 * @param invoice the invoice of the cash page; null if a person inserts the note without a cash
	 * page
	 * @returns whether the acceptor took the note
	 */
	feed(note: { nominal: number } | 'unreadable', invoice: Invoice | null): boolean {
		const { taken } = this.acceptor.insert(note);
		if (taken) this.truth.fed(invoice);
		return taken;
	}

	/** @returns the logged-in outlet's invoice with this id and number, even if it was deleted */
	invoiceOf({ id, noinvoice }: { id: Id; noinvoice: string }): Invoice | null {
		return this.office.at.ever(id, noinvoice);
	}

	/** @returns a new UUID */
	newId(): string {
		return this.#ids.uuid();
	}

	/** If the browser draws no new frame for longer than this, ms, the acceptor closes. */
	get frozenMs(): number {
		return this.#settings.screen.frozen_ms;
	}

	/** @returns the log of the process with this number; the log writes into the trace */
	#log(generation: number): Log {
		const written: Log = { event: (id, fields) => this.note(`${id} ${JSON.stringify(fields)}`) };
		return tellListeners(written, [
			({ id, fields }) => {
				// The daemon only logs an exception in a handler of screen messages. Here the exception
				// must fail the seed.
				if (id === 'screen.handler_failed') throw new Error(`${fields.error}: ${fields.message}, ${fields.place}`);
				if (id === 'card.sent') this.saleBeganAt = this.clock.now();
				if (id.startsWith('outbox.')) this.attempts += 1;
				if (id === 'socket.connected') watchOutbox(this);
				if (id === 'cash.note_unexplained') this.unexplained.set(fields.note_id, generation);
			},
		]);
	}

	#read(): Settings {
		const settings = parseSettings(settingsFor(this.server), this.disk.directory);
		if (!settings.ok) throw new Error(settings.error.problems.join('\n'));
		return settings.value;
	}

	#running = false;
}

/** Resolves after all pending microtasks. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
