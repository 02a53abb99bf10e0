import type { Id } from '@kiosk/contract/back-office';
import type { LiveText } from '@kiosk/contract/live';
import { overpaid, type Receipt } from '@kiosk/contract/receipt';
import type { Clock } from '../base/clock.ts';
import { messageOf, type Result } from '../base/result.ts';
import type { Journal } from '../journal/journal.ts';
import type { PaymentKey } from '../journal/records.ts';
import type { Log } from '../log/log.ts';
import type { CodeOf, PaperCode } from '../proof/paper-code.ts';
import type { PaperFacts } from '../proof/slip-text.ts';
import type { Document, IppError, IppQueue, Job, PrinterState } from './ipp-client.ts';
import type { LogoFor } from './logos.ts';
import type { ReceiptFace } from './receipt-face.ts';
import { CLOCK_IN_DOUBT, codeRows, type PaperRow, receiptRows } from './receipt-rows.ts';

const WATCH_MS = 200;
/**
 * CUPS reports the printer's state of the last contact. A state from before a job counts only after
 * this time.
 */
const STALE_MS = 2_000;
/**
 * Interval of checks of the idle queue, so that health notices a dead print server before a
 * customer does.
 */
const LOOK_MS = 30_000;
const RETRY_MS = 2_000;

/** The payment or the count of a paper. `key`: its key in the journal. */
export interface PrintSubject {
	id: Id;
	key: PaymentKey;
}

/** Prints receipts and follows each job to its end. */
export interface PrintDesk {
	/**
	 * Records the request, then prints in the background; the screen is informed of the result. A
	 * second request for a payment whose receipt is still printing is the same request.
	 * @param isTrue whether the receipt is still true; if not, a waiting receipt is given up
	 */
	print(of: PrintSubject, receipt: Receipt, isTrue: () => boolean): PrintWish;
	/** @returns the print of this payment that has not ended, or null */
	printing(key: PaymentKey): PrintWish | null;
	/** Prints a slip with its code below the rows; sends no status to the screen. */
	slip(of: PrintSubject, rows: readonly PaperRow[], facts: SignedFacts): void;
	/** Prints a paper without a code that was asked for on the screen, which is informed. */
	note(id: Id, rows: readonly PaperRow[]): PrintWish;
	/** @returns the print of the paper with this id that has not ended, or null */
	noting(id: Id): PrintWish | null;
	/** Whether a paper is on its way. */
	isPrinting(): boolean;
	/** The fault of the queue or of the last receipt, for health; or null. */
	trouble(): string | null;
	/**
	 * Why the next receipt will probably not come out, as a code for the screen; or null. Undefined
	 * before the first look at the queue.
	 */
	paperTrouble(): string | null | undefined;
	/** Cancels the current job. @returns once the queue has received it */
	stop(): Promise<void>;
}

/** The contents that the code of a paper signs, without the time of printing. */
export type SignedFacts = Omit<PaperFacts, 'time'>;

/** @returns the contents that the code of a receipt signs */
export const receiptFacts = (receipt: Receipt, copy: boolean): SignedFacts => ({
	kind: copy ? 'copy' : 'receipt',
	noinvoice: receipt.nomor,
	amount: receipt.total,
	change: overpaid(receipt),
});

/**
 * Change belongs to the first receipt. For cash that is not in this journal it is unknown whether
 * there was a first receipt: another kiosk took the cash, or this kiosk before its journal was
 * replaced.
 */
export const isCopy = (journal: Pick<Journal, 'timesPrinted' | 'money'>, key: PaymentKey, receipt: Receipt): boolean =>
	journal.timesPrinted(key) > 0 || (overpaid(receipt) > 0 && !journal.money.hasMoneyOf(key));

/** `code`: of the paper; null without a key, or if the print could not be recorded. */
export type PrintWish = { print_id: string; copy: boolean; code: PaperCode | null };

export interface PrintDeskDeps {
	queue: IppQueue;
	face: ReceiptFace;
	logo: LogoFor;
	/**
	 * Limit of a print: its customer has left by then, and CUPS would print the receipt for the next
	 * customer.
	 */
	limitMs: number;
	/** Whether the date on the paper may be wrong; called when a print begins. */
	clockInDoubt: () => boolean;
	journal: Journal;
	codeOf: CodeOf;
	clock: Clock;
	log: Log;
	/** A fresh UUID. */
	newId: () => string;
	notify: (text: LiveText) => void;
	/** `paperTrouble` has changed. */
	onPaperTrouble: (trouble: string | null) => void;
}

