// @module-tag deep
/** A day at the kiosk: customers pay, and staff settle cases, give change and count the cashbox. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { escposText } from '../simulators/printer/escpos-text.ts';
import type { Printer } from '../simulators/printer/start.ts';
import { logIn, touchButtons, typeNumber } from '../support/browser.ts';
import { tapCard } from '../support/card.ts';
import { feedNote } from '../support/feed-note.ts';
import { inspect as inspectPage, onEachPanel } from '../support/inspect.ts';
import { type Kiosk, printerSection } from '../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../support/kiosk-for-test.ts';
import { inspectedPage } from '../support/page-for-test.ts';
import { until } from '../support/until.ts';

/** Rp 137.500. */
const BUDI = '081234567890';
/** Rp 5.000. */
const JOKO = '081200000008';
/** Rp 137.500. */
const AHMAD = '081200000013';
/** Rp 3.450.000. */
const MARIA = '081200000005';
/** The total of this invoice is above the amount that a single name may settle. */
const RADEN = '081200000007';
const UNKNOWN_SALE = 'INV/2026/11/0049';
/** The stacker takes this long, ms, so that the test can kill the daemon while a note moves. */
const SLOW_STACKER_MS = 800;
const APPROVAL = '135642';

let kiosk: Kiosk;
let printer: Printer;
let page: Page;

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const touch = (...names: (string | RegExp)[]) => touchButtons(page, ...names);
const seen = (words: string) => page.getByText(words).first().waitFor();
const home = () => seen('Masukan nomor HP anda');

async function paysCash(hp: string, nominals: readonly number[]): Promise<void> {
	await typeNumber(page, hp);
	await touch(/Bayar Tunai/);
	for (const nominal of nominals) await feedNote(kiosk, nominal);
	await seen('Lunas');
	await home();
}

/** Looks up the invoice and chooses payment by card. */
async function usesCard(hp: string): Promise<void> {
	await typeNumber(page, hp);
	await touch(/Bayar Non Tunai/, /Kartu Debit BCA/);
}

/**
 * Inserts a note and kills the daemon while the acceptor stacks the note. After the restart the
 * screen shows home.
 */
async function losesPower(hp: string, nominal: number): Promise<void> {
	await typeNumber(page, hp);
	await touch(/Bayar Tunai/);
	await feedNote(kiosk, nominal, 'accepted');
	await kiosk.crashWhileStacking();
	await page.goto(kiosk.daemon.startAddress());
	await home();
}

async function toStaff(): Promise<void> {
	await typeNumber(page, '000000');
	await page.getByText('Masukan PIN').waitFor();
	await touch(...kiosk.backOffice.account.pin, 'Submit', 'Menu staf');
	await seen('Keadaan kiosk');
}

/** Checks a receipt, as staff do who type its code on the screen's keys. */
async function checks(code: string): Promise<void> {
	await touch('Periksa struk', ...code.replaceAll('-', ''), 'Periksa');
}

