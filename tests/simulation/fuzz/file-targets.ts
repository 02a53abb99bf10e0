import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rupiah } from '@kiosk/contract/money';
import * as v from 'valibot';
import { systemClock } from '../../../daemon/src/base/clock.ts';
import { type Journal, openJournal } from '../../../daemon/src/journal/journal.ts';
import { ACCOUNT, keyOf, paymentOf } from '../../../daemon/src/journal/payment.fixture.ts';
import { paymentFile, paymentsOf } from '../../../daemon/src/journal/payment-file.ts';
import { JournalRecord } from '../../../daemon/src/journal/records.ts';
import { openStore } from '../../../daemon/src/journal/store.ts';
import { parseSettings } from '../../../daemon/src/settings/settings.ts';
import type { Target } from './engine.ts';

const MOST_PROBLEM_CHARACTERS = 2_000;
/**
 * Words that distinguish the kinds of settings problems. A problem with none of these words is
 * classified as TOML.
 */
const KINDS = ['no such setting', 'is missing', 'acceptor', 'edc', 'printer', 'screen', 'back_office', 'journal', 'site', 'log'];

/** Reading a settings file must give valid settings or error messages. */
const settings: Target = {
	name: 'settings',
	words: [
		'[screen]\n',
		'[acceptor]\n',
		'[acceptor.notes]\n',
		'"0x40" = ',
		'port = "tcp:127.0.0.1:1"\n',
		'listen = ',
		'= 1\n',
		'"',
		"'''",
		'[[',
		'{',
		'1e999',
		'nan',
		'1979-05-27',
	],
	run(input) {
		const parsed = parseSettings(input.toString('utf8'), '/var/lib/kiosk');
		if (parsed.ok) {
			if (!/^127\.0\.0\.1:\d+$/.test(parsed.value.screen.listen)) throw new Error(`it listens on ${parsed.value.screen.listen}`);
			for (const nominal of parsed.value.acceptor?.notes.values() ?? [])
				if (!Number.isSafeInteger(nominal) || nominal < 1_000) throw new Error(`a note is worth ${nominal}`);
			return ['good'];
		}
		const { problems } = parsed.error;
		if (problems.length === 0) throw new Error('refused without a reason');
		for (const problem of problems)
			if (problem.trim() === '' || problem.length > MOST_PROBLEM_CHARACTERS + input.length)
				throw new Error(`unusable problem text: ${problem}`);
		return problems.map((problem) => KINDS.find((kind) => problem.includes(kind)) ?? 'TOML');
	},
};

const IN_MEMORY = '/dev/shm';
let folder: string | null = null;
/** @returns an empty folder; the previous folder is deleted */
function freshFolder(): string {
	if (folder !== null) rmSync(folder, { recursive: true, force: true });
	folder = mkdtempSync(join(IN_MEMORY, 'kiosk-fuzz-'));
	return folder;
}
function removeFolder(): void {
	if (folder !== null) rmSync(folder, { recursive: true, force: true });
	folder = null;
	if (untouched !== null) rmSync(untouched, { recursive: true, force: true });
	untouched = null;
}

const openAt = (directory: string): Journal => openJournal({ directory, minFreeBytes: 0 }, systemClock, openStore);

/** Runs the journal's queries, none of which may throw. @returns the state of the money */
function everything(journal: Journal): object {
	const money = {
		next: journal.nextUpload(ACCOUNT),
		waiting: journal.waitingUploads(),
		inDoubt: journal.inDoubt(),
		unknown: journal.cards.unknown(),
		open: journal.cards.open(),
		approval: journal.cards.nextApproval(ACCOUNT),
		notes: journal.notesOf(keyOf(7)),
	};
	journal.money.balanceOf(keyOf(7));
	journal.money.attention();
	journal.money.paymentsWithId(ACCOUNT, '7');
	journal.parked();
	journal.waitingForOthers(ACCOUNT);
	journal.timesPrinted(keyOf(7));
	journal.openPrints();
	journal.acceptorLock();
	journal.cashbox.partials();
	journal.cashbox.slipDue(keyOf(7));
	journal.cashbox.period(null);
	journal.cards.last();
	journal.cards.ofPayment(keyOf(8));
	journal.cards.chargedTwice();
	journal.cards.unsettled();
	journal.cards.waitingApprovals();
	journal.cards.openActions();
	journal.cards.countByState();
	return money;
}