interface Print {
	about: PrintSubject;
	print_id: string;
	purpose: 'receipt' | 'copy' | 'slip';
	rows: readonly PaperRow[];
	/** null for a paper without a code. */
	facts: SignedFacts | null;
	isTrue: () => boolean;
	/** Whether the screen is informed. */
	told: boolean;
	/** The logo's address; '' without one. */
	logo: string;
	/** Monotonic ms. */
	until: number;
}

/**
 * `failed`: certainly no paper. `abandoned`: probably not printed, but paper may have come out, so
 * the next print is a copy.
 */
type Fate = { state: 'done' } | { state: 'failed' | 'abandoned'; reason: string; detail: string };

const unprinted = (begun: boolean, reason: string, detail: string): Fate => ({ state: begun ? 'abandoned' : 'failed', reason, detail });

export function startPrintDesk(deps: PrintDeskDeps): PrintDesk {
	const { queue, journal, clock, log } = deps;
	let queueTrouble: string | null = null;
	let printTrouble: string | null = null;
	let stopping = false;
	let wake = () => {};
	let cancelLook = () => {};
	const trouble = (): string | null => queueTrouble ?? printTrouble;
	let toldTrouble: string | null | undefined;

	function tellPaperTrouble(): void {
		const now = [queueTrouble, printTrouble].find((code) => code !== null && NO_PAPER.has(code)) ?? null;
		if (now === toldTrouble) return;
		toldTrouble = now;
		deps.onPaperTrouble(now);
	}

	/** Prints that have not ended, by payment. */
	const open = new Map<PaymentKey, PrintWish>();

	/** Papers without a code that have not ended, by id. */
	const notes = new Map<string, PrintWish>();

	/** Number of papers that have not ended. */
	let papers = 0;

	/** One job at a time, so any other open job of this kiosk is a leftover. */
	let turn: Promise<unknown> = Promise.resolve();
	const inTurn = (act: () => Promise<unknown>): void => {
		turn = turn.then(act);
	};

	const pause = (ms: number): Promise<void> =>
		new Promise((resolve) => {
			wake = resolve;
			clock.after(ms, resolve);
		});

	function lookIn(ms: number): void {
		cancelLook();
		if (!stopping) cancelLook = clock.after(ms, () => inTurn(look));
	}

	/**
	 * Cancels leftover jobs and checks the printer. Repeats itself, sooner while the queue does not
	 * answer.
	 */
	async function look(): Promise<Result<PrinterState, IppError>> {
		const known = queueTrouble;
		const seen = await withoutLeftovers();
		if (!seen.ok) queueTrouble = CODES[seen.error.code];
		else queueTrouble = seen.value.state === 'stopped' ? 'paused' : null;
		if (queueTrouble && queueTrouble !== known)
			log.event('print.trouble', { reason: queueTrouble, detail: seen.ok ? '' : seen.error.message });
		if (seen.ok && printTrouble === CODES.unreachable) printTrouble = null;
		tellPaperTrouble();
		lookIn(seen.ok ? LOOK_MS : RETRY_MS);
		return seen;
	}

	async function withoutLeftovers(): Promise<Result<PrinterState, IppError>> {
		const jobs = await queue.openJobs();
		if (!jobs.ok) return jobs;
		for (const { id } of jobs.value) {
			const cancelled = await queue.cancel(id);
			if (!cancelled.ok) return cancelled;
		}
		if (jobs.value.length > 0) log.event('print.leftovers', { jobs: jobs.value.length });
		return queue.printer();
	}

	async function run(print: Print): Promise<Fate> {
		if (stopping) return unprinted(false, 'stopping', 'the kiosk stops');
		if (clock.now() >= print.until) return unprinted(false, 'timeout', 'the receipt before it took all the time');
		const drawn = deps.logo(print.logo);
		const seen = await look();
		if (!seen.ok) return unprinted(false, CODES[seen.error.code], seen.error.message);
		// After repeated failures CUPS stops a queue permanently; the kiosk resumes it, because no
		// operator is present.
		if (seen.value.state === 'stopped' && (await queue.resume()).ok) queueTrouble = null;
		if (!print.isTrue()) return unprinted(false, ...NOT_PAID);
		let document: Document;
		try {
			document = await deps.face(print.rows, await drawn);
		} catch (error) {
			// The PDF code is from a third party: a failure to render must not end the process that
			// handles money.
			return unprinted(false, 'not_drawn', messageOf(error));
		}
		const sent = await queue.print(`kiosk ${print.print_id}`, document);
		if (sent.ok) {
			log.event('print.sent', { print_id: print.print_id, payment_id: print.about.id, job: sent.value.id, purpose: print.purpose });
			return watch(print, sent.value, reasonsOf(seen.value));
		}
		const { code, message } = sent.error;
		// The job may have arrived although the response did not.
		if (code === 'no_answer') await look();
		return unprinted(code === 'no_answer', CODES[code], message);
	}

	/** @param before reasons that the queue reported before the job */
	async function watch(print: Print, sent: Job, before: readonly string[]): Promise<Fate> {
		const { print_id, until } = print;
		const since = clock.now();
		// Every job begins by connecting to its printer.
		const stale = [...before, 'offline'];
		let job = sent;
		let trouble: string | null = null;
		for (let told: string | null = null; ; ) {
			if (job.state === 'completed') return { state: 'done' };
			if (job.state === 'aborted' || job.state === 'canceled')
				return unprinted(job.begun, trouble ?? job.state, `the queue says ${job.state}`);
			if (trouble === 'paused') return giveUp(job, 'paused', 'the queue was stopped');
			if (clock.now() >= until) return giveUp(job, trouble ?? 'timeout', `not printed within ${deps.limitMs} ms`);
			if (stopping) return giveUp(job, 'stopping', 'the kiosk stops');
			if ((trouble !== null || !job.begun) && !print.isTrue()) return giveUp(job, ...NOT_PAID);
			if (trouble !== told) {
				told = trouble;
				printTrouble = trouble;
				tellPaperTrouble();
				if (trouble) log.event('print.trouble', { print_id, reason: trouble });
				tell(print, { state: 'printing', ...(trouble ? { reason: trouble } : {}) });
			}
			await pause(WATCH_MS);
			const answer = await queue.job(job.id);
			if (answer.ok) {
				job = answer.value;
				trouble = await troubleWith(job, clock.now() - since < STALE_MS ? stale : []);
			} else if (answer.error.code === 'not_found') return unprinted(true, 'lost', 'the queue no longer knows the job');
			else trouble = CODES[answer.error.code];
		}
	}

	/** @returns why the job does not print, as a code for the screen, or null */
	async function troubleWith(job: Job, stale: readonly string[]): Promise<string | null> {
		if (job.state === 'completed') return null;
		const printer = await queue.printer();
		if (!printer.ok) return CODES[printer.error.code];
		if (printer.value.state === 'stopped') return 'paused';
		const [reason] = reasonsOf(printer.value).filter((code) => !stale.includes(code));
		return reason ?? (job.state === 'pending-held' ? 'held' : null);
	}

	/** Cancels the job, because CUPS would otherwise print it later, for another customer. */
	async function giveUp(job: Job, reason: string, detail: string): Promise<Fate> {
		const cancelled = await queue.cancel(job.id);
		if (!cancelled.ok) {
			lookIn(RETRY_MS);
			return unprinted(true, reason, detail);
		}
		const last = await queue.job(job.id);
		if (last.ok && last.value.state === 'completed') return { state: 'done' };
		return unprinted(!last.ok || last.value.begun, reason, detail);
	}

	function tell({ print_id, told }: Print, news: { state: 'printing' | 'done' | 'failed'; reason?: string }): void {
		if (told) deps.notify({ type: 'kiosk_print', print_id, ...news });
	}

	function report(print: Print, fate: Fate): void {
		const { print_id } = print;
		const payment_id = print.about.id;
		if (fate.state === 'done') {
			printTrouble = null;
			tellPaperTrouble();
			log.event('print.done', { print_id, payment_id });
			return tell(print, { state: 'done' });
		}
		const { reason, detail } = fate;
		// The printer still has the fault that made an earlier paper wait.
		const isSame = reason === NOT_PAID[0] || (UNSENT.has(reason) && printTrouble !== null && NO_PAPER.has(printTrouble));
		if (!isSame) printTrouble = reason;
		tellPaperTrouble();
		log.event('print.failed', { print_id, payment_id, reason, detail, may_be_on_paper: fate.state === 'abandoned' });
		tell(print, { state: 'failed', reason });
	}

	for (const print_id of journal.openPrints())
		journal.append({ kind: 'print_ended', print_id, state: 'abandoned', reason: 'the kiosk stopped while it printed' });
	inTurn(look);

	const dated = (rows: readonly PaperRow[]): readonly PaperRow[] => (deps.clockInDoubt() ? [...rows, CLOCK_IN_DOUBT] : rows);

	/** @returns the code of the paper, or null */
	function begin(wish: Print): PaperCode | null {
		const { print_id, about, purpose } = wish;
		const recorded = journal.append({ kind: 'print_requested', print_id, payment_id: about.key, purpose });
		// Without this record the next receipt would be a second original.
		if (!recorded.ok) {
			report(wish, unprinted(false, recorded.error.code, recorded.error.message));
			return null;
		}
		const code = wish.facts && deps.codeOf(print_id, wish.facts);
		const print = { ...wish, rows: code ? [...wish.rows, ...codeRows(code)] : wish.rows };
		if (purpose !== 'slip') open.set(about.key, { print_id, copy: purpose === 'copy', code });
		else if (wish.told) notes.set(String(about.id), { print_id, copy: false, code });
		// Behind another paper it waits for the same printer.
		tell(print, { state: 'printing', ...(papers > 0 && toldTrouble ? { reason: toldTrouble } : {}) });
		papers += 1;
		inTurn(async () => {
			const fate = await run(print);
			papers -= 1;
			if (purpose !== 'slip') open.delete(about.key);
			if (notes.get(String(about.id))?.print_id === print_id) notes.delete(String(about.id));
			journal.append({ kind: 'print_ended', print_id, state: fate.state, reason: fate.state === 'done' ? '' : fate.reason });
			report(print, fate);
		});
		return code;
	}

	return {
		print(of, receipt, isTrue) {
			const before = open.get(of.key);
			if (before) return before;
			const wish = { print_id: deps.newId(), copy: isCopy(journal, of.key, receipt) };
			const code = begin({
				print_id: wish.print_id,
				about: of,
				purpose: wish.copy ? 'copy' : 'receipt',
				rows: dated(receiptRows(receipt, wish.copy)),
				facts: receiptFacts(receipt, wish.copy),
				isTrue,
				told: true,
				logo: receipt.logo,
				until: clock.now() + deps.limitMs,
			});
			return { ...wish, code };
		},
		printing: (key) => open.get(key) ?? null,
		slip(about, rows, facts) {
			const until = clock.now() + deps.limitMs;
			begin({ print_id: deps.newId(), about, purpose: 'slip', rows: dated(rows), facts, ...CERTAIN, told: false, logo: '', until });
		},
		noting: (id) => notes.get(String(id)) ?? null,
		note(id, rows) {
			const print_id = deps.newId();
			// The slip gets its own key, because a slip under the payment's key counts as the slip about
			// its cash.
			const about = { id, key: print_id as PaymentKey };
			begin({
				print_id,
				about,
				purpose: 'slip',
				rows: dated(rows),
				facts: null,
				...CERTAIN,
				told: true,
				logo: '',
				until: clock.now() + deps.limitMs,
			});
			return { print_id, copy: false, code: null };
		},
		isPrinting: () => papers > 0,
		trouble,
		paperTrouble: () => toldTrouble,
		async stop() {
			stopping = true;
			cancelLook();
			wake();
			await turn;
		},
	};
}

