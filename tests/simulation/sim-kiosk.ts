import { createHash, type Hash } from 'node:crypto';
import { join } from 'node:path';
import type { Id } from '@kiosk/contract/back-office';
import { LiveMessage, type LiveText, type ScreenMessage } from '@kiosk/contract/live';
import * as v from 'valibot';
import type { CallBackOffice } from '../../daemon/src/back-office/client.ts';
import { type OutletToken, openOutletToken, tokenServer } from '../../daemon/src/back-office/token.ts';
import { type Journal, openJournal } from '../../daemon/src/journal/journal.ts';
import { type Kiosk, startKiosk } from '../../daemon/src/kiosk.ts';
import { type Log, tellListeners } from '../../daemon/src/log/log.ts';
import type { PaperRow } from '../../daemon/src/printer/receipt-rows.ts';
import { parseSettings, type Settings } from '../../daemon/src/settings/settings.ts';
import { BEHAVIOUR } from '../simulators/acceptor/behaviour.ts';
import { IctDevice } from '../simulators/acceptor/device.ts';
import { type Invoice, receivedFor } from '../simulators/back-office/invoice.ts';
import { EcrTerminal } from '../simulators/edc/terminal.ts';
import { type Random, randomFrom } from '../support/random.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { drawn } from './sim-desk.ts';
import { SimDisk } from './sim-disk.ts';
import { SimLine } from './sim-line.ts';
import { SERVERS, SimOffice } from './sim-office.ts';
import { judge } from './sim-oracle.ts';
import { SimPrinter } from './sim-printer.ts';
import { simSockets } from './sim-socket.ts';
import { SimTruth } from './sim-truth.ts';
import { watchAcceptor, watchScreen, watchTerminal } from './sim-watch.ts';

const PLENTY_BYTES = 1_000_000_000;
/** The one screen of the simulated kiosk. */
const SCREEN_SESSION = 'screen-1';

/** How often a screen says that it has drawn. */
const DRAWN_MS = 5_000;
/** The terminal's customer, who is simulated too, takes longer than its own default. */
const TERMINAL_TIMING = { ackMs: 100, customerMs: 3_000, customerLimitMs: 60_000 };

const settingsFor = (server: string): string => `
[back_office]
url = "${server}"
socket_url = "${server.replace('http', 'ws')}/ws/{token}/"
[acceptor]
port = "tcp:127.0.0.1:1"
[acceptor.notes]
${Object.entries(BEHAVIOUR.notes)
	.map(([code, nominal]) => `"0x${Number(code).toString(16).padStart(2, '0')}" = ${nominal}`)
	.join('\n')}
[edc]
port = "tcp:127.0.0.1:2"
`;

/** What the customer sees: the messages of the live socket, while the browser lives. */
export interface SimScreen {
	connected: boolean;
	/** What tells this browser from another one. */
	session: string;
	/** The page that it shows, and the invoice that the page is about. */
	route: string;
	visit: Id | null;
	/** The invoice that was looked up on it; a message that names its id is taken for its own. */
	shows: Invoice | null;
	/** The total that a page in an attacker's hands asks the machine for, rupiah; null: what it was told. */
	says: number | null;
	/** How often a page was loaded; whoever stood before it sees that it is another one. */
	loads: number;
	/** Whether the panel shows what the browser draws; the socket lives without it. */
	drawing: boolean;
	/** Everything heard since the screen was opened. */
	heard: LiveText[];
	say: (message: ScreenMessage) => void;
}

/** What passes between the kiosk and its surroundings. */
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

/** What went wrong, in words that name the invariant. */
export type Violation = { at: number; what: string };

