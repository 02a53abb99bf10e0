import type { Clock } from '../../../daemon/src/base/clock.ts';
import type { Log } from '../log.ts';
import { BEHAVIOUR, type Behaviour, LATE_STACKED_MS, type Mishap, TIMING, type Timing } from './behaviour.ts';
import { DEVICE, HOST, hex, LASTING_FAULTS, type LastingFault } from './bytes.ts';
import type { NoteEnd, NoteEnds, SettledNote } from './note-ends.ts';

/** Position of a note. `stuck` means that a fault stopped the mechanics with the note inside. */
export type NotePlace = 'recognising' | 'escrow' | 'stacking' | 'returning' | 'stuck';

/** A note in the transport. `code` is null if the sensors cannot read the note. */
interface MovingNote {
	code: number | null;
	nominal: number;
	place: NotePlace;
	held: boolean;
	/** Whether the host has sent ACCEPT for the note. */
	accepted: boolean;
	mishaps: ReadonlySet<Mishap>;
}

export type Power = 'off' | 'starting' | 'waiting_for_host' | 'running';
export type InsertAnswer = { taken: true } | { taken: false; reason: string };

export interface DeviceOptions {
	clock: Clock;
	send: (bytes: number[]) => void;
	log: Log;
	/** Final places of earlier notes; none by default. */
	noteEnds?: NoteEnds;
	/**
	 * Called after every change of `noteEnds`. `isReported`: whether the device reports a stacked
	 * note to the host.
	 */
	onSettled?: (noteEnds: NoteEnds, isReported: boolean) => void;
	timing?: Partial<Timing>;
	behaviour?: Partial<Behaviour>;
}

/** An ICT bill acceptor. Its record of notes follows the mechanics, not the bytes on the line. */
export class IctDevice {
	readonly timing: Timing;
	readonly behaviour: Behaviour;
	readonly noteEnds: NoteEnds;
	power: Power = 'off';
	enabled = false;
	fault: LastingFault | null = null;
	cashboxOut = false;
	/** Number of times that the cashbox was removed. */
	removals = 0;
	/** Deviations that apply to the next note only. */
	readonly nextMishaps = new Set<Mishap>();
	#note: MovingNote | null = null;
	#undecided = 0;
	#noteTimer = (): void => {};
	#powerTimer = (): void => {};
	/**
	 * Timer of a late STACKED. It is separate from the note timer, because the next note may be
	 * inside when the late STACKED is sent.
	 */
	#lateTimer = (): void => {};
	readonly #clock: Clock;
	readonly #send: (bytes: number[]) => void;
	readonly #log: Log;
	readonly #onSettled: (noteEnds: NoteEnds, isReported: boolean) => void;

	constructor(options: DeviceOptions) {
		this.timing = { ...TIMING, ...options.timing };
		this.behaviour = { ...BEHAVIOUR, ...options.behaviour };
		this.#clock = options.clock;
		this.#send = options.send;
		this.#log = options.log;
		this.noteEnds = options.noteEnds ?? { stacked: [], returned: [], removed: [], collected: 0 };
		this.#onSettled = options.onSettled ?? (() => {});
	}

	get stacked(): readonly SettledNote[] {
		return this.noteEnds.stacked;
	}

	get returned(): readonly SettledNote[] {
		return this.noteEnds.returned;
	}

	get removed(): readonly SettledNote[] {
		return this.noteEnds.removed;
	}

	get note(): Readonly<MovingNote> | null {
		return this.#note;
	}

	/** The byte that answers a poll during a fault; null if there is no fault. */
	get faultCode(): number | null {
		if (this.fault !== null) return LASTING_FAULTS[this.fault];
		return this.cashboxOut ? DEVICE.cashboxRemoved : null;
	}

	switchOn(): void {
		if (this.power === 'off') this.#start(this.timing.startMs);
	}

	/** If no host has answered the power-up bytes yet, sends them again at once. */
	repeatPowerUp(): void {
		if (this.power !== 'waiting_for_host') return;
		this.#powerTimer();
		this.#announce();
	}