/**
 * Faults that also affect the next customer. The other reasons concern one receipt only, so the
 * next receipt may come out.
 */
const NO_PAPER: ReadonlySet<string> = new Set([
	'paper_out',
	'cover_open',
	'paper_jam',
	'offline',
	'timeout',
	'paused',
	'held',
	'refused',
	'queue_unreachable',
	'queue_missing',
]);

/** The invoice has grown, or its payment was taken back, while the receipt waited. */
const NOT_PAID = ['not_paid', 'the invoice is no longer paid'] as const;

/** The paper was not sent to the printer, so nothing is known about the printer. */
const UNSENT: ReadonlySet<string> = new Set(['journal_unhealthy', 'journal_newer', 'disk_full', 'not_drawn', 'stopping']);
/** A slip reports a past event, so it stays true. */
const CERTAIN = { isTrue: () => true };

/** IPP printer-state-reasons and the screen's codes for them; the most serious first. */
const REASONS = [
	['media-empty', 'paper_out'],
	['media-needed', 'paper_out'],
	['cover-open', 'cover_open'],
	['door-open', 'cover_open'],
	['media-jam', 'paper_jam'],
	['offline', 'offline'],
	['shutdown', 'offline'],
	['connecting-to-device', 'offline'],
] as const;

const reasonsOf = (printer: PrinterState): string[] =>
	REASONS.filter(([keyword]) => printer.reasons.includes(keyword)).map(([, code]) => code);

const CODES: Record<IppError['code'], string> = {
	unreachable: 'queue_unreachable',
	no_answer: 'queue_unreachable',
	not_found: 'queue_missing',
	refused: 'refused',
};