/**
 * Appends those of the first 40 lines that are valid records. The credited sum must then match the
 * records, the hashes must be right, and the journal must open again.
 */
const records: Target = {
	name: 'journal-records',
	slow: true,
	words: [
		'"kind":"cash_credit"',
		'"kind":"cash_returned"',
		'"kind":"cash_in_doubt"',
		'"kind":"cash_evidence"',
		'"late":true',
		'"late":false',
		'\n',
		'"id":',
		'"why":""',
		'\\ud800',
		'\\u0000',
	],
	run(input) {
		const directory = freshFolder();
		const opened = openStore(directory);
		if (!opened.ok) throw new Error(opened.error.message);
		const store = opened.value;
		let written = 0;
		const reached: string[] = [];
		for (const line of input.toString('utf8').split('\n').slice(0, 40)) {
			const record = v.safeParse(v.pipe(v.string(), v.parseJson(), JournalRecord), line);
			if (!record.success) continue;
			try {
				const result = store.append(record.output, new Date(1_780_000_000_000));
				if (!result.ok) throw new Error(`the disk refused a record: ${result.error.message}`);
				written += 1;
				reached.push(`written ${record.output.kind}`);
				if (result.value !== written) throw new Error(`record ${written} has number ${result.value}`);
			} catch (error) {
				if (!/the ledger refuses|constraint failed/.test(String(error))) throw error;
				reached.push(`refused ${record.output.kind}`);
			}
		}
		const [sums] = store.rows(`SELECT (SELECT coalesce(sum(nominal), 0) FROM notes WHERE state = 'credited') AS books, (
			SELECT coalesce(sum(coalesce(begun.body ->> 'nominal', ended.body ->> 'nominal')), 0) FROM records AS ended
			JOIN records AS begun ON begun.subject = ended.subject AND begun.kind IN ('cash_intent', 'cash_unexplained')
			WHERE ended.kind = 'cash_credit' OR (ended.kind = 'cash_settled' AND ended.body ->> 'outcome' = 'in_box')) AS recorded`);
		if (sums?.books !== sums?.recorded) throw new Error(`${sums?.books} is credited, ${sums?.recorded} is recorded`);
		if (store.verify(1) !== null) throw new Error(`record ${store.verify(1)} does not match its hash right after it was written`);
		for (const { payment_id } of store.rows('SELECT DISTINCT payment_id FROM notes WHERE payment_id IS NOT NULL'))
			paymentFile(store, paymentsOf(store, { payment: String(payment_id) }));
		store.close();
		const journal = openAt(directory);
		const trouble = journal.trouble();
		if (trouble !== null) throw new Error(`the written journal cannot be opened: ${trouble.message}`);
		everything(journal);
		const after = journal.trouble();
		if (after !== null) throw new Error(`the written journal cannot be read: ${after.message}`);
		journal.close();
		return reached;
	},
	stop: removeFolder,
};

const PAYMENT = { account: ACCOUNT, id: 7, odoo_id: 'SO7', noinvoice: 'INV/7', total: rupiah(137_500) };
const TIME = '2026-11-21T14:31:08+07:00';
const note = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const APPROVAL = {
	type: 'sale',
	code: '00',
	amount: rupiah(137_500),
	masked_pan: '',
	rrn: '1',
	approval: '1',
	date: '',
	time: '',
	merchant_id: '',
	terminal_id: '',
	invoice: '1',
	batch: '1',
	issuer_id: '00',
} as const;
/**
 * The records of a note and an approval that wait for the back office, a note in doubt, an
 * unexplained note and an unknown sale.
 */
const UNTOUCHED: readonly JournalRecord[] = [
	{ kind: 'cash_intent', note_id: note(1), payment: PAYMENT, nominal: rupiah(50_000), code: '0x45', time: TIME },
	{ kind: 'cash_credit', note_id: note(1), late: false },
	{ kind: 'cash_intent', note_id: note(2), payment: PAYMENT, nominal: rupiah(20_000), code: '0x44', time: TIME },
	{ kind: 'cash_in_doubt', note_id: note(2), why: 'silence' },
	{ kind: 'cash_unexplained', note_id: note(3), code: null, nominal: null, time: TIME },
	{
		kind: 'card_sale',
		attempt_id: note(4),
		payment: paymentOf(8),
		amount: rupiah(137_500),
		method: 'card',
		attempt: 1,
		time: TIME,
	},
	{ kind: 'card_outcome', attempt_id: note(4), outcome: 'approved', response: APPROVAL, late: false },
	{
		kind: 'card_sale',
		attempt_id: note(5),
		payment: paymentOf(9),
		amount: rupiah(90_000),
		method: 'card',
		attempt: 1,
		time: TIME,
	},
	{ kind: 'card_unknown', attempt_id: note(5), why: 'silence', response: null },
];
let untouched: string | null = null;
let expected = '';

