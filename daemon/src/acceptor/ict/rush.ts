/**
 * Limits the rate of reports about notes that were not accepted and about removals of the cashbox,
 * because each of these reports becomes a record or a log line. A unit needs more than a second per
 * note, and a person who pushes notes in is not faster. Reports above a plausible rate are only
 * counted.
 */
import type { AcceptorReport } from '../driver.ts';

/** Number of reports allowed in quick succession, and the time after which one more is allowed. */
const ALLOWED = {
	/**
	 * Returned notes. A customer who inserts a refused note repeatedly needs over a second each
	 * time.
	 */
	refused: { most: 20, oneMoreMs: 1_000 },
	/** Notes stacked without acceptance. After a jam, staff push in one or two notes. */
	stacked: { most: 10, oneMoreMs: 60_000 },
	/**
	 * Removals of the cashbox. Staff need minutes between two removals; more frequent removals come
	 * from a bad contact.
	 */
	box: { most: 10, oneMoreMs: 600_000 },
} as const;
export type Word = keyof typeof ALLOWED;

/**
 * The first rush ends after this time without a report. Customers pause this long between notes;
 * noise seldom does.
 */
const CALM_MS = 5_000;
/**
 * Each rush writes two records. To keep them rare, the required quiet time doubles, up to this
 * limit, if a rush begins within `SOON_MS` after the last one.
 */
const CALM_LONGEST_MS = 300_000;
const SOON_MS = 600_000;

/** Number of reports of one kind that are still allowed, and the time of that count. */
interface Budget {
	readonly left: number;
	readonly at: number;
}

export interface Rush {
	readonly refused: Budget;
	readonly stacked: Budget;
	readonly box: Budget;
	/** Counts of the reports since the rush began; null without a rush. */
	readonly counted: { readonly [word in Word]: number } | null;
	/** `until`: when the rush ends or has ended. `calmMs`: the required time without a report. */
	readonly until: number;
	readonly calmMs: number;
}

export const NO_RUSH: Rush = {
	refused: { left: ALLOWED.refused.most, at: 0 },
	stacked: { left: ALLOWED.stacked.most, at: 0 },
	box: { left: ALLOWED.box.most, at: 0 },
	counted: null,
	until: Number.NEGATIVE_INFINITY,
	calmMs: CALM_MS,
};

/** @returns the kind of this report if such reports are limited, else null */
export function wordOf(report: AcceptorReport): Word | null {
	if (report.kind === 'refused') return 'refused';
	return report.kind === 'stacked' && !report.accepted ? 'stacked' : null;
}

/**
 * @returns the rush after this report, and whether the report is processed; `now` in monotonic ms
 */
export function hearWord(rush: Rush, word: Word, now: number): { rush: Rush; believed: boolean } {
	const { most, oneMoreMs } = ALLOWED[word];
	const left = Math.min(most, rush[word].left + (now - rush[word].at) / oneMoreMs);
	if (rush.counted === null && left >= 1) return { rush: { ...rush, [word]: { left: left - 1, at: now } }, believed: true };
	const soon = now - rush.until < SOON_MS ? Math.min(rush.calmMs * 2, CALM_LONGEST_MS) : CALM_MS;
	const calmMs = rush.counted === null ? soon : rush.calmMs;
	const counted = rush.counted ?? { refused: 0, stacked: 0, box: 0 };
	return {
		rush: { ...rush, [word]: { left, at: now }, counted: { ...counted, [word]: counted[word] + 1 }, until: now + calmMs, calmMs },
		believed: false,
	};
}

/** @returns the counts if the rush is over at `now`, else null */
export const endedRushOf = (rush: Rush, now: number): Rush['counted'] => (now >= rush.until ? rush.counted : null);
