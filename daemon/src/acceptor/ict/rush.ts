/**
 * More notes than paper can move. Each word about a note that nobody had accepted becomes a record or a log line, so there is a limit to
 * how many are believed one by one: a unit needs more than a second for each note, and a person more than that to push one on.
 */
import type { AcceptorReport } from '../driver.ts';

/** Words that are believed one by one, and how long it takes until one more is. */
const ALLOWED = {
	/** Notes that came back. A customer who feeds a refused note again and again needs over a second each time. */
	refused: { most: 20, oneMoreMs: 1_000 },
	/** Notes in the cashbox that the kiosk did not accept: after a jam a person pushes one or two on. */
	stacked: { most: 10, oneMoreMs: 60_000 },
	/** The cashbox goes out: staff need minutes between two times, a bad contact does not. */
	box: { most: 10, oneMoreMs: 600_000 },
} as const;
export type Word = keyof typeof ALLOWED;

/** For so long without such a word the line is calm again: no customer feeds paper at an even pace for ever, and noise seldom pauses. */
const CALM_MS = 5_000;
/** A rush soon after another one is followed by a wait twice as long, up to this: its two records come seldom, however long it goes on. */
const CALM_LONGEST_MS = 300_000;
const SOON_MS = 600_000;

/** Words left to believe, by kind, and when that was. */
interface Budget {
	readonly left: number;
	readonly at: number;
}

export interface Rush {
	readonly refused: Budget;
	readonly stacked: Budget;
	readonly box: Budget;
	/** What was only counted since the rush began; null while there is none. */
	readonly counted: { readonly [word in Word]: number } | null;
	/** When it is over, or was, and how long it must be calm for that. */
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

/** @returns what of this report has a limit, or null */
export function wordOf(report: AcceptorReport): Word | null {
	if (report.kind === 'refused') return 'refused';
	return report.kind === 'stacked' && !report.accepted ? 'stacked' : null;
}

/** @returns the rush with this word in it, and whether the word is believed; `now` in monotonic ms */
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

/** @returns what was counted when the rush is over at `now`, or null */
export const overRush = (rush: Rush, now: number): Rush['counted'] => (now >= rush.until ? rush.counted : null);
