import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { escposText } from '../simulators/printer/escpos-text.ts';
import type { Printer } from '../simulators/printer/start.ts';
import { logIn, shot, typeNumber } from '../support/browser.ts';
import { feedNote } from '../support/feed-note.ts';
import { inspect as inspectPage, onEachPanel, SIZES } from '../support/inspect.ts';
import { type Kiosk, printerSection } from '../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../support/kiosk-for-test.ts';
import { inspectedPage } from '../support/page-for-test.ts';
import { rastersIn, readQr } from '../support/read-qr.ts';
import { fillPanel, misfits, PANELS } from '../support/ruler.ts';
import { until } from '../support/until.ts';

const STAFF = '000000';
const PAID = '081200000001';
const LONG = '081200000007';

let kiosk: Kiosk;
let printer: Printer;
let page: Page;

type Start = { size?: { width: number; height: number }; print?: 'printer' | 'browser' };

async function start({ size = SIZES.landscape, print = 'printer' }: Start = {}): Promise<void> {
	printer = await printerForTest();
	kiosk = await kioskForTest({ login: false, movableClock: true, settings: print === 'printer' ? printerSection(printer.uri) : '' });
	page = await inspectedPage(size);
	await page.clock.install();
	await logIn(page, kiosk);
}

/** Layout findings that matter for staff, who reach higher than customers: covered text. */
const isOnTop = (misfit: string) => /is covered|is cut|lies on/.test(misfit);

/** Checks on every panel size that nothing of the page is covered or cut. */
async function onPanels(): Promise<void> {
	for (const inch of PANELS) {
		await fillPanel(page, inch);
		expect((await misfits(page)).filter(isOnTop), `${inch} inch`).toEqual([]);
	}
	await fillPanel(page, 21.5);
}

const inspect = (name: string) => inspectPage(page, name);
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const asked = (path: string) => kiosk.backOffice.calls.filter((call) => call.path.includes(path)).length;
const rows = () => page.locator('tbody tr');

async function toPin(): Promise<void> {
	await typeNumber(page, STAFF);
	await page.getByText('Masukan PIN').waitFor();
}

async function enterPin(pin: string): Promise<void> {
	for (const digit of pin) await button(digit).click();
	await button('Submit').click();
}

async function toList(): Promise<void> {
	await toPin();
	await enterPin(kiosk.backOffice.account.pin);
	await until(async () => expect(await rows().count()).toBe(10));
}

/** Searches for a row with a real keyboard and opens it. */
async function openDetail(hp: string): Promise<void> {
	await page.getByLabel('Cari transaksi').fill(hp);
	await until(async () => expect(await rows().allTextContents()).toEqual([expect.stringContaining(hp)]));
	await button(/^Detail/).click();
	await page.getByRole('dialog').waitFor();
}

onEachPanel(
	'[spec 2.1.7, 2.4.1, 6.2] the PIN view fits when empty, wrong and locked; half a minute later the right PIN opens the list',
	async (orientation, size) => {
		await start({ size });
		await toPin();
		await inspect(`${orientation}-staff-pin`);
		await page.getByLabel('Masukan PIN').blur();
		await page.getByText('PIN wajib diisi').waitFor();
		await inspect(`${orientation}-staff-pin-empty`);
		await enterPin('111111');
		await page.getByText('PIN salah').waitFor();
		await inspect(`${orientation}-staff-pin-wrong`);
		await onPanels();
		for (const pin of ['222222', '333333']) {
			await enterPin(pin);
			await until(() => expect(asked('login-pin-screen')).toBe(pin === '222222' ? 2 : 3));
		}
		await page.getByText('Terlalu banyak PIN yang salah').waitFor();
		// Leaving or a reload does not reset the count of tries, because the daemon keeps it.
		await button('Kembali').click();
		await typeNumber(page, STAFF);
		await page.getByText('Terlalu banyak PIN yang salah').waitFor();
		await page.reload();
		await page.getByText('Terlalu banyak PIN yang salah').waitFor();
		await inspect(`${orientation}-staff-pin-locked`);
		await Promise.all([kiosk.pass(31_000), page.clock.fastForward(31_000)]);
		await page.getByLabel('Masukan PIN').waitFor();
		await enterPin(kiosk.backOffice.account.pin);
		await until(async () => expect(await rows().count()).toBe(10));
	},
);

