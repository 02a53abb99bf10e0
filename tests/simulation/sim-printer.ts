import type { IppError, IppQueue, Job, PrinterState } from '../../daemon/src/printer/ipp-client.ts';
import { fail, ok, type Result } from '../../daemon/src/result.ts';
import type { Random } from './random.ts';
import type { SimClock } from './sim-clock.ts';

const GONE: IppError = { code: 'unreachable', message: 'the queue does not answer' };
const UNKNOWN: IppError = { code: 'not_found', message: 'there is no such job' };

/** The receipt queue with its printer: a job waits while there is no paper, and comes out when there is. */
export class SimPrinter {
	paper = true;
	reachable = true;
	/** Names of the jobs that came out, in order. */
	readonly printed: string[] = [];
	readonly #jobs = new Map<number, Job & { name: string }>();
	readonly #clock: SimClock;
	readonly #random: Random;

	constructor(clock: SimClock, random: Random) {
		this.#clock = clock;
		this.#random = random;
	}

	/** @param alive whether the process that asks still runs */
	queueFor(alive: () => boolean): IppQueue {
		const answer = <T>(act: () => Result<T, IppError>): Promise<Result<T, IppError>> =>
			new Promise((resolve) => {
				this.#clock.after(this.#random.int(1, 20), () => {
					if (alive()) resolve(this.reachable ? act() : fail(GONE));
				});
			});
		return {
			print: (name) =>
				answer(() => {
					const job = { id: this.#jobs.size + 1, state: 'pending' as Job['state'], begun: false, name };
					this.#jobs.set(job.id, job);
					this.#feed(job);
					return ok({ ...job });
				}),
			job: (id) =>
				answer(() => {
					const job = this.#jobs.get(id);
					return job ? ok({ ...job }) : fail(UNKNOWN);
				}),
			openJobs: () => answer(() => ok([...this.#jobs.values()].filter(isOpen).map((job) => ({ ...job })))),
			cancel: (id) =>
				answer(() => {
					const job = this.#jobs.get(id);
					if (job && isOpen(job)) job.state = 'canceled';
					return ok(undefined);
				}),
			resume: () => answer(() => ok(undefined)),
			printer: () => answer((): Result<PrinterState, IppError> => ok({ state: 'idle', reasons: this.paper ? [] : ['media-empty'] })),
		};
	}

	#feed(job: Job & { name: string }): void {
		this.#clock.after(this.#random.int(200, 3_000), () => {
			if (!isOpen(job)) return;
			if (!this.paper) return this.#feed(job);
			job.state = 'completed';
			job.begun = true;
			this.printed.push(job.name);
		});
	}
}

const isOpen = (job: Job): boolean => job.state === 'pending' || job.state === 'processing';
