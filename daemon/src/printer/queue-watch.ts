import type { Clock } from '../base/clock.ts';
import type { Result } from '../base/result.ts';
import type { Log } from '../log/log.ts';
import type { IppError, IppQueue, PrinterState } from './ipp-client.ts';
import type { PrinterTrouble } from './printer-trouble.ts';

/**
 * Time between checks of the idle queue, so that health reports a failed print server before a
 * customer prints.
 */
const LOOK_MS = 30_000;
const RETRY_MS = 2_000;

interface QueueWatchDeps {
	queue: IppQueue;
	trouble: PrinterTrouble;
	clock: Clock;
	log: Log;
	/** Runs a function while nothing is being printed. */
	inTurn: (act: () => Promise<unknown>) => void;
}

/** Checks the queue between printouts and cancels jobs that the kiosk no longer follows. */
export class QueueWatch {
	readonly #deps: QueueWatchDeps;
	#cancel = () => {};
	#stopped = false;

	constructor(deps: QueueWatchDeps) {
		this.#deps = deps;
	}

	/**
	 * Cancels leftover jobs and checks the printer. Schedules the next check, which comes sooner if
	 * the queue does not answer.
	 */
	async look(): Promise<Result<PrinterState, IppError>> {
		const { trouble, log } = this.#deps;
		this.#cancel();
		const seen = await this.#withoutLeftovers();
		const fault = trouble.onQueue(seen);
		if (fault !== null) log.event('print.trouble', { reason: fault, detail: seen.ok ? '' : seen.error.message });
		this.#lookIn(seen.ok ? LOOK_MS : RETRY_MS);
		return seen;
	}

	lookSoon(): void {
		this.#lookIn(RETRY_MS);
	}

	stop(): void {
		this.#stopped = true;
		this.#cancel();
	}

	#lookIn(ms: number): void {
		const { clock, inTurn } = this.#deps;
		this.#cancel();
		if (!this.#stopped) this.#cancel = clock.after(ms, () => inTurn(() => this.look()));
	}

	async #withoutLeftovers(): Promise<Result<PrinterState, IppError>> {
		const { queue, log } = this.#deps;
		const jobs = await queue.openJobs();
		if (!jobs.ok) return jobs;
		for (const { id } of jobs.value) {
			const cancelled = await queue.cancel(id);
			if (!cancelled.ok) return cancelled;
		}
		if (jobs.value.length > 0) log.event('print.leftovers', { jobs: jobs.value.length });
		return queue.printer();
	}
}
