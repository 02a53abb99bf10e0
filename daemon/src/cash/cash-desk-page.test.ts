/**
 * Notes are taken only while the screen shows the cash page of an unpaid invoice and the cashbox is
 * in place.
 */
import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test, vi } from 'vitest';
import { keyOf } from '../journal/payment.fixture.ts';
import { deskOfEachTest, INVOICE, OTHER, SCREEN } from './cash-desk.fixture.ts';
import { CASH_ROUTE } from './cash-page.ts';

const at = deskOfEachTest();
const draws = (screen: string, session = SCREEN) => at.desk.onDrawn({ session, screen, id: null });
const isClosed = () => !at.desk.isOpen();

describe('the page', () => {
	test('if the screen shows another page without closing the payment, the acceptor stops at once and the payment ends after 15 s', async () => {
		await at.open(INVOICE);
		draws('/payment-method');
		expect([at.commands.at(-1), at.desk.isOpen()]).toEqual(['inhibit', true]);
		await vi.advanceTimersByTimeAsync(14_000);
		expect(isClosed()).toBe(false);
		await vi.advanceTimersByTimeAsync(2_000);
		expect(isClosed()).toBe(true);
	});

	test.each([
		['loses its connection', async () => at.desk.onScreenGone()],
		['draws nothing for 45 s', async () => void (await vi.advanceTimersByTimeAsync(46_000))],
	])('if the screen %s and then shows another page for 20 s, the payment ends', async (_what, happens) => {
		await at.open(INVOICE);
		await happens();
		for (let waited = 0; waited < 20_000; waited += 5_000) {
			draws('/');
			await vi.advanceTimersByTimeAsync(5_000);
		}
		expect(isClosed()).toBe(true);
	});

	test('if another page is drawn instead of the cash page, the payment stays open for at least 14 s and ends within 35 s', async () => {
		await at.desk.open(at.desk.announce(), at.invoices.lookedUp(INVOICE, []), SCREEN);
		draws('/payment-method');
		await vi.advanceTimersByTimeAsync(14_000);
		expect(isClosed()).toBe(false);
		for (let waited = 14_000; waited < 35_000; waited += 5_000) {
			draws('/');
			await vi.advanceTimersByTimeAsync(5_000);
		}
		expect(isClosed()).toBe(true);
	});

	test('if the cash page is drawn within 15 s after a late report of the previous page, the payment continues', async () => {
		await at.open(INVOICE);
		draws('/payment-method');
		await vi.advanceTimersByTimeAsync(5_000);
		at.draw();
		expect(at.commands.at(-1)).toBe('enable');
		await vi.advanceTimersByTimeAsync(20_000);
		expect(isClosed()).toBe(false);
	});

	test('if the screen reconnects and draws the page, the acceptor takes notes again', async () => {
		await at.open(INVOICE);
		at.desk.onScreenGone();
		expect([at.commands.at(-1), at.desk.isOpen()]).toEqual(['inhibit', true]);
		at.draw();
		expect(at.commands.at(-1)).toBe('enable');
		at.desk.closeUnattended();
		at.desk.onScreenGone();
		expect(isClosed()).toBe(true);
	});

	test('if the page has drawn nothing for 45 s, the acceptor takes no notes until the page draws again', async () => {
		await at.open(INVOICE);
		await vi.advanceTimersByTimeAsync(46_000);
		expect([at.commands.at(-1), at.desk.isOpen()]).toEqual(['inhibit', true]);
		at.draw();
		expect(at.commands.at(-1)).toBe('enable');
	});

	test('reports of other screens do not affect the payment', async () => {
		await at.open(INVOICE);
		for (let other = 0; other < 20; other += 1) draws('/', `screen ${other}`);
		expect([at.commands.at(-1), at.desk.payingScreen()]).toEqual(['enable', SCREEN]);
		for (let other = 0; other < 20; other += 1) at.desk.onDrawn({ session: `screen ${other}`, screen: CASH_ROUTE, id: 7 });
		expect(at.desk.payingScreen()).toBe(SCREEN);
	});
});

