import { fail, ok, type Result } from '../../daemon/src/base/result.ts';
import type { IppError, IppQueue, Job, PrinterState } from '../../daemon/src/printer/ipp-client.ts';
import type { Random } from '../support/random.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';

const GONE: IppError = { code: 'unreachable', message: 'the queue does not answer' };
const UNKNOWN: IppError = { code: 'not_found', message: 'there is no such job' };

/** The receipt queue and its printer. Jobs wait while there is no paper. */
export class SimPrinter {
	paper = true;
	reachable = true;
	/** The printed receipts and slips in order, as the names that `kioskOn` renders. */
	readonly printed: string[] = [];
	readonly #jobs = new Map<number, Job & { words: string }>();
	readonly #clock: VirtualClock;
	readonly #random: Random;

	constructor(clock: VirtualClock, random: Random) {
		this.#clock = clock;
		this.#random = random;
	}

	/**
	 * @param alive whether the calling process still runs; a request that was sent before the process
	 * died still takes effect
	 * @param around wraps each request that has an effect, and its answer; the many status requests
	 * are not wrapped
	 */
	queueFor(alive: () => boolean, around: (act: () => void) => void): IppQueue {
		const look = <T>(act: () => Result<T, IppError>) => answer(act, (go) => go());
		const answer = <T>(act: () => Result<T, IppError>, step = around): Promise<Result<T, IppError>> =>
			new Promise((resolve) => {
				const arrive = (): void => {
					const result = this.reachable ? act() : fail(GONE);
					if (alive()) step(() => resolve(result));
				};
				if (alive()) step(() => void this.#clock.after(this.#random.int(1, 20), arrive));
			});
		return {
			print: (_name, document) =>
				answer(() => {
					const words = document.data.toString('utf8');
					const job = { id: this.#jobs.size + 1, state: 'pending' as Job['state'], begun: false, words };
					this.#jobs.set(job.id, job);
					this.#feed(job);
					return ok({ ...job });
				}),
			job: (id) =>
				look(() => {
					const job = this.#jobs.get(id);
					return job ? ok({ ...job }) : fail(UNKNOWN);
				}),
			openJobs: () => look(() => ok([...this.#jobs.values()].filter(isOpen).map((job) => ({ ...job })))),
			cancel: (id) =>
				answer(() => {
					const job = this.#jobs.get(id);
					if (job && isOpen(job)) job.state = 'canceled';
					return ok(undefined);
				}),
			resume: () => answer(() => ok(undefined)),
			printer: () => look((): Result<PrinterState, IppError> => ok({ state: 'idle', reasons: this.paper ? [] : ['media-empty'] })),
		};
	}

	#feed(job: Job & { words: string }): void {
		this.#clock.after(this.#random.int(200, 3_000), () => {
			if (!isOpen(job)) return;
			if (!this.paper) return this.#feed(job);
			job.state = 'completed';
			job.begun = true;
			this.printed.push(job.words);
		});
	}
}

const isOpen = (job: Job): boolean => job.state === 'pending' || job.state === 'processing';
