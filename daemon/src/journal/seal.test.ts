/** A journal rewritten by an attacker without the key, and a lost key. */
import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rupiah } from '@kiosk/contract/money';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import type { Clock } from '../base/clock.ts';
import { fail } from '../base/result.ts';
import { type Journal, openJournal } from './journal.ts';
import type { OpenStore } from './journal-file.ts';
import { ACCOUNT, keyOf } from './payment.fixture.ts';
import { verifyChain } from './payment-file.ts';
import type { JournalRecord } from './records.ts';
import { hideSeal, readSeal } from './seal.ts';
import { JOURNAL_FILE, openStore, readStore, type Store } from './store.ts';

const AT = new Date('2026-11-21T07:31:08Z');
const DECISION = { by: 'Sari', why: 'factory reset', time: '2026-11-21T14:31:08+07:00' };
/** Number of notes. They have more records than a start checks. */
const OLD = 150;

let directory: string;
let state: string;
let journal: Journal;
const clock: Clock = { now: () => 1_000, wall: () => AT, after: () => () => {} };
const keyFile = () => join(state, 'journal.key');
const headFile = () => join(state, 'journal.head');

const open = (store: OpenStore = openStore): Journal =>
	openJournal({ directory, minFreeBytes: 0, headFile: headFile(), keyFile: keyFile() }, clock, store, () => 1_000_000);

/** @returns `openStore` with another way to write the record of a reseal */
const resealingBy =
	(write: (store: Store, record: JournalRecord) => ReturnType<Store['append']>): OpenStore =>
	(...at) => {
		const opened = openStore(...at);
		if (!opened.ok) return opened;
		const { value: store } = opened;
		const append: Store['append'] = (record, time) =>
			record.kind === 'journal_resealed' ? write(store, record) : store.append(record, time);
		return { ok: true, value: { ...store, append } };
	};

beforeEach(() => {
	const folder = temporaryFolder('seal');
	directory = join(folder, 'journal');
	state = join(folder, 'state');
	mkdirSync(state);
	journal = open();
});
afterEach(() => journal.close());

function take(nominal = 50_000): void {
	const note_id = randomUUID();
	const payment = { account: ACCOUNT, id: 7, odoo_id: null, noinvoice: 'INV/7', total: rupiah(900_000) };
	for (const record of [
		{ kind: 'cash_intent', note_id, payment, nominal: rupiah(nominal), code: '0x45', time: AT.toISOString() },
		{ kind: 'cash_credit', note_id, late: false },
		{ kind: 'note_uploaded', note_id },
	] as const)
		expect(journal.append(record)).toMatchObject({ ok: true });
}

function reopened(): string | undefined {
	journal.close();
	journal = open();
	return journal.trouble()?.message;
}

function onFile<T>(act: (db: DatabaseSync) => T): T {
	journal.close();
	const db = new DatabaseSync(join(directory, JOURNAL_FILE));
	try {
		return act(db);
	} finally {
		db.close();
	}
}

/**
 * Changes an amount and recomputes the whole hash chain, as an attacker with the source code can.
 */
function rewrite(seq: number, seals: 'kept' | 'removed'): void {
	onFile((db) => {
		db.prepare(`UPDATE records SET body = replace(body, '50000', '20000') WHERE seq = ?`).run(seq);
		db.exec('UPDATE notes SET nominal = 20000 WHERE note_id = (SELECT subject FROM records WHERE seq = 1)');
		let before: Uint8Array = Buffer.alloc(32);
		for (const row of db.prepare('SELECT * FROM records ORDER BY seq').all()) {
			const text = JSON.stringify([row.seq, row.at, row.kind, row.subject, row.body]);
			before = createHash('sha256').update(before).update(text).digest();
			db.prepare('UPDATE records SET hash = ? WHERE seq = ?').run(before, Number(row.seq));
		}
		if (seals === 'removed') db.exec('UPDATE records SET seal = NULL');
	});
	// An attacker with access to the head file would have the key as well. The head file is deleted
	// here, so that only the seals can detect the change.
	rmSync(headFile(), { force: true });
}

