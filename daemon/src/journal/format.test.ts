import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rupiah } from '@kiosk/contract/money';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import type { Clock } from '../base/clock.ts';
import { INTRODUCED, READABLE_FROM, READS, TRIAL_WRITES, WRITES } from './format.ts';
import { type Journal, openJournal } from './journal.ts';
import { becomeNewer } from './newer.fixture.ts';
import { paymentOf, saidPaid } from './payment.fixture.ts';
import { type Chain, verifyChain } from './payment-file.ts';
import { JournalRecord } from './records.ts';
import { readSeal } from './seal.ts';
import { JOURNAL_FILE, openStore, readStore } from './store.ts';

const AT = new Date('2026-11-21T07:31:08Z');
const TIME = '2026-11-21T14:31:08+07:00';
const clock: Clock = { now: () => 1_000, wall: () => AT, after: () => () => {} };

let folder: string;
let directory: string;
/** The newest format that the daemon may write now. */
let writes: number;

const open = (): Journal =>
	openJournal(
		{
			directory,
			minFreeBytes: 1_000,
			headFile: join(folder, 'journal.head'),
			keyFile: join(folder, 'journal.key'),
			writes: () => writes,
		},
		clock,
		openStore,
		() => 1_000_000,
	);

beforeEach(() => {
	folder = temporaryFolder('format');
	directory = join(folder, 'journal');
	writes = WRITES;
});

function pay(journal: Journal): void {
	const note_id = randomUUID();
	journal.append({ kind: 'cash_intent', note_id, payment: paymentOf(7), nominal: rupiah(50_000), code: '0x45', time: TIME });
	journal.append({ kind: 'cash_credit', note_id, late: false });
}

function sql(text: string): unknown {
	const db = new DatabaseSync(join(directory, JOURNAL_FILE));
	try {
		return db.prepare(text).get();
	} finally {
		db.close();
	}
}
const carried = () => ({ ...(sql('SELECT written_format, readable_from FROM format') as object) });

const newer = (written: number, readableFrom: number) => becomeNewer(directory, join(folder, 'journal.key'), { written, readableFrom });

/**
 * Hashes of the kiosk's files by name, without shared memory, disk reserve and empty files, because
 * a reader leaves an empty log file.
 */
const onDisk = (): Record<string, string> =>
	Object.fromEntries(
		[folder, directory].flatMap((at) =>
			readdirSync(at, { withFileTypes: true })
				.filter(
					(file) =>
						file.isFile() && statSync(join(at, file.name)).size > 0 && !file.name.endsWith('-shm') && file.name !== 'journal.reserve',
				)
				.map(({ name }) => [
					name,
					createHash('sha256')
						.update(readFileSync(join(at, name)))
						.digest('hex'),
				]),
		),
	);

describe('formats that a version may write', () => {
	test('every record kind has an entry for the format that introduced it', () => {
		const kinds = JournalRecord.options.map((option) => option.entries.kind.literal);
		expect(Object.keys(INTRODUCED).sort()).toEqual([...kinds].sort());
	});

	test('a version reads every format that it writes; during a trial, it writes no later format than after the trial', () => {
		expect(TRIAL_WRITES).toBeLessThanOrEqual(WRITES);
		expect(WRITES).toBeLessThanOrEqual(READS);
		for (const format of Object.values(INTRODUCED)) {
			expect(format).toBeLessThanOrEqual(READS);
			expect(READABLE_FROM[format]).toBeLessThanOrEqual(format);
		}
	});

	test('if the format of a record kind is not allowed during a trial, such a record is refused until the trial has ended', () => {
		const journal = open();
		pay(journal);
		writes = 1;
		expect(() => journal.append(saidPaid(7))).toThrow('invoice_seen belongs to format 2, and only format 1 may be written now');
		expect(sql('SELECT max(seq) AS seq FROM records')).toMatchObject({ seq: 2 });
		writes = WRITES;
		expect(journal.append(saidPaid(7))).toMatchObject({ ok: true });
		journal.close();
	});
});