onEachPanel('[spec 2.1.7] the list fits with pages, search, no results and a failed load', async (orientation, size) => {
	await start({ size });
	await toList();
	await inspect(`${orientation}-staff-list`);
	// A page that fails to load shows a message, and another page can still be selected.
	await kiosk.backOffice.setNetwork({ mode: 'silent', path: 'payment-group' });
	await button('Halaman 2').click();
	const loading = page.getByText('Memuat transaksi…');
	await until(async () => expect(await loading.evaluate((words) => getComputedStyle(words).opacity)).toBe('1'));
	await inspect(`${orientation}-staff-list-loading`);
	await kiosk.backOffice.setNetwork({ mode: 'normal' });
	await button('Halaman terakhir').click();
	await page.getByRole('cell', { name: '51', exact: true }).waitFor();
	expect(await rows().count()).toBe(1);
	await inspect(`${orientation}-staff-list-last`);
	await page.getByLabel('Cari transaksi').click();
	for (const key of 'fitri') await button(key).click();
	await until(async () => expect(await rows().first().textContent()).toContain('Fitri Handayani'));
	await shot(page, `${orientation}-staff-list-typing`);
	await button('Papan ketik').click();
	await inspect(`${orientation}-staff-list-search`);
	await page.getByLabel('Cari transaksi').fill('tidak ada');
	await page.getByText('Tidak ada transaksi yang cocok dengan “tidak ada”.').waitFor();
	await inspect(`${orientation}-staff-list-empty`);
	await kiosk.backOffice.setNetwork({ mode: 'error', path: 'payment-group' });
	await button('Hapus pencarian').click();
	await page.getByText('Kami sedang alami gangguan').waitFor();
	await inspect(`${orientation}-staff-list-failed`);
	await kiosk.backOffice.setNetwork({ mode: 'normal' });
	await button('Coba lagi').click();
	await until(async () => expect(await rows().count()).toBe(10));
});

onEachPanel('[spec 2.1.7, 2.4.6] the detail fits when paid, resent, printed, unpaid and very long', async (orientation, size) => {
	await start({ size });
	await toList();
	await openDetail(PAID);
	await inspect(`${orientation}-staff-detail-paid`);
	await button('Resend').dblclick();
	await page.getByText('Resend berhasil!').waitFor();
	await inspect(`${orientation}-staff-detail-resent`);
	expect(asked('resend-callback')).toBe(1);
	await button('Cetak').click();
	await page.getByText('Struk sudah dicetak. Silakan ambil.').waitFor();
	await inspect(`${orientation}-staff-detail-printed`);
	expect(printer.queue.receipts).toHaveLength(1);
	const paper = printer.queue.receipts[0]?.data.toString('latin1') ?? '';
	expect(paper).toMatch(/Metode Pembayaran +QRIS/);
	expect(paper).toContain('Siti Rahmawati');

	const invoice = kiosk.backOffice.books.find(PAID);
	if (invoice !== undefined) invoice.is_paid = false;
	await button('Resend').click();
	await page.getByText('Gagal: Transaksi belum dibayar').waitFor();
	await inspect(`${orientation}-staff-detail-resend-refused`);
	await kiosk.backOffice.setNetwork({ mode: 'error', path: 'resend-callback' });
	await button('Resend').click();
	await page.getByText('Terjadi kesalahan saat mencoba mengirim permintaan.').waitFor();
	await inspect(`${orientation}-staff-detail-resend-failed`);
	await kiosk.backOffice.setNetwork({ mode: 'normal' });
	await button('Cancel').click();

	await openDetail(LONG);
	await inspect(`${orientation}-staff-detail-unpaid-long`);
	expect(await button('Cetak').count()).toBe(0);
	expect(await button('Resend').count()).toBe(0);
	await button('Berikutnya').click();
	await page.getByText('Bagian 2 dari').waitFor();
	await inspect(`${orientation}-staff-detail-unpaid-long-2`);
	await button('Cancel').click();
	expect(await page.getByRole('dialog').count()).toBe(0);
});