async function verified(withKey: boolean) {
	const found = readSeal(keyFile());
	const seal = withKey && found.state === 'found' ? found.seal : null;
	const reader = readStore(directory, seal);
	if (!reader.ok) throw new Error(reader.error.message);
	try {
		return await verifyChain(reader.value, seal);
	} finally {
		reader.value.close();
	}
}

describe('a changed journal', () => {
	test.each(['kept', 'removed'] as const)(
		'whose whole chain was rewritten is refused at the next start (seals %s), although the hash chain is valid',
		async (seals) => {
			take();
			take();
			rewrite(1, seals);
			expect(await verified(false)).toEqual({ records: 6, bad: null, fault: null, sealed_from: null });
			expect(await verified(true)).toMatchObject({ bad: 1, fault: expect.stringContaining('does not bear the seal of this kiosk') });
			expect(reopened()).toContain('record 1 does not bear the seal of this kiosk');
			expect(journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: '' }).ok).toBe(false);
		},
	);

	test('can be opened if only an old record has a wrong seal, and the background verification detects that seal', { tags: 'deep' }, () => {
		for (let count = 0; count < OLD; count += 1) take();
		onFile((db) => {
			db.exec('UPDATE records SET seal = zeroblob(32) WHERE seq = 4');
		});
		expect(reopened()).toBeUndefined();
		for (let step = 0; step < 4; step += 1) journal.patrol();
		expect(journal.trouble()?.message).toContain('record 4 does not bear the seal');
	});

	test('is refused at the next start even if the changed record was written before the key existed', () => {
		journal.close();
		rmSync(state, { recursive: true });
		rmSync(directory, { recursive: true });
		mkdirSync(state);
		journal = openJournal({ directory, minFreeBytes: 0 }, clock, openStore, () => 1_000_000);
		take();
		expect(reopened()).toBeUndefined();
		take();
		expect(onFile((db) => db.prepare('SELECT count(seal) AS sealed FROM records').get())).toEqual({ sealed: 3 });
		expect(reopened()).toBeUndefined();
		rewrite(1, 'kept');
		expect(reopened()).toContain('record 3 does not bear the seal');
	});
});