describe('the journal carries its format', () => {
	test('from its first start on', () => {
		open().close();
		expect(carried()).toEqual({ written_format: 2, readable_from: 2 });
	});

	test('the format rises with the first record of a later format, in the same transaction', () => {
		const journal = open();
		sql('UPDATE format SET written_format = 1, readable_from = 1 RETURNING 1');
		pay(journal);
		expect(carried()).toEqual({ written_format: 1, readable_from: 1 });
		journal.append(saidPaid(7));
		expect(carried()).toEqual({ written_format: 2, readable_from: 2 });
		journal.close();
	});

	test('a journal without a format entry counts as written by the first version: it is opened and continued', () => {
		const before = open();
		pay(before);
		before.close();
		sql('DROP TABLE format');
		const journal = open();
		expect(journal.trouble()).toBeNull();
		expect(carried()).toEqual({ written_format: 2, readable_from: 2 });
		journal.close();
	});

	test('this version marks its derived tables as its own, so that a later version rebuilds them', () => {
		open().close();
		sql('PRAGMA user_version = 99');
		open().close();
		expect(Number((sql('PRAGMA user_version') as { user_version: number }).user_version)).toBeLessThan(99);
	});
});

describe('a journal that a newer version wrote', () => {
	let before: Record<string, string>;
	beforeEach(() => {
		const journal = open();
		pay(journal);
		journal.close();
		newer(READS + 1, READS + 1);
		before = onDisk();
	});

	test('is reported as newer, never as damaged, and takes no record', () => {
		const journal = open();
		expect(journal.trouble()).toMatchObject({ code: 'journal_newer' });
		expect(journal.trouble()?.message).toBe(
			`the journal was written by a newer version of the kiosk (format ${READS + 1}); this version reads formats up to ${READS}`,
		);
		expect(journal.append({ kind: 'cashbox_removed', removal_id: randomUUID(), time: TIME })).toMatchObject({
			ok: false,
			error: { code: 'journal_newer' },
		});
		expect(journal.waitingUploads().count).toBe(0);
		journal.close();
	});

	test('is not changed, not even by a retry, a restart or a new key', () => {
		const journal = open();
		expect(journal.reopen()).toMatchObject({ code: 'journal_newer' });
		const decision = { by: 'Sari', why: 'no money', time: TIME };
		expect(journal.restart({ ...decision, restart_id: randomUUID() }, { list: null, isLast: true }, null)).toMatchObject({
			ok: false,
			error: { code: 'journal_newer' },
		});
		expect(journal.reseal({ ...decision, reseal_id: randomUUID() })).toMatchObject({ ok: false, error: { code: 'journal_newer' } });
		journal.close();
		expect(onDisk()).toEqual(before);
	});

	test('is not sealed with a new key if its key is gone', () => {
		rmSync(join(folder, 'journal.key'));
		const journal = open();
		expect(journal.trouble()).toMatchObject({ code: 'journal_newer' });
		expect(journal.reseal({ by: 'Sari', why: 'lost', time: TIME, reseal_id: randomUUID() }).ok).toBe(false);
		journal.close();
		expect(existsSync(join(folder, 'journal.key'))).toBe(false);
	});

	test('still lists its payments, and its chain can be verified', async () => {
		const journal = open();
		expect(journal.recentPayments(8)).toMatchObject([{ noinvoice: 'INV/7', amount: 50_000 }]);
		journal.close();
		const found = readSeal(join(folder, 'journal.key'));
		const seal = found.state === 'found' ? found.seal : null;
		const opened = readStore(directory, seal);
		if (!opened.ok) throw new Error(opened.error.message);
		expect(await verifyChain(opened.value, seal)).toMatchObject({ records: 3, bad: null } satisfies Partial<Chain>);
		opened.value.close();
	});
});

test('a journal in a later but readable format is opened and continued', () => {
	const first = open();
	pay(first);
	first.close();
	newer(READS + 1, READS);
	const journal = open();
	expect(journal.trouble()).toBeNull();
	pay(journal);
	expect(carried()).toEqual({ written_format: READS + 1, readable_from: READS });
	journal.close();
});

test('a journal with an invalid format entry is refused as damaged when it is opened, even if every record is known', () => {
	const journal = open();
	pay(journal);
	journal.close();
	sql('UPDATE format SET readable_from = 0 RETURNING 1');
	const opened = openStore(directory);
	expect(opened).toMatchObject({ ok: false, error: { code: 'damaged' } });
});

test('an unknown record kind in a journal of a known format is reported as a changed or damaged file', () => {
	const first = open();
	pay(first);
	first.close();
	newer(READS, READS);
	const journal = open();
	expect(journal.trouble()?.message).toMatch('changed or damaged');
	journal.close();
});
