/** A power cut or a full disk interrupts the replacement of a damaged journal. */
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rupiah } from '@kiosk/contract/money';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { openJournal } from './journal.ts';
import { readLeftOpen } from './open-items-export.ts';
import { ACCOUNT } from './payment.fixture.ts';
import { setAside } from './set-aside.ts';
import { JOURNAL_FILE, openStore } from './store.ts';

const DECISION = { restart_id: randomUUID(), by: 'Sari', why: 'the disk was exchanged', time: '2026-11-21T14:31:08+07:00' };
const NO_NAMES = { list: null, isLast: true };
const INTERRUPTED = 'set-aside-20261121T143000';
const PAGE = 4_096;

let folder: string;
let directory: string;
let newest: string;

const open = () =>
	openJournal(
		{ directory, minFreeBytes: 0, headFile: join(folder, 'journal.head'), keyFile: join(folder, 'journal.key') },
		systemClock,
		openStore,
	);

beforeEach(() => {
	folder = temporaryFolder('interrupted');
	directory = join(folder, 'journal');
	const journal = open();
	for (let id = 1; id <= 40; id += 1) newest = takeNote(journal, id);
	journal.close();
});

function takeNote(journal: ReturnType<typeof open>, id: number): string {
	const note_id = randomUUID();
	const payment = { account: ACCOUNT, id, odoo_id: null, noinvoice: `INV/${id}`, total: rupiah(137_500) };
	journal.append({ kind: 'cash_intent', note_id, payment, nominal: rupiah(50_000), code: '0x45', time: DECISION.time });
	journal.append({ kind: 'cash_credit', note_id, late: false });
	return note_id;
}

/** Makes the page with the newest record unreadable. */
function damageNewestPage(): void {
	const file = join(directory, JOURNAL_FILE);
	const bytes = readFileSync(file);
	const at = bytes.indexOf(`"kind":"cash_credit","note_id":"${newest}"`);
	expect(at).toBeGreaterThan(PAGE);
	const page = at - (at % PAGE);
	bytes.fill(0xee, page, page + PAGE);
	writeFileSync(file, bytes);
}

/** Deletes the newest record, as if the drive had lost it in a power cut. */
function loseNewestRecord(): void {
	const db = new DatabaseSync(join(directory, JOURNAL_FILE));
	db.exec('DELETE FROM records WHERE seq = (SELECT max(seq) FROM records)');
	db.close();
}

/**
 * Leaves the files in the state of a restart that a power cut interrupted.
 * @param made how much of the new journal is on disk
 */
function interrupt(name: string, made: 'nothing' | 'an empty file' | 'tables' | 'a record'): void {
	const head = JSON.parse(readFileSync(join(folder, 'journal.head'), 'utf8')) as { seq: number; hash: string };
	const aside = setAside(directory, name);
	if (made === 'an empty file') writeFileSync(join(directory, JOURNAL_FILE), '');
	if (made === 'nothing' || made === 'an empty file') return;
	const opened = openStore(directory);
	if (!opened.ok) throw new Error(opened.error.message);
	const before = { seq: head.seq, hash: head.hash, folder: aside, found: 'damaged' };
	if (made === 'a record') opened.value.append({ kind: 'journal_restarted', ...DECISION, before }, new Date(DECISION.time));
	opened.value.close();
}

const MADE = ['nothing', 'an empty file', 'tables', 'a record'] as const;
const DAMAGE = [
	['the newest record of the old journal cannot be read', damageNewestPage],
	['the old journal lacks its newest record', loseNewestRecord],
	['the old journal is not a database any more', () => writeFileSync(join(directory, JOURNAL_FILE), 'x'.repeat(PAGE))],
] as const;
const CASES = DAMAGE.flatMap(([what, damage]) => MADE.map((made) => [what, made, damage] as const));

test.each(CASES)(
	'a restart after an interrupted one finds the old journal although %s (of the new journal, the disk holds: %s)',
	(_what, made, damage) => {
		damage();
		interrupt(INTERRUPTED, made);
		const begun = restart(DECISION.time);
		expect(begun).toMatchObject({ value: { folder: join(directory, INTERRUPTED), lock: expect.stringContaining('may have been locked') } });
	},
);

test('after an interrupted restart, the next restart lists the open items of the old journal', () => {
	loseNewestRecord();
	interrupt(INTERRUPTED, 'tables');
	restart(DECISION.time);
	expect(readLeftOpen(join(directory, INTERRUPTED), [])?.notes).toHaveLength(40);
});

test('a restart lists the parts of a damaged journal that can be read', () => {
	damageNewestPage();
	const begun = restart(DECISION.time);
	const open = begun.ok ? readLeftOpen(begun.value.folder, []) : null;
	expect([open?.notes?.length, open?.in_cashbox, open?.newest]).toEqual([40, null, null]);
});

test('a restart finds the old journal even after two interruptions', () => {
	damageNewestPage();
	interrupt(INTERRUPTED, 'a record');
	interrupt('set-aside-20261121T143030', 'tables');
	expect(restart(DECISION.time)).toMatchObject({ value: { folder: join(directory, INTERRUPTED) } });
});

test('a restart does not mistake the journal that an earlier, completed restart set aside for the old journal', () => {
	damageNewestPage();
	expect(restart('2026-11-20T10:00:00+07:00').ok).toBe(true);
	readLeftOpen(join(directory, 'set-aside-20261120T100000'), []);
	const journal = open();
	takeNote(journal, 7);
	journal.close();
	rmSync(join(directory, JOURNAL_FILE));
	expect(restart(DECISION.time)).toMatchObject({ value: { folder: join(directory, 'set-aside-20261121T143108') } });
});

test('a restart finds an old journal that has lost its newest record, and does not choose an earlier journal', () => {
	damageNewestPage();
	expect(restart('2026-11-20T10:00:00+07:00').ok).toBe(true);
	const journal = open();
	takeNote(journal, 7);
	journal.close();
	loseNewestRecord();
	expect(restart(DECISION.time)).toMatchObject({ value: { folder: join(directory, 'set-aside-20261121T143108') } });
});

function restart(time: string) {
	const journal = open();
	expect(journal.trouble()?.code).toBe('journal_unhealthy');
	const begun = journal.restart({ ...DECISION, time }, NO_NAMES, null);
	journal.close();
	return begun;
}