describe('the key', () => {
	test('is created at the first start, readable only by its owner, and stays', () => {
		take();
		const made = readFileSync(keyFile(), 'utf8');
		expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
		expect(reopened()).toBeUndefined();
		expect(readFileSync(keyFile(), 'utf8')).toBe(made);
		expect(readFileSync(join(directory, JOURNAL_FILE)).includes(JSON.parse(made).key)).toBe(false);
	});

	test('is restricted to its owner if other users could read it, and only the first call reports this', () => {
		chmodSync(keyFile(), 0o644);
		expect([hideSeal(keyFile()), hideSeal(keyFile()), statSync(keyFile()).mode & 0o777]).toEqual([true, false, 0o600]);
	});

	test('causes no fault at the next start if an interrupted first start left it empty, cut or without a journal', () => {
		expect(readSeal(keyFile()).state).toBe('found');
		journal.close();
		for (const left of ['', '{"key":"ab']) {
			writeFileSync(keyFile(), left);
			expect(reopened()).toBeUndefined();
		}
		rmSync(directory, { recursive: true });
		expect(reopened()).toBeUndefined();
		take();
	});

	test('cannot be written: the kiosk takes no money and reports the reason, and the journal can be opened later', () => {
		journal.close();
		rmSync(keyFile());
		// Simulates a full disk: the new file cannot be created under its name.
		mkdirSync(`${keyFile()}.new`);
		expect(reopened()).toContain('the key of the journal cannot be written');
		expect(journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: '' }).ok).toBe(false);
		rmSync(`${keyFile()}.new`, { recursive: true });
		expect([journal.reopen(), journal.trouble()]).toEqual([null, null]);
	});

	test.each<[what: string, act: () => void]>([
		['is gone', () => rmSync(keyFile())],
		['is empty', () => writeFileSync(keyFile(), '')],
		['is cut', () => writeFileSync(keyFile(), readFileSync(keyFile()).subarray(0, 40))],
		['is gone with all of the state', () => rmSync(state, { recursive: true })],
	])(
		'%s: the kiosk takes no money and makes no new key until staff decide; with the restored key the journal opens by itself',
		(_what, act) => {
			take();
			const aside = `${state}.aside`;
			cpSync(state, aside, { recursive: true });
			journal.close();
			act();
			mkdirSync(state, { recursive: true });
			const message = reopened();
			expect(message).toContain('the key that seals the journal is lost');
			expect(message).not.toContain('damaged:');
			expect(journal.reopen()).not.toBeNull();
			expect(readSeal(keyFile()).state).toBe('missing');
			copyFileSync(join(aside, 'journal.key'), keyFile());
			expect([journal.reopen(), journal.trouble()]).toEqual([null, null]);
			take();
		},
	);

	test('is reported as lost even if the seals were removed too, because the head file records that there were seals', () => {
		take();
		onFile((db) => db.exec('UPDATE records SET seal = NULL'));
		rmSync(keyFile());
		expect(reopened()).toContain('the key that seals the journal is lost');
	});

	test('of another kiosk: the journal is refused, and the message names another key as a possible cause; with the kiosk’s own key, the journal can be opened', () => {
		take();
		journal.close();
		const own = readFileSync(keyFile(), 'utf8');
		writeFileSync(keyFile(), JSON.stringify({ key: 'ab'.repeat(32), from: 1, before: '' }));
		expect(reopened()).toMatch(/^record 1 does not bear the seal of this kiosk: .* sealed with another key/);
		writeFileSync(keyFile(), own);
		expect(reopened()).toBeUndefined();
	});
});

