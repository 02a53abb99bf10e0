import type { Id } from '@kiosk/contract/back-office';
import type { LiveText } from '@kiosk/contract/live';
import { overpaid, type Receipt } from '@kiosk/contract/receipt';
import type { Clock } from '../base/clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { PaymentKey } from '../journal/records.ts';
import type { Log } from '../log/log.ts';
import type { CodeOf, PaperCode } from '../proof/paper-code.ts';
import type { IppQueue } from './ipp-client.ts';
import type { LogoFor } from './logos.ts';
import { type Fate, type Print, type PrintSubject, runPrint, type SignedFacts, unprinted, type Validity } from './print-job.ts';
import { PrinterTrouble, TOO_MANY } from './printer-trouble.ts';
import { QueueWatch } from './queue-watch.ts';
import type { ReceiptFace } from './receipt-face.ts';
import { CLOCK_IN_DOUBT, codeRows, type PaperRow, receiptRows } from './receipt-rows.ts';

/**
 * Limit of the rows and logos of all waiting printouts, bytes. `per_minute` limits only the
 * screen's prints, so with a `limit_ms` of ten minutes thousands of the daemon's own slips could
 * wait. There is room for eight of the largest logos, or for more than a hundred of the longest
 * receipts.
 */
const MOST_WAITING_BYTES = 8 * 1024 * 1024;

/** Validity of slips and samples: they stay valid while they wait. */
const CERTAIN: Validity = { isTrue: () => true, freshen: async () => true };

/** Prints receipts, slips and samples, and follows each job to its end. */
export interface PrintDesk {
	/**
	 * Records the request, then prints in the background and informs the screen of the result. While
	 * the receipt of a payment is pending, a further request returns the same print.
	 */
	print(of: PrintSubject, receipt: Receipt, validity: Validity): PrintWish;
	/** @returns the unfinished print of this payment's receipt, or null */
	printing(key: PaymentKey): PrintWish | null;
	/** Prints a slip with its code below the rows. The screen gets no status. */
	slip(of: PrintSubject, rows: readonly PaperRow[], facts: SignedFacts): void;
	/**
	 * Prints a sample or slip that was requested on the screen, and informs the screen. The printout
	 * has no code.
	 */
	note(id: Id, rows: readonly PaperRow[]): PrintWish;
	/** @returns the unfinished print that `note` began with this id, or null */
	noting(id: Id): PrintWish | null;
	/** Whether a printout is waiting or being printed. */
	isPrinting(): boolean;
	/** The fault of the queue or of the last printout, for health; or null. */
	trouble(): string | null;
	/**
	 * Why the next printout will probably not come out, as a code for the screen; or null. Undefined
	 * before the first check of the queue.
	 */
	paperTrouble(): string | null | undefined;
	/** Gives up all printouts, cancels the current job and waits for the queue's answer. */
	stop(): Promise<void>;
}

/** @returns the contents that the code of a receipt signs */
export const receiptFacts = (receipt: Receipt, copy: boolean): SignedFacts => ({
	kind: copy ? 'copy' : 'receipt',
	noinvoice: receipt.nomor,
	amount: receipt.total,
	change: overpaid(receipt),
});

/**
 * Whether a receipt is a copy. Only the original entitles the customer to change. If the cash is
 * not in this journal, an original may exist: another kiosk took the cash, or this kiosk took it
 * before its journal was replaced.
 */
export const isCopy = (journal: Pick<Journal, 'timesPrinted' | 'money'>, key: PaymentKey, receipt: Receipt): boolean =>
	journal.timesPrinted(key) > 0 || (overpaid(receipt) > 0 && !journal.money.hasMoneyOf(key));

/**
 * `code`: the code of the printout; null if there is no signing key, or if the print was refused or
 * not recorded.
 */
export type PrintWish = { print_id: string; copy: boolean; code: PaperCode | null };

export interface PrintDeskDeps {
	queue: IppQueue;
	face: ReceiptFace;
	logo: LogoFor;
	/** Time limit of a print, ms. A later print could come out for the next customer. */
	limitMs: number;
	/** Whether the date on the printout may be wrong; called when a print begins. */
	clockInDoubt: () => boolean;
	journal: Journal;
	codeOf: CodeOf;
	clock: Clock;
	log: Log;
	/** A fresh UUID. */
	newId: () => string;
	notify: (text: LiveText) => void;
	/** Called when `paperTrouble` has changed. */
	onPaperTrouble: (trouble: string | null) => void;
}

