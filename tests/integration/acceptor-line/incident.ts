import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Invoice } from '../../simulators/back-office/invoice.ts';
import { type Kiosk, type LiveMessage, NOTES, partText, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import { HOST, NOMINAL, type PaperNote, ScriptedAcceptor } from './acceptor.ts';
import { type Line, newLine, type Transport } from './line.ts';

/** Note type that `settles` inserts last, to prove that the kiosk still takes money. */
const PROOF = 0x41;
const PROOF_NOMINAL = 2_000;
/** Health text while the acceptor may still report the outcome of a note in doubt. */
export const WAITS = 'takes no note yet: the unit may still report the outcome of the note in doubt';

/** One row of the daemon's ledger. */
export interface LedgerNote {
	note_id: string;
	nominal: number | null;
	state: 'intended' | 'credited' | 'returned' | 'in_doubt';
	payment_id: string | null;
}

/** Where each note must be after an incident, in rupiah, without the note of type `PROOF`. */
export interface Money {
	cashbox: number[];
	credited: number[];
	/** null stands for a note of unknown value. */
	inDoubt?: (number | null)[];
}

export interface IncidentOptions {
	/** Transports under test; by default both. */
	on?: readonly Transport[];
	/** Lines to add to the `[acceptor]` section. */
	acceptor?: string;
	/** Leaves the unit unconnected until the test plugs it in. */
	unplugged?: boolean;
	/**
	 * The script mostly waits, so it starts before the first test of the file, in parallel with other
	 * such scripts.
	 */
	waits?: boolean;
	/** Leaves this incident out of the quick tests, because they have a similar case. */
	deep?: boolean;
	/** A note map that replaces the usual seven notes. */
	notes?: string;
}

/** A kiosk with a scripted acceptor and a screen, for one incident. */
export class Incident {
	readonly kiosk: Kiosk;
	readonly line: Line;
	readonly acceptor: ScriptedAcceptor;
	readonly transport: Transport;
	screen: Screen;
	invoice: Invoice;

	constructor(kiosk: Kiosk, line: Line, acceptor: ScriptedAcceptor, screen: Screen, transport: Transport) {
		this.kiosk = kiosk;
		this.line = line;
		this.acceptor = acceptor;
		this.screen = screen;
		this.transport = transport;
		this.invoice = this.newInvoice();
		acceptor.openIntents = () => this.ledger().filter((note) => note.state === 'intended');
	}

	newInvoice(total = 5_000_000): Invoice {
		return this.kiosk.backOffice.books.addInvoice('0899', total, new Date());
	}

	/**
	 * Opens the acceptor for an invoice, as the cash screen does when it appears and on "Reload
	 * Mesin".
	 */
	async open(invoice = this.invoice): Promise<Record<string, unknown>> {
		this.invoice = invoice;
		const { id, odoo_id, noinvoice, total } = invoice;
		await this.kiosk.lookUp(noinvoice);
		return (await this.kiosk.call('/payment/api/v1/open-machine/', { id, odoo_id, noinvoice, total, hp: invoice.hp })).body;
	}

	/** Opens the acceptor for an invoice and waits until it takes notes. */
	async ready(invoice = this.invoice): Promise<void> {
		await this.open(invoice);
		await this.takesNotes();
	}

	takesNotes(): Promise<void> {
		return until(async () => {
			expect(await this.cash()).toBe('takes notes');
			expect(this.acceptor.enabled).toBe(true);
		});
	}

	/**
	 * Waits until health says that the kiosk takes no note, because the unit may still report the
	 * outcome of the note in doubt.
	 */
	waits(): Promise<void> {
		return until(async () => {
			expect(await this.cash()).toBe(WAITS);
			expect(this.acceptor.enabled).toBe(false);
		});
	}

	/**
	 * Opens the acceptor for the next customer and waits until it takes notes. After a note in doubt,
	 * this can take a while.
	 */
	async next(invoice = this.newInvoice()): Promise<void> {
		await this.open(invoice);
		const cash = await until(async () => {
			const cash = await this.cash();
			expect(['takes notes', WAITS]).toContain(cash);
			return cash;
		});
		if (cash === WAITS) await this.kiosk.afterDoubt();
		await this.takesNotes();
	}

	/** @returns the text of the health page about cash */
	async cash(): Promise<string> {
		return partText(await this.kiosk.health(), 'cash');
	}

	close(invoice = this.invoice): Promise<{ status: number; body: Record<string, unknown> }> {
		return this.kiosk.post('/kiosk/cash/close', { id: invoice.id });
	}

	/** @returns the notes in the daemon's journal */
	ledger(): LedgerNote[] {
		const file = join(this.kiosk.directory, 'journal', 'journal.sqlite');
		if (!existsSync(file)) return [];
		const journal = new DatabaseSync(file, { readOnly: true });
		try {
			return journal.prepare('SELECT note_id, nominal, state, payment_id FROM notes').all() as unknown as LedgerNote[];
		} finally {
			journal.close();
		}
	}

	/**
	 * @returns the value in rupiah of each note that was announced to the screen; a repeated note
	 * counts once
	 */
	shown(): number[] {
		const notes = new Map(this.screen.of('payment_cash_notification').map((note) => [note.note_id, Number(note.nominal)]));
		return [...notes.values()];
	}

	/** @returns the reason of each returned note, as sent to the screen */
	returns(): LiveMessage['reason'][] {
		return this.screen.of('kiosk_note_returned').map((note) => note.reason);
	}

	/**
	 * Kills the daemon, calls `between`, starts the daemon on the same files and reconnects the
	 * screen.
	 */
	async crash(between?: () => Promise<void> | void): Promise<void> {
		await this.kiosk.crash(between);
		this.screen = await this.kiosk.screen();
	}

	/**
	 * Inserts a note and waits until the daemon has accepted it. If the daemon decided too late, the
	 * note is inserted again.
	 */
	async accepted(type: number): Promise<PaperNote> {
		let note = this.acceptor.offer(type);
		await until(() => {
			if (this.#cameBackLate(note)) note = this.acceptor.offer(type);
			expect(note.noteId).not.toBeNull();
		});
		return note;
	}

	/** Inserts a note and waits until the back office has booked it. */
	async pays(type: number): Promise<void> {
		const before = this.booked().length;
		await this.takesNotes();
		let note = this.acceptor.offer(type);
		await until(() => {
			if (this.#cameBackLate(note)) note = this.acceptor.offer(type);
			expect(this.booked()).toHaveLength(before + 1);
		});
	}

	/**
	 * @returns whether the note came back because the daemon, on a busy computer, decided too late.
	 * The caller must then insert the note again
	 */
	#cameBackLate = (note: PaperNote): boolean => note.place === 'customer' && this.returns().at(-1) === 'decided_too_late';

	booked(): number[] {
		return this.kiosk.backOffice.books.notes.map((note) => note.nominal);
	}

	/**
	 * Waits until the daemon has read all bytes sent so far. Two more polls prove this, because the
	 * daemon polls only between reads.
	 */
	async heard(): Promise<void> {
		const before = this.acceptor.count(HOST.poll);
		await until(() => expect(this.acceptor.count(HOST.poll)).toBeGreaterThanOrEqual(before + 2));
	}

	/**
	 * Ends an incident. The motor stacks again and the next customer pays with a note. This proves
	 * that the kiosk works and has read all bytes. Then cashbox, journal, back office and health must
	 * agree on every note.
	 */
	async settles(money: Money): Promise<void> {
		this.acceptor.repairMotor();
		await this.heard();
		await this.close();
		await this.next();
		await this.pays(PROOF);
		await this.balances({ ...money, cashbox: [...money.cashbox, PROOF_NOMINAL], credited: [...money.credited, PROOF_NOMINAL] });
	}

	/**
	 * Compares the books, but plays no next customer. For incidents after which the kiosk must stay
	 * closed.
	 */
	async balances({ cashbox, credited, inDoubt = [] }: Money): Promise<void> {
		const { acceptor } = this;
		await until(async () => {
			const health = await this.kiosk.health();
			expect(health.outbox.count).toBe(0);
			expect({ cashbox: acceptor.cashbox, credited: this.booked(), inDoubt: health.in_doubt.map((note) => note.nominal) }).toEqual({
				cashbox,
				credited,
				inDoubt,
			});
		}, 12_000);
		expect(noteByNote(acceptor, this.ledger(), this.kiosk)).toEqual([]);
		expect(acceptor.violations).toEqual([]);
	}

	/** @returns conversation, notes and log lines, as details for a failed test */
	story(): string {
		const { conversation, notes } = this.acceptor;
		const events = this.kiosk.daemon.log.slice(-40).map(({ level: _level, time: _time, msg: _msg, ...line }) => JSON.stringify(line));
		const paper = notes.slice(-10).map((note) => `${note.type.toString(16)} in ${note.place}`);
		return `\nsaid: ${conversation.slice(-60).join(', ')}\npaper: ${paper.join(', ')}\nlog:\n${events.join('\n')}`;
	}

	async stop(): Promise<void> {
		this.acceptor.stop();
		await this.kiosk.stop();
		await this.line.stop();
	}
}

/** @returns one sentence for each note on which acceptor, journal and back office disagree */
export function noteByNote(acceptor: ScriptedAcceptor, ledger: readonly LedgerNote[], kiosk: Kiosk): string[] {
	const wrong: string[] = [];
	const rows = new Map(ledger.map((row) => [row.note_id, row]));
	for (const { noteId, place, type } of acceptor.notes) {
		const row = noteId === null ? undefined : rows.get(noteId);
		const where = `${NOMINAL[type] ?? type.toString(16)} in ${place}`;
		if (place === 'cashbox' && noteId !== null && row?.state !== 'credited' && row?.state !== 'in_doubt')
			wrong.push(`${where} is ${row?.state ?? 'nowhere'}`);
		if (place === 'customer' && row?.state === 'credited') wrong.push(`${where} is credited`);
		if (row && row.nominal !== NOMINAL[type]) wrong.push(`${where} is recorded as ${row.nominal}`);
	}
	const paper = new Set(acceptor.notes.map((note) => note.noteId));
	for (const row of ledger)
		if (row.state === 'credited' && !paper.has(row.note_id)) wrong.push(`${row.nominal} is credited without a note`);
	const booked = kiosk.backOffice.books.notes.map((note) => note.note_id);
	for (const id of booked)
		if (rows.get(id)?.state !== 'credited') wrong.push(`note ${id} is in the back office but not credited in the journal`);
	if (new Set(booked).size !== booked.length) wrong.push('a note is in the back office twice');
	return wrong;
}

/** Starts a real daemon with a logged-in screen and a scripted unit. */
export async function openIncident(transport: Transport, options: IncidentOptions = {}): Promise<Incident> {
	const line = await newLine(transport);
	const acceptor = new ScriptedAcceptor(line);
	if (!options.unplugged) await line.plug();
	const section = `[acceptor]\nport = "${line.port}"\nparity = "even"\n${options.acceptor ?? ''}\n${options.notes ?? NOTES}`;
	let kiosk: Kiosk | null = null;
	try {
		kiosk = await startKiosk({ acceptorSection: () => section, movableClock: true });
		return new Incident(kiosk, line, acceptor, await kiosk.screen(), transport);
	} catch (error) {
		acceptor.stop();
		await kiosk?.stop();
		await line.stop();
		throw error;
	}
}

async function play(script: Script, transport: Transport, options: IncidentOptions): Promise<void> {
	const at = await openIncident(transport, options);
	try {
		await script(at);
	} catch (error) {
		if (error instanceof Error) error.message += at.story();
		throw error;
	} finally {
		await at.stop();
	}
}

type Script = (at: Incident) => Promise<void>;

/**
 * Declares a test of one field incident, by default one test over TCP and one over a pty. Most
 * scripts end with `settles` or `balances`.
 */
export function incident(name: string, ...rest: [Script] | [IncidentOptions, Script]): void {
	const [options, script] = rest.length === 1 ? [{}, rest[0]] : rest;
	for (const transport of options.on ?? (['tcp', 'pty'] as const)) {
		const title = `${transport}: ${name}`;
		// If an incident runs on both transports, the quick tests include only the run on the pty.
		const tags = options.deep || (options.on === undefined && transport === 'tcp') ? ['deep'] : [];
		let playing: Promise<void> | null = null;
		if (options.waits) {
			// biome-ignore lint/correctness/noEmptyPattern: vitest requires a pattern here
			beforeAll(({}, file) => {
				if (file.tasks.find((task) => task.name === title)?.mode === 'skip') return;
				playing = play(script, transport, options);
				// The test below awaits this promise and reports its failure.
				playing.catch(() => {});
			});
			afterAll(() => playing?.catch(() => {}));
		}
		test.concurrent(title, { tags }, () => playing ?? play(script, transport, options));
	}
}
