import type { OpenPort } from '../../daemon/src/serial/port.ts';
import type { Random } from '../support/random.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';

/** USB adapters hold bytes for at most this time, ms. */
const LONGEST_HANDOVER_MS = 16;
const OPENING_MS = 2;

/** A serial line with its adapter, which delays and splits messages but keeps the bytes' order. */
export class SimLine {
	/** Whether the adapter is plugged in. If not, the port cannot be opened. */
	plugged = true;
	/** Called with the bytes that arrive from the kiosk at the device. */
	onHost: (bytes: Uint8Array) => void = () => {};
	/** Wraps all traffic of the kiosk on this line. */
	around: (way: 'to' | 'from', bytes: Uint8Array, act: () => void) => void = (_way, _bytes, act) => act();
	#toKiosk: ((bytes: Uint8Array) => void) | null = null;
	#closeOpen: ((reason: string) => void) | null = null;
	#lastArrival = 0;
	#heardUntil = Number.NEGATIVE_INFINITY;
	readonly #clock: VirtualClock;
	readonly #random: Random;

	constructor(clock: VirtualClock, random: Random) {
		this.#clock = clock;
		this.#random = random;
	}

	/** Whether a process has the port open. */
	get isHeard(): boolean {
		return this.#toKiosk !== null;
	}

	/** When a process last had the port open, ms. */
	get heardUntil(): number {
		return this.isHeard ? this.#clock.now() : this.#heardUntil;
	}

	/** Sends bytes from the device. */
	say(bytes: Uint8Array): void {
		const chunks = this.#random.chance(0.2) ? [...bytes].map((byte) => Uint8Array.of(byte)) : [bytes];
		for (const chunk of chunks) this.#arriveLater(() => this.#toKiosk?.(chunk));
	}

	/** Unplugs or replugs the adapter. */
	plug(plugged: boolean): void {
		this.plugged = plugged;
		if (!plugged) this.#closeOpen?.('the adapter was pulled');
	}

	/** Closes the port without telling the process, because the process may be dead. */
	hangUp(): void {
		this.#heardUntil = this.heardUntil;
		this.#toKiosk = null;
		this.#closeOpen = null;
	}

	/** @param alive whether the process that opens the port still runs */
	openFor(alive: () => boolean): OpenPort {
		return (listener) => {
			let open = false;
			let over = false;
			const end = (reason: string): void => {
				if (over) return;
				over = true;
				if (open) this.hangUp();
				open = false;
				if (alive()) listener.closed(reason);
			};
			this.#clock.after(OPENING_MS, () => {
				if (over || !alive()) return;
				if (!this.plugged || this.#toKiosk !== null) return end(this.plugged ? 'the port is taken' : 'there is no such device');
				open = true;
				this.#closeOpen = end;
				this.#toKiosk = (bytes) => {
					if (open && alive()) this.around('from', bytes, () => listener.data(bytes));
				};
				listener.opened();
			});
			return {
				write: (bytes) => {
					const sent = Uint8Array.from(bytes);
					if (!open || !alive()) return;
					this.around('to', sent, () => this.#clock.after(1, () => this.plugged && this.onHost(sent)));
				},
				close: () => end('closed'),
			};
		};
	}

	#arriveLater(arrive: () => void): void {
		this.#lastArrival = Math.max(this.#lastArrival, this.#clock.now() + this.#random.int(1, LONGEST_HANDOVER_MS));
		this.#clock.after(this.#lastArrival - this.#clock.now(), arrive);
	}
}