	/** Cuts the power. A note inside is stacked or returned without a report. */
	switchOff(noteEnds: NoteEnd = 'returned'): void {
		for (const callOff of [this.#powerTimer, this.#noteTimer, this.#lateTimer]) callOff();
		this.power = 'off';
		this.enabled = false;
		this.#undecided = 0;
		if (this.#note !== null) this.#settle(noteEnds, 'power was cut');
	}

	/** Handles bytes from the host. A device that is off or starting ignores these bytes. */
	receive(bytes: Iterable<number>): void {
		for (const byte of bytes) {
			if (this.power === 'waiting_for_host' || this.power === 'running') this.#obey(byte);
		}
	}

	/** Inserts a note. @param note a value, a note code, or 'unreadable' */
	insert(note: { nominal: number } | { code: number } | 'unreadable'): InsertAnswer {
		const known = this.#identify(note);
		const refusal = this.#whyClosed();
		const mishaps = new Set(this.nextMishaps);
		if (refusal !== null) {
			this.#record('returned', known, refusal);
			return { taken: false, reason: refusal };
		}
		this.nextMishaps.clear();
		this.#note = { ...known, place: 'recognising', held: false, accepted: false, mishaps };
		this.#noteTimer = this.#clock.after(this.timing.recogniseMs, () => this.#recognised());
		return { taken: true };
	}

	/**
	 * Starts a fault. A note in the transport stays there until `clear`; with `fish` it is pulled out
	 * on a string.
	 */
	break(fault: LastingFault): void {
		this.fault = fault;
		this.#stopNote();
		if (fault === 'fish' && this.#note !== null) this.#settle('returned', 'pulled out on a string');
		this.#say([LASTING_FAULTS[fault]]);
	}

	/**
	 * Clears the fault. A stuck note is returned, stacked, or removed by hand; a removal is not
	 * reported.
	 */
	clear(noteEnds: NoteEnd = 'returned'): void {
		this.fault = null;
		if (this.cashboxOut) {
			this.#say([DEVICE.cashboxRemoved]);
			return;
		}
		this.#say([DEVICE.cleared]);
		if (this.#note?.place !== 'stuck') return;
		// Stacks a note without ACCEPT only if the host gets STACKED at once. Otherwise a power cut
		// could lose the late report.
		const { code, accepted, mishaps } = this.#note;
		const isReported = !mishaps.has('lost_stacked') && !mishaps.has('late_stacked');
		if (noteEnds === 'stacked' && code !== null && (accepted || isReported)) this.#stack();
		else if (noteEnds === 'removed') this.#settle('removed', 'taken out by staff');
		else this.#pushBack('returned after a fault', [DEVICE.returned]);
	}

	removeCashbox(): void {
		this.cashboxOut = true;
		this.removals += 1;
		this.noteEnds.collected = this.stacked.length;
		this.#onSettled(this.noteEnds, true);
		this.#stopNote();
		this.#say([DEVICE.cashboxRemoved]);
	}

	returnCashbox(): void {
		this.cashboxOut = false;
		if (this.fault === null) this.clear();
		else this.#say([LASTING_FAULTS[this.fault]]);
	}

	/**
	 * Pulls the note back out of the slot, as a customer may do.
	 * @returns false if no note can be pulled: a note is in reach only until it leaves escrow
	 */
	pullNote(): boolean {
		if (this.#note?.place !== 'recognising' && this.#note?.place !== 'escrow') return false;
		this.#noteTimer();
		this.#settle('returned', 'pulled back by the customer');
		this.#say([DEVICE.billRemoved]);
		return true;
	}

	#start(afterMs: number): void {
		this.power = 'starting';
		this.#powerTimer = this.#clock.after(afterMs, () => this.#announce());
	}

	#announce(): void {
		this.power = 'waiting_for_host';
		const country = Array.from(this.behaviour.countryCode, (letter) => letter.charCodeAt(0));
		this.#say([...DEVICE.powerUp, ...country]);
		this.#powerTimer = this.#clock.after(this.timing.syncMs, () => this.#announce());
	}

	#obey(byte: number): void {
		if (byte === HOST.accept) this.#accept();
		else if (byte === HOST.poll) this.#say(this.#status());
		else if (byte === HOST.reject) this.#reject();
		else if (byte === HOST.hold) this.#hold();
		else if (byte === HOST.reset) this.#reset();
		else if (byte === HOST.enable || byte === HOST.inhibit) this.#enable(byte === HOST.enable);
		else {
			this.#log(`unknown command ${hex([byte])}`);
			this.#say([DEVICE.invalidCommand]);
		}
	}

	#reject(): void {
		if (this.#note?.place === 'escrow') this.#pushBack('refused by the host', this.#returnedBytes());
	}

	#accept(): void {
		if (this.power === 'waiting_for_host') {
			this.#powerTimer();
			this.power = 'running';
			this.enabled = this.behaviour.enabledAfterSync;
			this.#log('handshake done');
		} else if (this.#note?.place === 'escrow') {
			this.#undecided = 0;
			this.#note.accepted = true;
			this.#stack();
		}
	}

	#status(): number[] {
		if (this.faultCode !== null) return [this.faultCode];
		if (this.power !== 'running') return [this.behaviour.pollSaysBusy ? DEVICE.notSynchronised : DEVICE.inhibited];
		const note = this.#note;
		if (note?.place === 'escrow' && note.code !== null && this.behaviour.pollRepeatsNote) return [DEVICE.escrow, note.code];
		if (note !== null && this.behaviour.pollSaysBusy) return [DEVICE.busy];
		return [this.enabled ? DEVICE.enabled : DEVICE.inhibited];
	}

	#enable(on: boolean): void {
		if (this.power === 'running') {
			this.enabled = on;
			this.#undecided = 0;
		}
		if (this.behaviour.echoesEnable) this.#say([this.enabled ? DEVICE.enabled : DEVICE.inhibited]);
	}