/** One kiosk with its devices, its disk, its network and its owner's server; every bit of it follows from the seed. */
export class SimKiosk {
	readonly clock = new VirtualClock();
	readonly random: Random;
	readonly disk = new SimDisk();
	readonly acceptorLine: SimLine;
	readonly acceptor: IctDevice;
	readonly edcLine: SimLine;
	readonly terminal: EcrTerminal;
	readonly printer: SimPrinter;
	readonly office: SimOffice;
	readonly truth: SimTruth;
	readonly screen: SimScreen = {
		connected: false,
		session: 'browser 0',
		route: '/',
		visit: null,
		shows: null,
		says: null,
		loads: 0,
		drawing: true,
		heard: [],
		say: () => {},
	};
	/** Which browser asked for the machine, and for what; null once it was left. */
	opener: { session: string; invoice: Invoice | null; at: number } | null = null;
	/** The invoice of the newest card sale that a page asked for. */
	cardFor: Invoice | null = null;
	/** When the running process was started. */
	startedAt = 0;
	/** Notes credited by earlier processes; the running one cannot know which of them were sent. */
	creditedEarlier: ReadonlySet<string> = new Set();
	/** Notes that nobody had accepted, as the log names them, with the process that saw each fall. */
	readonly unexplained = new Map<string, number>();
	/** When the newest card sale began: its intent was on disk. Its request may wait for the end of an echo test. */
	saleBeganAt = 0;
	/** The log-in of the running process. */
	token: OutletToken | null = null;
	/** Staff have logged in, and not out again. */
	loggedIn = true;
	/** The running process's way to its server. */
	call: CallBackOffice = () => new Promise(() => {});
	/** The server in the settings; a change is read at the next start. */
	server: string = SERVERS[0];
	readonly violations: Violation[] = [];
	/** Around everything that passes between the kiosk and its surroundings; `bytes` on the serial lines. */
	around: (kind: StepKind, act: () => void, bytes?: Uint8Array) => void = (_kind, act) => act();
	/** The running process, null while there is none. */
	kiosk: Kiosk | null = null;
	/** Back office, pages and people do more than pay honestly. */
	adverse = false;
	/** Everything was repaired: what was planned to break no longer does. */
	healed = false;
	/** What the running process reads and writes. */
	journal: Journal | null = null;
	/** The same from its opening on, before the rest of the process is there. */
	#opened: Journal | null = null;
	/** Processes that were started since the world began. */
	starts = 0;
	readonly #ids: Random;
	#settings: Settings;
	readonly #trace: Hash = createHash('sha256');
	/** The last lines of the trace, for a person. */
	readonly lines: string[] = [];
	#greeting: () => LiveText[] = () => [];

