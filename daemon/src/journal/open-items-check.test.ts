import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rupiah } from '@kiosk/contract/money';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { type Journal, openJournal } from './journal.ts';
import { ACCOUNT, keyOf } from './payment.fixture.ts';
import { type JournalRecord, paymentKey } from './records.ts';
import { openStore } from './store.ts';

const PAYMENT = { account: ACCOUNT, id: 7, odoo_id: 'SO7', noinvoice: 'INV/7', total: rupiah(137_500) };
const TIME = '2026-11-21T14:31:08+07:00';
const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const NOTE = { note_id: id(1) };
const DOUBT = { note_id: id(2) };
const SALE = { attempt_id: id(3) };
const BUDI = { staff_name: 'Budi', role: 'cashier', code_id: null } as const;
/**
 * More records than a start verifies, so that the open items are older than the verified records.
 */
const LATER = 300;

let untouched: string;
let directory: string;
let journal: Journal;

const open = (): Journal => openJournal({ directory, minFreeBytes: 0 }, systemClock, openStore);

function written(...records: JournalRecord[]): void {
	for (const record of records) expect(journal.append(record)).toMatchObject({ ok: true });
}

beforeAll(() => {
	untouched = mkdtempSync(join(tmpdir(), 'open-items-'));
	directory = untouched;
	journal = open();
	written(
		{ kind: 'cash_intent', ...NOTE, payment: PAYMENT, nominal: rupiah(50_000), code: '0x45', time: TIME },
		{ kind: 'cash_credit', ...NOTE, late: false },
		{ kind: 'cash_intent', ...DOUBT, payment: PAYMENT, nominal: rupiah(20_000), code: '0x44', time: TIME },
		{ kind: 'cash_in_doubt', ...DOUBT, why: 'silence' },
		{ kind: 'card_sale', ...SALE, payment: { ...PAYMENT, id: 8 }, amount: rupiah(90_000), method: 'card', attempt: 1, time: TIME },
		{ kind: 'card_unknown', ...SALE, why: 'silence', response: null },
		{ kind: 'staff_names_changed', change_id: id(4), action: 'add', staff_name: 'Budi', by: 'Sari', people: [BUDI], time: TIME },
		...Array.from({ length: LATER }, (_, n) => ({ kind: 'acceptor_lock', lock_id: id(100 + n), locked: false, why: '' }) as const),
	);
	journal.close();
});
afterAll(() => rmSync(untouched, { recursive: true }));
beforeEach(() => {
	directory = temporaryFolder('open-items');
	cpSync(untouched, directory, { recursive: true });
});
afterEach(() => journal.close());

function tamper(sql: string): void {
	const db = new DatabaseSync(join(directory, 'journal.sqlite'));
	expect(Number(db.prepare(sql).run().changes)).toBe(1);
	db.close();
}

test('a journal with open items can be opened, however old the items are', () => {
	journal = open();
	expect(journal.trouble()).toBeNull();
	expect(journal.nextUpload(ACCOUNT)).toMatchObject({ ...NOTE, nominal: 50_000 });
	expect(journal.inDoubt()).toHaveLength(1);
	expect(journal.cards.unknown()).toHaveLength(1);
});

test.each([
	`UPDATE notes SET nominal = 100000 WHERE note_id = '${NOTE.note_id}'`,
	`UPDATE notes SET id = '9' WHERE note_id = '${NOTE.note_id}'`,
	`UPDATE notes SET payment_id = '9' WHERE note_id = '${NOTE.note_id}'`,
	`UPDATE notes SET state = 'credited', credited_seq = 4 WHERE note_id = '${DOUBT.note_id}'`,
	`UPDATE notes SET id = '{' WHERE note_id = '${DOUBT.note_id}'`,
	`UPDATE notes SET note_id = '${id(9)}' WHERE note_id = '${NOTE.note_id}'`,
	`UPDATE card_sales SET amount = 1 WHERE attempt_id = '${SALE.attempt_id}'`,
	`UPDATE card_sales SET state = 'approved', approved_seq = 6 WHERE attempt_id = '${SALE.attempt_id}'`,
	`UPDATE records SET body = replace(body, '50000', '100000') WHERE seq = 1`,
	`UPDATE records SET body = 'nothing' WHERE seq = 3`,
	'DELETE FROM records WHERE seq = 5',
	`UPDATE records SET body = replace(body, 'cashier', 'supervisor') WHERE kind = 'staff_names_changed'`,
])('another program writes %s: the journal is in trouble with a reason and returns none of the changed data', (sql) => {
	tamper(sql);
	journal = open();
	expect(journal.trouble()).toMatchObject({ code: 'journal_unhealthy', message: expect.stringMatching(/\w+/) });
	expect(journal.nextUpload(ACCOUNT)).toBeNull();
	expect(journal.inDoubt()).toEqual([]);
	expect(journal.append({ kind: 'note_uploaded', ...NOTE }).ok).toBe(false);
});

