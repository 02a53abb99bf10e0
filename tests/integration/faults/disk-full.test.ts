// @module-tag deep

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { saleShown, startCardFor, tapCard, terminalReady } from '../../support/card.ts';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, partText, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import { canMount, journalOn, SmallDisk } from './disk.ts';

const BUDI = '081234567890';
/** A slow acceptor, so that the test can fill the disk while a note moves. */
const SLOW = { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: 1_500, returnMs: 20 };

if (!canMount) process.stdout.write('not root: skipping the tests of a full disk\n');

describe.skipIf(!canMount)('the journal’s disk is full', () => {
	let disk: SmallDisk;
	let kiosk: Kiosk;
	let screen: Screen;
	beforeEach(async () => {
		disk = new SmallDisk(16);
		kiosk = await startKiosk({
			acceptor: { timing: SLOW },
			edc: { lines: 'ack_ms = 2000\nanswer_ms = 10000\n' },
			environment: journalOn(disk.path),
			movableClock: true,
		});
		screen = await kiosk.screen();
	});
	afterEach(async () => {
		await kiosk.stop();
		disk.remove();
	});

	const booked = () => kiosk.backOffice.books.notes.map((note) => note.nominal);
	const stacked = () => kiosk.acceptor.device.stacked.map((note) => note.nominal);
	const shown = () => screen.of('payment_cash_notification').map((note) => note.nominal);
	const isReserved = () => existsSync(join(disk.path, 'journal.reserve'));
	const cash = async () => partText(await kiosk.health(), 'cash');
	const machine = () => screen.of('machine_ready').at(-1)?.state;
	const sound = async () => expect(await kiosk.ctl('journal', 'verify')).toMatchObject({ code: 0 });

	/** Inserts a note and waits until it is accepted; the note is stacked later. */
	const accepted = (nominal: number) => feedNote(kiosk, nominal, 'accepted');

	/** Checks that cash and cards are off because the disk is full. */
	async function closed(invoice: Record<string, unknown>): Promise<void> {
		await until(async () => expect(await cash()).toBe('cash is off: the disk is nearly full'));
		await until(() => expect(machine()).toBe('disk_full'));
		await until(async () => expect(partText(await kiosk.health(), 'card')).toBe('cards are off: the disk is nearly full'));
		expect((await kiosk.health()).parts.find((part) => part.part === 'journal')).toMatchObject({
			state: 'fail',
			text: expect.stringContaining('bytes free'),
			remedy: 'Free disk space; then cash opens again automatically.',
		});
		expect(kiosk.acceptor.device.insert({ nominal: 1_000 })).toMatchObject({ taken: false });
		startCardFor(screen, invoice);
		await saleShown(screen, 'declined', { reason: 'journal' });
		expect(kiosk.edc.terminal.bank.captured).toBe(0);
	}

	test('if the disk fills while a note is stacked, the disk reserve makes room for its credit; then neither notes nor cards are taken until there is space', async () => {
		const invoice = await kiosk.openCash(BUDI);
		await accepted(50_000);
		expect(isReserved()).toBe(true);
		disk.fill();
		await until(() => expect(shown()).toEqual([50_000]));
		expect(isReserved()).toBe(false);
		expect(kiosk.daemon.events('cash.credit_not_recorded')).toEqual([]);
		disk.fill();
		await closed(invoice);
		disk.free();
		await until(async () => expect(partText(await kiosk.health(), 'journal')).toBe('open and writable'));
		expect(isReserved()).toBe(true);
		// Opens cash again, because the card attempt has closed the cash session.
		await kiosk.openCash(BUDI);
		await accepted(100_000);
		await until(() => expect(screen.of('payment_notification').at(-1)).toMatchObject({ id: invoice.id, is_paid: true }));
		await until(() => expect(booked()).toEqual([50_000, 100_000]));
		expect(stacked()).toEqual([50_000, 100_000]);
		await sound();
	});

	test('a note that is inserted while the disk is full is not taken', async () => {
		const invoice = await kiosk.openCash(BUDI);
		disk.fill();
		kiosk.acceptor.device.insert({ nominal: 50_000 });
		await closed(invoice);
		expect(stacked()).toEqual([]);
		expect(shown()).toEqual([]);
		for (const { reason } of screen.of('kiosk_note_returned')) expect(reason).toBe('disk_full');
		await sound();
	});

	test('when there is space again, an open cash payment takes notes without another request', async () => {
		const invoice = await kiosk.openCash(BUDI);
		disk.fill();
		await until(() => expect(machine()).toBe('disk_full'));
		expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: false });
		disk.free();
		await until(() => expect(screen.of('machine_ready').at(-1)).toMatchObject({ is_ready: true }));
		await feedNote(kiosk, 50_000);
		await until(() => expect(screen.of('payment_cash_notification')).toMatchObject([{ id: invoice.id, nominal: 50_000 }]));
		await sound();
	});

	test('if the kiosk is killed while a note moves, the next start records the note as in doubt, although the disk is full', async () => {
		const invoice = await kiosk.openCash(BUDI);
		await accepted(50_000);
		disk.fill();
		await kiosk.crash(() => until(() => expect(stacked()).toEqual([50_000])));
		screen = await kiosk.screen();
		expect((await kiosk.health()).in_doubt).toMatchObject([{ nominal: 50_000, noinvoice: 'INV/2026/11/0042' }]);
		disk.fill();
		await kiosk.lookUp(BUDI);
		await closed(invoice);
		await kiosk.crash();
		expect((await kiosk.health()).in_doubt).toHaveLength(1);
		disk.free();
		await kiosk.afterDoubt();
		await kiosk.openCash(BUDI);
		expect(booked()).toEqual([]);
		await sound();
	});

	test('an approval that arrives while the disk is full is recorded at once, and reported as soon as there is space', async () => {
		await terminalReady(screen);
		const { id, odoo_id, noinvoice, total } = await kiosk.lookUp(BUDI);
		startCardFor(screen, { id, odoo_id, noinvoice, total });
		await saleShown(screen, 'acked');
		disk.fill();
		await tapCard(kiosk);
		await saleShown(screen, 'approved');
		disk.fill();
		await until(async () => expect(partText(await kiosk.health(), 'card')).toContain('the disk is nearly full'));
		disk.free();
		await until(() => expect(kiosk.backOffice.books.approvals).toMatchObject([{ no_invoice: noinvoice }]), 40_000);
		await until(async () => expect((await kiosk.health()).card).toMatchObject({ unknown: [], approvals_waiting: 0 }));
		expect(kiosk.edc.terminal.bank.captured).toBe(total);
		await sound();
	});
});
