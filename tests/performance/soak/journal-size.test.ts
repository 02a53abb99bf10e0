// @module-tag deep
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rupiah } from '@kiosk/contract/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../daemon/src/base/clock.ts';
import { type Journal, openJournal } from '../../../daemon/src/journal/journal.ts';
import { ACCOUNT } from '../../../daemon/src/journal/payment.fixture.ts';
import { paymentFile, paymentsOf } from '../../../daemon/src/journal/payment-file.ts';
import { type CardResponse, paymentKey } from '../../../daemon/src/journal/records.ts';
import { openStore, readStore } from '../../../daemon/src/journal/store.ts';
import { invoice, writeHistory } from './history.ts';
import { writeWaiting } from './waiting-notes.ts';

const SHORT = 2_000;
const LONG = 50_000;
/** If a B-tree grows by one level, each row lookup reads one more page. */
const PAGE_BYTES = 4_096;
const MORE_BYTES = 16 * PAGE_BYTES;
/** Higher limits for queries of many rows: all notes of one day, all records of one payment. */
const MORE_FOR: Readonly<Record<string, number>> = {
	'the cashbox now': 160 * PAGE_BYTES,
	'the cashbox of the first day': 160 * PAGE_BYTES,
	'a payment in cash': 48 * PAGE_BYTES,
	'a payment by card': 48 * PAGE_BYTES,
};
const MORE_FOR_A_FILE = 48 * PAGE_BYTES;
const historyKey = (payment: number) => paymentKey(invoice(payment));
const PAYMENT = { account: ACCOUNT, id: 'new', odoo_id: null, noinvoice: 'INV/NEW', total: rupiah(70_000) };
const TIME = '2026-11-21T14:31:08+07:00';

/** Time limit for writing the histories on a busy computer. */
const WRITE_MS = 240_000;

let directory: string;

beforeAll(() => {
	directory = mkdtempSync('/dev/shm/kiosk-history-');
	for (const records of [SHORT, LONG]) {
		const opened = openStore(join(directory, String(records)));
		if (!opened.ok) throw new Error(opened.error.message);
		writeHistory(opened.value, records);
		opened.value.close();
	}
}, WRITE_MS);
afterAll(() => rmSync(directory, { recursive: true }));

/** @returns the bytes read from files by this thread so far, from disk or page cache */
const bytesRead = (): number => Number(/^rchar: (\d+)/.exec(readFileSync('/proc/thread-self/io', 'utf8'))?.[1]);

function bytesOf(act: () => void): number {
	const before = bytesRead();
	act();
	return bytesRead() - before;
}

const openAt = (records: number): Journal =>
	openJournal({ directory: join(directory, String(records)), minFreeBytes: 0 }, systemClock, openStore);

const response = (number: number): CardResponse => ({
	type: 'sale',
	code: '00',
	amount: PAYMENT.total,
	masked_pan: '',
	rrn: String(number).padStart(12, '0'),
	approval: String(number).padStart(6, '0'),
	date: '',
	time: '',
	merchant_id: '',
	terminal_id: 'EDC00001',
	invoice: String(number).padStart(6, '0'),
	batch: '000001',
	issuer_id: '00',
});

function written(journal: Journal, ...records: Parameters<Journal['append']>[0][]): void {
	for (const record of records) expect(journal.append(record)).toMatchObject({ ok: true });
}