	#hold(): void {
		if (this.#note?.place !== 'escrow') return;
		this.#note.held = true;
		this.#noteTimer();
		const { holdMs } = this.timing;
		if (holdMs !== null) this.#noteTimer = this.#clock.after(holdMs, () => this.#escrowOver());
	}

	#reset(): void {
		this.#log('reset by the host');
		this.switchOff();
		this.#start(this.timing.resetMs);
	}

	#recognised(): void {
		const note = this.#note;
		if (note === null) return;
		if (note.code === null) {
			this.#say([DEVICE.unrecognised]);
			this.#pushBack('not recognised', []);
		} else if (!this.enabled) this.#pushBack('inhibited', []);
		else this.#offer(note, note.code);
	}

	#offer(note: MovingNote, code: number): void {
		note.place = 'escrow';
		this.#say([DEVICE.escrow, code]);
		if (note.mishaps.has('repeated_note')) this.#say([code]);
		this.#noteTimer = this.#clock.after(this.timing.escrowMs, () => this.#escrowOver());
	}

	#escrowOver(): void {
		this.#undecided += 1;
		this.#pushBack('the host did not decide', this.#returnedBytes());
		if (this.#undecided < this.behaviour.timeoutsBeforeInhibit) return;
		this.enabled = false;
		this.#log(`inhibits itself after ${this.#undecided} undecided notes`);
		if (this.behaviour.saysCommunicationFailure) this.#say([DEVICE.communicationFailure]);
	}

	#stack(): void {
		const note = this.#note;
		if (note === null) return;
		this.#noteTimer();
		if (note.mishaps.has('stacked_fails')) {
			this.#pushBack('the stacker refused it', [DEVICE.returned]);
			return;
		}
		note.place = 'stacking';
		this.#noteTimer = this.#clock.after(this.timing.stackMs, () => {
			this.#settle('stacked', 'accepted');
			this.#sayStacked(note);
		});
	}

	#sayStacked(note: MovingNote): void {
		if (note.mishaps.has('lost_stacked')) return;
		const late = note.mishaps.has('late_stacked') ? LATE_STACKED_MS : this.timing.stackedByteMs;
		const bytes = note.mishaps.has('double_stacked') ? [DEVICE.stacked, DEVICE.stacked] : [DEVICE.stacked];
		if (late === 0) this.#say(bytes);
		else this.#lateTimer = this.#clock.after(late, () => this.#say(bytes));
	}

	/** Moves the note to the slot, then sends `bytes`. */
	#pushBack(reason: string, bytes: number[]): void {
		if (this.#note === null) return;
		this.#note.place = 'returning';
		this.#noteTimer();
		this.#noteTimer = this.#clock.after(this.timing.returnMs, () => {
			this.#settle('returned', reason);
			if (bytes.length > 0) this.#say(bytes);
		});
	}

	#returnedBytes(): number[] {
		return this.#note?.mishaps.has('double_returned') ? [DEVICE.returned, DEVICE.returned] : [DEVICE.returned];
	}

	#stopNote(): void {
		if (this.#note === null) return;
		this.#noteTimer();
		this.#note.place = 'stuck';
	}

	#settle(end: NoteEnd, reason: string): void {
		const note = this.#note;
		if (note === null) return;
		this.#note = null;
		this.#record(end, note, reason, !note.mishaps.has('lost_stacked'));
	}

	#record(end: NoteEnd, { nominal, code }: { nominal: number; code: number | null }, reason: string, isReported = true): void {
		this.noteEnds[end].push({ nominal, code, at: this.#clock.wall().toISOString(), reason });
		this.#log(`${nominal} ${end}: ${reason}`);
		this.#onSettled(this.noteEnds, isReported);
	}

	#whyClosed(): string | null {
		if (this.power === 'off' || this.power === 'starting') return 'no power';
		if (this.faultCode !== null) return 'fault';
		if (this.#note !== null) return 'another note is inside';
		return this.power === 'running' && this.enabled ? null : 'inhibited';
	}

	#identify(note: { nominal: number } | { code: number } | 'unreadable'): { code: number | null; nominal: number } {
		if (note === 'unreadable') return { code: null, nominal: 0 };
		if ('code' in note) return { code: note.code, nominal: this.behaviour.notes[note.code] ?? 0 };
		const entry = Object.entries(this.behaviour.notes).find(([, nominal]) => nominal === note.nominal);
		return { code: entry === undefined ? null : Number(entry[0]), nominal: note.nominal };
	}

	#say(bytes: number[]): void {
		if (this.power !== 'off') this.#send(bytes);
	}
}
