import * as v from 'valibot';
import { expect, test } from 'vitest';
import { InvoiceInfo } from '../../contract/back-office.ts';
import { rupiah } from '../../contract/money.ts';
import { type OwnMoney, withOwnMoney } from './own-money.ts';

const note = (nominal: number) => ({ note_id: `note of ${nominal}`, nominal: rupiah(nominal), time: '2026-11-21T10:00:00+07:00' });
const NOTHING: OwnMoney = { notes: [], paidByCard: false };

function answered(results: Record<string, unknown>, own: OwnMoney) {
	const body = Buffer.from(JSON.stringify({ results: { id: 7, total: '137500.00', extra: { kept: true }, ...results }, logo: null }));
	const changed = withOwnMoney(body, v.parse(InvoiceInfo, JSON.parse(body.toString())), own);
	return { same: changed === body, answer: JSON.parse(changed.toString()) };
}

test('a server that knows everything is passed on to the letter', () => {
	expect(answered({ list_pembayaran: [{ nominal: '50000', tanggal: '' }] }, { notes: [note(50_000)], paidByCard: false }).same).toBe(true);
	expect(answered({ is_paid: 1 }, { notes: [], paidByCard: true }).same).toBe(true);
	expect(answered({}, NOTHING).same).toBe(true);
});

test('a note that waits to be sent is listed, once, beside those the server has', () => {
	const { answer } = answered({ list_pembayaran: [{ nominal: 20_000, tanggal: 'kemarin' }] }, { notes: [note(50_000)], paidByCard: false });
	expect(answer.results.list_pembayaran).toEqual([
		{ nominal: 20_000, tanggal: 'kemarin' },
		{ nominal: 50_000, tanggal: '2026-11-21T10:00:00+07:00' },
	]);
	expect(answer.results).toMatchObject({ total: '137500.00', extra: { kept: true } });
});

test('an invoice whose card sale the server has not booked is paid', () => {
	expect(answered({ is_paid: false }, { notes: [], paidByCard: true }).answer.results.is_paid).toBe(true);
});