/** Queries of a start, a payment, the health page and staff. */
const QUESTIONS: Record<string, (journal: Journal) => unknown> = {
	'has a record': (journal) => journal.has({ kind: 'cash_credit', note_id: randomUUID(), late: true }),
	'notes of an invoice': (journal) => journal.notesOf(historyKey(1)),
	'notes in doubt': (journal) => journal.inDoubt(),
	'the newest doubt': (journal) => journal.unheardDoubt(),
	'next upload': (journal) => journal.nextUpload(ACCOUNT),
	'waiting uploads': (journal) => journal.waitingUploads(),
	'a balance': (journal) => journal.money.balanceOf(historyKey(4)).state,
	'items for staff': (journal) => journal.money.attention(),
	'payments with an id': (journal) => journal.money.paymentsWithId(ACCOUNT, '4'),
	'own money': (journal) => journal.money.hasMoneyOf(historyKey(1)),
	'parked notes': (journal) => journal.parked(),
	'waiting for others': (journal) => journal.waitingForOthers(ACCOUNT),
	'notes for others': (journal) => journal.notesForOthers(ACCOUNT, 100),
	'a payment by its number': (journal) => journal.money.paymentsNamed(PAYMENT.noinvoice, ACCOUNT),
	'a payment by its id': (journal) => journal.money.paymentsNamed('4', ACCOUNT),
	'after a review': (journal) => journal.money.afterReview(historyKey(4)).state,
	'the oldest approval': (journal) => journal.cards.oldestApproval(),
	'ever confirmed': (journal) => journal.hasConfirmed(ACCOUNT),
	'times printed': (journal) => journal.timesPrinted(historyKey(1)),
	'open prints': (journal) => journal.openPrints(),
	'the lock': (journal) => journal.acceptorLock(),
	'open intents': (journal) => journal.doubtOpenIntents(null),
	'a note by its beginning': (journal) => journal.cashbox.find('abcd1'),
	'the cashbox now': (journal) => journal.cashbox.period(null)?.number,
	'the cashbox of the first day': (journal) => journal.cashbox.period(1)?.number,
	partials: (journal) => journal.cashbox.partials(),
	'the newest payments': (journal) => journal.cashbox.newestPayments(60),
	'a slip that is due': (journal) => journal.cashbox.slipDue(historyKey(1)),
	'a sale': (journal) => journal.cards.sale(randomUUID()),
	'a sale by its beginning': (journal) => journal.cards.find('abcd1'),
	'sales of an invoice': (journal) => journal.cards.ofPayment(historyKey(4)),
	'the last sale': (journal) => journal.cards.last(),
	'open sales': (journal) => journal.cards.open(),
	'unknown sales': (journal) => journal.cards.unknown(),
	'charged twice': (journal) => journal.cards.chargedTwice(),
	unsettled: (journal) => journal.cards.unsettled(),
	'next approval': (journal) => journal.cards.nextApproval(ACCOUNT),
	'waiting approvals': (journal) => journal.cards.waitingApprovals(),
	'a known charge': (journal) => journal.cards.knows(response(8)),
	'an unknown charge': (journal) => journal.cards.knows(response(999_999)),
	'a voided charge': (journal) => journal.cards.voidedBy({ ...response(8), type: 'void' }),
	'open actions': (journal) => journal.cards.openActions(),
	'sales by state': (journal) => journal.cards.countByState(),
	'a payment in cash': (journal) => {
		const note = { note_id: randomUUID() };
		const payment = { ...PAYMENT, id: randomUUID() };
		written(
			journal,
			{ kind: 'cash_intent', ...note, payment, nominal: rupiah(50_000), code: '0x45', time: TIME },
			{ kind: 'cash_credit', ...note, late: false },
			{ kind: 'note_uploaded', ...note },
			{ kind: 'invoice_paid', payment, by: 'kiosk' },
		);
	},
	'a note in doubt, settled': (journal) => {
		const note = { note_id: randomUUID() };
		written(
			journal,
			{ kind: 'cash_unexplained', ...note, code: null, nominal: null, time: TIME },
			{ kind: 'cash_evidence', ...note, what: 'heard again' },
			{ kind: 'cash_settled', ...note, outcome: 'not_ours', nominal: null, by: 'Sari', why: 'nothing there' },
		);
	},
	'a payment by card': (journal) => {
		const sale = { attempt_id: randomUUID() };
		const payment = { ...PAYMENT, id: randomUUID() };
		const action_id = randomUUID();
		written(
			journal,
			{ kind: 'card_sale', ...sale, payment, amount: payment.total, method: 'card', attempt: 1, time: TIME },
			{ kind: 'card_outcome', ...sale, outcome: 'approved', response: response(5), late: false },
			{ kind: 'card_approval_begun', ...sale },
			{ kind: 'card_approval_sent', ...sale },
			{ kind: 'card_action', action_id, action: 'void', ...sale, by: 'Sari', why: 'wrong invoice', time: TIME },
			{ kind: 'card_action_ended', action_id, outcome: 'done', why: '', response: null },
		);
	},
	'a checked receipt': (journal) => {
		const print = journal.printAt(journal.money.position());
		journal.firstReceiptOf(print?.payment_id ?? historyKey(7));
		journal.givenBackOf(historyKey(7));
	},
	'a receipt': (journal) => {
		const print_id = randomUUID();
		written(
			journal,
			// The print gets a new payment id. With the id of an existing payment, the print would
			// lengthen the export of that payment, and this export is measured below.
			{ kind: 'print_requested', print_id, payment_id: randomUUID(), purpose: 'copy' },
			{ kind: 'print_ended', print_id, state: 'failed', reason: 'paper_out' },
		);
		journal.printOf(print_id);
	},
};

