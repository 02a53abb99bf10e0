import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rupiah } from '@kiosk/contract/money';
import type { StaffCase } from '@kiosk/contract/staff-cases';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { keyOf, paymentOf } from '../journal/payment.fixture.ts';
import { JOURNAL_FILE, openStore } from '../journal/store.ts';
import { type PaperCode, paperCodes } from '../proof/paper-code.ts';
import { openSlipKey } from '../proof/slip-key.ts';
import { type SlipCheck, slipCheck } from './slip-check.ts';
import { openSlipLooks } from './slip-looks.ts';

const KEY = keyOf('7');
const RENEWED = '2026-11-25T08:00:00+07:00';

let directory: string;
let journal: Journal;
let check: SlipCheck;
let owed: StaffCase | null;
let print: (purpose: 'receipt' | 'copy' | 'slip', of?: string) => PaperCode;

beforeEach(() => {
	directory = temporaryFolder('slip-check');
	owed = null;
	openAll();
	take();
});
afterEach(() => journal.close());

function take(): void {
	const note_id = randomUUID();
	const time = '2026-11-24T09:20:00+07:00';
	journal.append({ kind: 'cash_intent', note_id, payment: paymentOf('7'), nominal: rupiah(50_000), code: '0x43', time });
	journal.append({ kind: 'cash_credit', note_id, late: false });
}

function openAll(): void {
	journal = openJournal({ directory, minFreeBytes: 0, headFile: join(directory, 'journal.head') }, systemClock, openStore);
	const key = openSlipKey(directory, { event: () => undefined }, () => new Date());
	if (!key) throw new Error('no key');
	check = slipCheck({
		key,
		journal,
		cases: { of: () => owed },
		looks: openSlipLooks(directory),
		timestamp: (at) => at.toISOString(),
		clock: { wall: () => new Date('2026-11-24T02:25:00Z') },
	});
	const codeOf = paperCodes({ key, journal, tanggal: () => '24-11-2026 09:25' });
	print = (purpose, of = KEY) => {
		const print_id = randomUUID();
		journal.append({ kind: 'print_requested', print_id, payment_id: of, purpose });
		journal.append({ kind: 'print_ended', print_id, state: 'done', reason: '' });
		const kind = purpose === 'slip' ? 'partial' : purpose;
		const code = codeOf(print_id, { kind, noinvoice: 'INV-7', amount: rupiah(50_000), change: rupiah(0) });
		if (!code) throw new Error('no code');
		return code;
	};
}

const give = (amount: number) =>
	journal.append({
		kind: 'money_given_back',
		give_id: randomUUID(),
		payment_id: KEY,
		amount: rupiah(amount),
		by: 'Sari',
		why: '',
		time: '',
	});

test('money that was given back before a receipt was printed is not the change of that receipt', () => {
	const slip = print('slip');
	give(20_000);
	const receipt = print('receipt');
	const copy = print('copy');
	expect(check.read(slip.code)).toMatchObject({ verdict: 'given', paper: { given: { amount: 20_000, by: 'Sari' } } });
	expect(check.read(receipt.code)).toMatchObject({ verdict: 'genuine', paper: { given: null } });
	expect(check.read(copy.code)).toMatchObject({ verdict: 'copy', paper: { given: null } });
	give(5_000);
	// The receipt and its copies, printed before or after the change was given, count as given.
	for (const { code, text } of [receipt, copy, print('copy')])
		for (const one of [code, text]) expect(check.read(one)).toMatchObject({ verdict: 'given', paper: { given: { amount: 5_000 } } });
});

test('a printout stays genuine after a give-back while some of its money is still owed', () => {
	const { code } = print('receipt');
	give(5_000);
	owed = { kind: 'change', id: KEY, noinvoice: 'INV-7', time: '', amount: rupiah(2_000), heard: '' };
	expect(check.read(code)).toMatchObject({ verdict: 'genuine', paper: { case: owed, given: { amount: 5_000 } } });
});

test('a receipt on the screen and a later printout of it count as one receipt at the counter', () => {
	const onScreen = print('receipt');
	const onPaper = print('receipt');
	expect(onPaper.code).toBe(onScreen.code);
	expect(check.show(onScreen.text).verdict).toBe('genuine');
	for (const one of [onPaper.code, onPaper.text]) expect(check.show(one).verdict).toBe('shown');
	// If the money was given back and the customer pays again, the new receipt has another code.
	give(50_000);
	const later = print('receipt');
	expect(later.code).not.toBe(onScreen.code);
	expect(check.read(onScreen.code).verdict).toBe('given');
	expect(check.read(later.code).verdict).toBe('genuine');
});

