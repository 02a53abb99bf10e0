import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BoxState, CountedNote } from '@kiosk/contract/box-count';
import { type Rupiah, rupiah, sumRupiah } from '@kiosk/contract/money';
import { RupiahSchema } from '@kiosk/contract/money-schema';
import * as v from 'valibot';
import { replaceFileForGood } from '../base/replace-file.ts';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import type { DuePeriods } from '../journal/cash-book.ts';
import type { Journal } from '../journal/journal.ts';
import { isClosed } from '../journal/trouble.ts';
import { type CollectDeps, collectCashbox, type NotCollected } from './collect-cashbox.ts';

/**
 * Maximum number of counts: more than an honest count needs. Another count is still allowed if new
 * notes have come in since the last count: otherwise the box could not be emptied.
 */
const MOST_COUNTS = 10;

/** Counts that are not in the journal yet. The file keeps them across a restart. */
const Counting = v.object({
	/** Id of the journal restart that began this journal; null for the kiosk's first journal. */
	journal: v.optional(v.nullable(v.string()), null),
	period: v.number(),
	by: v.string(),
	/**
	 * Rupiah that the box should have held at the last count. `notes`: the notes that make up this
	 * amount.
	 */
	expected: RupiahSchema,
	notes: v.optional(v.array(CountedNote), []),
	counts: v.pipe(v.array(v.array(CountedNote)), v.minLength(1)),
});
type Counting = v.InferOutput<typeof Counting>;

/** The figures of the count that the page shows, in rupiah. */
type ShownCount = { period: number; expected: Rupiah; counted: Rupiah };

type Refusal = NotCollected | { code: 'other_notes' | 'too_often' | 'not_counted' | 'other_count'; message: string };

/**
 * Blind count of the cashbox: the kiosk shows the expected amount only after the first count, and
 * keeps every count.
 */
export interface BoxCount {
	/** @returns null if no period can be counted */
	state(): BoxState | null;
	/** @returns the name on the unsaved count; null if there is none. Works without the journal. */
	counting(): string | null;
	/**
	 * Records a count.
	 * @returns the state with the figures of this count
	 */
	count(by: string, notes: readonly CountedNote[]): Result<BoxState, Refusal>;
	/** Writes the last count to the journal. A repeated save succeeds without a second record. */
	save(by: string, shown: ShownCount): Result<{ period: number; prints: boolean }, Refusal>;
}

/**
 * @param deps.directory the daemon's state directory
 * @param deps.nominals notes that the acceptor may take, rupiah
 */
