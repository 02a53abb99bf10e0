/** The cash desk's answers to screen and back office during a payment. */

import { randomUUID } from 'node:crypto';
import { paidText } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test, vi } from 'vitest';
import { fail } from '../base/result.ts';
import { ACCOUNT, keyOf, paidBy } from '../journal/payment.fixture.ts';
import { deskOfEachTest, INVOICE, OTHER } from './cash-desk.fixture.ts';

const at = deskOfEachTest();

describe('opening', () => {
	test('answers with the acceptor’s state and the payments received so far', async () => {
		expect(await at.open(INVOICE, [])).toEqual({ machine_ready: true, message: 'Ready', entries: [], is_paid: false });
		expect([at.desk.isOpen(), at.desk.paying(), at.desk.shownState()]).toEqual([true, keyOf('7'), 'ready']);
		at.note();
		const [entry] = at.entries(7);
		expect(entry).toEqual({ note_id: at.ids()[0], nominal: 50_000, time: new Date().toISOString() });
		expect(await at.open(INVOICE, [{ nominal: rupiah(20_000), tanggal: 'today' }])).toEqual({
			machine_ready: true,
			message: 'Ready',
			entries: [{ note_id: null, nominal: 20_000, time: 'today' }, entry],
			is_paid: false,
		});
		expect(at.closed).toEqual([]);
	});

	test('lists the earlier notes even if the journal becomes readable only during the opening', async () => {
		await at.open(INVOICE, []);
		at.note();
		at.diskSays = 'broken';
		at.journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: 'test' });
		at.invoices.keep = () => {
			at.diskSays = 'well';
			return fail({ code: 'journal_unhealthy', message: 'the disk says no' });
		};
		expect(await at.open(INVOICE, [])).toMatchObject({ entries: [{ nominal: 50_000 }] });
	});

	test('records the invoice’s order id with its notes, or null if it has no order id', async () => {
		await at.open(OTHER, []);
		at.note();
		expect(at.journal.nextUpload(ACCOUNT)).toMatchObject({ id: 8, odoo_id: null, noinvoice: 'INV/8' });
		await at.open(INVOICE, []);
		at.note();
		expect(at.journal.notesOf(keyOf(7))).toMatchObject([{ odoo_id: 'SO7', noinvoice: 'INV/7' }]);
	});

	test('for another invoice ends the previous session', async () => {
		await at.open(INVOICE, []);
		at.note();
		await at.open(OTHER, []);
		expect(at.closed).toMatchObject([{ payment: { id: 7 }, entries: [{ nominal: 50_000 }] }]);
		expect(at.desk.paying()).toBe(keyOf(8));
	});

	test('waits for the previous session’s note in flight, even if the previous session was for this invoice', async () => {
		for (const request of [OTHER, INVOICE]) {
			await at.open(INVOICE, []);
			at.escrow();
			at.desk.closeUnattended();
			let answered = false;
			const opening = at.open(request, []).then(() => {
				answered = true;
			});
			await vi.advanceTimersByTimeAsync(100);
			expect(answered).toBe(false);
			at.stack();
			await opening;
			expect(at.desk.paying()).toBe(keyOf(request.id));
			await at.desk.close(request.id);
		}
		expect(at.journal.notesOf(keyOf(7)).map(({ state }) => state)).toEqual(['credited', 'credited']);
	});

	test('if two requests wait for a note in flight, only the newer request opens the acceptor', async () => {
		await at.open(INVOICE, []);
		at.escrow();
		const opening = [at.open(OTHER, []), at.open(OTHER, [])];
		at.stack();
		expect(await Promise.all(opening)).toEqual(['superseded', expect.objectContaining({ machine_ready: true })]);
	});

	test('a request that waits for a note in flight is cancelled when its payment is closed', async () => {
		await at.open(INVOICE, []);
		at.escrow();
		const opening = at.open(OTHER, []);
		await at.desk.close(OTHER.id);
		at.stack();
		expect([await opening, at.desk.isOpen()]).toEqual(['superseded', false]);
	});

	test('if the total grows while the previous session’s note is in flight, the acceptor opens with the new total', async () => {
		await at.open(OTHER, []);
		at.escrow();
		const opening = at.open(INVOICE, []);
		at.invoices.lookedUp({ ...INVOICE, total: rupiah(200_000) }, []);
		at.stack();
		await opening;
		expect(at.logged.findLast(([id]) => id === 'cash.opened')).toMatchObject(['cash.opened', { total: 200_000 }]);
	});

	test('if a page reopens its payment and is refused, the open session ends', async () => {
		await at.open(INVOICE, []);
		at.note();
		at.isCallUnknown = true;
		expect(await at.open(INVOICE, [])).toBe('no_call');
		at.escrow();
		expect([at.desk.isOpen(), at.closed.length, at.commands.at(-1)]).toEqual([false, 1, 'reject']);
		expect(at.entries(7)).toMatchObject([{ nominal: 50_000 }]);
	});

	test.each(['bill_jam', 'motor_failure', 'sensor_problem'] as const)(
		'resets the acceptor if it has a fault that a restart clears (%s)',
		async (state) => {
			at.report({ kind: 'state', state });
			expect(await at.open(INVOICE, [])).toMatchObject({ machine_ready: false, message: state });
			expect(at.commands).toContain('reset');
		},
	);

	test.each(['ready', 'bill_fish', 'silent'] as const)('does not reset the acceptor in state %s', async (state) => {
		at.report({ kind: 'state', state });
		await at.open(INVOICE, []);
		expect(at.commands).not.toContain('reset');
	});

	test('reports a full disk, and the acceptor opens when space is free', async () => {
		at.free = 999;
		expect(await at.open(INVOICE, [])).toMatchObject({ machine_ready: false, message: 'disk_full' });
		expect(at.logged).toContainEqual([
			'journal.unhealthy',
			expect.objectContaining({ code: 'disk_full', message: expect.stringContaining('999 bytes free') }),
		]);
		at.free = 1_000;
		await vi.advanceTimersByTimeAsync(6_000);
		expect(at.desk.shownState()).toBe('ready');
		expect(at.logged.at(-1)).toMatchObject(expect.arrayContaining([expect.stringMatching(/at.journal.healthy|cash.opened/)]));
		expect(at.logged.map(([id]) => id)).toContain('journal.healthy');
	});
});