test("[spec 2.4.5] '<<' appears from page 7 on and goes to the first page", { tags: 'deep' }, async () => {
	await start();
	for (let more = 0; more < 70; more += 1) kiosk.backOffice.books.addInvoice(`0899000${String(more).padStart(4, '0')}`, 25_000, new Date());
	await toList();
	await button('Halaman 6').click();
	await page.getByRole('cell', { name: '51', exact: true }).waitFor();
	expect(await button('Halaman pertama').count()).toBe(0);
	await button('Halaman 7').click();
	await page.getByRole('cell', { name: '61', exact: true }).waitFor();
	await inspect('landscape-staff-list-many');
	await button('Halaman pertama').click();
	await page.getByRole('cell', { name: '1', exact: true }).waitFor();
});

test('an idle list asks, goes home locked and leaves no PIN or customer data behind', async () => {
	await start();
	await toList();
	await openDetail(PAID);
	await page.clock.fastForward(61_000);
	await page.getByText('Masih di sana?').waitFor();
	await shot(page, 'landscape-staff-idle');
	// A tap on the question does not change the list.
	await button('Lanjutkan').click();
	await page.getByText('Nama Konsumen').waitFor();
	await page.clock.fastForward(61_000);
	await page.getByText('Masih di sana?').waitFor();
	await page.clock.fastForward(21_000);
	await page.getByText('Masukan nomor HP anda').waitFor();
	const left = await page.evaluate(() => document.documentElement.outerHTML + JSON.stringify({ ...sessionStorage, ...localStorage }));
	expect(left).not.toMatch(/Siti|081200000001|123456/);
	await toPin();
	expect(await page.getByRole('table').count()).toBe(0);
	const log = JSON.stringify(kiosk.daemon.log);
	expect(log).not.toContain(kiosk.backOffice.account.pin);
});

test('[spec 2.4.6] a cash receipt reprinted by staff is a copy with the received amount and Lebih Bayar', async () => {
	await start();
	await typeNumber(page, '081234567890');
	await button(/Bayar Tunai/).click();
	await page.getByText('Ready', { exact: true }).waitFor();
	for (const nominal of [100_000, 50_000]) await feedNote(kiosk, nominal);
	await until(() => expect(printer.queue.receipts).toHaveLength(1));
	await button('Kembali').click();
	await page.getByText('Masukan nomor HP anda').waitFor();
	await toList();
	await openDetail('081234567890');
	await button('Cetak').click();
	await until(() => expect(printer.queue.receipts).toHaveLength(2));
	const paper = printer.queue.receipts[1]?.data.toString('latin1') ?? '';
	expect(paper).toContain('SALINAN');
	expect(paper).toMatch(/Total diterima +Rp 150\.000/);
	expect(paper).toMatch(/Lebih Bayar +Rp 12\.500/);
	expect(paper).toContain('Salinan: Lebih Bayar hanya ditukar satu kali.');
});

