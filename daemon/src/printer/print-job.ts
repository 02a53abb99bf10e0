import type { Id } from '@kiosk/contract/back-office';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/result.ts';
import type { PaymentKey } from '../journal/records.ts';
import type { Log } from '../log/log.ts';
import type { PaperFacts } from '../proof/slip-text.ts';
import type { Document, IppError, IppQueue, Job } from './ipp-client.ts';
import type { LogoFor } from './logos.ts';
import { codeOfError, NOT_PAID, type PrinterTrouble, reasonsOf, UNREACHABLE } from './printer-trouble.ts';
import type { QueueWatch } from './queue-watch.ts';
import type { ReceiptFace } from './receipt-face.ts';
import type { PaperRow } from './receipt-rows.ts';

const WATCH_MS = 200;
/** Pause before a retry if the queue does not answer. */
const RETRY_MS = 1_000;
/**
 * If the queue does not respond to a print within this time, the screen shows that the print waits.
 */
const SILENT_MS = 5_000;
/**
 * For this time after a job is sent, faults that the queue reported before the job are ignored,
 * because CUPS still reports the state of its last contact with the printer.
 */
const STALE_MS = 2_000;

/**
 * Largest printout that is sent to the print server, bytes: at least twice the longest receipt with
 * a logo. The print server has at most one printout of the kiosk at a time, so this size also
 * limits the bytes in its queue.
 */
const LARGEST_DOCUMENT_BYTES = 256 * 1024;

/**
 * Reason of a failed print: the invoice may have changed, and the kiosk cannot check it again
 * without the journal.
 */
const NOT_CHECKED = ['journal_unhealthy', 'the journal cannot be read, so the invoice could not be checked again'] as const;

/** The subject of a printout, e.g. a payment or a cashbox count. `key`: its key in the journal. */
export interface PrintSubject {
	id: Id;
	key: PaymentKey;
}

/** The contents that the code of a printout signs, except the time of printing. */
export type SignedFacts = Omit<PaperFacts, 'time'>;

/** Whether the contents of a printout are still valid. */
export interface Validity {
	/**
	 * Checks only the facts that the kiosk already has. If the result is false, a waiting printout
	 * is dropped.
	 */
	isTrue: () => boolean;
	/**
	 * Asks the back office for new facts, before a printout that has waited is sent.
	 * @returns false if the answer cannot be used
	 */
	freshen: () => Promise<boolean>;
}

/** A printout: a receipt, a slip or a sample. */
export interface Print extends Validity {
	about: PrintSubject;
	print_id: string;
	purpose: 'receipt' | 'copy' | 'slip';
	rows: readonly PaperRow[];
	/** null for a printout without a code. */
	facts: SignedFacts | null;
	/** Whether the screen gets the status of this print. */
	told: boolean;
	/** The logo's address; '' if there is none. */
	logo: string;
	/** Time at which the print is given up, monotonic ms. */
	until: number;
}

/**
 * How a print ended. `failed`: certainly no paper came out. `abandoned`: paper may have come out,
 * so the next print is a copy.
 */
export type Fate = { state: 'done' } | { state: 'failed' | 'abandoned'; reason: string; detail: string };

/**
 * @param begun whether paper may have come out
 * @returns the end of a print that was not completed
 */
export const unprinted = (begun: boolean, reason: string, detail: string): Fate => ({
	state: begun ? 'abandoned' : 'failed',
	reason,
	detail,
});

interface JobDeps {
	queue: IppQueue;
	watch: QueueWatch;
	trouble: PrinterTrouble;
	face: ReceiptFace;
	logo: LogoFor;
	/** Time from the request of a print to its `until`, ms. */
	limitMs: number;
	clock: Clock;
	log: Log;
	/** Aborted when the kiosk stops; the current job is then cancelled. */
	stopping: AbortSignal;
	/** Called with the fault that delays a printout, or with null if there is none. */
	onPrinting: (print: Print, fault: string | null) => void;
}

/**
 * Sends a printout to the queue and follows its job. CUPS may be busy or restarting, so a print
 * that certainly was not sent is retried until its limit, unless the queue refuses it or does not
 * exist.
 * @returns how it ended
 */
export async function runPrint(deps: JobDeps, print: Print): Promise<Fate> {
	const { clock, stopping } = deps;
	const drawn = deps.logo(print.logo);
	const news = printNews(deps, print);
	for (let unserved: IppError | null = null; ; ) {
		if (stopping.aborted) return unprinted(false, 'stopping', 'the kiosk stops');
		if (clock.now() >= print.until) {
			if (unserved === null) return unprinted(false, 'timeout', 'the receipt before it used up the time limit');
			return unprinted(false, codeOfError(unserved), unserved.message);
		}
		const tried = await tryPrint(deps, print, drawn, news);
		if ('state' in tried) return tried;
		if (tried.code === 'refused' || tried.code === 'not_found') return unprinted(false, codeOfError(tried), tried.message);
		news.waits();
		unserved = tried;
		await pauseOrStop(deps, RETRY_MS);
	}
}