describe('a covered invoice', () => {
	const cover = async () => {
		await at.open(INVOICE, []);
		for (let count = 0; count < 3; count += 1) at.note();
	};

	test('is declared paid by the kiosk, and only once, if the back office does not report "paid" within 5 s', async () => {
		await cover();
		await vi.advanceTimersByTimeAsync(4_900);
		expect(at.types()).not.toContain('payment_notification');
		await vi.advanceTimersByTimeAsync(200);
		expect(at.types().filter((type) => type === 'payment_notification')).toHaveLength(1);
		expect(paidBy(at.journal, 7)).toBe('kiosk');
		await vi.advanceTimersByTimeAsync(60_000);
		expect(at.types().filter((type) => type === 'payment_notification')).toHaveLength(1);
	});

	test('that the kiosk declared paid is reported as paid after a reconnect and at closing, and a confirmation by the back office adds no message', async () => {
		await cover();
		at.desk.onBackOfficeUnreachable();
		expect(at.desk.greeting().at(-1)).toEqual(paidText(INVOICE));
		at.desk.markPaid(keyOf(7));
		expect(at.types().filter((type) => type === 'payment_notification')).toHaveLength(1);
		expect(await at.open(INVOICE, [])).toMatchObject({ is_paid: true });
		await at.desk.close(7);
		expect(at.logged.at(-1)).toMatchObject(['cash.closed', { invoice: 'INV/7', received: 150_000, paid: true }]);
	});

	test('is declared paid at once when the back office is unreachable', async () => {
		await cover();
		at.desk.onBackOfficeUnreachable();
		expect(paidBy(at.journal, 7)).toBe('kiosk');
	});

	test('triggers one upload for each note and is reported as paid at closing', async () => {
		await cover();
		expect(at.uploads).toBe(3);
		expect(await at.desk.close(7)).toMatchObject({ received: 150_000, is_paid: true, in_doubt: 0, entries: { length: 3 } });
		expect(at.logged.at(-1)).toMatchObject(['cash.closed', { invoice: 'INV/7', payment_id: 7, received: 150_000, paid: false }]);
	});
});