export function startPrintDesk(deps: PrintDeskDeps): PrintDesk {
	const { queue, journal, clock, log } = deps;
	const ending = new AbortController();
	/** Prints of receipts that have not ended, by payment. */
	const open = new Map<PaymentKey, PrintWish>();
	/** Prints begun by `note` that have not ended, by id. */
	const notes = new Map<string, PrintWish>();
	/** Number and bytes of the printouts that have not ended. */
	let papers = 0;
	let waitingBytes = 0;
	/** Prints one job at a time, so any other open job of this kiosk is a leftover. */
	let turn: Promise<unknown> = Promise.resolve();
	const inTurn = (act: () => Promise<unknown>): void => {
		turn = turn.then(act);
	};
	const trouble = new PrinterTrouble(deps.onPaperTrouble);
	const watch = new QueueWatch({ queue, trouble, clock, log, inTurn });
	const jobs = {
		...deps,
		watch,
		trouble,
		stopping: ending.signal,
		onPrinting: (print: Print, fault: string | null) => tell(print, { state: 'printing', ...(fault ? { reason: fault } : {}) }),
	};

	function tell({ print_id, told }: Print, news: { state: 'printing' | 'done' | 'failed'; reason?: string }): void {
		if (told) deps.notify({ type: 'kiosk_print', print_id, ...news });
	}

	function report(print: Print, fate: Fate): void {
		const { print_id } = print;
		const payment_id = print.about.id;
		if (fate.state === 'done') {
			trouble.onPaper(null);
			log.event('print.done', { print_id, payment_id });
			return tell(print, { state: 'done' });
		}
		const { reason, detail } = fate;
		trouble.onFailed(reason);
		log.event('print.failed', { print_id, payment_id, reason, detail, may_be_on_paper: fate.state === 'abandoned' });
		tell(print, { state: 'failed', reason });
	}

	/**
	 * Records a printout and prints it after all earlier printouts, or refuses it and reports why.
	 * @returns its code, or null
	 */
	function begin(wish: Print): PaperCode | null {
		const { print_id, about, purpose } = wish;
		const bytes = JSON.stringify(wish.rows).length + wish.logo.length;
		// A refused printout is not recorded, so the next receipt is still the original, and a slip
		// stays due.
		if (waitingBytes + bytes > MOST_WAITING_BYTES) {
			report(wish, unprinted(false, ...TOO_MANY));
			return null;
		}
		const recorded = journal.append({ kind: 'print_requested', print_id, payment_id: about.key, purpose });
		// If an unrecorded receipt were printed, the next receipt would be a second original.
		if (!recorded.ok) {
			report(wish, unprinted(false, recorded.error.code, recorded.error.message));
			return null;
		}
		const code = wish.facts && deps.codeOf(print_id, wish.facts);
		const print = { ...wish, rows: code ? [...wish.rows, ...codeRows(code)] : wish.rows };
		if (purpose !== 'slip') open.set(about.key, { print_id, copy: purpose === 'copy', code });
		else if (wish.told) notes.set(String(about.id), { print_id, copy: false, code });
		// If this printout waits for an earlier one, a paper fault also delays this printout.
		jobs.onPrinting(print, papers > 0 ? (trouble.noPaper() ?? null) : null);
		papers += 1;
		waitingBytes += bytes;
		inTurn(async () => {
			const fate = await runPrint(jobs, print);
			papers -= 1;
			waitingBytes -= bytes;
			if (purpose !== 'slip') open.delete(about.key);
			if (notes.get(String(about.id))?.print_id === print_id) notes.delete(String(about.id));
			journal.append({ kind: 'print_ended', print_id, state: fate.state, reason: fate.state === 'done' ? '' : fate.reason });
			report(print, fate);
		});
		return code;
	}

	const dated = (rows: readonly PaperRow[]): readonly PaperRow[] => (deps.clockInDoubt() ? [...rows, CLOCK_IN_DOUBT] : rows);

	for (const print_id of journal.openPrints())
		journal.append({ kind: 'print_ended', print_id, state: 'abandoned', reason: 'the kiosk stopped while it printed' });
	inTurn(() => watch.look());

	return {
		print(of, receipt, validity) {
			const before = open.get(of.key);
			if (before) return before;
			const wish = { print_id: deps.newId(), copy: isCopy(journal, of.key, receipt) };
			const code = begin({
				print_id: wish.print_id,
				about: of,
				purpose: wish.copy ? 'copy' : 'receipt',
				rows: dated(receiptRows(receipt, wish.copy)),
				facts: receiptFacts(receipt, wish.copy),
				...validity,
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
			// The slip gets its own key, because under the payment's key it would count as the slip about
			// the payment's cash.
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
		trouble: () => trouble.any(),
		paperTrouble: () => trouble.noPaper(),
		async stop() {
			watch.stop();
			ending.abort();
			await turn;
		},
	};
}
