import type { Clock } from '../../../daemon/src/base/clock.ts';
import type { Log } from '../log.ts';
import { JOB_STATE, PRINTER_STATE } from './ipp.ts';

/** Faults of the printer. */
export interface PrinterFaults {
	paperOut: boolean;
	coverOpen: boolean;
	/** The print server cannot reach the printer. The current job stays in state `processing`. */
	offline: boolean;
	/** Jobs are aborted instead of printed. */
	aborts: boolean;
	/** New jobs get the state `pending-held`, as in CUPS after its backend has failed. */
	holds: boolean;
	/** `Print-Job` is refused with `server-error-not-accepting-jobs`. */
	refuses: boolean;
}

export interface Job {
	id: number;
	name: string;
	user: string;
	format: string;
	data: Buffer;
	state: number;
	reasons: string[];
	createdAt: number;
	processingAt: number | null;
	completedAt: number | null;
}

/** A printed job. */
export interface PrintedReceipt {
	jobId: number;
	name: string;
	format: string;
	data: Buffer;
	at: string;
}

export interface QueueOptions {
	clock: Clock;
	log: Log;
	/** Duration of a print, ms. */
	printMs: number;
	/**
	 * Whether an idle queue reports the present condition of the printer. If false, it reports the
	 * condition during the last print, as CUPS does.
	 */
	reportsWhenIdle: boolean;
}

const FINISHED: readonly number[] = [JOB_STATE.canceled, JOB_STATE.aborted, JOB_STATE.completed];

/** A printer with one queue, which prints one job at a time, in order. */
export class PrintQueue {
	readonly faults: PrinterFaults = { paperOut: false, coverOpen: false, offline: false, aborts: false, holds: false, refuses: false };
	readonly jobs: Job[] = [];
	readonly receipts: PrintedReceipt[] = [];
	printMs: number;
	paused = false;
	#printing: Job | null = null;
	#timer = (): void => {};
	/** The faults that the print server learned of last. */
	#noticed: string[] = [];
	readonly #options: QueueOptions;

	constructor(options: QueueOptions) {
		this.#options = options;
		this.printMs = options.printMs;
	}

	get state(): number {
		if (this.paused) return PRINTER_STATE.stopped;
		return this.#printing === null ? PRINTER_STATE.idle : PRINTER_STATE.processing;
	}

	/**
	 * Values of `printer-state-reasons`. Empty if there is none; IPP would send "none" in that case.
	 */
	get reasons(): string[] {
		return this.paused ? [...this.#noticed, 'paused'] : this.#noticed;
	}

	/** IPP counts time in seconds from the start of the printer. */
	get upTime(): number {
		return Math.floor(this.#options.clock.now() / 1_000) + 1;
	}

	add(of: Pick<Job, 'name' | 'user' | 'format' | 'data'>): Job {
		const held = this.faults.holds;
		const job: Job = {
			...of,
			id: this.jobs.length + 1,
			state: held ? JOB_STATE.pendingHeld : JOB_STATE.pending,
			reasons: held ? ['resources-are-not-ready'] : [],
			createdAt: this.upTime,
			processingAt: null,
			completedAt: null,
		};
		this.jobs.push(job);
		this.#options.log(`job ${job.id} "${job.name}" arrived, ${job.data.length} bytes`);
		this.#next();
		return job;
	}

	find(id: number): Job | undefined {
		return this.jobs.find((job) => job.id === id);
	}

	isFinished(job: Job): boolean {
		return FINISHED.includes(job.state);
	}

	/** @returns false if the job has already ended */
	cancel(job: Job): boolean {
		if (this.isFinished(job)) return false;
		if (this.#printing === job) this.#timer();
		this.#end(job, JOB_STATE.canceled, 'job-canceled-by-user');
		return true;
	}

	/**
	 * Changes the faults. The current job then prints again from its start. If there is no current
	 * job, the next one begins.
	 */
	set(faults: Partial<PrinterFaults>): void {
		Object.assign(this.faults, faults);
		if (this.#options.reportsWhenIdle) this.#noticed = this.#conditions();
		if (!this.faults.holds) this.#release();
		if (this.#printing === null) this.#next();
		else this.#work(this.#printing);
	}

	pause(): void {
		this.paused = true;
	}

	resume(): void {
		this.paused = false;
		this.#release();
		this.#next();
	}

	stop(): void {
		this.#timer();
		this.paused = true;
	}

	/** The faults that prevent printing, by their names in IPP. */
	#conditions(): string[] {
		const { paperOut, coverOpen, offline } = this.faults;
		return [
			...(paperOut ? ['media-empty-error'] : []),
			...(coverOpen ? ['cover-open-error'] : []),
			...(offline ? ['offline-report', 'connecting-to-device'] : []),
		];
	}

	#release(): void {
		for (const job of this.jobs) {
			if (job.state === JOB_STATE.pendingHeld) Object.assign(job, { state: JOB_STATE.pending, reasons: [] });
		}
	}

	#next(): void {
		if (this.paused || this.#printing !== null) return;
		const job = this.jobs.find((candidate) => candidate.state === JOB_STATE.pending);
		if (job === undefined) return;
		this.#printing = job;
		Object.assign(job, { state: JOB_STATE.processing, reasons: ['job-printing'], processingAt: this.upTime });
		this.#work(job);
	}

	/**
	 * Prints a job from its start. If the printer has a fault, the job waits until `set` clears it.
	 */
	#work(job: Job): void {
		this.#timer();
		this.#noticed = this.#conditions();
		if (this.#noticed.length > 0) return;
		this.#timer = this.#options.clock.after(this.printMs, () => {
			if (this.faults.aborts) {
				this.#end(job, JOB_STATE.aborted, 'aborted-by-system');
				return;
			}
			const { name, format, data } = job;
			this.receipts.push({ jobId: job.id, name, format, data, at: this.#options.clock.wall().toISOString() });
			this.#end(job, JOB_STATE.completed, 'job-completed-successfully');
		});
	}

	#end(job: Job, state: number, reason: string): void {
		if (this.#printing === job) this.#printing = null;
		Object.assign(job, { state, reasons: [reason], completedAt: this.upTime });
		this.#options.log(`job ${job.id}: ${reason}`);
		this.#next();
	}
}