/** @returns how the print ended; or the error, if it is certain that nothing was sent */
async function tryPrint(deps: JobDeps, print: Print, drawn: ReturnType<LogoFor>, news: PrintNews): Promise<Fate | IppError> {
	const { queue, clock, log, stopping } = deps;
	const seen = await deps.watch.look();
	// After repeated failures CUPS stops a queue permanently; the kiosk resumes it, because no
	// operator is present.
	if (seen.ok && seen.value.state === 'stopped' && (await queue.resume()).ok) deps.trouble.onResumed();
	// If the printout has waited, for the queue or for an earlier printout, its contents are checked
	// again.
	const hasWaited = clock.now() - (print.until - deps.limitMs) >= RETRY_MS;
	if (seen.ok && hasWaited && !(await print.freshen())) return unprinted(false, ...NOT_CHECKED);
	if (!print.isTrue()) return unprinted(false, ...NOT_PAID);
	// The print is not sent if no time is left for the queue's response. It would time out, and the
	// next print would be a copy.
	if (seen.ok && clock.now() >= print.until) return unprinted(false, 'timeout', 'the look-up of its invoice used up the time limit');
	if (!seen.ok) return seen.error;
	let document: Document;
	try {
		document = await deps.face(print.rows, await drawn);
	} catch (error) {
		// The PDF library is third-party code, so its failure must not end the process that handles
		// money.
		return unprinted(false, 'not_drawn', messageOf(error));
	}
	const { length } = document.data;
	if (length > LARGEST_DOCUMENT_BYTES)
		return unprinted(false, 'not_drawn', `it has ${length} bytes; a printout may have at most ${LARGEST_DOCUMENT_BYTES}`);
	const cancel = clock.after(SILENT_MS, news.waits);
	const sent = await queue.print(`kiosk ${print.print_id}`, document, { limitMs: Math.max(1, print.until - clock.now()), stopping });
	cancel();
	if (sent.ok) {
		log.event('print.sent', { print_id: print.print_id, payment_id: print.about.id, job: sent.value.id, purpose: print.purpose });
		news.prints();
		return follow(deps, print, sent.value, reasonsOf(seen.value));
	}
	if (sent.error.code !== 'no_answer') return sent.error;
	// The queue may have accepted the job although no response came. This check cancels such a job.
	await deps.watch.look();
	return unprinted(true, codeOfError(sent.error), sent.error.message);
}

/** Informs the screen once that a print waits for the queue, and later that the print has begun. */
interface PrintNews {
	waits(): void;
	prints(): void;
}

function printNews({ onPrinting }: JobDeps, print: Print): PrintNews {
	let isWaiting = false;
	return {
		waits() {
			if (!isWaiting) onPrinting(print, UNREACHABLE);
			isWaiting = true;
		},
		prints() {
			if (isWaiting) onPrinting(print, null);
		},
	};
}

/** @param before reasons that the queue reported before the job */
async function follow(deps: JobDeps, print: Print, sent: Job, before: readonly string[]): Promise<Fate> {
	const { queue, clock } = deps;
	const since = clock.now();
	// `offline` is normal at first, because every job begins by connecting to its printer.
	const stale = [...before, 'offline'];
	let job = sent;
	let fault: string | null = null;
	for (let told: string | null = null; ; ) {
		if (job.state === 'completed') return { state: 'done' };
		if (job.state === 'aborted' || job.state === 'canceled') return unprinted(job.begun, fault ?? job.state, `the queue says ${job.state}`);
		if (fault === 'paused') return giveUp(deps, job, 'paused', 'the queue was stopped');
		if (clock.now() >= print.until) return giveUp(deps, job, fault ?? 'timeout', `not printed within ${deps.limitMs} ms`);
		if (deps.stopping.aborted) return giveUp(deps, job, 'stopping', 'the kiosk stops');
		if ((fault !== null || !job.begun) && !print.isTrue()) return giveUp(deps, job, ...NOT_PAID);
		if (fault !== told) {
			told = fault;
			deps.trouble.onPaper(fault);
			if (fault) deps.log.event('print.trouble', { print_id: print.print_id, reason: fault });
			deps.onPrinting(print, fault);
		}
		await pauseOrStop(deps, WATCH_MS);
		const answer = await queue.job(job.id);
		if (answer.ok) {
			job = answer.value;
			fault = await faultOf(queue, job, clock.now() - since < STALE_MS ? stale : []);
		} else if (answer.error.code === 'not_found') return unprinted(true, 'lost', 'the queue no longer knows the job');
		else fault = codeOfError(answer.error);
	}
}

/** @returns why the job does not print, as a code for the screen, or null */
async function faultOf(queue: IppQueue, job: Job, stale: readonly string[]): Promise<string | null> {
	if (job.state === 'completed') return null;
	const printer = await queue.printer();
	if (!printer.ok) return codeOfError(printer.error);
	if (printer.value.state === 'stopped') return 'paused';
	const [reason] = reasonsOf(printer.value).filter((code) => !stale.includes(code));
	return reason ?? (job.state === 'pending-held' ? 'held' : null);
}

/** Cancels the job, because CUPS would otherwise print it later, for another customer. */
async function giveUp({ queue, watch }: JobDeps, job: Job, reason: string, detail: string): Promise<Fate> {
	const cancelled = await queue.cancel(job.id);
	if (!cancelled.ok) {
		watch.lookSoon();
		return unprinted(true, reason, detail);
	}
	const last = await queue.job(job.id);
	if (last.ok && last.value.state === 'completed') return { state: 'done' };
	return unprinted(!last.ok || last.value.begun, reason, detail);
}

/** Waits this long, or until the kiosk stops. */
const pauseOrStop = ({ clock, stopping }: JobDeps, ms: number): Promise<void> =>
	new Promise((resolve) => {
		const end = (): void => {
			stopping.removeEventListener('abort', end);
			resolve();
		};
		stopping.addEventListener('abort', end);
		clock.after(ms, end);
	});
