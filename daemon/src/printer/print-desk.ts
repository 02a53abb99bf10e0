import { randomUUID } from 'node:crypto';
import type { Id } from '../../contract/back-office.ts';
import type { LiveText } from '../../contract/live.ts';
import type { Receipt } from '../../contract/receipt.ts';
import type { Clock } from '../clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { Log } from '../log/log.ts';
import { escpos } from './escpos.ts';
import type { IppError, IppQueue, Job } from './ipp-client.ts';
import { receiptLines } from './receipt-lines.ts';

/** A receipt that is not out by now is of no use to the customer who has left; CUPS would print it for the next one. */
const PRINT_LIMIT_MS = 60_000;
const WATCH_MS = 500;
const SWEEP_RETRY_MS = 10_000;

/** Prints receipts and watches each job to its end. */
export interface PrintDesk {
	/** Records the wish, then prints in the background; what becomes of it is told to the screen. */
	print(id: Id, receipt: Receipt): { print_id: string; copy: boolean };
	/** How the last contact with the printer ended, for health. */
	trouble(): string | null;
	stop(): void;
}

export interface PrintDeskParts {
	queue: IppQueue;
	columns: number;
	journal: Journal;
	clock: Clock;
	log: Log;
	tell: (text: LiveText) => void;
}

export function startPrintDesk(parts: PrintDeskParts): PrintDesk {
	const { queue, journal, clock, log } = parts;
	let trouble: string | null = null;
	let stopped = false;
	let cancelTimer = () => {};

	const pause = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));

	async function run(print_id: string, receipt: Receipt, copy: boolean): Promise<void> {
		const data = escpos(receiptLines(receipt, parts.columns, copy));
		const sent = await queue.print(`kiosk ${print_id}`, data);
		if (!sent.ok) {
			// The bytes may have arrived although the answer did not.
			await cancelLeftovers();
			return end(print_id, 'failed', codeOf(sent.error), sent.error.message);
		}
		log.event('print.sent', { print_id, job: sent.value.id, copy });
		const until = clock.now() + PRINT_LIMIT_MS;
		let told = '';
		for (let job = sent.value; ; ) {
			if (job.state === 'completed') return end(print_id, 'done', '', '');
			if (job.state === 'aborted' || job.state === 'canceled') return end(print_id, 'failed', await reason(job.state), job.state);
			if (clock.now() > until || stopped) {
				const why = await reason('timeout');
				await queue.cancel(job.id);
				return end(print_id, 'failed', why, `not printed within ${PRINT_LIMIT_MS} ms`);
			}
			await pause(WATCH_MS);
			job = await follow(job);
			const now = job.state === 'completed' ? '' : await reason('');
			if (now !== '' && now !== told) {
				told = now;
				trouble = now;
				log.event('print.trouble', { print_id, reason: now });
				parts.tell({ type: 'kiosk_print', print_id, state: 'printing', reason: now });
			}
		}
	}

	/** A call that fails says nothing about the job: it keeps its last known state until the limit. */
	async function follow(job: Job): Promise<Job> {
		const answer = await queue.job(job.id);
		return answer.ok ? answer.value : job;
	}

	/** @returns the printer's own reason as a code for the screen, else `otherwise` */
	async function reason(otherwise: string): Promise<string> {
		const printer = await queue.printer();
		if (!printer.ok) return otherwise;
		for (const [keyword, code] of REASONS) if (printer.value.reasons.includes(keyword)) return code;
		return otherwise;
	}

	function end(print_id: string, state: 'done' | 'failed', reason: string, detail: string): void {
		journal.append({ kind: 'print_ended', print_id, state, reason });
		trouble = state === 'done' ? null : reason;
		if (state === 'done') log.event('print.done', { print_id });
		else log.event('print.failed', { print_id, reason, detail });
		parts.tell({ type: 'kiosk_print', print_id, state, ...(reason ? { reason } : {}) });
	}

	/** Jobs that nobody watches would come out for a stranger. */
	async function cancelLeftovers(): Promise<IppError | null> {
		const jobs = await queue.openJobs();
		if (!jobs.ok) return jobs.error;
		for (const job of jobs.value) await queue.cancel(job.id);
		if (jobs.value.length > 0) {
			log.event('print.leftovers', { jobs: jobs.value.length });
			await queue.resume();
		}
		return null;
	}

	/** At start: whatever an earlier run left behind, here and in the queue. */
	async function sweep(): Promise<void> {
		for (const print_id of journal.openPrints())
			journal.append({ kind: 'print_ended', print_id, state: 'abandoned', reason: 'the kiosk stopped while it printed' });
		const error = await cancelLeftovers();
		trouble = error ? codeOf(error) : null;
		if (error && !stopped) cancelTimer = clock.after(SWEEP_RETRY_MS, () => void sweep());
	}

	const swept = sweep();
	return {
		print(id, receipt) {
			const print_id = randomUUID();
			const copy = journal.timesPrinted(id) > 0;
			journal.append({ kind: 'print_requested', print_id, payment_id: String(id), purpose: copy ? 'copy' : 'receipt' });
			parts.tell({ type: 'kiosk_print', print_id, state: 'printing' });
			void swept.then(() => run(print_id, receipt, copy));
			return { print_id, copy };
		},
		trouble: () => trouble,
		stop() {
			stopped = true;
			cancelTimer();
		},
	};
}

/** IPP printer-state-reasons to the codes that the screen has sentences for. */
const REASONS = [
	['media-empty', 'paper_out'],
	['media-needed', 'paper_out'],
	['cover-open', 'cover_open'],
	['door-open', 'cover_open'],
	['media-jam', 'paper_jam'],
	['offline', 'offline'],
	['shutdown', 'offline'],
	['connecting-to-device', 'offline'],
	['paused', 'paused'],
] as const;

const codeOf = (error: IppError): string => (error.code === 'unreachable' ? 'queue_unreachable' : 'refused');
