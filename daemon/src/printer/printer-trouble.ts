/** Codes that tell the screen, health and the log why no printout comes out. */
import type { Result } from '../base/result.ts';
import type { IppError, PrinterState } from './ipp-client.ts';

/** Faults of the printer or its queue, which also affect the next customer. */
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

/** Reasons on the daemon's side, which say nothing about the printer. */
const UNSENT: ReadonlySet<string> = new Set([
	'journal_unhealthy',
	'journal_newer',
	'disk_full',
	'not_drawn',
	'too_many_prints',
	'stopping',
]);

/**
 * Reason for a receipt that became invalid while it waited, e.g. because the invoice grew or its
 * payment was reversed.
 */
export const NOT_PAID = ['not_paid', 'the invoice is no longer paid'] as const;

/** Reason for a printout that is refused because too many printouts wait. */
export const TOO_MANY = ['too_many_prints', 'too many printouts wait for the printer'] as const;

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

/** The screen's code for a queue that does not answer. */
export const UNREACHABLE = 'queue_unreachable';

const CODES: Record<IppError['code'], string> = {
	unreachable: UNREACHABLE,
	no_answer: UNREACHABLE,
	not_found: 'queue_missing',
	refused: 'refused',
};

/** @returns the screen's code for a call that the queue did not serve */
export const codeOfError = ({ code }: IppError): string => CODES[code];

/** @returns the screen's codes for the reasons that the queue reports, the most serious first */
export const reasonsOf = (printer: PrinterState): string[] =>
	REASONS.filter(([keyword]) => printer.reasons.includes(keyword)).map(([, code]) => code);

/** The faults of the queue and of the last printout. */
export class PrinterTrouble {
	#queue: string | null = null;
	#paper: string | null = null;
	#told: string | null | undefined;
	readonly #onNoPaper: (code: string | null) => void;

	/** @param onNoPaper called at each change of `noPaper` */
	constructor(onNoPaper: (code: string | null) => void) {
		this.#onNoPaper = onNoPaper;
	}

	/** @returns the fault of the queue or of the last printout, or null */
	any(): string | null {
		return this.#queue ?? this.#paper;
	}

	/**
	 * @returns why the next printout will probably not come out, or null; undefined before the first
	 * check of the queue
	 */
	noPaper(): string | null | undefined {
		return this.#told;
	}

	/**
	 * Takes the result of a check of the queue. @returns the queue's fault if it is new, else null
	 */
	onQueue(seen: Result<PrinterState, IppError>): string | null {
		const known = this.#queue;
		if (seen.ok) this.#queue = seen.value.state === 'stopped' ? 'paused' : null;
		else this.#queue = codeOfError(seen.error);
		if (seen.ok && this.#paper === CODES.unreachable) this.#paper = null;
		this.#tell();
		return this.#queue === known ? null : this.#queue;
	}

	onResumed(): void {
		this.#queue = null;
	}

	/**
	 * @param fault the fault of the present printout; null if it prints without a fault or is done
	 */
	onPaper(fault: string | null): void {
		this.#paper = fault;
		this.#tell();
	}

	/** A printout failed. */
	onFailed(reason: string): void {
		// A receipt that became invalid, and a failure of the daemon, say nothing about the printer, so
		// a fault of the printer stays reported.
		const isSame = reason === NOT_PAID[0] || (UNSENT.has(reason) && this.#paper !== null && NO_PAPER.has(this.#paper));
		this.onPaper(isSame ? this.#paper : reason);
	}

	#tell(): void {
		const now = [this.#queue, this.#paper].find((code) => code !== null && NO_PAPER.has(code)) ?? null;
		if (now === this.#told) return;
		this.#told = now;
		this.#onNoPaper(now);
	}
}
