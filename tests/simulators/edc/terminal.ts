import type { Clock } from '../../../daemon/src/base/clock.ts';
import type { Log } from '../log.ts';
import { Bank, type BankLedger, NOT_FOUND, NOT_SUPPORTED, readAmount, refusalFields, SALE_TYPES, TYPE } from './bank.ts';
import { ACK, buildResponse, NAK, type RequestFields, RequestReader, type ResponseFields } from './frame.ts';

/** How the terminal behaves on the link. Some modes have parameters: `ModeDetails`. */
export const TERMINAL_MODES = [
	'normal',
	/** Ignores all requests. */
	'silent',
	/** Sends ACK and lets the customer pay as prepared, but sends no answer. */
	'silent_after_ack',
	/** Sends no ACK, but carries out the sale and answers it. */
	'no_ack',
	/** Sends NAK to the next `times` requests and handles later requests. */
	'nak',
	/** Sends the next `times` answers with a wrong LRC; later answers are right. */
	'bad_lrc',
	/** Sends the answer byte by byte. */
	'slow',
	/** Sends the answer twice. */
	'double',
	/** Sends the answer `ms` later than usual. */
	'late',
	/** Charges another amount and sends this amount in the answer. */
	'wrong_amount',
	/** Sends the answer with another transaction type. */
	'wrong_type',
	/** Sends the answer in pieces of several bytes. */
	'split',
	/** Sends ACK and answer together in one chunk. */
	'joined',
	/** Sends meaningless bytes around every message. */
	'noise',
	/** Sends the previous answer before the right one, except in reply to an echo test. */
	'stale',
	/** Carries out requests, but its transmit wire is broken, so the kiosk receives nothing. */
	'mute',
	/** Receives the kiosk's bytes only after the mode changes. */
	'held_up',
] as const;
export type TerminalMode = (typeof TERMINAL_MODES)[number];

/** Reaction to an echo test, which not every model supports. `acks` sends ACK, but no answer. */
export type EchoHabit = 'answers' | 'acks' | 'refuses' | 'ignores';

export interface ModeDetails {
	ms: number;
	times: number;
	/**
	 * By how much the charge exceeds the request in mode `wrong_amount`, rupiah; negative: charges
	 * less.
	 */
	beyond: number;
}

export interface TerminalTiming {
	/** Time from request to ACK. */
	ackMs: number;
	/** If an answer is prepared, the time that card, PIN and bank take before it is sent. */
	customerMs: number;
	/** If no card comes within this time, the terminal ends the sale with `customerLimitCode`. */
	customerLimitMs: number;
	/** An incomplete request is dropped after this time. */
	halfFrameMs: number;
}

export const TERMINAL_TIMING: TerminalTiming = { ackMs: 150, customerMs: 2_500, customerLimitMs: 60_000, halfFrameMs: 1_000 };

/** Outcome of one sale. */
export interface CardAnswer {
	/** Two characters; "00" is an approval. */
	respCode: string;
	/**
	 * Whether the bank charges the card. Default: only with code 00. If the terminal loses its bank
	 * during a sale, code and charge can differ.
	 */
	captured?: boolean;
}

export interface TerminalOptions {
	clock: Clock;
	send: (bytes: Uint8Array) => void;
	log: Log;
	timing?: Partial<TerminalTiming>;
	customerLimitCode?: string;
	/** Whether the terminal is switched on when the simulator starts. */
	powered?: boolean;
	echo?: EchoHabit;
	/** How far the terminal's clock is ahead of the right time, ms. */
	clockAheadMs?: number;
	/** The charges of earlier runs; null for none. */
	ledger?: BankLedger | null;
	onLedgerChange?: (ledger: BankLedger) => void;
}

interface Pending {
	request: RequestFields;
	amount: number;
}

const LATE_MS = 130_000;
const SLOW_BYTE_MS = 25;
const PIECE_BYTES = 40;
const PIECE_MS = 60;
const NOISE = Uint8Array.of(0x00, 0xff, 0x03, 0x7f, 0x10);
const WRONG_BY = 1_000;
/** How often an answer is repeated at most; each repetition needs a NAK. */
const LARGEST_RESENDS = 2;

