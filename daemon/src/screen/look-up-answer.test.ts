import { InvoiceInfo } from '@kiosk/contract/back-office';
import { rupiah } from '@kiosk/contract/money';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Balance } from '../journal/balance.ts';
import { withBalance } from './look-up-answer.ts';

const TOTAL = 127_500;
const SERVER_LIST = [51_000, 100_000];

/**
 * @returns the payments that the page gets for a paid invoice if the back office lists these
 * payments
 */
function shown(
	listed: number[],
	balance: Pick<Balance, 'state' | 'received' | 'entries'> & Partial<Pick<Balance, 'elsewhere' | 'elsewhereListed'>>,
): number[] {
	const results = {
		id: 1,
		odoo_id: 2,
		noinvoice: 'INV/1',
		total: TOTAL,
		is_paid: true,
		list_pembayaran: listed.map((nominal) => ({ nominal, tanggal: '2026-11-21T08:00:00+07:00' })),
	};
	const body = Buffer.from(JSON.stringify({ results }));
	const nothingElsewhere = { total: rupiah(TOTAL), elsewhere: rupiah(0), elsewhereListed: rupiah(0) };
	const answer = withBalance(body, v.parse(InvoiceInfo, { results }), { ...nothingElsewhere, ...balance } as Balance, []).toString();
	return JSON.parse(answer).results.list_pembayaran.map(({ nominal }: { nominal: number }) => nominal);
}

test('a mark of the back office itself that the journal could not correct the answer is removed', () => {
	const results = { id: 1, odoo_id: 2, noinvoice: 'INV/1', total: TOTAL, is_paid: false, list_pembayaran: [], kiosk_uncorrected: true };
	const balance = {
		state: 'open',
		total: rupiah(TOTAL),
		received: rupiah(0),
		elsewhere: rupiah(0),
		elsewhereListed: rupiah(0),
		entries: [],
	};
	const answer = withBalance(
		Buffer.from(JSON.stringify({ results })),
		v.parse(InvoiceInfo, { results }),
		balance as unknown as Balance,
		[],
	);
	expect(JSON.parse(answer.toString()).results).not.toHaveProperty('kiosk_uncorrected');
});

test('change that was given back does not count as received, even if the back office lists it', () => {
	const entries = [{ note_id: null, nominal: rupiah(TOTAL), time: '' }];
	expect(shown(SERVER_LIST, { state: 'paid', received: rupiah(TOTAL), entries })).toEqual([TOTAL]);
});

test('for an invoice paid elsewhere, the page gets the back office’s list even if payments are missing in this list', () => {
	const paidElsewhere = { elsewhere: rupiah(TOTAL), elsewhereListed: rupiah(51_000) };
	expect(shown([51_000], { state: 'paid', received: rupiah(TOTAL), ...paidElsewhere, entries: [] })).toEqual([51_000]);
});

test('notes of this kiosk count as received even if the list of a paid invoice lacks them', () => {
	const entries = [TOTAL, 13_000].map((nominal) => ({ note_id: null, nominal: rupiah(nominal), time: '' }));
	const paidElsewhere = { elsewhere: rupiah(77_500), elsewhereListed: rupiah(77_500) };
	const received = rupiah(TOTAL + 13_000);
	expect(shown([77_500, 50_000], { state: 'paid_twice', received, ...paidElsewhere, entries })).toEqual([TOTAL, 13_000]);
});

test('the page gets notes in doubt only from the daemon, never from the back office', () => {
	const DOUBT = { note_id: 'n', nominal: rupiah(50_000) };
	const doubts = (said: object, known: (typeof DOUBT)[]) => {
		const results = { id: 1, odoo_id: 2, noinvoice: 'INV/1', total: TOTAL, is_paid: false, list_pembayaran: [], ...said };
		const balance = { state: 'open', total: rupiah(TOTAL), received: rupiah(0), entries: [] } as unknown as Balance;
		const answer = withBalance(Buffer.from(JSON.stringify({ results })), v.parse(InvoiceInfo, { results }), balance, known);
		return v.parse(InvoiceInfo, JSON.parse(answer.toString())).results.kiosk_doubts ?? [];
	};
	expect(doubts({}, [DOUBT])).toEqual([DOUBT]);
	expect(doubts({}, [])).toEqual([]);
	expect(doubts({ kiosk_doubts: [{ note_id: 'x', nominal: 1_000 }] }, [])).toEqual([]);
	expect(doubts({ kiosk_doubts: 'x' }, [])).toEqual([]);
});

test('an outdated answer is forwarded with the total of the newer answer', () => {
	const results = { id: 1, odoo_id: 2, noinvoice: 'INV/1', total: TOTAL, is_paid: false, list_pembayaran: [] };
	const balance = { state: 'open', total: rupiah(200_000), received: rupiah(0), entries: [] } as unknown as Balance;
	const answer = withBalance(Buffer.from(JSON.stringify({ results })), v.parse(InvoiceInfo, { results }), balance, []);
	expect(v.parse(InvoiceInfo, JSON.parse(answer.toString())).results.total).toBe(200_000);
});
