import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rupiah } from '@kiosk/contract/money';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { directory, journal, journalOfEachTest, openAgain, TIME, take } from '../journal/journal.fixture.ts';
import { JOURNAL_FILE, openStore, readStore } from '../journal/store.ts';
import { openBoxCount } from './box-count.ts';

const of = (nominal: number, count: number) => ({ nominal: rupiah(nominal), count });

/** @returns the figures of a count as a page shows them, rupiah */
const figures = (expected: number, counted: number, period = 1) => ({ period, expected: rupiah(expected), counted: rupiah(counted) });

let paying: boolean;
const slip = vi.fn();
const event = vi.fn();

journalOfEachTest();
beforeEach(() => {
	paying = false;
	vi.clearAllMocks();
});

const tellAnchor = vi.fn();
const open = () =>
	openBoxCount({
		directory,
		nominals: [rupiah(50_000), rupiah(100_000)],
		cash: { isOpen: () => paying, writeWaiting: () => true },
		journal,
		slips: { collected: slip, hasPrinter: () => true },
		tellAnchor,
		newId: randomUUID,
		now: () => TIME,
		log: { event } as never,
	});

test('the expected amount is shown only after the first count; a repeated save adds no record', () => {
	take(100_000);
	take(50_000);
	const box = open();
	expect(box.state()).toEqual({ nominals: [100_000, 50_000], removed: null, since: null, renewed: null, result: null });
	expect(box.count('Sari', [of(100_000, 1)])).toMatchObject({
		ok: true,
		value: {
			result: {
				times: 1,
				expected: 150_000,
				counted: 100_000,
				notes: [
					{ nominal: 100_000, expected: 1, counted: 1 },
					{ nominal: 50_000, expected: 1, counted: 0 },
				],
			},
		},
	});
	expect(event).toHaveBeenCalledWith('cash.counted', { period: 1, times: 1, difference: -50_000 });
	box.count('Sari', [of(100_000, 1), of(50_000, 1)]);
	expect(box.save('Sari', figures(150_000, 150_000))).toEqual({ ok: true, value: { period: 1, prints: true } });
	expect(journal.cashbox.period(1)?.collected).toEqual({ by: 'Sari', expected: 150_000, counted: 150_000 });
	// The page repeats the save because the answer was lost: no second record is written.
	expect(box.save('Sari', figures(150_000, 150_000))).toEqual({ ok: true, value: { period: 1, prints: true } });
	expect(journal.cashbox.period(2)?.collected).toBeNull();
	expect(slip).toHaveBeenCalledOnce();
	expect(box.save('Budi', figures(150_000, 150_000))).toMatchObject({ ok: false, error: { code: 'not_counted' } });
	expect(box.save('Sari', figures(150_000, 100_000))).toMatchObject({ ok: false, error: { code: 'not_counted' } });
	expect(box.state()).toMatchObject({ result: null });
});

test('a restart keeps an unsaved count', () => {
	take(50_000);
	open().count('Sari', [of(50_000, 0)]);
	const box = open();
	expect(box.state()).toMatchObject({ result: { times: 1, by: 'Sari', counted: 0, expected: 50_000 } });
	expect(box.save('Budi', figures(50_000, 0))).toMatchObject({ ok: true });
});

test('an unsaved count survives a start at which the journal’s disk is missing', () => {
	take(50_000);
	open().count('Sari', [of(50_000, 1)]);
	open().save('Sari', figures(50_000, 50_000));
	take(100_000);
	open().count('Sari', [of(50_000, 1)]);
	journal.close();
	let isGone = true;
	openAgain(0, (at) => (isGone ? { ok: false, error: { code: 'broken', message: 'the disk is gone' } } : openStore(at)));
	const box = open();
	isGone = false;
	expect(journal.reopen()).toBeNull();
	expect(box.state()).toMatchObject({ result: { by: 'Sari', counted: 50_000, expected: 100_000 } });
});

test('if a save has failed although its record is on disk, a repeated save succeeds without a second record', () => {
	take(50_000);
	journal.close();
	let fails = false;
	openAgain(0, (at) => {
		const opened = openStore(at);
		if (!opened.ok) return opened;
		const append: typeof opened.value.append = (record, time) => {
			const written = opened.value.append(record, time);
			return fails ? { ok: false, error: { code: 'broken', message: 'the sync failed' } } : written;
		};
		return { ok: true, value: { ...opened.value, append } };
	});
	const box = open();
	box.count('Sari', [of(50_000, 1)]);
	fails = true;
	expect(box.save('Sari', figures(50_000, 50_000))).toMatchObject({
		ok: false,
		error: { code: 'not_written', message: expect.stringContaining('recorded or not') },
	});
	fails = false;
	expect(journal.reopen()).toBeNull();
	expect(box.save('Sari', figures(50_000, 50_000))).toMatchObject({ ok: true, value: { period: 1 } });
	expect(journal.cashbox.period(2)?.collected).toBeNull();
});