/**
 * A BCA card terminal on the ECR link. `bank` records what was really charged, whatever the
 * terminal answers.
 */
export class EcrTerminal {
	readonly bank: Bank;
	readonly timing: TerminalTiming;
	/**
	 * Prepared answers, one for each sale. If none is left, a sale waits for `tap`. A prepared
	 * refusal can also answer a request that needs no card, but not an echo test.
	 */
	readonly next: CardAnswer[] = [];
	mode: TerminalMode = 'normal';
	readonly details: ModeDetails = { ms: LATE_MS, times: 1, beyond: WRONG_BY };
	powered: boolean;
	echo: EchoHabit;
	/** Whether a QRIS approval code has 9 characters, as on most terminals; otherwise 6. */
	wideQrisApproval = true;
	/** Number of acknowledged answers, apart from answers to echo tests. */
	acknowledged = 0;
	#pending: Pending | null = null;
	/** The last sale, if it was declined. */
	#declined: Pending | null = null;
	#reader = new RequestReader();
	#heldUp: Uint8Array[] = [];
	#last: Buffer | null = null;
	#lastAcknowledged = false;
	#lastIsEcho = false;
	/** The last answer, apart from answers to echo tests. */
	#stale: Buffer | null = null;
	#resends = 0;
	#timers = new Set<() => void>();
	#halfFrame = (): void => {};
	#customerLimit = (): void => {};
	readonly #clock: Clock;
	readonly #send: (bytes: Uint8Array) => void;
	readonly #log: Log;
	readonly #customerLimitCode: string;

	constructor(options: TerminalOptions) {
		this.timing = { ...TERMINAL_TIMING, ...options.timing };
		const wall = () => new Date(options.clock.wall().getTime() + (options.clockAheadMs ?? 0));
		this.bank = new Bank({ wall }, options.ledger ?? null, options.onLedgerChange ?? (() => {}));
		this.powered = options.powered ?? true;
		this.echo = options.echo ?? 'answers';
		this.#clock = options.clock;
		this.#send = options.send;
		this.#log = options.log;
		// S4 ("expired, start again") is the only code that fits when the customer has left.
		this.#customerLimitCode = options.customerLimitCode ?? 'S4';
	}

	/** The sale that waits for a card, or null. Its amount is in rupiah. */
	get waiting(): { type: string; amount: number } | null {
		return this.#pending === null ? null : { type: this.#pending.request.type, amount: this.#pending.amount };
	}