test('without a printer Cetak opens the print page and then home', { tags: 'deep' }, async () => {
	await start({ print: 'browser' });
	await page.addInitScript(() => {
		window.print = () => undefined;
	});
	await page.reload();
	await toList();
	await openDetail(PAID);
	await button('Cetak').click();
	await page.waitForURL('**/cetak');
	// The list stays until the print page is loaded. Only the print page has this row.
	await page.getByText('Untaxed Amount').waitFor();
	await shot(page, 'landscape-staff-cetak');
	await page.getByText('Masukan nomor HP anda').waitFor();
	expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('the list asks for a log-in after the outlet session ended; a wrong PIN does not end the session', { tags: 'deep' }, async () => {
	await start();
	await toPin();
	await enterPin('000111');
	await page.getByText('PIN salah').waitFor();
	await enterPin(kiosk.backOffice.account.pin);
	await until(async () => expect(await rows().count()).toBe(10));
	kiosk.backOffice.books.revokeTokens();
	await button('Halaman 2').click();
	await page.getByLabel('Username').waitFor();
});

test('staff confirm changed settings behind the PIN', { tags: 'deep' }, async () => {
	await start();
	await kiosk.crash(undefined, (settings) => settings.replace('"0x40" = 1000', '"0x40" = 100000'));
	await page.close();
	page = await page.context().newPage();
	await page.clock.install();
	await page.goto(kiosk.daemon.startAddress());
	await page.getByText('Pengaturan kiosk berubah').waitFor();
	await toPin();
	await enterPin(kiosk.backOffice.account.pin);
	await button('Pengaturan berubah').click();
	await page.getByText('[acceptor.notes]').waitFor();
	await inspect('landscape-staff-settings');
	await button('Ya, konfirmasi').click();
	await button('Pengaturan berubah').waitFor({ state: 'detached' });
	await inspect('landscape-staff-list-after-settings');
	await button('Kembali').click();
	await page.getByText('Masukan nomor HP anda').waitFor();
	expect(await page.getByText('Pengaturan kiosk berubah').count()).toBe(0);
});

onEachPanel('the staff home shows today, open cases and devices, and leads to the list and home', async (orientation, size) => {
	await start({ size });
	const invoice = await kiosk.openCash('081234567890');
	await feedNote(kiosk, 50_000);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await toList();
	await button('Menu staf').click();
	await page.getByText('Baru dibayar sebagian').waitFor();
	await page.getByText('1 lembar').waitFor();
	await inspect(`${orientation}-staff-home`);
	await button('Daftar transaksi').click();
	await until(async () => expect(await rows().count()).toBe(10));
	await button('Menu staf').click();
	await button('Kembali').click();
	await page.getByText('Masukan nomor HP anda').waitFor();
	await toPin();
});

onEachPanel('staff count the cashbox without seeing the sum, count again and save; the slip is printed', async (orientation, size) => {
	await start({ size });
	const invoice = await kiosk.openCash('081234567890');
	await feedNote(kiosk, 50_000);
	await feedNote(kiosk, 20_000);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await toList();
	await button('Menu staf').click();
	await button('Hitung kotak uang').click();
	await page.getByText('Belum ada nama').waitFor();
	await button('Kelola nama').click();
	await page.getByText('Tambahkan supervisor dulu').waitFor();
	await button('Tambah nama').click();
	for (const letter of ['S', 'a', 'r', 'i']) await button(letter).click();
	await inspect(`${orientation}-staff-new-name`);
	await button('Simpan nama').click();
	await button(/Sari/).waitFor();
	await button('Kembali').click();
	await button(/Sari/).waitFor();
	await inspect(`${orientation}-staff-names`);
	await button(/Sari/).click();
	await button(/50\.000/).click();
	await button('1').click();
	await page.getByText('Total dihitung').waitFor();
	expect(await page.content()).not.toContain('70.000');
	await inspect(`${orientation}-staff-count`);
	await button('Selesai hitung').click();
	await page.getByText('Kurang Rp 20.000 dari catatan kiosk').waitFor();
	await inspect(`${orientation}-staff-count-less`);
	await button('Hitung ulang').click();
	await button(/50\.000/).click();
	await button('1').click();
	await button(/20\.000/).click();
	await button('1').click();
	await button('Selesai hitung').click();
	await page.getByText('Cocok. Tidak ada selisih.').waitFor();
	await inspect(`${orientation}-staff-count-equal`);
	await button('Simpan hitungan').click();
	await button('Ya, simpan').click();
	await page.getByText('Periode 1 sudah dicatat').waitFor();
	await inspect(`${orientation}-staff-count-saved`);
	expect(kiosk.daemon.events('cash.counted')).toMatchObject([{ difference: -20_000 }, { difference: 0 }]);
	expect(kiosk.daemon.events('cash.collected')).toMatchObject([{ period: 1, expected: 70_000, difference: 0 }]);
	await button('Selesai').click();
	await page.getByText('Menu staf').waitFor();
});

onEachPanel('staff give the change of an overpaid invoice only once, under a name', async (orientation, size) => {
	await start({ size });
	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
	const invoice = await kiosk.openCash('081234567890');
	await feedNote(kiosk, 100_000);
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.daemon.events('cash.paid')).toHaveLength(1));
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await toList();
	await button('Menu staf').click();
	await button('Selesaikan').click();
	await page.getByText('Kembalian belum diberikan').waitFor();
	await inspect(`${orientation}-staff-cases`);
	await button(/Kembalian belum diberikan/).click();
	await page.getByText('Minta struk pelanggan').waitFor();
	await inspect(`${orientation}-staff-case`);
	await button('Berikan uang').click();
	await button('Ya, catat').click();
	await button(/Sari/).click();
	await page.getByText('Tidak ada kasus terbuka.').waitFor();
	expect(kiosk.daemon.events('cash.given_back')).toMatchObject([{ amount: 12_500 }]);
});