test('a save is refused if its count was lost, even if the previous period had an equal count', () => {
	const box = open();
	take(50_000);
	box.count('Sari', [of(50_000, 1)]);
	box.save('Sari', figures(50_000, 50_000));
	take(50_000);
	box.count('Sari', [of(50_000, 1)]);
	writeFileSync(join(directory, 'box-count.json'), 'damaged');
	expect(open().save('Sari', figures(50_000, 50_000, 2))).toMatchObject({ ok: false, error: { code: 'not_counted' } });
	expect(journal.cashbox.period(2)?.collected).toBeNull();
});

test('a new journal, whose periods begin at 1 again, voids an unsaved count, and the state names the person who counted', () => {
	take(50_000);
	open().count('Sari', [of(50_000, 1)]);
	journal.close();
	writeFileSync(join(directory, JOURNAL_FILE), 'damaged');
	openAgain();
	expect(open().counting()).toBe('Sari');
	journal.restart({ restart_id: randomUUID(), by: 'Budi', why: 'damaged', time: TIME }, { list: null, isLast: false }, null);
	journal.close();
	openAgain();

	const box = open();
	expect(box.state()).toMatchObject({ result: null, renewed: { time: TIME, dropped: 'Sari' } });
	expect(box.save('Sari', figures(50_000, 50_000))).toMatchObject({ ok: false, error: { code: 'not_counted' } });
	box.count('Sari', [of(50_000, 1)]);
	expect(box.state()).toMatchObject({ result: { times: 1, expected: 0 }, renewed: { time: TIME, dropped: null } });
	expect(open().state()).toMatchObject({ result: { times: 1 } });
	box.save('Sari', figures(0, 50_000));
	expect(box.state()).toMatchObject({ result: null, renewed: null });
});

test('a note that comes in after the count requires a new count', () => {
	take(50_000);
	const box = open();
	box.count('Sari', [of(50_000, 1)]);
	take(100_000);
	// The figures of the old count stay: new figures would reveal the expected amount before the next
	// count.
	expect(box.state()).toMatchObject({
		result: {
			outdated: true,
			expected: 50_000,
			notes: [
				{ nominal: 100_000, expected: 0 },
				{ nominal: 50_000, expected: 1 },
			],
		},
	});
	expect(box.save('Sari', figures(50_000, 50_000))).toMatchObject({ ok: false, error: { code: 'changed' } });
	box.count('Sari', [of(50_000, 1), of(100_000, 1)]);
	expect(box.save('Sari', figures(150_000, 150_000))).toMatchObject({ ok: true });
});

test('a count is refused during a cash payment, with an unknown denomination, or with a repeated denomination', () => {
	take(50_000);
	const box = open();
	paying = true;
	expect(box.count('Sari', [of(50_000, 1)])).toMatchObject({ ok: false, error: { code: 'busy' } });
	paying = false;
	expect(box.count('Sari', [of(3_000, 1)])).toMatchObject({ ok: false, error: { code: 'other_notes' } });
	expect(box.count('Sari', [of(50_000, 1), of(50_000, 1)])).toMatchObject({ ok: false, error: { code: 'other_notes' } });
	expect(box.save('Sari', figures(50_000, 50_000))).toMatchObject({ ok: false, error: { code: 'not_counted' } });
});

test('a removed box can be counted while customers pay into the next box', () => {
	take(50_000);
	journal.append({ kind: 'cashbox_removed', removal_id: randomUUID(), time: TIME });
	take(100_000);
	paying = true;
	const box = open();
	expect(box.state()).toMatchObject({ removed: TIME });
	expect(box.count('Sari', [of(50_000, 1)])).toMatchObject({ ok: true, value: { result: { expected: 50_000, counted: 50_000 } } });
	expect(box.save('Sari', figures(50_000, 50_000))).toMatchObject({ ok: true, value: { period: 1 } });
});

test('if a count cannot be written because the disk is full, it is refused and the earlier count stays', () => {
	const box = open();
	box.count('Sari', [of(50_000, 1)]);
	const before = box.state();
	// A folder with this name makes the write fail, as it fails on a full disk.
	mkdirSync(join(directory, 'box-count.json.new'));
	expect(box.count('Sari', [of(50_000, 2)])).toMatchObject({ ok: false, error: { code: 'not_written' } });
	expect(box.state()).toEqual(before);
});