	setMode(mode: TerminalMode, details: Partial<ModeDetails> = {}): void {
		this.mode = mode;
		Object.assign(this.details, { ms: LATE_MS, times: 1, beyond: WRONG_BY }, details);
		if (mode === 'held_up') return;
		for (const bytes of this.#heldUp.splice(0)) this.hear(bytes);
	}

	hear(bytes: Uint8Array): void {
		if (this.mode === 'held_up') this.#heldUp.push(bytes);
		if (!this.powered || this.mode === 'silent' || this.mode === 'held_up') return;
		this.#halfFrame();
		for (const heard of this.#reader.push(bytes)) {
			if (heard.kind === 'request') this.#requested(heard.request);
			else if (heard.kind === 'damaged') this.#say(Uint8Array.of(NAK));
			else if (heard.kind === 'ack') this.#acknowledge();
			else this.#refused();
		}
		this.#halfFrame = this.#clock.after(this.timing.halfFrameMs, () => this.#reader.clear());
	}

	/** Holds a card to the terminal. @returns false if no sale waits */
	tap(answer: CardAnswer): boolean {
		if (this.#pending === null) return false;
		this.#decide(this.#pending, answer);
		return true;
	}

	/** Cuts the power. @param captured whether the bank has already charged the open sale */
	switchOff(captured: boolean): void {
		if (this.#pending !== null && captured) this.bank.capture(this.#pending.request.type, this.#pending.amount);
		this.#forget();
		this.powered = false;
		this.#log('power cut');
	}

	switchOn(): void {
		this.powered = true;
	}

	stop(): void {
		this.#forget();
	}

	#forget(): void {
		this.#pending = null;
		this.#customerLimit();
		this.#halfFrame();
		for (const callOff of this.#timers) callOff();
		this.#timers.clear();
		this.#reader.clear();
		this.#last = null;
		this.#stale = null;
	}

	#requested(request: RequestFields): void {
		const amount = readAmount(request);
		if (this.#pending !== null) {
			this.#log(`request ${request.type} ignored: a sale is open`);
			return;
		}
		const isEcho = request.type === TYPE.echo;
		if (isEcho && this.echo === 'ignores') return;
		if (isEcho && this.echo === 'refuses') return this.#say(Uint8Array.of(NAK));
		if (this.mode === 'nak' && this.details.times > 0) {
			this.details.times -= 1;
			this.#say(Uint8Array.of(NAK));
			return;
		}
		this.#log(`request ${request.type}, Rp ${amount ?? request.amount}`);
		if (SALE_TYPES.includes(request.type)) this.#declined = null;
		if (this.mode !== 'no_ack' && this.mode !== 'joined') this.#later(this.timing.ackMs, () => this.#say(Uint8Array.of(ACK)));
		if (isEcho && this.echo === 'acks') return;
		this.#later(this.timing.ackMs, () => this.#perform(request, amount ?? 0));
	}

	#perform(request: RequestFields, amount: number): void {
		if (SALE_TYPES.includes(request.type)) {
			const pending = { request, amount };
			this.#pending = pending;
			const prepared = this.next.shift();
			if (prepared !== undefined) this.#customerLimit = this.#later(this.timing.customerMs, () => this.#decide(pending, prepared));
			else {
				const gaveUp = { respCode: this.#customerLimitCode };
				this.#customerLimit = this.#later(this.timing.customerLimitMs, () => this.#decide(pending, gaveUp));
			}
			return;
		}
		const prepared = this.next[0];
		// An echo test must not use up a prepared answer.
		if (request.type !== TYPE.echo && prepared !== undefined && prepared.respCode !== '00') {
			this.next.shift();
			this.#answer(request, refusalFields(request.type, prepared.respCode));
		} else this.#answer(request, this.#withoutCard(request, amount));
	}

	/**
	 * Handles requests that need no card. Request type 20 is missing, because the layout of its
	 * answer is not public.
	 */
	#withoutCard(request: RequestFields, amount: number): Partial<ResponseFields> {
		const { type } = request;
		switch (type) {
			case TYPE.echo:
				return this.bank.plainFields(type, 0);
			case TYPE.settlement:
				return this.bank.plainFields(type, this.bank.settle());
			case TYPE.void: {
				const voided = this.bank.voidSale(request.invoice);
				return voided === undefined ? refusalFields(type, NOT_FOUND) : this.bank.cardFields(voided, type);
			}
			case TYPE.reprint: {
				const found = this.bank.find(request.invoice);
				return found === undefined ? refusalFields(type, NOT_FOUND) : this.bank.cardFields(found, type);
			}
			case TYPE.qris:
				return this.bank.qrisFields(this.bank.openQris(amount), type);
			case TYPE.qrisInquiry: {
				const code = this.bank.qrisCodes.find(({ reference }) => reference === request.reference);
				if (code === undefined) return refusalFields(type, NOT_FOUND);
				if (code.paid) return this.bank.qrisFields(code, type);
				return refusalFields(type, code.expired ? 'S4' : 'S3');
			}
			default:
				return refusalFields(type, NOT_SUPPORTED);
		}
	}

	#decide(pending: Pending, answer: CardAnswer): void {
		this.#customerLimit();
		this.#pending = null;
		const { request } = pending;
		const amount = this.mode === 'wrong_amount' ? pending.amount + this.details.beyond : pending.amount;
		const captured = answer.captured ?? answer.respCode === '00';
		const transaction = captured ? this.bank.capture(request.type, amount) : null;
		this.#log(`${answer.respCode}, ${captured ? `captured Rp ${amount}` : 'no money moved'}`);
		const approved = answer.respCode === '00' && transaction !== null;
		this.#declined = approved ? null : pending;
		this.#answer(request, approved ? this.bank.cardFields(transaction, request.type) : refusalFields(request.type, answer.respCode));
	}

