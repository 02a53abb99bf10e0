import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Invoice } from '@kiosk/contract/back-office';
import { type Rupiah, rupiah } from '@kiosk/contract/money';
import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { openTransfers, type Transfers } from './transfers.ts';

const QRIS = { payment_type: 1, qr_url: '000201' };
const VA = { no_va: '39107', bank: 'bca' };
const PAID_LATER = { list_pembayaran: [{ nominal: 100_000, tanggal: '2026-11-21' }] };

let directory: string;
let transfers: Transfers;
/** Rupiah received by this kiosk. */
let own: Rupiah;
let logged: unknown[][];

function start(): void {
	logged = [];
	transfers = openTransfers({ directory, ownMoney: () => own, log: { event: (id, fields) => void logged.push([id, fields]) } });
}
beforeEach(() => {
	directory = temporaryFolder('transfers');
	own = rupiah(0);
	start();
});

const invoice = (more: object) => v.parse(Invoice, { id: 7, noinvoice: 'INV/7', total: 137_500, ...more });
const events = () => logged.map(([id]) => id);
const about = (method: string, amount: number) => ({ method, amount, invoice: 'INV/7', payment_id: '7' });

test('if the back office repeats its answers, a code counts as opened once and as paid once', () => {
	for (let look = 0; look < 3; look += 1) transfers.onInvoice(invoice(QRIS));
	transfers.onPaid('7');
	transfers.onPaid(7);
	transfers.onInvoice(invoice({ ...QRIS, is_paid: true }));
	// This answer was requested before the payment but arrives after the payment.
	transfers.onInvoice(invoice(QRIS));
	transfers.onPaid(7);
	expect(logged).toEqual([
		['transfer.opened', about('qris', 137_500)],
		['transfer.paid', about('qris', 137_500)],
	]);
});

test('after a restart an open code is counted as paid once, and a paid code is not counted again', () => {
	transfers.onInvoice(invoice(VA));
	start();
	transfers.onInvoice(invoice(VA));
	transfers.onInvoice(invoice({ ...VA, is_paid: true }));
	expect(logged).toEqual([['transfer.paid', about('va', 137_500)]]);
	start();
	transfers.onInvoice(invoice({ ...VA, is_paid: true }));
	transfers.onPaid(7);
	expect(logged).toEqual([]);
});

test('a code is counted with the amount still due', () => {
	transfers.onInvoice(invoice({ ...QRIS, ...PAID_LATER }));
	expect(logged).toEqual([['transfer.opened', about('qris', 37_500)]]);
});

test('a code that was cancelled or that the invoice no longer has counts as closed, and a later payment does not count as a payment of this code', () => {
	transfers.onInvoice(invoice(QRIS));
	transfers.onCancelled(7);
	transfers.onPaid(7);
	expect(events()).toEqual(['transfer.opened', 'transfer.closed']);
	transfers.onInvoice(invoice(QRIS));
	transfers.onInvoice(invoice({}));
	transfers.onInvoice(invoice({ is_paid: true }));
	expect(events().slice(2)).toEqual(['transfer.opened', 'transfer.closed']);
});

test.each([
	['a card or notes that cover it', 137_500, 'transfer.closed'],
	['a card or notes for more than the total', 150_000, 'transfer.closed'],
	['a note for a part and the code for the rest', 100_000, 'transfer.paid'],
])('if an invoice is paid with %s (%i rupiah at this kiosk), its code ends as %s', (_, money, end) => {
	transfers.onInvoice(invoice(QRIS));
	own = rupiah(money);
	transfers.onPaid(7);
	expect(events()).toEqual(['transfer.opened', end]);
});

test('if a virtual account replaces a code, the code counts as closed and the virtual account as opened', () => {
	transfers.onInvoice(invoice(QRIS));
	transfers.onInvoice(invoice(VA));
	transfers.onPaid(7);
	expect(events()).toEqual(['transfer.opened', 'transfer.closed', 'transfer.opened', 'transfer.paid']);
	expect(logged.at(-1)?.[1]).toMatchObject({ method: 'va' });
});

test('an invoice without a code and an unknown invoice cause no event', () => {
	transfers.onInvoice(invoice({ is_paid: true }));
	transfers.onInvoice(invoice({}));
	transfers.onPaid(8);
	transfers.onCancelled(8);
	expect(logged).toEqual([]);
});

test('if the file is damaged or cannot be written, the events are correct until a restart', () => {
	writeFileSync(join(directory, 'transfers.json'), '[{"id":7');
	start();
	rmSync(directory, { recursive: true });
	writeFileSync(directory, 'not a folder');
	transfers.onInvoice(invoice(QRIS));
	transfers.onPaid(7);
	expect(events()).toEqual(['transfer.not_kept', 'transfer.opened', 'transfer.not_kept', 'transfer.paid']);
});

test('the file keeps only the newest 500 codes', () => {
	const old = (id: number) => ({ id: String(id), noinvoice: '', method: 'qris', amount: 1, total: 1, state: 'open' });
	writeFileSync(join(directory, 'transfers.json'), JSON.stringify(Array.from({ length: 500 }, (_, id) => old(id + 1))));
	start();
	transfers.onInvoice(invoice({ ...QRIS, id: 501 }));
	start();
	for (const id of [1, 2, 501]) transfers.onPaid(id);
	expect(logged.map(([, fields]) => (fields as { payment_id: string }).payment_id)).toEqual(['2', '501']);
});
