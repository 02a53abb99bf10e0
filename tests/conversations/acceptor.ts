import type { Line } from './line.ts';

/** What the daemon may say. */
export const HOST = { accept: 0x02, poll: 0x0c, reject: 0x0f, hold: 0x18, reset: 0x30, enable: 0x3e, inhibit: 0x5e } as const;

/** Rupiah by note type, as the tests' settings have it. */
export const NOMINAL: Readonly<Record<number, number>> = {
	64: 1_000,
	65: 2_000,
	66: 5_000,
	67: 10_000,
	68: 20_000,
	69: 50_000,
	70: 100_000,
};

/** A unit without an answer gives the note back after this. */
const ESCROW_MS = 5_000;
/** A quick motor, so that tests do not wait for it. */
const MOTOR_MS = 30;

const hex = (bytes: readonly number[]): string => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');

/** A piece of paper and where it is. */
export interface PaperNote {
	type: number;
	place: 'escrow' | 'moving' | 'cashbox' | 'customer';
	/** The daemon's record of it, read from its journal at the moment the accept byte came; null when it was never accepted. */
	noteId: string | null;
}

/** What the journal holds open at this moment. */
export type OpenIntents = () => { note_id: string; nominal: number | null }[];

/**
 * An acceptor that says byte for byte what the test wants, keeps its own count of the paper it holds, and watches over the
 * daemon: an accept byte without an intent on disk and a reset with a note on its way are violations.
 */
export class ScriptedAcceptor {
	readonly notes: PaperNote[] = [];
	readonly wrote: { byte: number; at: number }[] = [];
	readonly violations: string[] = [];
	/** Both sides in order, polls and their plain answers left out: "A> 81 45", "H> 02". */
	readonly conversation: string[] = [];
	enabled = false;
	/** What a poll is answered with: 3E or 5E, nothing, or these bytes. */
	polls: 'status' | 'silent' | readonly number[] = 'status';
	/** Bytes of the daemon that never arrive. */
	readonly deaf = new Set<number>();
	/** What the motor does after 02, 0F or the end of its patience. */
	afterAccept: (note: PaperNote) => void = () => void setTimeout(() => this.stack(), MOTOR_MS);
	afterReject: (note: PaperNote) => void = () => void setTimeout(() => this.giveBack(), MOTOR_MS);
	/** Any byte of the daemon, after the unit has acted on it. */
	onByte: (byte: number) => void = () => {};
	openIntents: OpenIntents = () => [];
	readonly line: Line;
	#patience: NodeJS.Timeout | null = null;
	#speaking = false;

	constructor(line: Line) {
		this.line = line;
		line.heard = (bytes) => {
			for (const byte of bytes) this.#hear(byte);
		};
	}

	/** All bytes in one write. */
	say(...bytes: number[]): void {
		if (bytes.length === 0) return;
		this.conversation.push(`A> ${hex(bytes)}`);
		this.line.write(bytes);
	}

	/** Byte by byte with this pause before each but the first; a unit has one line out, so no poll answer comes between. */
	async sayApart(gapMs: number, ...bytes: number[]): Promise<void> {
		this.#speaking = true;
		for (const [at, byte] of bytes.entries()) {
			if (at > 0) await new Promise((resolve) => setTimeout(resolve, gapMs));
			this.say(byte);
		}
		this.#speaking = false;
	}

	/** A customer feeds a note; the unit holds it in escrow and says these bytes. */
	offer(type: number, bytes: readonly number[] = [0x81, type]): PaperNote {
		const note: PaperNote = { type, place: 'escrow', noteId: null };
		this.notes.push(note);
		this.#patience = setTimeout(() => note.place === 'escrow' && this.afterReject(note), ESCROW_MS);
		this.say(...bytes);
		return note;
	}

	/** The note falls into the cashbox; `bytes` is what the unit says of it. */
	stack(bytes: readonly number[] = [0x10]): void {
		this.#put(this.current, 'cashbox', bytes);
	}

	/** The note comes out at the front; one that moves stays behind it. */
	giveBack(bytes: readonly number[] = [0x11]): void {
		this.#put(this.#offered ?? this.current, 'customer', bytes);
	}

	/** Power goes and comes: a unit forgets 3E, and says these bytes when it is up. Paper stays where it is. */
	restart(bytes: readonly number[] = [0x80, 0x8f]): void {
		this.enabled = false;
		this.say(...bytes);
	}

	/** Rupiah of every note in the cashbox, in the order of falling. */
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
		else if (byte === HOST.reset && this.current) this.violations.push(`30 while a note is in ${this.current.place}`);
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
		else this.violations.push(`02 for a note of type ${note.type.toString(16)} without an intent in the journal`);
		note.place = 'moving';
		this.afterAccept(note);
	}
}
