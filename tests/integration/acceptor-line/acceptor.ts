import type { Line } from './line.ts';

/** Bytes that the daemon sends. */
export const HOST = { accept: 0x02, poll: 0x0c, reject: 0x0f, hold: 0x18, reset: 0x30, enable: 0x3e, inhibit: 0x5e } as const;

/** Rupiah by note type, as in the tests' settings. */
export const NOMINAL: Readonly<Record<number, number>> = {
	64: 1_000,
	65: 2_000,
	66: 5_000,
	67: 10_000,
	68: 20_000,
	69: 50_000,
	70: 100_000,
};

/** If the acceptor gets no answer for a note in escrow within this time, it returns the note. */
const ESCROW_MS = 5_000;
/** Duration of a movement of the motor; short, so that the tests are fast. */
const MOTOR_MS = 30;

const hex = (bytes: readonly number[]): string => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');

/** A banknote that the test has inserted. */
export interface PaperNote {
	type: number;
	place: 'escrow' | 'moving' | 'cashbox' | 'customer';
	/**
	 * Id that the daemon's journal had for this note when ACCEPT arrived; null before ACCEPT, or if
	 * the journal then had no intent for the note.
	 */
	noteId: string | null;
}

/** @returns the intents in the journal that have no outcome yet */
export type OpenIntents = () => { note_id: string; nominal: number | null }[];

/**
 * A scripted acceptor. It answers polls; all other bytes that it sends come from the test. It keeps
 * its own list of notes and records violations by the daemon: ACCEPT without an intent in the
 * journal, or a reset while a note is in escrow or moves.
 */
export class ScriptedAcceptor {
	readonly notes: PaperNote[] = [];
	readonly wrote: { byte: number; at: number }[] = [];
	readonly violations: string[] = [];
	/**
	 * Bytes of both sides in order, such as "A> 81 45" and "H> 02". Polls and their usual answers are
	 * left out.
	 */
	readonly conversation: string[] = [];
	enabled = false;
	/** How the unit answers a poll: with its status byte, not at all, or with the listed bytes. */
	polls: 'status' | 'silent' | readonly number[] = 'status';
	/** Values of the daemon's bytes that do not reach the unit. */
	readonly deaf = new Set<number>();
	/**
	 * `afterAccept` and `afterReject` say what the motor does after ACCEPT and after REJECT.
	 * `afterReject` also runs when the escrow time ends.
	 */
	afterAccept: (note: PaperNote) => void = () => {};
	afterReject: (note: PaperNote) => void = () => void setTimeout(() => this.giveBack(), MOTOR_MS);
	/** Called for each byte from the daemon, after the unit has reacted. */
	onByte: (byte: number) => void = () => {};
	openIntents: OpenIntents = () => [];
	readonly line: Line;
	#patience: NodeJS.Timeout | null = null;
	#speaking = false;

	constructor(line: Line) {
		this.line = line;
		this.repairMotor();
		line.heard = (bytes) => {
			for (const byte of bytes) this.#hear(byte);
		};
	}

	/** From now on the motor stacks each accepted note. */
	repairMotor(): void {
		this.afterAccept = () => void setTimeout(() => this.stack(), MOTOR_MS);
	}

	/** Sends all bytes in one write. */
	say(...bytes: number[]): void {
		if (bytes.length === 0) return;
		this.conversation.push(`A> ${hex(bytes)}`);
		this.line.write(bytes);
	}

	/**
	 * Sends the bytes one by one with a pause between them. Until the last byte, polls get no answer.
	 */
	async sayApart(gapMs: number, ...bytes: number[]): Promise<void> {
		this.#speaking = true;
		for (const [at, byte] of bytes.entries()) {
			if (at > 0) await new Promise((resolve) => setTimeout(resolve, gapMs));
			this.say(byte);
		}
		this.#speaking = false;
	}

	/** Inserts a note; the unit holds it in escrow and sends these bytes. */
	offer(type: number, bytes: readonly number[] = [0x81, type]): PaperNote {
		const note: PaperNote = { type, place: 'escrow', noteId: null };
		this.notes.push(note);
		this.#patience = setTimeout(() => note.place === 'escrow' && this.afterReject(note), ESCROW_MS);
		this.say(...bytes);
		return note;
	}

	/** Moves the note into the cashbox; `bytes` is the unit's report. */
	stack(bytes: readonly number[] = [0x10]): void {
		this.#put(this.current, 'cashbox', bytes);
	}

	/** Gives the note in escrow back to the customer; if no note is in escrow, the moving note. */
	giveBack(bytes: readonly number[] = [0x11]): void {
		this.#put(this.#offered ?? this.current, 'customer', bytes);
	}

	/**
	 * Simulates a power cycle: the unit loses ENABLE and sends these power-up bytes. Notes stay where
	 * they are.
	 */
	restart(bytes: readonly number[] = [0x80, 0x8f]): void {
		this.enabled = false;
		this.say(...bytes);
	}

	/** Value in rupiah of every note in the cashbox, in the order of insertion. */
	get cashbox(): number[] {
		return this.notes.filter((note) => note.place === 'cashbox').map((note) => NOMINAL[note.type] ?? 0);
	}

	get current(): PaperNote | undefined {
		return this.notes.find((note) => note.place === 'escrow' || note.place === 'moving');
	}

	count(byte: number): number {
		return this.wrote.filter((written) => written.byte === byte).length;
	}

	stop(): void {
		if (this.#patience) clearTimeout(this.#patience);
		this.afterAccept = () => {};
		this.afterReject = () => {};
	}

	get #offered(): PaperNote | undefined {
		return this.notes.find((note) => note.place === 'escrow');
	}

	#put(note: PaperNote | undefined, place: 'cashbox' | 'customer', bytes: readonly number[]): void {
		if (note) note.place = place;
		this.say(...bytes);
	}

	#hear(byte: number): void {
		if (this.deaf.has(byte)) return;
		this.wrote.push({ byte, at: performance.now() });
		if (byte !== HOST.poll) this.conversation.push(`H> ${hex([byte])}`);
		const offered = this.#offered;
		if (byte === HOST.poll) this.#answerPoll();
		else if (byte === HOST.enable) this.enabled = true;
		else if (byte === HOST.inhibit) this.enabled = false;
		else if (byte === HOST.accept && offered) this.#accept(offered);
		else if (byte === HOST.reject && offered) this.afterReject(offered);
		else if (byte === HOST.reset && this.current) this.violations.push(`RESET while a note is in ${this.current.place}`);
		this.onByte(byte);
	}

	#answerPoll(): void {
		if (this.#speaking) return;
		if (this.polls === 'status') this.line.write([this.enabled ? HOST.enable : HOST.inhibit]);
		else if (this.polls !== 'silent') this.say(...this.polls);
	}

	#accept(note: PaperNote): void {
		const known = new Set(this.notes.map((other) => other.noteId));
		const intent = this.openIntents().find((open) => !known.has(open.note_id) && open.nominal === NOMINAL[note.type]);
		if (intent) note.noteId = intent.note_id;
		else this.violations.push(`ACCEPT for a note of type ${note.type.toString(16)} without an intent in the journal`);
		note.place = 'moving';
		this.afterAccept(note);
	}
}