test.each([
	["id = '{'", 'cannot be understood (id)'],
	['nominal = 100000', 'it differs from its record'],
	['credited_seq = 3', 'it differs from its record'],
])('an old note with %s puts the journal in trouble, with the reason, when the note is read', (change, reason) => {
	journal = open();
	written({ kind: 'note_uploaded', ...NOTE });
	journal.close();
	tamper(`UPDATE notes SET ${change} WHERE note_id = '${NOTE.note_id}'`);
	journal = open();
	expect(journal.notesOf(keyOf(7))).toEqual([]);
	expect(journal.trouble()?.message).toContain(reason);
});

test('an id with a lone surrogate is read back at the next start', () => {
	journal = open();
	written({ kind: 'invoice_paid', payment: { ...PAYMENT, id: '\ud800' }, by: 'kiosk' });
	journal.close();
	journal = open();
	expect(journal.trouble()).toBeNull();
	expect(journal.money.toldPaid(paymentKey({ ...PAYMENT, id: '\ud800' }))).toBe('kiosk');
});

describe('more waiting notes than a start reads', () => {
	const MANY = 600;
	/** Id of the note in the middle of the queue. */
	const MIDDLE = id(5_300);
	let queue: string;
	beforeAll(() => {
		queue = mkdtempSync(join(tmpdir(), 'open-items-'));
		directory = queue;
		journal = open();
		for (let n = 0; n < MANY; n += 1) {
			const note_id = id(5_000 + n);
			written(
				{ kind: 'cash_intent', note_id, payment: PAYMENT, nominal: rupiah(50_000), code: '0x45', time: TIME },
				{ kind: 'cash_credit', note_id, late: false },
			);
		}
		journal.close();
	});
	afterAll(() => rmSync(queue, { recursive: true }));
	beforeEach(() => {
		rmSync(directory, { recursive: true });
		cpSync(queue, directory, { recursive: true });
	});

	/** Sends every waiting note, as the outbox does. @returns their number */
	function sent(): number {
		let count = 0;
		for (let note = journal.nextUpload(ACCOUNT); note; note = journal.nextUpload(ACCOUNT)) {
			expect(note.nominal).toBe(50_000);
			written({ kind: 'note_uploaded', note_id: note.note_id });
			count += 1;
		}
		return count;
	}

	test('all are counted and sent, oldest first', () => {
		journal = open();
		expect(journal.waitingUploads()).toEqual({ count: MANY, total: MANY * 50_000, oldest: TIME });
		expect([sent(), journal.trouble()]).toEqual([MANY, null]);
		expect(journal.waitingUploads()).toEqual({ count: 0, total: 0, oldest: null });
	});

	const CHANGES = [
		`UPDATE notes SET nominal = 100000 WHERE note_id = '${MIDDLE}'`,
		`UPDATE notes SET id = '9', payment_id = '9' WHERE note_id = '${MIDDLE}'`,
		`UPDATE notes SET note_id = '${id(9)}' WHERE note_id = '${MIDDLE}'`,
	];

	test.each([...CHANGES, `UPDATE records SET at = at + 1 WHERE subject = '${MIDDLE}' AND kind = 'cash_intent'`])(
		'%s in the middle of the queue: the notes before it are sent, and this note is never sent',
		(sql) => {
			tamper(sql);
			journal = open();
			expect([journal.trouble(), sent()]).toEqual([null, 300]);
			expect(journal.trouble()).toMatchObject({ code: 'journal_unhealthy' });
		},
	);

	test.each(CHANGES)('%s: the background verification detects the change although nothing is sent', (sql) => {
		tamper(sql);
		journal = open();
		for (let step = 0; step < 12; step += 1) journal.patrol();
		expect(journal.trouble()).toMatchObject({ code: 'journal_unhealthy', message: expect.stringContaining('changed or damaged') });
	});

	test('if another program sets the count of waiting notes to zero, the next start detects it', () => {
		tamper('UPDATE waiting SET count = 0, total = 0');
		journal = open();
		expect(journal.trouble()?.message).toContain('count of waiting notes');
	});

	test('the waiting notes in a journal of an earlier version are counted at the first start', () => {
		const db = new DatabaseSync(join(directory, 'journal.sqlite'));
		db.exec('DROP TRIGGER waiting_begins; DROP TRIGGER waiting_ends; DROP TABLE waiting');
		db.close();
		journal = open();
		expect(journal.waitingUploads()).toMatchObject({ count: MANY, total: MANY * 50_000 });
	});
});
