import { expect, test } from 'vitest';
import { logIn } from '../support/browser.ts';
import { feedNote } from '../support/feed-note.ts';
import { onEachPanel, onEachPanelDeep } from '../support/inspect.ts';
import { until } from '../support/until.ts';
import { staffOn, startStaff } from './staff-page.ts';

test('staff enter the PIN and confirm changed settings', { tags: 'deep' }, async () => {
	const { kiosk, page: before } = await startStaff();
	await kiosk.crash(undefined, (settings) => settings.replace('"0x40" = 1000', '"0x40" = 100000'));
	await before.close();
	const page = await before.context().newPage();
	const { button, enterPin, inspect, toPin } = staffOn(page, kiosk);
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

onEachPanel('the staff home shows open cases and today’s notes, and leads to the list and home', async (orientation, size) => {
	const { kiosk, page, inspect, button, rows, toPin, toList } = await startStaff({ size });
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

onEachPanelDeep('staff give the change of an overpaid invoice only once, under a name', async (orientation, size) => {
	const { kiosk, page, inspect, button, toList } = await startStaff({ size });
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

onEachPanelDeep(
	'staff check a receipt by its code and give change once; a later photograph of the receipt gets no change',
	async (orientation, size) => {
		const { kiosk, page, inspect, button, toList, onPanels, printed } = await startStaff({ size });
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
		// A code with one wrong letter is a typing error, and the field keeps the typed text.
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

		// The test types what a scanner reads from a photograph of the receipt: the text of its QR
		// code.
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

test('after staff enter the PIN, log the outlet out and confirm, the kiosk asks for a log-in', { tags: 'deep' }, async () => {
	const { kiosk, page, inspect, button, toPin, enterPin } = await startStaff();
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
