// @module-tag deep
/**
 * Staff give back the cash of an invoice while the customer pays the remaining amount by another
 * method.
 */
import type { StaffCases } from '@kiosk/contract/staff-cases';
import { beforeEach, expect, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
import type { Kiosk } from '../../support/kiosk.ts';
import { kioskForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const BY = ['--by', 'Sari', '--why', 'test', '--yes'];

let kiosk: Kiosk;
let invoice: Record<string, unknown>;
beforeEach(async () => {
	kiosk = await kioskForTest({ edc: { lines: 'qris = true\nqris_first_ms = 1000\nqris_every_ms = 1000\n' } });
	invoice = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(1));
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(0));
	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
});

async function giveAtScreen(): Promise<number> {
	const answer = await fetch(`${kiosk.daemon.url}/kiosk/staff/cases`, { headers: kiosk.session() });
	const [one] = ((await answer.json()) as StaffCases).cases;
	const { kind, id, amount } = one ?? {};
	return (await kiosk.post('/kiosk/staff/cases', { kind, id, amount, decision: 'given', nominal: null, by: 'Sari', second: null })).status;
}
const giveByCommand = () => kiosk.ctl('cash', 'give-back', String(invoice.noinvoice), '--amount', '50000', ...BY);
const disputes = async () => (await kiosk.health()).parts.filter(({ part }) => part === 'dispute').map(({ text }) => text);

test.each(['card', 'qris'])('staff cannot give money back while the terminal takes the remaining amount by %s', async (method) => {
	const screen = await kiosk.screen();
	await until(() => expect(screen.of('kiosk_edc').at(-1)).toMatchObject({ state: 'ready' }));
	await kiosk.lookUp(BUDI);
	const { id, odoo_id, noinvoice, total } = invoice;
	const data = { amount: Number(total) - 50_000, id, odoo_id, noinvoice, method };
	screen.send({ message: { type: 'payment_edc_bca_notification', event: 'start_transaction', data } });
	await until(() => expect(kiosk.daemon.events('card.sent')).toHaveLength(1));
	expect(await giveByCommand()).toMatchObject({ code: 1, out: expect.stringContaining('a customer is paying this invoice') });
	expect(await giveAtScreen()).toBe(409);
	expect(kiosk.daemon.events('cash.given_back')).toEqual([]);
	if (method === 'card') await until(() => expect(kiosk.edc.terminal.tap({ respCode: '00' })).toBe(true));
	else await until(() => expect(kiosk.edc.terminal.bank.endQris('paid')).toBe(true));
	await until(() => expect(screen.of('kiosk_edc_sale').at(-1)).toMatchObject({ phase: 'approved', paid: true }));
	expect(await disputes()).toEqual([]);
});

test('if money is given back and a virtual account is paid afterwards, the invoice is in dispute and gets no receipt', async () => {
	await kiosk.lookUp(BUDI);
	expect(await giveByCommand()).toMatchObject({ code: 0 });
	const found = kiosk.backOffice.books.find(BUDI);
	if (!found) throw new Error('no such invoice');
	// The back office does not know of the give-back. The virtual account was thus opened for the
	// remaining 87,500.
	found.list_pembayaran.push({ nominal: 87_500, tanggal: new Date().toISOString() });
	found.is_paid = true;
	kiosk.backOffice.live.say({ type: 'payment_notification', id: found.id, is_paid: true });
	await until(async () => expect(await disputes()).toEqual([expect.stringContaining('counts Rp 50000 that was given back')]));
	expect((await kiosk.post('/kiosk/print', { of: 'invoice', id: found.id })).status).toBe(409);
});

test('staff cannot record the remaining amount as paid at the counter while the terminal takes it', async () => {
	const screen = await kiosk.screen();
	await until(() => expect(screen.of('kiosk_edc').at(-1)).toMatchObject({ state: 'ready' }));
	await kiosk.lookUp(BUDI);
	const { id, odoo_id, noinvoice } = invoice;
	const data = { amount: 87_500, id, odoo_id, noinvoice };
	screen.send({ message: { type: 'payment_edc_bca_notification', event: 'start_transaction', data } });
	await until(() => expect(kiosk.edc.terminal.waiting).not.toBeNull());
	const refused = { code: 1, out: expect.stringContaining('a customer is paying this invoice') };
	expect(await kiosk.ctl('cash', 'done', String(noinvoice), ...BY)).toMatchObject(refused);
	await until(() => expect(kiosk.edc.terminal.tap({ respCode: '00' })).toBe(true));
	await until(() => expect(screen.of('kiosk_edc_sale').at(-1)).toMatchObject({ phase: 'approved', paid: true }));
	expect((await kiosk.health()).card.twice).toEqual([]);
});