test('a page can save only the count that it shows, not a newer count of another page', () => {
	take(50_000);
	const box = open();
	box.count('Sari', [of(50_000, 1)]);
	box.count('Budi', []);
	expect(box.save('Sari', figures(50_000, 50_000))).toMatchObject({ ok: false, error: { code: 'other_count' } });
	expect(box.save('Budi', figures(50_000, 0))).toMatchObject({ ok: true });
});

test('after ten counts, another count is allowed only if new notes have come in', () => {
	take(50_000);
	const box = open();
	for (let times = 0; times < 10; times += 1) expect(box.count('Sari', [])).toMatchObject({ ok: true });
	expect(box.count('Sari', [])).toMatchObject({ ok: false, error: { code: 'too_often' } });
	take(100_000);
	expect(box.count('Sari', [of(50_000, 1), of(100_000, 1)])).toMatchObject({ ok: true });
	expect(box.count('Sari', [])).toMatchObject({ ok: false, error: { code: 'too_often' } });
	expect(box.save('Sari', figures(150_000, 150_000))).toMatchObject({ ok: true });
});

describe('a box that is removed again before its count is saved', () => {
	function remove(): void {
		journal.append({ kind: 'cashbox_removed', removal_id: randomUUID(), time: TIME });
	}
	function putBack(): void {
		journal.append({ kind: 'cashbox_returned', removal_id: journal.cashbox.boxOut() ?? '', time: TIME });
	}

	test('keeps its counts, even across a restart', () => {
		take(100_000);
		remove();
		open().count('Sari', [of(50_000, 1)]);
		putBack();
		remove();
		const box = open();
		expect(box.state()).toMatchObject({ result: { by: 'Sari', times: 1, expected: 100_000, counted: 50_000, outdated: false } });
		box.count('Sari', [of(100_000, 1)]);
		expect(box.save('Sari', figures(100_000, 100_000, 2))).toMatchObject({ ok: true, value: { period: 2 } });
		expect(savedCounts()).toEqual([[of(50_000, 1)], [of(100_000, 1)]]);
		expect(journal.cashbox.uncounted()).toEqual([]);
		expect(box.state()).toMatchObject({ result: null });
	});

	test('needs another count if notes came in between the removals', () => {
		take(100_000);
		remove();
		const box = open();
		box.count('Sari', [of(100_000, 1)]);
		putBack();
		take(50_000);
		expect(box.state()).toMatchObject({ result: { outdated: false } });
		remove();
		expect(box.state()).toMatchObject({ result: { outdated: true, expected: 100_000 } });
		expect(box.save('Sari', figures(100_000, 100_000))).toMatchObject({ ok: false, error: { code: 'changed' } });
		box.count('Sari', [of(100_000, 1), of(50_000, 1)]);
		expect(box.save('Sari', figures(150_000, 150_000, 2))).toMatchObject({ ok: true, value: { period: 2 } });
	});

	test('discards its counts if kioskctl has recorded a count in between', () => {
		take(100_000);
		remove();
		const box = open();
		box.count('Sari', [of(100_000, 1)]);
		const removal = journal.cashbox.due(null)?.removed?.removal_id;
		const counted = { by: 'Budi', expected: rupiah(100_000), notes: [of(100_000, 1)], counted: rupiah(100_000), time: TIME };
		journal.append({ kind: 'cashbox_collected', collection_id: randomUUID(), ...counted, ...(removal && { removal }) });
		putBack();
		remove();
		for (const one of [box, open()]) expect(one.state()).toMatchObject({ result: null });
	});
});

test('a save succeeds even if the file of the count cannot be removed, and the saved count is not offered again', () => {
	take(50_000);
	const box = open();
	box.count('Sari', [of(50_000, 1)]);
	// A folder in place of the file cannot be removed, like a file on a read-only disk.
	rmSync(join(directory, 'box-count.json'));
	mkdirSync(join(directory, 'box-count.json'));
	expect(box.save('Sari', figures(50_000, 50_000))).toMatchObject({ ok: true });
	for (const one of [box, open()]) expect(one.state()).toMatchObject({ result: null });
});

/** @returns the counts in the newest record of a count */
function savedCounts(): unknown {
	const store = readStore(directory);
	if (!store.ok) throw new Error(store.error.message);
	const [row] = store.value.rows(`SELECT body FROM records WHERE kind = 'cashbox_collected' ORDER BY seq DESC LIMIT 1`);
	store.value.close();
	return JSON.parse(String(row?.body)).counts;
}
