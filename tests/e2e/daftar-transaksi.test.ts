import { expect, test } from 'vitest';
import { shot, typeNumber } from '../support/browser.ts';
import { feedNote } from '../support/feed-note.ts';
import { onEachPanelDeep } from '../support/inspect.ts';
import { until } from '../support/until.ts';
import { startStaff } from './staff-page.ts';

const STAFF = '000000';
const PAID = '081200000001';
const LONG = '081200000007';

onEachPanelDeep(
	'[spec 2.1.7, 2.4.1, 6.2] the PIN view fits its panel when empty, wrong and locked; half a minute after the lock the right PIN opens the list',
	async (orientation, size) => {
		const { kiosk, page, inspect, button, asked, rows, toPin, enterPin, onPanels } = await startStaff({ size });
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
		// The PIN stays locked after staff leave the screen and after a reload, because the daemon
		// counts wrong PINs.
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

onEachPanelDeep('[spec 2.1.7] the list fits its panel with pages, search, no results and a failed load', async (orientation, size) => {
	const { kiosk, page, inspect, button, rows, toList } = await startStaff({ size });
	await toList();
	await inspect(`${orientation}-staff-list`);
	// While a page of the list loads, the screen shows a text about this, and staff can select
	// another page.
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

onEachPanelDeep('[spec 2.1.7, 2.4.6] the detail fits its panel when paid, resent, printed, unpaid or long', async (orientation, size) => {
	const { kiosk, printer, page, inspect, button, asked, toList, openDetail } = await startStaff({ size });
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

test("[spec 2.4.5] '<<' appears from page 7 on and leads to the first page", { tags: 'deep' }, async () => {
	const { kiosk, page, inspect, button, toList } = await startStaff();
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

test('if staff leave the list open, the idle question appears and then the kiosk goes home; the list needs the PIN again, and no PIN or customer data is left', {
	tags: 'deep',
}, async () => {
	const { kiosk, page, button, toPin, toList, openDetail } = await startStaff();
	await toList();
	await openDetail(PAID);
	await page.clock.fastForward(61_000);
	await page.getByText('Masih di sana?').waitFor();
	await shot(page, 'landscape-staff-idle');
	// After the question is answered, the detail is still open.
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

test('[spec 2.4.6] a cash receipt that staff reprint is a copy with received amount and Lebih Bayar', async () => {
	const { kiosk, printer, page, button, toList, openDetail } = await startStaff();
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

test('without a printer, Cetak opens the print page, which then goes home', { tags: 'deep' }, async () => {
	const { page, button, toList, openDetail } = await startStaff({ print: 'browser' });
	await page.addInitScript(() => {
		window.print = () => undefined;
	});
	await page.reload();
	await toList();
	await openDetail(PAID);
	await button('Cetak').click();
	await page.waitForURL('**/cetak');
	// The list stays on the screen until the print page is loaded, so the test waits for a row that
	// only the print page has.
	await page.getByText('Untaxed Amount').waitFor();
	await shot(page, 'landscape-staff-cetak');
	await page.getByText('Masukan nomor HP anda').waitFor();
	expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('after the server has revoked the token, the list leads to the log-in; a wrong PIN does not log the outlet out', {
	tags: 'deep',
}, async () => {
	const { kiosk, page, button, rows, toPin, enterPin } = await startStaff();
	await toPin();
	await enterPin('000111');
	await page.getByText('PIN salah').waitFor();
	await enterPin(kiosk.backOffice.account.pin);
	await until(async () => expect(await rows().count()).toBe(10));
	kiosk.backOffice.books.revokeTokens();
	await button('Halaman 2').click();
	await page.getByLabel('Username').waitFor();
});
