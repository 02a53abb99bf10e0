import type { Clock } from '../../../daemon/src/base/clock.ts';
import { hasEvenOnes, hex } from './bytes.ts';

/** Faults of a line. */
export interface LineFaults {
	/** The cable is unplugged: nothing passes in either direction. */
	cut: boolean;
	/** The device's transmitter is broken, but the device still receives. */
	mute: boolean;
	/** The device's receiver is broken, but the device still sends. */
	deaf: boolean;
	/**
	 * `right`: both ends are set to 8E1. Otherwise one end is set to 8N1, and in both directions
	 * bytes with an even number of ones are lost (`drops`) or arrive as '?' (3F, `replaces`).
	 */
	parity: 'right' | 'drops' | 'replaces';
	/**
	 * Pause between two bytes that the device sends together, ms; with 0 the line sends them as one
	 * chunk.
	 */
	gapMs: number;
}

export interface TraceEntry {
	at: string;
	from: 'host' | 'device' | 'noise';
	bytes: string;
}

/** Number of kept trace entries, for the control panel and for failing tests. */
const TRACE_LENGTH = 400;
const QUESTION_MARK = 0x3f;

/** The line between device and host, with its faults and a trace of its bytes. */
export class Line {
	readonly faults: LineFaults = { cut: false, mute: false, deaf: false, parity: 'right', gapMs: 0 };
	readonly trace: TraceEntry[] = [];
	/** Sends bytes to the host; null while no host is connected. */
	write: ((bytes: Uint8Array) => void) | null = null;
	#lastByteAt = Number.NEGATIVE_INFINITY;
	readonly #clock: Clock;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** Passes bytes from the device to the host. */
	send(bytes: number[], from: 'device' | 'noise' = 'device'): void {
		const { gapMs } = this.faults;
		if (gapMs === 0) {
			this.#put(bytes, from);
			return;
		}
		for (const byte of bytes) {
			const now = this.#clock.now();
			this.#lastByteAt = Math.max(now, this.#lastByteAt + gapMs);
			this.#clock.after(this.#lastByteAt - now, () => this.#put([byte], from));
		}
	}

	/** Traces bytes from the host and applies the faults. @returns the bytes that reach the device */
	hear(bytes: Uint8Array): number[] {
		this.#remember('host', bytes);
		return this.faults.cut || this.faults.deaf ? [] : this.#passParity(Array.from(bytes));
	}

	#put(bytes: number[], from: 'device' | 'noise'): void {
		if (this.faults.cut || this.faults.mute || this.write === null) return;
		const arriving = this.#passParity(bytes);
		if (arriving.length === 0) return;
		this.#remember(from, arriving);
		this.write(Uint8Array.from(arriving));
	}

	#passParity(bytes: number[]): number[] {
		if (this.faults.parity === 'drops') return bytes.filter((byte) => !hasEvenOnes(byte));
		if (this.faults.parity === 'replaces') return bytes.map((byte) => (hasEvenOnes(byte) ? QUESTION_MARK : byte));
		return bytes;
	}

	#remember(from: TraceEntry['from'], bytes: Iterable<number>): void {
		this.trace.push({ at: this.#clock.wall().toISOString(), from, bytes: hex(bytes) });
		if (this.trace.length > TRACE_LENGTH) this.trace.shift();
	}
}