function untouchedJournal(): string {
	if (untouched !== null) return untouched;
	untouched = mkdtempSync(join(IN_MEMORY, 'kiosk-fuzz-'));
	const opened = openStore(untouched);
	if (!opened.ok) throw new Error(opened.error.message);
	for (const record of UNTOUCHED) opened.value.append(record, new Date(1_780_000_000_000));
	opened.value.close();
	const journal = openAt(untouched);
	expected = JSON.stringify(everything(journal));
	journal.close();
	return untouched;
}

const TABLES: Readonly<Record<string, readonly string[]>> = {
	records: ['seq', 'at', 'kind', 'subject', 'body', 'hash'],
	notes: ['note_id', 'payment_id', 'odoo_id', 'id', 'noinvoice', 'nominal', 'time', 'state', 'credited_seq', 'uploaded_seq'],
	card_sales: [
		'attempt_id',
		'payment_id',
		'payment',
		'amount',
		'method',
		'attempt',
		'time',
		'state',
		'response',
		'sent_seq',
		'approved_seq',
	],
};

/**
 * Each line `TABLE|ROW|COLUMN|VALUE` is a change by another program. After the changes the journal
 * must report trouble, or its open money must be unchanged.
 */
const rows: Target = {
	name: 'journal-rows',
	slow: true,
	words: [
		'records|',
		'notes|',
		'card_sales|',
		'|nominal|',
		'|state|',
		'|body|',
		'|amount|',
		'|payment|',
		'credited',
		'approved',
		'900000',
		'{"id":7}',
		'\n',
		'NULL',
	],
	run(input) {
		const directory = freshFolder();
		cpSync(untouchedJournal(), directory, { recursive: true });
		const touched = tamper(join(directory, 'journal.sqlite'), input.toString('utf8'));
		const journal = openAt(directory);
		try {
			if (journal.trouble() !== null) return explained(journal);
			const money = JSON.stringify(everything(journal));
			if (journal.trouble() !== null) return explained(journal);
			// Changes to free text for staff and to slip texts do not affect open money.
			if (touched && money !== expected) throw new Error(`open money differs from the records:\n${money}\n${expected}`);
			return [touched ? 'harmless' : 'untouched'];
		} finally {
			journal.close();
		}
	},
	stop: removeFolder,
};

function explained(journal: Journal): string[] {
	const { message = '' } = journal.trouble() ?? {};
	if (message.trim() === '') throw new Error('in trouble without a reason');
	if (journal.append({ kind: 'note_uploaded', note_id: note(1) }).ok) throw new Error('a journal in trouble still takes records');
	return [message.replace(/[\d-]+/g, '0').slice(0, 80)];
}

/**
 * Makes the changes.
 * @returns whether a row was changed; false if SQLite refused all changes
 */
function tamper(file: string, script: string): boolean {
	const db = new DatabaseSync(file);
	let changes = 0;
	try {
		for (const line of script.split('\n').slice(0, 8)) {
			const [table = '', row = '', column = '', ...rest] = line.split('|');
			if (!TABLES[table]?.includes(column)) continue;
			const text = rest.join('|');
			const value = text === 'NULL' ? null : /^-?\d{1,15}$/.test(text) ? Number(text) : text;
			const key = table === 'records' ? 'seq' : table === 'notes' ? 'note_id' : 'attempt_id';
			try {
				const sql = `UPDATE ${table} SET ${column} = ? WHERE ${key} = (SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT 1 OFFSET ?)`;
				changes += Number(db.prepare(sql).run(value, Number.parseInt(row, 10) || 0).changes);
			} catch {
				// A constraint of the table refused the change.
			}
		}
	} finally {
		db.close();
	}
	return changes > 0;
}

export const FILE_TARGETS: readonly Target[] = [settings, records, rows];
