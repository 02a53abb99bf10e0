import * as v from 'valibot';
import { EdcApprove } from '../../daemon/contract/live.ts';
import type { BackOfficeAnswer, BackOfficeCall, NoAnswer } from '../../daemon/src/back-office/client.ts';
import { fail, ok, type Result } from '../../daemon/src/result.ts';
import { Books } from '../simulators/back-office/books.ts';
import { findCall } from '../simulators/back-office/calls.ts';
import type { Invoice } from '../simulators/back-office/invoice.ts';
import { DEFAULT_ACCOUNT } from '../simulators/back-office/start.ts';
import type { Fields } from '../simulators/http.ts';
import type { Random } from './random.ts';
import type { SimClock } from './sim-clock.ts';

/** How the way to the server behaves. `lossy`: any call may lose its request or its answer, or meet an error. */
export type Network = 'good' | 'down' | 'lossy' | 'slow';

/** One end of a live socket. `lost`: the network has gone; the listener may or may not be told. */
interface Listener {
	hear: (text: object) => void;
	lost: () => void;
}

const TIMEOUT_MS = 50_000;
const MAX_TO_VA = 2_000_000;

const NOBODY: NoAnswer = { code: 'unreachable', message: 'the network is away' };
const TOO_LATE: NoAnswer = { code: 'timeout', message: `no answer within ${TIMEOUT_MS} ms` };

/** The owner's server behind a network that may fail in every way; its books are the simulators' own. */
export class SimOffice {
	readonly books: Books;
	readonly token: string;
	#network: Network = 'good';
	readonly #listeners = new Set<Listener>();
	readonly #clock: SimClock;
	readonly #random: Random;

	constructor(clock: SimClock, random: Random) {
		this.#clock = clock;
		this.#random = random;
		this.books = new Books({ now: clock.wall(), origin: 'http://127.0.0.1', file: undefined });
		this.token = this.books.issueToken();
		this.books.onPaid = (invoice) => this.sayPaid(invoice);
	}

	get network(): Network {
		return this.#network;
	}

	set network(network: Network) {
		this.#network = network;
		if (network === 'down') for (const listener of [...this.#listeners]) listener.lost();
	}

	get reachable(): boolean {
		return this.network !== 'down';
	}

	/** A kiosk says something on its live socket. */
	heard(whole: { message: unknown }): void {
		const approval = v.safeParse(EdcApprove, whole.message);
		if (!approval.success) return;
		const { no_invoice, json_success_payment } = approval.output.data;
		this.books.bookApproval(no_invoice, json_success_payment, this.#clock.wall().toISOString());
	}

	/** Says that an invoice is paid; now and then more than once, late, or not at all. */
	sayPaid(invoice: Invoice): void {
		const times = this.#random.chance(0.1) ? 0 : this.#random.chance(0.2) ? 3 : 1;
		for (let time = 0; time < times; time += 1) {
			const delay = this.#random.chance(0.1) ? this.#random.int(5_000, 60_000) : this.#random.int(5, 400);
			this.#clock.after(delay, () => this.#say({ type: 'payment_notification', id: invoice.id, is_paid: true }));
		}
	}

	/** A kiosk listens. @returns hangs up */
	listen(listener: Listener): () => void {
		this.#listeners.add(listener);
		return () => {
			this.#listeners.delete(listener);
		};
	}

	/**
	 * @param alive whether the process that asks still runs; a dead one hears no answer
	 * @param around around every call that it makes and every answer that it hears
	 */
	callFor(
		alive: () => boolean,
		around: (step: 'call' | 'answer', act: () => void) => void = (_step, act) => act(),
	): (call: BackOfficeCall) => Promise<Result<BackOfficeAnswer, NoAnswer>> {
		return (call) =>
			new Promise((answer) => {
				const tell = (ms: number, result: Result<BackOfficeAnswer, NoAnswer>): void => {
					this.#clock.after(ms, () => {
						if (alive()) around('answer', () => answer(result));
					});
				};
				if (alive()) around('call', () => this.#serve(call, tell));
			});
	}

	#serve(call: BackOfficeCall, tell: (ms: number, result: Result<BackOfficeAnswer, NoAnswer>) => void): void {
		const random = this.#random;
		const lossy = this.network === 'lossy';
		if (this.network === 'down') return tell(random.int(1, 200), fail(NOBODY));
		if (lossy && random.chance(0.2)) return tell(TIMEOUT_MS, fail(TOO_LATE));
		if (lossy && random.chance(0.2)) return tell(random.int(5, 300), answerOf(random.pick([500, 502, 503, 429]), {}));
		const answer = this.#act(call);
		// The server has acted; whether the kiosk hears of it is another matter.
		if (lossy && random.chance(0.3)) return tell(TIMEOUT_MS, fail(TOO_LATE));
		tell(this.network === 'slow' ? random.int(1_000, 30_000) : random.int(5, 300), answer);
	}

	#act(call: BackOfficeCall): Result<BackOfficeAnswer, NoAnswer> {
		const { pathname, searchParams } = new URL(call.path, 'http://127.0.0.1');
		if (call.headers.Authorization !== `Token ${this.token}`) return answerOf(401, { detail: 'Invalid token.' });
		const found = findCall(call.method, pathname);
		if (typeof found === 'number') return answerOf(found, {});
		const answer = found.call({
			books: this.books,
			account: DEFAULT_ACCOUNT,
			maxToVa: MAX_TO_VA,
			now: this.#clock.wall(),
			fields: fieldsOf(call.body),
			query: searchParams,
			id: found.id,
		});
		return answerOf(answer.status, answer.body);
	}

	#say(text: object): void {
		if (this.reachable) for (const listener of this.#listeners) listener.hear(text);
	}
}

/** The JSON in the one field of a multipart body; read at once, because the simulation has no time that is not its own. */
const fieldsOf = (body: Buffer | undefined): Fields =>
	JSON.parse(/\r\n\r\n(.*)\r\n--/s.exec(body?.toString('utf8') ?? '')?.[1] ?? '{}') as Fields;

const answerOf = (status: number, body: unknown): Result<BackOfficeAnswer, NoAnswer> =>
	ok({ status, contentType: 'application/json', setCookie: [], body: Buffer.from(JSON.stringify(body)) });