/** @returns the code and the text of the QR code of the newest paper */
function printed(): Promise<{ code: string; qr: string }> {
	return until(() => {
		const data = printer.queue.receipts.at(-1)?.data ?? Buffer.alloc(0);
		const [, code] = /Kode +(\S+)/.exec(escposText(data)) ?? [];
		const [raster] = rastersIn(data).slice(-1);
		if (code === undefined || raster === undefined) throw new Error('no code is printed');
		return { code, qr: readQr(raster).text };
	});
}

onEachPanel(
	'staff check a receipt by its code and give its change once; a later photograph of it gets no change',
	async (orientation, size) => {
		await start({ size });
		await kiosk.staff();
		await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
		const invoice = await kiosk.openCash('081234567890');
		for (const nominal of [100_000, 50_000]) await feedNote(kiosk, nominal);
		await until(() => expect(kiosk.daemon.events('cash.paid')).toHaveLength(1));
		await kiosk.post('/kiosk/cash/close', { id: invoice.id });
		await until(async () => expect((await kiosk.post('/kiosk/print', { id: invoice.id, of: 'invoice' })).status).toBe(202));
		const { code, qr } = await printed();

		await toList();
		await button('Menu staf').click();
		await button('Periksa struk').click();
		await page.getByText('Periksa struk atau slip').waitFor();
		await inspect(`${orientation}-staff-check`);
		await onPanels();
		const type = async (text: string) => {
			for (const letter of text.replaceAll('-', '')) await button(letter).click();
			await button('Periksa').click();
		};
		// One wrong letter counts as a typing error, and the field keeps the typed text.
		await type(code.replace(/.$/, (letter) => (letter === '7' ? '8' : '7')));
		await page.getByText('Ada huruf yang salah').waitFor();
		await inspect(`${orientation}-staff-check-mistyped`);
		await button('Hapus satu huruf').click();
		await button(code.slice(-1)).click();
		await button('Periksa').click();
		await page.getByRole('heading', { name: 'Asli' }).waitFor();
		await page.getByText('Rp 12.500').waitFor();
		await inspect(`${orientation}-staff-check-genuine`);
		await onPanels();

		await button('Selesaikan uangnya').click();
		await page.getByText('Minta struk pelanggan').waitFor();
		await button('Berikan uang').click();
		await button('Ya, catat').click();
		await button(/^Sari/).click();
		await page.getByText('Tidak ada kasus terbuka.').waitFor();

		// A scanner types the QR code of a photograph.
		await button('Kembali').click();
		await button('Periksa struk').click();
		await page.getByLabel('Periksa struk atau slip').pressSequentially(qr);
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: 'Uang sudah diberikan' }).waitFor();
		expect(await page.getByText(/Rp 12\.500 · Sari/).count()).toBe(1);
		expect(await button('Selesaikan uangnya').count()).toBe(0);
		await inspect(`${orientation}-staff-check-given`);

		await button('Periksa struk lain').click();
		await page.getByLabel('Periksa struk atau slip').pressSequentially(qr.replace('/137500/', '/937500/'));
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: 'Palsu' }).waitFor();
		await inspect(`${orientation}-staff-check-forged`);
	},
);

test('staff log the outlet out behind the PIN after a confirmation, and the kiosk then asks for a log-in', async () => {
	await start();
	await toPin();
	await enterPin(kiosk.backOffice.account.pin);
	await button('Menu staf').click();
	await button('Keluar akun').click();
	await page.getByText('Keluarkan akun outlet?').waitFor();
	await inspect('landscape-staff-log-out');
	await button('Ya, keluar').click();
	await page.getByLabel('Username').waitFor();
	expect((await kiosk.health()).parts.find(({ part }) => part === 'back office')?.text).toBe('no outlet account is logged in');
	await logIn(page, kiosk);
});