describe('closing', () => {
	test('before the total is received answers "not paid" and ends the session once', async () => {
		await at.open(INVOICE, []);
		at.note();
		const answer = await at.desk.close('7');
		expect(answer).toEqual({ entries: at.entries(7), received: 50_000, is_paid: false, in_doubt: 0 });
		expect(at.closed).toHaveLength(1);
		expect([at.desk.isOpen(), await at.desk.close(7)]).toEqual([false, answer]);
		expect(at.closed).toHaveLength(1);
	});

	test('without an open session, e.g. after a restart, names the money in doubt', async () => {
		await at.open(INVOICE, []);
		at.escrow();
		at.report({ kind: 'outcome_missing', why: 'silence', other: false });
		const before = await at.desk.close(7);
		expect(before).toMatchObject({ received: 0, in_doubt: 50_000 });
		expect(await at.desk.close(7)).toEqual(before);
	});

	test('after a log-out answers with the payments that the customer has seen', async () => {
		await at.open(INVOICE, []);
		at.invoices.lookedUp(INVOICE, [], true);
		at.desk.onInvoiceChanged(INVOICE, at.invoices.balanceOf(keyOf(7)));
		at.invoices.now = null;
		expect(await at.desk.close(7)).toMatchObject({ received: 137_500, is_paid: true });
	});

	test('an invoice that this run does not know gives no amount', async () => {
		await at.open(OTHER, []);
		expect(await at.desk.close(7)).toBeNull();
	});

	test('an invoice that only an earlier run looked up gives no amount, because it may have been paid elsewhere', async () => {
		await at.open(OTHER, []);
		// The journal then seems to contain a look-up or a declined card sale of an earlier run, but no
		// money.
		at.invoices.findPayment = () => INVOICE;
		expect(await at.desk.close(7)).toBeNull();
	});

	test('an invoice that was looked up, but has no open session, gives its received amount', async () => {
		await at.open(OTHER, []);
		at.invoices.lookedUp(INVOICE);
		expect(await at.desk.close(7)).toEqual({ entries: [], received: 0, is_paid: false, in_doubt: 0 });
		at.invoices.lookedUp(OTHER);
		expect(at.desk.paying()).toBe(keyOf(8));
		at.note();
		at.desk.markPaid(keyOf(8));
		expect(await at.desk.close(8)).toMatchObject({ is_paid: true, received: 50_000 });
		expect(await at.desk.close(8)).toMatchObject({ is_paid: true, received: 50_000 });
	});

	test('while a note is in doubt gives the amount in doubt', async () => {
		await at.open(INVOICE, []);
		at.escrow();
		at.report({ kind: 'outcome_missing', why: 'silence', other: false });
		expect(await at.desk.close(7)).toMatchObject({ received: 0, in_doubt: 50_000, entries: [] });
		expect(at.entries(7)).toEqual([]);
	});

	test('an unattended session inhibits the acceptor', async () => {
		await at.open(INVOICE, []);
		at.desk.closeUnattended();
		expect([at.desk.isOpen(), at.commands.at(-1)]).toEqual([false, 'inhibit']);
	});

	test('when the daemon stops, the acceptor is inhibited at once, and a note inserted afterwards is returned', async () => {
		await at.open(INVOICE, []);
		const leaving = at.desk.leave();
		expect([at.desk.isOpen(), at.commands.at(-1)]).toEqual([false, 'inhibit']);
		at.escrow();
		expect(at.commands.at(-1)).toBe('reject');
		await vi.advanceTimersByTimeAsync(1_000);
		await leaving;
	});

	test('when the daemon stops, it waits for the note in flight and then refuses every opening', async () => {
		await at.open(INVOICE, []);
		at.escrow();
		let left = false;
		const leaving = at.desk.leave().then(() => {
			left = true;
		});
		await vi.advanceTimersByTimeAsync(1_000);
		expect(left).toBe(false);
		at.stack();
		await vi.advanceTimersByTimeAsync(1_000);
		await leaving;
		expect(await at.open(INVOICE, [])).toBe('leaving');
		at.desk.stop();
		expect(at.stopped).toBe(1);
		expect(vi.getTimerCount()).toBe(0);
	});
});

test('a reconnecting screen receives the acceptor’s state, every note of the session and the paid message', async () => {
	expect(at.desk.greeting()).toEqual([{ type: 'machine_ready', is_ready: false, state: 'inhibited', ict_text: 'inhibited' }]);
	await at.open(INVOICE, [{ nominal: rupiah(20_000), tanggal: 'today' }]);
	at.note();
	const notes = {
		type: 'payment_cash_notification',
		id: 7,
		odoo_id: 'SO7',
		note_id: at.ids()[0],
		nominal: 50_000,
		time: new Date().toISOString(),
	};
	expect(at.desk.greeting()).toEqual([{ type: 'machine_ready', is_ready: true, state: 'ready', ict_text: 'Ready' }, notes]);
	at.desk.markPaid(keyOf(7));
	expect(at.desk.greeting().slice(1)).toEqual([notes, paidText(INVOICE)]);
});

describe('a paid message of the back office', () => {
	test('is shown once if repeated, and ignored if no session of the invoice is open', async () => {
		at.desk.markPaid(keyOf(9));
		expect(at.journal.money.toldPaid(keyOf(9))).toBeNull();
		await at.open(INVOICE, []);
		at.note();
		at.desk.markPaid(keyOf(7));
		at.desk.markPaid(keyOf(7));
		expect(at.types().filter((type) => type === 'payment_notification')).toHaveLength(1);
		expect(at.journal.money.toldPaid(keyOf(7))).toBe('back_office');
	});
});

test('each covered invoice gets its own 5 s for the back office to report "paid"', async () => {
	const twice = { ...OTHER, total: rupiah(50_000) };
	await at.open(twice, []);
	at.note();
	await vi.advanceTimersByTimeAsync(3_000);
	await at.open(INVOICE, []);
	for (let count = 0; count < 3; count += 1) at.note();
	await vi.advanceTimersByTimeAsync(3_000);
	expect(at.journal.money.toldPaid(keyOf(7))).toBeNull();
	await vi.advanceTimersByTimeAsync(3_000);
	expect(at.journal.money.toldPaid(keyOf(7))).toBe('kiosk');
});