export function openBoxCount(
	deps: CollectDeps & { journal: Pick<Journal, 'begun' | 'trouble'>; directory: string; nominals: readonly Rupiah[] },
): BoxCount {
	const { journal, cash, log } = deps;
	const due = () => journal.cashbox.due(null);
	const file = join(deps.directory, 'box-count.json');
	let counting = load(file);

	const journalNow = () => journal.begun()?.restart_id ?? null;
	/**
	 * @returns the unsaved counts if they belong to these periods, else null. Counts of an earlier
	 * period do not belong to them, e.g. after `kioskctl cash collected`. If the box is removed once
	 * more, its periods are counted together. The counts then stay valid, because staff have already
	 * seen the expected amount. The journal is also compared, because a new journal numbers its
	 * periods from 1 again.
	 */
	const countingOf = ({ first, number }: DuePeriods): Counting | null =>
		counting && counting.journal === journalNow() && counting.period >= first && counting.period <= number ? counting : null;

	// Discards a count whose period was counted in another way, e.g. by kioskctl. A closed journal
	// looks as if it had no periods, so it is not consulted. `due` reads every note in the box, so it
	// is called only if there is a count.
	if (counting?.journal === journalNow() && !isClosed(journal.trouble())) {
		const now = due();
		if (now && countingOf(now) === null) counting = null;
	}

	function renewed(since: string | null): BoxState['renewed'] {
		const begun = journal.begun();
		if (!begun || since !== null) return null;
		return { time: begun.time, dropped: counting && counting.journal !== begun.restart_id ? counting.by : null };
	}

	function stateOf(due: DuePeriods): BoxState {
		const nominals = [...new Set([...deps.nominals, ...due.notes.map(({ nominal }) => nominal)])].sort((a, b) => b - a);
		const now = countingOf(due);
		const last = now?.counts.at(-1) ?? [];
		// These are the figures of the last count: newer figures would reveal the expected amount
		// before the next count.
		const expectedOf = (of: Rupiah) => countOf(now?.notes ?? [], of);
		const countedOf = (of: Rupiah) => countOf(last, of);
		return {
			nominals,
			removed: due.removed?.time ?? null,
			since: due.since,
			renewed: renewed(due.since),
			result: now && {
				by: now.by,
				period: now.period,
				times: now.counts.length,
				notes: nominals.map((nominal) => ({ nominal, expected: expectedOf(nominal), counted: countedOf(nominal) })),
				expected: now.expected,
				counted: sumOf(last),
				in_doubt: due.in_doubt.length + due.unexplained.length,
				outdated: now.expected !== due.expected,
			},
		};
	}

	/**
	 * Answers a save while there is no unsaved count. Staff may repeat a save because its answer was
	 * lost: if the repetition were refused, they would count the same money again.
	 */
	function answerRepetition(by: string, shown: ShownCount): ReturnType<BoxCount['save']> {
		const last = journal.cashbox.lastCount();
		const isSame = last?.by === by && last.expected === shown.expected && last.counted === shown.counted;
		// The count of one period may have been saved together with later periods.
		if (isSame && last.number >= shown.period) return ok({ period: last.number, prints: deps.slips.hasPrinter() });
		return fail({ code: 'not_counted', message: 'the box has not been counted' });
	}

	return {
		state() {
			const period = due();
			return period && stateOf(period);
		},
		counting: () => counting?.by ?? null,
		count(by, notes) {
			const period = due();
			if (!period) return fail({ code: 'no_such_period', message: 'there is no period to count' });
			if (!period.removed && cash.isOpen()) return fail({ code: 'busy', message: 'a customer is paying in cash' });
			const known = new Set(stateOf(period).nominals);
			const named = new Set(notes.map(({ nominal }) => nominal));
			if (named.size < notes.length || notes.some(({ nominal }) => !known.has(nominal)))
				return fail({ code: 'other_notes', message: 'a count names each known note once' });
			const now = countingOf(period);
			const before = now?.counts ?? [];
			if (before.length >= MOST_COUNTS && now?.expected === period.expected)
				return fail({ code: 'too_often', message: `the box has been counted ${MOST_COUNTS} times` });
			const counted = notes.filter(({ count }) => count > 0);
			const { number, expected } = period;
			const next = { journal: journalNow(), period: number, by, expected, notes: [...period.notes], counts: [...before, counted] };
			try {
				mkdirSync(deps.directory, { recursive: true, mode: 0o700 });
				replaceFileForGood(file, JSON.stringify(next));
			} catch (error) {
				return fail({ code: 'not_written', message: messageOf(error) });
			}
			counting = next;
			log.event('cash.counted', { period: period.number, times: next.counts.length, difference: sumOf(counted) - period.expected });
			return { ok: true, value: stateOf(period) };
		},
		save(by, shown) {
			const period = due();
			const now = period && countingOf(period);
			if (!now) return answerRepetition(by, shown);
			const { expected, counts } = now;
			const counted = sumOf(counts.at(-1) ?? []);
			if (shown.period !== now.period || shown.expected !== expected || shown.counted !== counted)
				return fail({ code: 'other_count', message: 'the page shows another count' });
			const saved = collectCashbox(deps, { by, expected, counted, through: period.number, counts });
			if (saved.ok) {
				counting = null;
				dropFile(file);
			}
			return saved;
		},
	};
}

const countOf = (notes: readonly CountedNote[], of: Rupiah): number => notes.find(({ nominal }) => nominal === of)?.count ?? 0;
const sumOf = (notes: readonly CountedNote[]): Rupiah => sumRupiah(notes.map(({ nominal, count }) => rupiah(nominal * count)));

function dropFile(file: string): void {
	try {
		rmSync(file, { force: true });
	} catch {
		// A file that cannot be removed has no effect: the count is in the journal, so its period has
		// ended.
	}
}

function load(file: string): Counting | null {
	try {
		return v.parse(Counting, JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		// Without a file there is no count. If the file is damaged, staff must repeat the count.
		return null;
	}
}