onEachPanel(
	'after a day of payments, staff give change, settle a note in doubt and an unknown card sale, and count a box with one note missing; all books agree',
	async (orientation, size) => {
		const inspect = (name: string) => inspectPage(page, `${orientation}-day-${name}`);
		printer = await printerForTest(10);
		kiosk = await kioskForTest({
			login: false,
			acceptor: { timing: { startMs: 20, recogniseMs: 20, stackMs: SLOW_STACKER_MS } },
			settings: `${printerSection(printer.uri)}limit_ms = 5000\n[staff]\ntwo_names_above = 500000\n`,
			edc: { lines: 'ack_ms = 500\nanswer_ms = 2000\n' },
		});
		page = await inspectedPage(size);
		await logIn(page, kiosk);

		await paysCash(BUDI, [100_000, 50_000]);
		const papers = () => printer.queue.receipts.map(({ data }) => escposText(data ?? Buffer.alloc(0)));
		const receipt = await until(() => {
			const [, code] = /Kode +(\S+)/.exec(papers()[0] ?? '') ?? [];
			if (code === undefined) throw new Error('no receipt');
			return code;
		});
		await paysCash(JOKO, [5_000]);
		await usesCard(AHMAD);
		await seen('Silakan bayar di mesin EDC');
		await tapCard(kiosk);
		await seen('Lunas');
		await home();
		await losesPower(MARIA, 100_000);
		kiosk.edc.terminal.setMode('silent_after_ack');
		await usesCard(RADEN);
		await seen('Jangan bayar lagi, hubungi staf');
		await touch('Kembali', 'Ya, kembali');
		await home();

		// The first name, Sari, becomes a supervisor, who then adds the cashier Budi.
		await toStaff();
		await page.getByText('Invoice lunas').locator('..').getByText('3', { exact: true }).waitFor();
		await inspect('home');
		await touch('Hitung kotak uang', 'Kelola nama', 'Tambah nama', ...'Sari', 'Simpan nama');
		await button(/^Sari/).waitFor();
		await touch('Tambah nama', ...'Budi', 'Simpan nama', /^Kasir/, /^Sari/);
		await button(/^Budi/).waitFor();
		await touch('Kembali', 'Kembali');

		// A cashier may give change without a supervisor. If the same receipt is checked later, the
		// screen offers no change.
		await checks(receipt);
		await page.getByRole('heading', { name: 'Asli' }).waitFor();
		await printer.setUp(false);
		await touch('Selesaikan uangnya', 'Berikan uang', 'Ya, catat', /^Budi/);
		await button(/Uang kertas belum pasti/).waitFor();
		// The printer was off, so staff print the slip for the customer's signature from the list of
		// cases.
		await until(() => expect(kiosk.daemon.events('print.failed')).toHaveLength(1));
		await printer.setUp(true);
		await touch('Kembali', 'Selesaikan', /Slip belum tercetak/);
		await inspect('slip');
		await touch('Cetak slip', 'Ya, catat', /^Budi/);
		await until(() => expect(papers().at(-1)).toMatch(/UANG DIBERIKAN[\s\S]*Budi[\s\S]*12\.500/));
		await until(async () => expect(await button(/Slip belum tercetak/).count()).toBe(0));
		await inspect('cases');
		await touch('Kembali');
		await checks(receipt);
		await page.getByRole('heading', { name: 'Uang sudah diberikan' }).waitFor();
		expect(await button('Selesaikan uangnya').count()).toBe(0);
		await touch('Kembali');

		// Staff record that the note in doubt is in the cashbox.
		await touch('Selesaikan', /Uang kertas belum pasti/);
		await seen('Kiosk mati saat uang ini bergerak');
		await inspect('note');
		await touch('Ada di kotak', 'Ya, catat', /^Sari/);
		await button(/Baru dibayar sebagian/).waitFor();

		// Staff record that the card was charged, and type the approval code of the terminal's slip.
		// The amount requires two names.
		await touch(/Kartu belum pasti/);
		await seen('Mesin EDC tidak menjawab');
		await touch('Kartu sudah didebet', 'Ya, catat');
		await seen('Kode persetujuan di slip');
		await touch(...APPROVAL);
		await inspect('approval');
		await touch('Lanjut', /^Budi/, /^Sari/);
		await until(async () => expect(await button(/Kartu belum pasti/).count()).toBe(0));
		await touch('Kembali');

		// Staff count one note of Rp 100.000 fewer than the kiosk expects.
		await touch('Hitung kotak uang', /^Budi/);
		for (const nominal of [/100\.000/, /50\.000/, /^Rp 5\.000|^5\.000/]) await touch(nominal, '1');
		await touch('Selesai hitung');
		await seen('Kurang Rp 100.000 dari catatan kiosk');
		await inspect('less');
		await touch('Simpan hitungan', 'Ya, simpan');
		await seen('Periode 1 sudah dicatat');
		await touch('Selesai');

		// The report, the journal and the back office agree.
		const report = JSON.parse((await kiosk.ctl('cash', 'report', '--period', '1', '--json')).out);
		expect(report).toMatchObject({
			notes: [
				{ nominal: 100_000, count: 2 },
				{ nominal: 50_000, count: 1 },
				{ nominal: 5_000, count: 1 },
			],
			in_doubt: [],
		});
		expect(kiosk.daemon.events('cash.collected')).toMatchObject([{ expected: 255_000, difference: -100_000 }]);
		const exported = async (invoice: string) => (await kiosk.ctl('journal', 'export', '--invoice', invoice)).out;
		expect(await exported('INV/2026/11/0042')).toMatch(/"money_given_back"[\s\S]*12500/);
		expect(await exported(UNKNOWN_SALE)).toContain(`approval code ${APPROVAL}`);
		const sales = () => kiosk.backOffice.books.approvals.map(({ no_invoice }) => no_invoice);
		await until(() => expect(sales()).toEqual(['INV/2026/11/0055', UNKNOWN_SALE]));
		expect(await kiosk.ctl('journal', 'verify')).toMatchObject({ code: 0 });
		await until(async () => expect((await kiosk.health()).outbox.count).toBe(0));
		expect(kiosk.backOffice.books.notes.map(({ nominal }) => nominal).sort()).toEqual([100_000, 100_000, 50_000, 5_000].sort());
	},
);