test('a start reads the end of the journal, not its history', () => {
	const read = (records: number) => bytesOf(() => openAt(records).close());
	expect(read(LONG) - read(SHORT)).toBeLessThan(MORE_BYTES);
});

test.each(Object.keys(QUESTIONS))('%s: the query reads hardly more from a history many times longer', (name) => {
	const read = (records: number) => {
		const journal = openAt(records);
		try {
			return bytesOf(() => QUESTIONS[name]?.(journal));
		} finally {
			journal.close();
		}
	};
	expect(read(LONG) - read(SHORT)).toBeLessThan(MORE_FOR[name] ?? MORE_BYTES);
});

describe('notes waiting for the back office', () => {
	const FEW = 1_000;
	const MANY = 10_000;
	/**
	 * Limit for reading 128 notes at each end of the queue. Ids are random, so each note and its
	 * records are on different pages.
	 */
	const MORE_FOR_THE_ENDS = 256 * 6 * PAGE_BYTES;
	beforeAll(() => {
		for (const notes of [FEW, MANY]) {
			const opened = openStore(join(directory, String(notes)));
			if (!opened.ok) throw new Error(opened.error.message);
			writeWaiting(opened.value, notes);
			opened.value.close();
		}
	});

	test('a start reads both ends of the queue of waiting notes, not the whole queue', () => {
		const read = (notes: number) => bytesOf(() => openAt(notes).close());
		expect(read(MANY) - read(FEW)).toBeLessThan(MORE_FOR_THE_ENDS);
	});

	test.each(['waiting uploads', 'next upload', 'notes in doubt', 'partials', 'unknown sales', 'waiting approvals', 'notes of an invoice'])(
		'%s: the query reads hardly more from a queue ten times as long',
		(name) => {
			const read = (notes: number) => {
				const journal = openAt(notes);
				try {
					return bytesOf(() => QUESTIONS[name]?.(journal));
				} finally {
					journal.close();
				}
			};
			expect(read(MANY) - read(FEW)).toBeLessThan(MORE_BYTES);
		},
	);
});

test.each([{ payment: '4' }, { payment: '1' }, { invoice: 'INV/2026/0000004' }, { invoice: 'INV/2026/0000001' }])(
	'the export for %j reads no other payments',
	(of) => {
		const read = (records: number) => {
			const opened = readStore(join(directory, String(records)));
			if (!opened.ok) throw new Error(opened.error.message);
			const store = opened.value;
			const bytes = bytesOf(() => expect(paymentFile(store, paymentsOf(store, of)).records.length).toBeGreaterThan(3));
			store.close();
			return bytes;
		};
		expect(read(LONG) - read(SHORT)).toBeLessThan(MORE_FOR_A_FILE);
	},
);

test.each(['notes', 'card_sales', 'prints', 'paid'])('the byte count detects a query that reads all of %s', (table) => {
	const read = (records: number) => {
		const opened = openStore(join(directory, String(records)));
		if (!opened.ok) throw new Error(opened.error.message);
		const store = opened.value;
		const bytes = bytesOf(() => store.rows(`SELECT count(*) FROM ${table} WHERE payment_id || '' = 'x'`));
		store.close();
		return bytes;
	};
	expect(read(LONG) - read(SHORT)).toBeGreaterThan(MORE_BYTES);
});