describe('a printout of the previous journal', () => {
	function renew(time = RENEWED): void {
		journal.close();
		writeFileSync(join(directory, JOURNAL_FILE), 'damaged');
		openAll();
		journal.restart({ restart_id: randomUUID(), by: 'Budi', why: 'damaged', time }, { list: null, isLast: false }, null);
		journal.close();
		openAll();
	}

	test('is reported as `earlier`, and each check at the counter is recorded', () => {
		const { code, text } = print('receipt');
		give(5_000);
		renew();
		const signed = { noinvoice: 'INV-7', amount: 50_000, change: 0, printed: '24-11-2026 09:25' };
		expect(check.read(text)).toMatchObject({
			verdict: 'earlier',
			paper: null,
			earlier: { renewed: RENEWED, record: 3, signed, shown: null },
		});
		expect(check.show(code)).toMatchObject({ verdict: 'earlier', earlier: { signed: null, shown: null } });
		expect(check.show(text)).toMatchObject({ verdict: 'earlier', earlier: { shown: { times: 1 } } });
		expect(check.read(text.replace('/50000/', '/90000/')).verdict).toBe('forged');
	});

	test('is distinguished from a printout of the present journal with the same record number', () => {
		const old = print('receipt');
		renew();
		take();
		for (let number = 1; number <= 3; number += 1) print('receipt', keyOf(String(number)));
		const now = print('copy');
		for (const one of [now.code, now.text]) expect(check.read(one).verdict).toBe('copy');
		for (const one of [old.code, old.text]) expect(check.read(one).verdict).toBe('earlier');
	});

	test('is unknown by its short code if its record number is above the last record of the previous journal', () => {
		for (let number = 1; number <= 3; number += 1) print('receipt', keyOf(String(number)));
		const { code } = print('receipt', keyOf('4'));
		renew();
		expect(check.read(code).verdict).toBe('earlier');
		renew('2026-11-26T08:00:00+07:00');
		expect(check.read(code).verdict).toBe('unknown');
	});
});

test('the slip of a cashbox count is genuine, of the kind `collection`, and names no invoice', () => {
	const collection_id = randomUUID();
	journal.append({
		kind: 'cashbox_collected',
		collection_id,
		by: 'Sari',
		expected: rupiah(0),
		notes: [],
		counted: null,
		time: '2026-11-24T09:25:00+07:00',
	});
	expect(check.read(print('slip', collection_id).code)).toMatchObject({
		verdict: 'genuine',
		paper: { kind: 'collection', noinvoice: '', money: null },
	});
});

test('a code is read in upper and lower case; a truncated or edited code is not genuine', () => {
	const { code, text } = print('receipt');
	expect(check.read(code).paper).toMatchObject({ record: 3, noinvoice: 'INV/7' });
	expect(check.read(text.toLowerCase()).verdict).toBe('genuine');
	expect(check.read(text.replace('/3/', '/2/')).verdict).toBe('forged');
	expect(check.read('KIOSK1/R')).toEqual({ verdict: 'mistyped', kiosk: '', paper: null, earlier: null });
	expect(check.read('').verdict).toBe('mistyped');
});

test('a printout counts as shown after a check at the counter, even after a restart; a damaged list counts as empty', () => {
	const { code } = print('receipt');
	expect([check.read(code), check.read(code), check.show(code), check.read(code)].map(({ verdict }) => verdict)).toEqual([
		'genuine',
		'genuine',
		'genuine',
		'shown',
	]);
	const hash = journal.printAt(3)?.hash ?? '';
	expect(openSlipLooks(directory).of(hash)).toEqual({ times: 1, last: '2026-11-24T02:25:00.000Z' });
	writeFileSync(join(directory, 'slip-looks.json'), '{');
	expect(openSlipLooks(directory).of(hash)).toBeNull();
});

test('the list of shown printouts keeps the newest thousand', () => {
	const looks = openSlipLooks(directory);
	for (let paper = 0; paper <= 1_000; paper += 1) looks.add(`${paper}`, '');
	expect(looks.of('0')).toBeNull();
	expect(looks.of('1')).toEqual({ times: 1, last: '' });
});
