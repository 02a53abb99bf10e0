import { EventEmitter } from 'node:events';
import type { LiveSocket, OpenSocket } from '../../daemon/src/back-office/live-link.ts';
import type { Random } from '../support/random.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';
import type { SimOffice } from './sim-office.ts';

const LONGEST_WAY_MS = 150;
/** Fraction of network failures that leave the socket open. The kiosk's pings must detect these. */
const SILENT_LOSS = 0.5;

type Around = (way: 'to' | 'from', act: () => void) => void;

/**
 * The kiosk's live socket with the interface of the WebSocket library: events, frames in order, and
 * a close event that may never come.
 */
class SimSocket extends EventEmitter {
	#open = false;
	#over = false;
	#hangUp = (): void => {};
	#lastArrival = 0;
	readonly #clock: VirtualClock;
	readonly #random: Random;
	readonly #office: SimOffice;
	readonly #alive: () => boolean;
	readonly #around: Around;
	readonly #token: string;

	constructor(clock: VirtualClock, random: Random, office: SimOffice, token: string, alive: () => boolean, around: Around) {
		super();
		this.#clock = clock;
		this.#random = random;
		this.#office = office;
		this.#token = token;
		this.#alive = alive;
		this.#around = around;
		clock.after(random.int(1, LONGEST_WAY_MS), () => this.#connect());
	}

	send(data: string): void {
		if (!this.#alive()) return;
		this.#around('to', () => {
			this.#office.isBeingTold(JSON.parse(data), this.#token);
			this.#travel(() => this.#office.heard(JSON.parse(data), this.#token));
		});
	}

	ping(data = ''): void {
		this.#travel(() => this.#travel(() => this.#tell('pong', Buffer.from(String(data)))));
	}

	terminate(): void {
		this.#end(1006);
	}

	#connect(): void {
		if (this.#over) return;
		if (!this.#office.reachable) {
			this.#tell('error', new Error('connect ECONNREFUSED'));
			return this.#end(1006);
		}
		this.#open = true;
		const stopListening = this.#office.listen({
			token: this.#token,
			hear: (text, arrived) =>
				this.#travel(() => {
					if (this.#alive()) arrived();
					this.#tell('message', Buffer.from(JSON.stringify({ text })));
				}),
			lost: () => {
				if (!this.#random.chance(SILENT_LOSS)) this.#end(1006);
			},
		});
		this.#hangUp = stopListening;
		this.#tell('open');
	}

	/**
	 * Delivers something over the network. The order is kept; nothing arrives while the network is
	 * down.
	 */
	#travel(arrive: () => void): void {
		this.#lastArrival = Math.max(this.#lastArrival, this.#clock.now() + this.#random.int(1, LONGEST_WAY_MS));
		this.#clock.after(this.#lastArrival - this.#clock.now(), () => {
			if (this.#open && this.#office.reachable) arrive();
		});
	}

	#end(code: number): void {
		if (this.#over) return;
		this.#over = true;
		this.#open = false;
		this.#hangUp();
		this.#tell('close', code);
	}

	#tell(event: string, ...words: unknown[]): void {
		if (this.#alive()) this.#around('from', () => this.emit(event, ...words));
	}
}

/**
 * @param alive whether the process that opened the socket still runs
 * @param around wraps all traffic of the socket
 */
export const simSockets =
	(clock: VirtualClock, random: Random, office: SimOffice, alive: () => boolean, around: Around): OpenSocket =>
	(url) =>
		new SimSocket(clock, random, office, decodeURIComponent(/\/ws\/([^/]+)/.exec(url)?.[1] ?? ''), alive, around) as unknown as LiveSocket;