	/**
	 * Charges the last sale, although the terminal had declined it, and sends the approval. Does
	 * nothing while another sale is open.
	 */
	approveAfterAll(): void {
		const declined = this.#declined;
		if (!this.powered || this.#pending || !declined) return;
		this.#declined = null;
		this.#log(`00 after all, captured Rp ${declined.amount}`);
		const { request } = declined;
		this.#answer(request, this.bank.cardFields(this.bank.capture(request.type, declined.amount), request.type));
	}

	#answer(request: RequestFields, fields: Partial<ResponseFields>): void {
		if (this.mode === 'silent_after_ack' || this.mode === 'silent') return;
		const type = this.mode === 'wrong_type' ? TYPE.echo : request.type;
		const isQris = request.type === TYPE.qris || request.type === TYPE.qrisInquiry;
		const layout = isQris && fields.respCode === '00' && this.wideQrisApproval ? 'qris' : 'card';
		const approval = layout === 'qris' ? fields.approval : fields.approval?.slice(0, 6);
		const frame = buildResponse(request.version, { ...fields, type, approval: approval ?? '' }, layout);
		const before = this.#stale;
		const isEcho = request.type === TYPE.echo;
		this.#last = frame;
		this.#lastIsEcho = isEcho;
		if (!isEcho) this.#stale = frame;
		this.#lastAcknowledged = false;
		this.#resends = 0;
		if (this.mode === 'stale' && before !== null && !isEcho) this.#say(before);
		this.#later(this.mode === 'late' ? this.details.ms : 0, () => this.#deliver(frame));
	}

	#deliver(frame: Buffer): void {
		const { mode } = this;
		if (mode === 'bad_lrc' && this.details.times > 0) {
			this.details.times -= 1;
			const damaged = Buffer.from(frame);
			damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 0x55;
			this.#say(damaged);
		} else if (mode === 'slow') this.#sayInPieces(frame, 1, SLOW_BYTE_MS);
		else if (mode === 'split') this.#sayInPieces(frame, PIECE_BYTES, PIECE_MS);
		else if (mode === 'joined') this.#say(Buffer.concat([Uint8Array.of(ACK), frame]));
		else this.#say(frame);
		if (mode === 'double') this.#say(frame);
	}

	/**
	 * Sends a frame in pieces. Each timer starts the next one: on a busy computer, timers that are
	 * due together may run in the wrong order.
	 */
	#sayInPieces(frame: Buffer, size: number, everyMs: number, at = 0): void {
		if (at >= frame.length) return;
		this.#say(frame.subarray(at, at + size));
		this.#later(everyMs, () => this.#sayInPieces(frame, size, everyMs, at + size));
	}

	#acknowledge(): void {
		if (this.#last === null || this.#lastAcknowledged) return;
		this.#lastAcknowledged = true;
		if (!this.#lastIsEcho) this.acknowledged += 1;
	}

	/** Repeats the answer after a NAK, up to the limit. */
	#refused(): void {
		if (this.#last === null || this.#resends >= LARGEST_RESENDS) return;
		this.#resends += 1;
		this.#deliver(this.#last);
	}

	#say(bytes: Uint8Array): void {
		if (!this.powered || this.mode === 'mute') return;
		this.#send(this.mode === 'noise' ? Buffer.concat([NOISE, bytes, NOISE]) : bytes);
	}

	#later(ms: number, run: () => void): () => void {
		const callOff = this.#clock.after(ms, () => {
			this.#timers.delete(callOff);
			run();
		});
		this.#timers.add(callOff);
		return callOff;
	}
}