	constructor(seed: number) {
		this.random = randomFrom(seed);
		// Separate streams: a fault more or less must not change which ids or delays the rest of the world draws.
		this.#ids = randomFrom(seed ^ 0x1d);
		const lines = randomFrom(seed ^ 0x11e);
		this.acceptorLine = new SimLine(this.clock, lines);
		this.acceptor = new IctDevice({
			clock: this.clock,
			log: (sentence) => this.note(`acceptor: ${sentence}`),
			send: (bytes) => this.acceptorLine.say(Uint8Array.from(bytes)),
			onSettled: (book) => this.truth.settled(book.stacked),
		});
		this.acceptorLine.onHost = (bytes) => {
			watchAcceptor(this, bytes);
			this.acceptor.receive(bytes);
		};
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
		});
		// What was paid before the world began was paid elsewhere.
		for (const invoice of this.office.everyInvoice())
			this.truth.paidElsewhere(invoice, invoice.is_paid ? invoice.total : receivedFor(invoice));
		this.#settings = this.#read();
		this.acceptorLine.around = (way, bytes, act) => this.around(`${way}_acceptor`, act, bytes);
		this.edcLine.around = (way, bytes, act) => this.around(`${way}_terminal`, act, bytes);
		this.disk.around = (act) => this.around('write', act);
		this.disk.cutPower = (kept) => {
			if (!kept) this.truth.unheard(this.clock.now());
			this.die('power cut at a write');
		};
		this.acceptor.switchOn();
		this.#draw();
	}

	/** Starts the daemon's process on what the disk holds. */
	boot(): void {
		if (this.kiosk !== null) return;
		this.starts += 1;
		this.startedAt = this.clock.now();
		this.#settings = this.#read();
		const generation = this.starts;
		const alive = (): boolean => this.starts === generation && this.#running;
		this.#running = true;
		this.note(`process ${generation} starts`);
		const clock = this.clock.ofProcess(alive);
		const written: Log = {
			event: (id, fields) => this.note(`${id} ${JSON.stringify(fields)}`),
		};
		const log = tellListeners(written, [
			({ id, fields }) => {
				if (id === 'card.sent') this.saleBeganAt = this.clock.now();
				if (id === 'cash.note_unexplained') this.unexplained.set(fields.note_id, generation);
			},
		]);
		const journal = openJournal(
			{
				directory: join(this.disk.directory, 'journal'),
				minFreeBytes: 1,
				headFile: join(this.disk.directory, 'journal.head'),
				keyFile: join(this.disk.directory, 'journal.key'),
			},
			clock,
			this.disk.openFor(alive),
			() => (this.disk.full ? 0 : PLENTY_BYTES),
		);
		this.#opened = journal;
		this.creditedEarlier = new Set(this.rows(`SELECT note_id FROM notes WHERE state = 'credited'`).map(({ note_id }) => String(note_id)));
		const token = openOutletToken(this.disk.directory, tokenServer(this.#settings.back_office), log);
		const { at } = this.office;
		if (generation === 1) token.keep(at.token, { outlet: at.name, development: at.development });
		this.token = token;
		this.call = this.office.callFor(this.server, alive, (step, act) => this.around(step, act));
		const kiosk = startKiosk({
			settings: this.#settings,
			clock,
			log,
			random: () => this.random.next(),
			newId: () => this.#ids.uuid(),
			journal,
			token,
			callBackOffice: this.call,
			acceptorLine: { open: this.acceptorLine.openFor(alive), devicePath: null },
			edcLine: { open: this.edcLine.openFor(alive), devicePath: null },
			printer: {
				queue: this.printer.queueFor(alive, (act) => this.around('printer', act)),
				face: async (rows) => {
					this.#judgePaper(rows);
					return {
						format: 'application/octet-stream',
						data: Buffer.from(
							`${nameOf(rows)} of ${this.office.at.server} ${this.office.at.name}${this.office.at.development ? ' in development' : ''}`,
						),
					};
				},
				logo: async () => null,
				limitMs: 60_000,
				clockInDoubt: () => this.clock.wallOffset !== 0,
			},
			openSocket: simSockets(this.clock, this.random, this.office, alive, (way, act) => this.around(`${way}_socket`, act)),
			isNonCashShown: () => false,
			startHub: (parts) => {
				this.#greeting = parts.greeting;
				this.screen.say = (message) => {
					if (alive()) parts.heard(message, SCREEN_SESSION);
				};
				this.#count = () => alive() && parts.count(new Set(this.screen.connected ? [this.screen.session] : []));
				return {
					accept: () => {},
					tell: (text) => {
						if (alive() && this.screen.connected) this.#hear(text);
					},
					screens: () => (this.screen.connected ? 1 : 0),
					dropAll: () => {},
					drop: () => {},
					stop: () => {},
				};
			},
			onSettled: () => {},
			greeting: () => [],
		});
		// The power may have gone at a write of the start itself.
		if (!alive()) return;
		this.kiosk = kiosk;
		this.journal = journal;
		this.openScreen();
	}

	/** The socket connects again; the page is still the one it was. */
	openScreen(): void {
		this.screen.connected = true;
		this.screen.heard = [];
		this.#count();
		if (this.kiosk !== null) for (const text of this.#greeting()) this.#hear(text);
	}

	closeScreen(): void {
		this.screen.connected = false;
		this.#count();
	}

	/** The page is loaded anew and begins at home. @param browser whether it is another browser, too */
	reloadScreen(browser: boolean): void {
		const { screen } = this;
		screen.loads += 1;
		if (browser) screen.session = `browser ${screen.loads}`;
		screen.route = '/';
		screen.visit = null;
		screen.shows = null;
		this.openScreen();
		this.reportDrawn();
	}

	/** The process ends between two instructions; what it had not written never happened. */
	die(why: string): void {
		if (!this.#running) return;
		this.note(`the process dies: ${why}`);
		this.#running = false;
		this.kiosk = null;
		this.journal = null;
		this.token = null;
		// The files of a dead process are closed for it; a process of many worlds would run out of them.
		this.#opened?.close();
		this.#opened = null;
		this.screen.connected = false;
		this.acceptorLine.hangUp();
		this.edcLine.hangUp();
		this.disk.drop();
	}

	/** Lets the world go on for `ms`, promises and all. */
	async run(ms: number): Promise<void> {
		const until = this.clock.now() + ms;
		for (let more = true; more; ) {
			try {
				more = this.clock.step(until);
				if (more) await settled();
			} catch (error) {
				this.#crashed(error);
			}
		}
		this.clock.skipTo(until);
	}

	/** Writes a line into the trace. */
	note(line: string): void {
		// The disk's folder has another name in every run.
		const stamped = `${this.clock.now().toFixed(0)} ${line.replaceAll(this.disk.directory, '')}`;
		this.#trace.update(stamped).update('\n');
		this.lines.push(stamped);
		if (this.lines.length > 4_000) this.lines.shift();
	}

	violated(what: string): void {
		this.note(`VIOLATED ${what}`);
		this.violations.push({ at: this.clock.now(), what });
	}

	/** @returns what the whole run did, in one number; two runs of a seed give the same */
	digest(): string {
		return this.#trace.copy().digest('hex');
	}

	/** Rows of the journal as they are on disk now. */
	rows(sql: string, ...parameters: string[]): Record<string, unknown>[] {
		return this.disk.rows(sql, ...parameters);
	}

	end(): void {
		this.die('the world ends');
		this.disk.remove();
	}

	/** A bug ends the process; its supervisor starts it again, and the books must still be right. */
	#crashed(error: unknown): void {
		this.violated(`the process crashed: ${error instanceof Error ? error.stack : String(error)}`);
		this.die('a crash');
		this.clock.after(1_000, () => this.boot());
	}

	/** A note goes in, fed by the customer of this invoice; null: by a person who sees no cash page. */
	feed(note: { nominal: number } | 'unreadable', invoice: Invoice | null): boolean {
		const { taken } = this.acceptor.insert(note);
		if (taken) this.truth.fed(invoice);
		return taken;
	}

	/** @returns the invoice of this id and number where staff are logged in, also one that was deleted since */
	invoiceOf({ id, noinvoice }: { id: Id; noinvoice: string }): Invoice | null {
		return this.office.at.ever(id, noinvoice);
	}

	/** A fresh UUID. */
	newId(): string {
		return this.#ids.uuid();
	}

	/** How long a picture may stand still before no further note is taken, ms. */
	get frozenMs(): number {
		return this.#settings.screen.frozen_ms;
	}

	/** A browser has told the running process what it shows. */
	reported({ session, route, visit }: Pick<SimScreen, 'session' | 'route' | 'visit'>): void {
		this.#reports.set(session, { route, visit, at: this.clock.now() });
	}

	/** @returns what this browser has said last that it shows, since this process runs */
	lastReport(session: string): { route: string; visit: Id | null; at: number } | null {
		return this.#reports.get(session) ?? null;
	}

	readonly #reports = new Map<string, { route: string; visit: Id | null; at: number }>();

	/** The browser's own report, for as long as the world lasts. */
	#draw(): void {
		this.clock.after(DRAWN_MS, () => this.#draw());
		this.reportDrawn();
	}

	/** The page has been drawn, and its browser says so. */
	reportDrawn(): void {
		if (this.screen.connected && this.screen.drawing && this.kiosk !== null) drawn(this, this.screen);
	}

	/** LUNAS on paper is as good as money. */
	#judgePaper(rows: readonly PaperRow[]): void {
		if (rows.every(({ kind }) => kind !== 'lunas')) return;
		// A deleted invoice keeps its number, and its customer may still ask for the receipt.
		const invoice = [...this.office.at.everyInvoice()].find(({ noinvoice }) => noinvoice === numberOn(rows));
		if (invoice) judge(this, invoice, { where: 'a receipt', received: null, is_paid: true });
		else this.violated(`I14: a receipt says LUNAS of ${numberOn(rows)}, which is not there`);
	}

	#read(): Settings {
		const settings = parseSettings(settingsFor(this.server), this.disk.directory);
		if (!settings.ok) throw new Error(settings.error.problems.join('\n'));
		return settings.value;
	}

	#running = false;
	#count: () => void = () => {};

	#hear(text: object): void {
		const parsed = v.safeParse(LiveMessage, { text });
		if (!parsed.success) return;
		const heard = parsed.output.text;
		this.note(`screen hears ${JSON.stringify(heard)}`);
		watchScreen(this, heard);
		this.screen.heard.push(heard);
	}
}

/** What a paper is, in two words: what kind, and of which invoice. */
function nameOf(rows: readonly PaperRow[]): string {
	const copy = rows.some((row) => row.kind === 'title' && row.text === 'SALINAN');
	const isReceipt = rows.some((row) => row.kind === 'pair' && row.left === 'Status');
	return `${isReceipt ? (copy ? 'copy' : 'original') : 'slip'} ${numberOn(rows)}`;
}

/** The invoice that a paper speaks of. */
const numberOn = (rows: readonly PaperRow[]): string =>
	rows.flatMap((row) => (row.kind === 'pair' && row.left === 'Nomor' ? [row.right] : [])).at(-1) ?? '';

/** Every promise that can go on has gone on. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
