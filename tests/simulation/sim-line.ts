import type { OpenPort } from '../../daemon/src/serial/port.ts';
import type { Random } from '../support/random.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';

/** USB adapters hand bytes over in moments of this length, ms. */
const LONGEST_HANDOVER_MS = 16;
const OPENING_MS = 2;

/** One serial line with its adapter: keeps the order of bytes, takes its time, splits and joins as adapters do. */
export class SimLine {
	/** The adapter is in its socket; without it no port opens and an open one dies. */
	plugged = true;
	/** Bytes the kiosk sent, for the device. */
	onHost: (bytes: Uint8Array) => void = () => {};
	/** Around everything that the kiosk sends and hears on this line. */
	around: (way: 'to' | 'from', bytes: Uint8Array, act: () => void) => void = (_way, _bytes, act) => act();
	#toKiosk: ((bytes: Uint8Array) => void) | null = null;
	#closeOpen: ((reason: string) => void) | null = null;
	#lastArrival = 0;
	readonly #clock: VirtualClock;
	readonly #random: Random;

	constructor(clock: VirtualClock, random: Random) {
		this.#clock = clock;
		this.#random = random;
	}

	/** The device speaks. */
	say(bytes: Uint8Array): void {
		const chunks = this.#random.chance(0.2) ? [...bytes].map((byte) => Uint8Array.of(byte)) : [bytes];
		for (const chunk of chunks) this.#arriveLater(() => this.#toKiosk?.(chunk));
	}

	/** Pulls the adapter or puts it back. */
	plug(plugged: boolean): void {
		this.plugged = plugged;
		if (!plugged) this.#closeOpen?.('the adapter was pulled');
	}

	/** Whoever had it open is gone. */
	hangUp(): void {
		this.#toKiosk = null;
		this.#closeOpen = null;
	}

	/** @param alive whether the process that opens it still runs */
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
