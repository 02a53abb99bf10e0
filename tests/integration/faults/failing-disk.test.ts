// @module-tag deep

import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
import { stateBeside } from '../../support/journal-file.ts';
import { type Kiosk, type KioskOptions, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import { canFail, FailingDisk, journalOn, limitFiles } from './disk.ts';

const BUDI = '081234567890';
/** A slow acceptor, so that the test can break the disk while a note moves. */
const SLOW = { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: 1_500, returnMs: 20 };

let kiosk: Kiosk;
let screen: Screen;

async function start(environment: NonNullable<KioskOptions['environment']>): Promise<void> {
	kiosk = await startKiosk({ acceptor: { timing: SLOW }, edc: {}, environment, movableClock: true });
	screen = await kiosk.screen();
	await kiosk.openCash(BUDI);
}

const booked = () => kiosk.backOffice.books.notes.map((note) => note.nominal);
const stacked = () => kiosk.acceptor.device.stacked.map((note) => note.nominal);
const shown = () => screen.of('payment_cash_notification').map((note) => note.nominal);
const journal = async () => (await kiosk.health()).parts.find((part) => part.part === 'journal');
const sound = async () => expect(await kiosk.ctl('journal', 'verify')).toMatchObject({ code: 0 });

const accepted = (nominal: number): Promise<void> => feedNote(kiosk, nominal, 'accepted');

/** Checks that no note is taken and that screen and health show why. */
async function closed(): Promise<void> {
	await until(() => expect(screen.of('machine_ready').at(-1)).toMatchObject({ is_ready: false, state: 'journal_unhealthy' }));
	await until(() => expect(screen.of('kiosk_edc').at(-1)).toMatchObject({ state: 'journal_unhealthy' }));
	expect(await journal()).toMatchObject({
		state: 'fail',
		text: expect.stringMatching(/\w/),
		remedy: expect.stringContaining('Check that its disk is mounted'),
	});
	expect(kiosk.acceptor.device.insert({ nominal: 1_000 })).toMatchObject({ taken: false });
}

const healthy = () => until(async () => expect(await journal()).toMatchObject({ state: 'ok' }));

describe('failing writes', () => {
	afterEach(() => kiosk.stop());

	test('if every write fails while a note is stacked, no success is shown, no money is taken, and the note is credited once after the disk recovers', async () => {
		await start(stateBeside);
		await accepted(50_000);
		limitFiles(kiosk.daemon.pid, 1);
		await until(() => expect(kiosk.daemon.events('cash.credit_not_recorded')).toHaveLength(1));
		await closed();
		expect(stacked()).toEqual([50_000]);
		expect(shown()).toEqual([]);
		limitFiles(kiosk.daemon.pid, 'unlimited');
		await healthy();
		await until(() => expect(booked()).toEqual([50_000]));
		expect(shown()).toEqual([50_000]);
		await sound();
	});

	test('if every write fails while a note is stacked and the kiosk is killed, the note is recorded as in doubt once', async () => {
		await start(stateBeside);
		await accepted(50_000);
		limitFiles(kiosk.daemon.pid, 1);
		await until(() => expect(kiosk.daemon.events('cash.credit_not_recorded')).toHaveLength(1));
		await kiosk.crash();
		expect(stacked()).toEqual([50_000]);
		expect((await kiosk.health()).in_doubt).toMatchObject([{ nominal: 50_000 }]);
		expect(booked()).toEqual([]);
		await kiosk.afterDoubt();
		await kiosk.openCash(BUDI);
		await sound();
	});
});

test('if every write fails, a give-back is refused with the journal as the reason', async () => {
	await start(stateBeside);
	onTestFinished(() => kiosk.stop());
	await accepted(50_000);
	await until(() => expect(booked()).toEqual([50_000]));
	await kiosk.post('/kiosk/cash/close', { id: 1 });
	limitFiles(kiosk.daemon.pid, 1);
	const given = await kiosk.ctl('cash', 'give-back', 'INV/2026/11/0042', '--amount', '50000', '--by', 'Sari', '--why', 'test', '--yes');
	expect(given).toMatchObject({ code: 1, out: expect.stringContaining('the journal cannot be read') });
});

if (!canFail) process.stdout.write('no loop device: skipping the tests of a read-only disk\n');

describe.skipIf(!canFail)('a read-only disk', () => {
	let disk: FailingDisk;
	afterEach(async () => {
		await kiosk.stop();
		disk.remove();
	});

	test('if the disk becomes read-only while a note is stacked, no success is shown, no money is taken, and the note is credited once after the repair', async () => {
		disk = new FailingDisk();
		await start(journalOn(disk.path));
		await accepted(50_000);
		disk.fail();
		await until(() => expect(kiosk.daemon.events('cash.credit_not_recorded')).toHaveLength(1));
		await closed();
		expect(shown()).toEqual([]);
		await until(() => disk.repair());
		await healthy();
		await until(() => expect(booked()).toEqual(stacked()));
		expect(stacked()).toEqual([50_000]);
		await sound();
	});

	test('if the disk becomes read-only between payments, no money is taken until the repair, even after a restart', async () => {
		disk = new FailingDisk();
		await start(journalOn(disk.path));
		disk.fail();
		await closed();
		await kiosk.crash();
		screen = await kiosk.screen();
		await closed();
		await until(() => disk.repair());
		await healthy();
		await kiosk.openCash(BUDI);
		await accepted(100_000);
		await until(() => expect(booked()).toEqual([100_000]));
		await sound();
	});
});
