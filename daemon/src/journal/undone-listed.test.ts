import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import type { InvoiceView } from './balance.ts';
import { type RecordedView, undoneListed } from './undone-listed.ts';

/** @returns a statement with these entries; `cards`: rupiah of confirmed sales that it counts as ours */
const said = (seq: number, nominals: readonly number[], cards = 0): RecordedView => {
	const own = { notes_confirmed: rupiah(0), cards_confirmed: rupiah(cards), told: rupiah(cards) };
	const listed = nominals.map((nominal) => ({ nominal: rupiah(nominal), note_id: null, time: '' }));
	return { seq, view: { total: rupiah(200_000), is_paid: false, listed, own } satisfies InvoiceView };
};
const VOID = [{ amount: rupiah(100_000), undone_at: 5 }];

test.each<[string, RecordedView[], number]>([
	['the entry of a voided sale has stayed', [said(1, [100_000], 100_000), said(9, [100_000])], 100_000],
	['another payment has come in beside it', [said(1, [100_000], 100_000), said(9, [100_000, 30_000])], 100_000],
	['the entry was removed', [said(1, [100_000], 100_000), said(7, []), said(9, [100_000])], 0],
	['the server lists no card sales', [said(1, [], 100_000), said(9, [100_000])], 0],
	['no answer came between report and void', [said(9, [100_000])], 0],
	['the answer is older than the void and counts the sale as ours', [said(1, [100_000], 100_000), said(9, [100_000], 100_000)], 0],
])('%s', (_, views, listed) => {
	expect(undoneListed(views, VOID, rupiah(0))).toBe(listed);
});
