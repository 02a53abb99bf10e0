/**
 * Reads the staff names that an unusable journal still proves, for the journal that replaces it.
 * Only the hash chain and the seals are proof, because any program could have changed the other
 * tables and the indexes.
 */
import * as v from 'valibot';
import { hex } from './file-identity.ts';
import type { Head } from './head-file.ts';
import { ListedPerson } from './records.ts';
import { readSeal, type Seal } from './seal.ts';
import { readStore, type Store } from './store.ts';

/**
 * Number of records in one batch. A batch takes a few milliseconds, so that the daemon answers in
 * between.
 */
const SLICE = 250;
/** After this many unreadable records in a row, the reading ends. */
const MOST_UNREADABLE = 100_000;

export interface ProvedNames {
	/** The newest proved list and its record; null if no list is proved. */
	list: { people: ListedPerson[]; seq: number; hash: string } | null;
	/**
	 * Whether no change after `list` can be missing: every later record is proved, up to the newest
	 * record that was written. Without a list: whether it is certain that the journal never had one.
	 */
	isLast: boolean;
}

const ListRow = v.object({
	seq: v.number(),
	hash: v.instance(Uint8Array),
	people: v.pipe(v.string(), v.parseJson(), v.array(ListedPerson)),
});
/**
 * The records with a list of names. `+kind` keeps SQLite from using the index, which may lack a
 * record.
 */
const LISTS = `SELECT seq, hash, body ->> 'people' AS people FROM records WHERE seq BETWEEN ? AND ? AND +kind = 'staff_names_changed' ORDER BY seq`;

/**
 * @param keyFile undefined: the journal is not sealed
 * @param head names the newest record that was written; comes from the head file, outside the
 * journal
 * @returns no list if the file cannot be read at all
 */
export async function readProvedNames(directory: string, keyFile: string | undefined, head: Head): Promise<ProvedNames> {
	const key = keyFile === undefined ? null : readSeal(keyFile);
	const seal = key?.state === 'found' ? key.seal : null;
	const opened = readStore(directory, seal);
	if (!opened.ok) return { list: null, isLast: false };
	try {
		return await proveNames(opened.value, seal, head);
	} finally {
		opened.value.close();
	}
}

/**
 * Reads all records in order. A seal proves its record and the unbroken chain before it. Without a
 * key, only the hash in the head file proves records.
 * @param store opened with `seal`
 */
async function proveNames(store: Pick<Store, 'rows' | 'verify'>, seal: Seal | null, head: Head): Promise<ProvedNames> {
	/** The newest list that is in the unbroken chain but not proved yet. */
	let candidate: ProvedNames['list'] = null;
	let list: ProvedNames['list'] = null;
	/** Whether a record after `list` is missing, bad or unproved. */
	let isBroken = false;
	let reachesHead = false;
	let newest = 0;

	function broken(): void {
		candidate = null;
		isBroken = true;
	}

	/**
	 * Takes the newest list from these records, whose chain and seals are valid, and checks whether
	 * this list is proved.
	 */
	function chained(from: number, to: number): void {
		for (const row of store.rows(LISTS, from, to)) {
			const { seq, hash, people } = v.parse(ListRow, row);
			if (seal !== null || seq <= head.seq) candidate = { people, seq, hash: hex(hash) };
		}
		const isHead = from <= head.seq && head.seq <= to && hashAt(head.seq) === head.hash;
		reachesHead ||= isHead;
		if (!(seal === null ? isHead : to >= seal.from - 1) || candidate === null) return;
		list = candidate;
		candidate = null;
		isBroken = false;
	}

	const hashAt = (seq: number): string => hex(store.rows('SELECT hash FROM records WHERE seq = ?', seq)[0]?.hash);

	function read(from: number, to: number): void {
		for (let at = from; at <= to; ) {
			const bad = store.verify(at, to);
			if (bad === null || bad > at) chained(at, bad === null ? to : bad - 1);
			if (bad === null) return;
			broken();
			at = bad + 1;
		}
	}

	/**
	 * Reads the records one by one, because one page of the file may be unreadable while the pages
	 * after it are intact.
	 */
	function readSingly(numbers: readonly number[]): void {
		for (const seq of numbers) {
			try {
				read(seq, seq);
			} catch {
				broken();
			}
		}
	}

	let unreadable = 0;
	for (let next = 1; unreadable < MOST_UNREADABLE; ) {
		const numbers = numbersFrom(store, next, SLICE) ?? numbersFrom(store, next, 1);
		const [first, last] = [numbers?.[0], numbers?.at(-1)];
		if (numbers === null) {
			broken();
			unreadable += 1;
			next += 1;
		} else if (first === undefined || last === undefined) break;
		else {
			unreadable = 0;
			if (first > next) broken();
			try {
				read(first, last);
			} catch {
				readSingly(numbers);
			}
			newest = last;
			next = last + 1;
		}
		await new Promise((resolve) => setImmediate(resolve));
	}
	const isWhole = unreadable === 0 && reachesHead && candidate === null && (seal !== null || newest === head.seq);
	return { list, isLast: isWhole && !isBroken };
}

/** @returns the numbers of the next records; null if they cannot be read */
function numbersFrom(store: Pick<Store, 'rows'>, from: number, most: number): number[] | null {
	try {
		return store.rows('SELECT seq FROM records WHERE seq >= ? ORDER BY seq LIMIT ?', from, most).map(({ seq }) => Number(seq));
	} catch {
		return null;
	}
}