describe('the invoice changes while its customer pays', () => {
	const changes = (total: number, listed: Parameters<typeof at.invoices.lookedUp>[1] = []) => {
		const { payment } = at.invoices.lookedUp({ ...INVOICE, total: rupiah(total) }, listed);
		at.desk.onInvoiceChanged(payment, at.invoices.balanceOf(keyOf(7)));
	};

	test('if the total of a paid invoice grows, the acceptor takes notes again', async () => {
		await at.open({ ...INVOICE, total: rupiah(50_000) });
		at.note();
		await vi.advanceTimersByTimeAsync(6_000);
		expect(at.types()).toContain('payment_notification');
		changes(90_000);
		expect(at.logged).toContainEqual(['invoice.total_changed', expect.objectContaining({ before: 50_000, total: 90_000 })]);
		at.note();
		expect(at.entries(7)).toHaveLength(2);
	});

	test('if the back office lists a payment made elsewhere, the session’s notes are sent to the screen once more; a repetition of the same list sends nothing', async () => {
		await at.open(INVOICE);
		at.note();
		at.told = [];
		changes(INVOICE.total, [{ nominal: rupiah(20_000), tanggal: 'today' }]);
		const shown = at.told.flatMap((text) => (text.type === 'payment_cash_notification' ? [text.nominal] : []));
		expect(shown).toEqual([50_000]);
		at.told = [];
		changes(INVOICE.total, [{ nominal: rupiah(20_000), tanggal: 'today' }]);
		expect(at.told).toEqual([]);
	});

	test('if the invoice becomes disputed, the payment ends', async () => {
		await at.open(INVOICE);
		const { payment } = at.invoices.lookedUp(INVOICE);
		at.desk.onInvoiceChanged(payment, { ...at.invoices.balanceOf(keyOf(7)), state: 'dispute' });
		expect(isClosed()).toBe(true);
	});

	test('if a card sale of the invoice blocks other payments, the cash payment ends once its note in flight is credited', async () => {
		await at.open(INVOICE);
		at.escrow();
		at.desk.endIfHeld();
		expect(at.commands.at(-1)).not.toBe('inhibit');
		at.isHeld = true;
		at.desk.endIfHeld();
		expect([at.commands.at(-1), at.desk.isOpen()]).toEqual(['inhibit', true]);
		at.stack();
		expect([at.entries(7).length, isClosed()]).toEqual([1, true]);
	});

	test('if a card sale holds a covered invoice while the disk is full, the customer gets "paid" after the repair', async () => {
		await at.open({ ...INVOICE, total: rupiah(50_000) });
		at.note();
		at.free = 10;
		await vi.advanceTimersByTimeAsync(1_000);
		at.desk.checkJournal();
		at.isHeld = true;
		at.free = 1_000_000;
		await vi.advanceTimersByTimeAsync(20_000);
		expect(at.types()).toContain('payment_notification');
	});

	test('if a card sale holds an invoice whose notes cover it, the customer still gets "paid"; if the invoice then grows, the payment ends', async () => {
		await at.open({ ...INVOICE, total: rupiah(50_000) });
		at.note();
		at.isHeld = true;
		at.desk.endIfHeld();
		await vi.advanceTimersByTimeAsync(6_000);
		expect(at.types()).toContain('payment_notification');
		changes(90_000);
		expect([at.commands.at(-1), isClosed()]).toEqual(['inhibit', true]);
	});

	test('a change of an invoice does not affect the open session of another invoice', async () => {
		await at.open(OTHER);
		changes(200_000);
		expect(at.logged.map(([event]) => event)).not.toContain('invoice.total_changed');
	});
});

describe('the cashbox', () => {
	const records = () => at.logged.flatMap(([event]) => (String(event).startsWith('acceptor.box_') ? [event] : []));

	test('a repeated report of the cashbox’s removal or return is recorded once', async () => {
		for (const state of ['cashbox_open', 'cashbox_open', 'bill_jam', 'inhibited', 'ready'] as const) at.report({ kind: 'state', state });
		expect(records()).toEqual(['acceptor.box_removed', 'acceptor.box_returned']);
		expect(at.journal.cashbox.uncounted()).toMatchObject([{ returned: expect.any(String) }]);
	});

	test('while the cashbox is out, no note is taken; when it is back, the payment continues', async () => {
		await at.open(INVOICE);
		at.report({ kind: 'state', state: 'cashbox_open' });
		expect(at.desk.shownState()).toBe('cashbox_open');
		at.report({ kind: 'state', state: 'inhibited' });
		expect(at.commands.at(-1)).toBe('enable');
	});
});