describe('staff decide about a lost key', () => {
	test('to continue: the journal stays, a record names the person, and a new key seals the later records', () => {
		take();
		expect(journal.reseal({ ...DECISION, reseal_id: randomUUID() })).toMatchObject({ ok: false });
		journal.close();
		rmSync(keyFile());
		journal = open();
		expect(journal.reseal({ ...DECISION, reseal_id: randomUUID() })).toEqual({ ok: true, value: undefined });
		expect([journal.trouble(), journal.notesOf(keyOf(7)).length]).toEqual([null, 1]);
		take();
		expect(reopened()).toBeUndefined();
		expect(onFile((db) => db.prepare(`SELECT seq, body ->> 'by' AS by FROM records WHERE kind = 'journal_resealed'`).all())).toEqual([
			{ seq: 4, by: 'Sari' },
		]);
		rewrite(1, 'kept');
		expect(reopened()).toContain('does not bear the seal');
	});

	test('to continue with a journal whose hashes do not match: the kiosk refuses', () => {
		take();
		onFile((db) => db.exec('UPDATE records SET at = at + 1 WHERE seq = 1'));
		rmSync(keyFile());
		journal = open();
		expect(journal.reseal({ ...DECISION, reseal_id: randomUUID() })).toMatchObject({
			ok: false,
			error: { message: expect.stringContaining('does not match its hash') },
		});
	});

	test('to continue, but a hash does not match: no new key is made, so the old key still fits if it is found', () => {
		take();
		onFile((db) => db.exec('UPDATE records SET at = at + 1 WHERE seq = 1'));
		const old = `${keyFile()}.old`;
		renameSync(keyFile(), old);
		journal = open();
		expect(journal.reseal({ ...DECISION, reseal_id: randomUUID() }).ok).toBe(false);
		expect(readSeal(keyFile()).state).toBe('missing');
		onFile((db) => db.exec('UPDATE records SET at = at - 1 WHERE seq = 1'));
		renameSync(old, keyFile());
		expect(reopened()).toBeUndefined();
	});

	test.each<[string, (store: Store, record: JournalRecord) => ReturnType<Store['append']>, number]>([
		['the record cannot be written', () => fail({ code: 'disk_full', message: 'no space' }), 1],
		['the kiosk stops before the record is written', () => expect.fail('killed'), 1],
		[
			'the kiosk stops after the record is written',
			(store, record) => {
				store.append(record, AT);
				return expect.fail('killed');
			},
			2,
		],
	])('to continue, but %s: the journal stays refused until staff decide again', async (_what, write, records) => {
		take();
		journal.close();
		rmSync(keyFile());
		journal = open(resealingBy(write));
		const reseal = () => journal.reseal({ ...DECISION, reseal_id: randomUUID() });
		try {
			expect(reseal().ok).toBe(false);
		} catch (error) {
			expect(error).toMatchObject({ message: 'killed' });
		}
		expect(reopened()).toContain('the key that seals the journal is lost');
		expect(journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: '' }).ok).toBe(false);
		expect(reseal()).toEqual({ ok: true, value: undefined });
		take();
		expect(reopened()).toBeUndefined();
		expect(await verified(true)).toMatchObject({ bad: null, sealed_from: 3 + records });
		expect(onFile((db) => db.prepare(`SELECT count(*) AS count FROM records WHERE kind = 'journal_resealed'`).get())).toEqual({
			count: records,
		});
	});

	test('to continue, but the new key cannot be stored: the journal stays refused and unchanged until staff decide again', () => {
		take();
		journal.close();
		const lost = readFileSync(keyFile());
		rmSync(keyFile());
		journal = open();
		mkdirSync(`${keyFile()}.next`);
		const reseal = () => journal.reseal({ ...DECISION, reseal_id: randomUUID() });
		expect(reseal()).toMatchObject({ ok: false, error: { message: expect.stringContaining('the key of the journal cannot be written') } });
		expect(journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: '' }).ok).toBe(false);
		expect(journal.reopen()?.message).toContain('the key that seals the journal is lost');
		rmSync(`${keyFile()}.next`, { recursive: true });
		writeFileSync(keyFile(), lost);
		expect(reopened()).toBeUndefined();
		rmSync(keyFile());
		expect(reopened()).toContain('the key that seals the journal is lost');
		expect(reseal()).toEqual({ ok: true, value: undefined });
		expect(reopened()).toBeUndefined();
	});

	test('to start again: the new journal is sealed from its first record, and the old key is kept beside the new key', async () => {
		take();
		const old = readFileSync(keyFile(), 'utf8');
		expect(journal.restart({ ...DECISION, restart_id: randomUUID() }, { list: null, isLast: true }, null).ok).toBe(true);
		expect(reopened()).toBeUndefined();
		expect(await verified(true)).toMatchObject({ records: 1, bad: null, sealed_from: 1 });
		expect(readFileSync(`${keyFile()}.set-aside-20261121T143108`, 'utf8')).toBe(old);
		expect(readFileSync(keyFile(), 'utf8')).not.toBe(old);
	});
});

test('yesterday’s journal, sealed with the same key, is refused because the head file is newer', () => {
	take();
	journal.close();
	const yesterday = `${directory}.yesterday`;
	cpSync(directory, yesterday, { recursive: true });
	journal = open();
	take();
	journal.close();
	rmSync(directory, { recursive: true });
	cpSync(yesterday, directory, { recursive: true });
	expect(reopened()).toContain('ends before record J-6');
});

test('the journal is sealed and verified even if the clock shows 1970', () => {
	journal.close();
	journal = openJournal(
		{ directory, minFreeBytes: 0, keyFile: keyFile() },
		{ ...clock, wall: () => new Date(0) },
		openStore,
		() => 1_000_000,
	);
	take();
	expect(reopened()).toBeUndefined();
});
