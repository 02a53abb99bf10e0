import type { Page } from 'playwright-core';
import QRCode from 'qrcode';
import { describe, expect, test } from 'vitest';
import type { Printer } from '../simulators/printer/start.ts';
import { logIn, shot, typeNumber } from '../support/browser.ts';
import { inspect, SIZES } from '../support/inspect.ts';
import { type Kiosk, printerSection } from '../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../support/kiosk-for-test.ts';
import { pageForTest } from '../support/page-for-test.ts';
import { until } from '../support/until.ts';

const BUDI = '081234567890';
const QRIS_OPEN = '081200000003';
const BCA_OPEN = '081200000004';
const LARGE = '081200000005';
const HUTANG_LAIN = '081200000006';
const MANDIRI_OPEN = '081200000009';
const BNI_OPEN = '081200000010';
const QRIS_PICTURE = '081200000011';
const QRIS_EXPIRED = '081200000012';

let kiosk: Kiosk;
let printer: Printer;
let page: Page;

/**
 * @param bypassCSP only for tests that inject styles; other tests keep the page's policy
 * @param screen additional lines for the settings section `[screen]`
 */
async function start(viewport: { width: number; height: number } = SIZES.landscape, bypassCSP = false, screen = ''): Promise<void> {
	printer = await printerForTest();
	kiosk = await kioskForTest({ login: false, settings: printerSection(printer.uri), screen });
	page = await pageForTest({ viewport, bypassCSP, reducedMotion: bypassCSP ? 'reduce' : 'no-preference' });
	await logIn(page, kiosk);
}

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const QR = () => page.getByAltText('Kode QR pembayaran');
const OTHER = 'Pilih Metode Pembayaran Lain';

async function toNonCash(hp: string): Promise<void> {
	await typeNumber(page, hp);
	await button(/Bayar Non Tunai/).click();
	await page.getByText('Kartu Debit BCA', { exact: true }).waitFor();
}

const invoiceOf = (hp: string) => {
	const invoice = kiosk.backOffice.books.find(hp);
	if (invoice === undefined) throw new Error(`no invoice for ${hp}`);
	return invoice;
};
/** Number of calls of this path at the back office. */
const asked = (path: string): number => kiosk.backOffice.calls.filter((call) => call.path === `/payment/api/v1/${path}/`).length;
/** @returns the modules of the QR code on the screen; null while no QR code is drawn */
const modulesShown = (modules: number): Promise<boolean[] | null> =>
	QR().evaluate((image: HTMLImageElement, count) => {
		if (!image.complete || image.naturalWidth !== 300) return null;
		const MARGIN = 2;
		const side = (count + 2 * MARGIN) * 8;
		const canvas = document.createElement('canvas');
		Object.assign(canvas, { width: side, height: side });
		const drawing = canvas.getContext('2d');
		if (drawing === null) return null;
		drawing.drawImage(image, 0, 0, side, side);
		const dark = (at: number) =>
			drawing.getImageData(((at % count) + MARGIN) * 8 + 4, (Math.floor(at / count) + MARGIN) * 8 + 4, 1, 1).data[0];
		return Array.from({ length: count * count }, (_, at) => (dark(at) ?? 255) < 128);
	}, modules);

/** Waits until the screen shows the QR code of this text. */
async function showsCode(text: string): Promise<void> {
	const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
	await until(async () => expect(await modulesShown(modules.size)).toEqual(Array.from(modules.data, Boolean)));
}

test('[spec 5.4, 9.14] a customer pays by QRIS: repeated taps create one code of 630 px, repeated messages print one receipt, and no customer data stays on the page', async () => {
	await start();
	await typeNumber(page, BUDI);
	await button(/Bayar Non Tunai/).dblclick();
	await page.getByText('Kartu Debit BCA', { exact: true }).waitFor();
	await button(/QRIS/).dblclick();
	await QR().waitFor();
	await showsCode(invoiceOf(BUDI).qr_url);
	expect(asked('payment')).toBe(1);
	await until(() => expect(kiosk.backOffice.live.received).toContainEqual({ message: 'transaction', amount: 137_500 }));
	expect(await QR().boundingBox()).toMatchObject({ width: expect.closeTo(630, 0), height: expect.closeTo(630, 0) });
	await page.getByText('Gunakan Mbanking anda, dan scan QR dibawah ini').waitFor();
	await page.getByText(/^(30:00|29:\d\d)$/).waitFor();
	await shot(page, 'qris');

	kiosk.backOffice.tellPaid(invoiceOf(QRIS_OPEN));
	kiosk.backOffice.live.say({ type: 'payment_notification', id: invoiceOf(BUDI).id, is_paid: 'vielleicht' });
	kiosk.backOffice.live.say({ type: 'payment_notification', is_paid: true });
	kiosk.backOffice.books.pay(invoiceOf(BUDI), 'qris');
	for (let again = 0; again < 3; again += 1) kiosk.backOffice.tellPaid(invoiceOf(BUDI));
	await page.getByText('Terima kasih, pembayaran Anda sudah kami terima.').waitFor();
	await until(() => expect(printer.queue.receipts).toHaveLength(1));
	await page.getByText('Masukan nomor HP anda').waitFor();
	expect(printer.queue.receipts[0]?.data.toString('latin1')).toMatch(/Metode Pembayaran +QRIS/);
	kiosk.backOffice.tellPaid(invoiceOf(BUDI));
	expect(await page.content()).not.toContain('Budi');
	expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toMatch(/08123456|Budi/);
	expect(printer.queue.receipts).toHaveLength(1);
});

test('if a code is open, the same code is shown again and no second code is created; it is cancelled before cash is taken', {
	tags: 'deep',
}, async () => {
	await start();
	await typeNumber(page, QRIS_OPEN);
	await QR().waitFor();
	await button(OTHER).click();
	await page.getByText('QRIS masih terbuka.', { exact: true }).waitFor();
	await shot(page, 'method-qris-open');
	await button(/Bayar Non Tunai/).click();
	await shot(page, 'method-qris-again');
	await button(/QRIS Lanjutkan/).click();
	await QR().waitFor();
	expect(asked('payment')).toBe(0);
	await button(OTHER).click();
	await button(/Bayar Tunai/).click();
	await page.getByText('Ready', { exact: true }).waitFor();
	expect(asked('cancel-payment')).toBe(1);
	expect(invoiceOf(QRIS_OPEN).json_data).toBeNull();
});

test('after a code was paid, the invoice cannot be paid again in cash, even if the payment message is lost', { tags: 'deep' }, async () => {
	await start();
	await typeNumber(page, QRIS_OPEN);
	await QR().waitFor();
	await button(OTHER).click();
	await button(/Bayar Tunai/).waitFor();
	kiosk.backOffice.books.onPaid = () => undefined;
	kiosk.backOffice.books.pay(invoiceOf(QRIS_OPEN), 'qris');
	await button(/Bayar Tunai/).click();
	await page.getByText('Terima kasih, pembayaran Anda sudah kami terima.').waitFor();
	await until(() => expect(printer.queue.receipts).toHaveLength(1));
});

test('[spec 2.5.5, 7.9] a virtual account is cancelled only after the customer confirms; a failed cancellation can be retried; after the cancellation the kiosk goes home', {
	tags: 'deep',
}, async () => {
	await start();
	await typeNumber(page, BCA_OPEN);
	await page.getByText('Nomor Virtual Account', { exact: true }).waitFor();
	await button(OTHER).click();
	await button('Batalkan Virtual Account').click();
	await page.getByRole('dialog').waitFor();
	await shot(page, 'method-cancel-question');
	await button('Tidak').click();
	expect(asked('cancel-payment')).toBe(0);
	await kiosk.backOffice.setNetwork({ mode: 'error', path: 'cancel-payment' });
	await button('Batalkan Virtual Account').click();
	await button('Ya, batalkan').click();
	await page.getByText('Kami sedang mengalami gangguan').waitFor();
	await shot(page, 'method-cancel-failed');
	await kiosk.backOffice.setNetwork({ mode: 'normal' });
	await button('Batalkan Virtual Account').click();
	await button('Ya, batalkan').click();
	await page.getByText('Masukan nomor HP anda').waitFor();
	expect(invoiceOf(BCA_OPEN).no_va).toBe('');
});

test('[spec 3.5] a virtual account is created at the chosen bank and paid; for a hutang_lain invoice the kiosk creates it with another call', async () => {
	await start();
	await toNonCash(LARGE);
	await button(/Virtual Account/).click();
	await page.getByText('Pilih Virtual Account').waitFor();
	await button('Mandiri').waitFor();
	await shot(page, 'va-list');
	await button('Mandiri').dblclick();
	await page.getByText('8860800000000006').waitFor();
	await page.getByText(/^\d\d-\d\d-\d{4} \d\d:\d\d$/).waitFor();
	expect(asked('create-va-kiosbank')).toBe(1);
	kiosk.backOffice.books.pay(invoiceOf(LARGE), 'va');
	await page.getByText('Terima kasih, pembayaran Anda sudah kami terima.').waitFor();
	await shot(page, 'va-paid');
	await page.getByText('Masukan nomor HP anda').waitFor();

	await toNonCash(HUTANG_LAIN);
	await button(/Virtual Account/).click();
	await button('BNI').click();
	await page.getByText(/^98800/).waitFor();
	expect([asked('create-va-kiosbank'), asked('create-va-xendit')]).toEqual([1, 1]);
});

test('[spec 2.7.2] if a code cannot be created, an alert appears; if the bank list fails to load, it can be loaded again, and a text is shown meanwhile', {
	tags: 'deep',
}, async () => {
	await start();
	await kiosk.backOffice.setNetwork({ mode: 'error', path: 'v1/payment/' });
	await toNonCash(BUDI);
	await button(/QRIS/).click();
	await page.getByText('Kami sedang mengalami gangguan').waitFor();
	await shot(page, 'method-create-failed');
	await button('Kembali').click();
	await button('Kembali').click();
	await kiosk.backOffice.setNetwork({ mode: 'error', path: 'master-va' });
	await toNonCash(LARGE);
	await button(/Virtual Account/).click();
	await page.getByText('Unable to fetch Data').waitFor();
	await shot(page, 'va-list-failed');
	await kiosk.backOffice.setNetwork({ mode: 'slow', slowMs: 2_500, path: '' });
	await button('Coba lagi').click();
	await page.getByText('Memuat daftar bank…').waitFor();
	await shot(page, 'va-list-loading');
	await button('BCA').click();
	await button('BCA').and(page.locator('[aria-busy="true"]')).waitFor();
	await shot(page, 'va-choosing');
	await page.getByText(/^39107/).waitFor();
});

test('an expired code is not shown and can be renewed', { tags: 'deep' }, async () => {
	await start();
	await typeNumber(page, QRIS_EXPIRED);
	await page.getByText('Kode QR sudah kedaluwarsa').waitFor();
	expect(await QR().count()).toBe(0);
	await shot(page, 'qris-expired');
	await button('Buat kode baru').click();
	await QR().waitFor();
	await showsCode(invoiceOf(QRIS_EXPIRED).qr_url);
	expect([asked('cancel-payment'), asked('payment')]).toEqual([1, 1]);
	await page.getByText(/^(30:00|29:\d\d)$/).waitFor();
});

test('[spec 5.4] the daemon loads a QR picture from another host, and a failed picture can be retried', {
	tags: 'deep',
}, async () => {
	await start();
	await page.route('**/kiosk/picture*', (route) => route.abort());
	await typeNumber(page, QRIS_PICTURE);
	await page.getByText('Gambar QR tidak dapat dimuat').waitFor();
	await shot(page, 'qris-broken');
	await page.unroute('**/kiosk/picture*');
	await button('Coba lagi').click();
	await QR().waitFor();
	await until(async () => expect(await QR().evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0)).toBe(true));
	await shot(page, 'qris-picture');
});

test('the screen shows that the connection is lost; after the reconnection it shows a payment that was made meanwhile', {
	tags: 'deep',
}, async () => {
	await start();
	await typeNumber(page, QRIS_OPEN);
	await QR().waitFor();
	await kiosk.backOffice.setNetwork({ up: false });
	await page.getByText('Sambungan terputus. Pembayaran Anda sedang diperiksa, tunggu di layar ini.').waitFor();
	await shot(page, 'qris-offline');
	kiosk.backOffice.books.pay(invoiceOf(QRIS_OPEN), 'qris');
	await kiosk.backOffice.setNetwork({ up: true });
	await page.getByText('Terima kasih, pembayaran Anda sudah kami terima.').waitFor();
	await until(() => expect(printer.queue.receipts).toHaveLength(1));
});

test('if the message about a payment is lost, polling finds the payment', { tags: 'deep' }, async () => {
	await start();
	await typeNumber(page, BNI_OPEN);
	await page.getByText('Nomor Virtual Account', { exact: true }).waitFor();
	kiosk.backOffice.books.onPaid = () => undefined;
	kiosk.backOffice.books.pay(invoiceOf(BNI_OPEN), 'va');
	await page.getByText('Terima kasih, pembayaran Anda sudah kami terima.').waitFor();
});

test('a reload shows the same code; a non-cash screen that is opened without a visit goes home', { tags: 'deep' }, async () => {
	await start();
	await page.goto(`${kiosk.daemon.url}/non-cash-payment`);
	await page.getByText('Masukan nomor HP anda').waitFor();
	await typeNumber(page, QRIS_OPEN);
	await QR().waitFor();
	await page.reload();
	await QR().waitFor();
	expect(asked('payment')).toBe(0);
});

test('payment steps have page buttons only if they do not fit on one page', { tags: 'deep' }, async () => {
	await start(SIZES.portrait);
	await typeNumber(page, BNI_OPEN);
	await page.getByText('Masukkan kode token, lalu pilih Proses').waitFor();
	const turn = page.getByRole('region', { name: 'Cara Pembayaran' }).getByRole('button', { name: 'Berikutnya' });
	await until(async () => expect(await turn.count()).toBe(0));
	await page.setViewportSize({ width: 1080, height: 1780 });
	await turn.waitFor();
	await page.setViewportSize(SIZES.portrait);
	await turn.waitFor({ state: 'detached' });
});

const PANELS = [
	['landscape', SIZES.landscape, ''],
	['portrait', SIZES.portrait, ''],
	['small', SIZES.landscape, 'panel_diagonal_inch = 15.6'],
] as const;

describe.each(PANELS)('%s', (orientation, size, screen) => {
	test('[spec 2.1.7] the non-cash states fit their panel and are accessible', { tags: 'deep' }, async () => {
		await start(size, true, screen);
		const home = async () => {
			await button('Kembali').click();
			await page.getByText('Masukan nomor HP anda').waitFor();
		};
		await toNonCash(BUDI);
		await inspect(page, `${orientation}-method-non-cash`);
		await button('Kembali').click();
		await home();
		await typeNumber(page, QRIS_OPEN);
		await QR().waitFor();
		await inspect(page, `${orientation}-qris`);
		await button(OTHER).click();
		await page.getByText(/QRIS masih terbuka/).waitFor();
		await inspect(page, `${orientation}-method-open`);
		await button('Batalkan QRIS').click();
		await page.getByRole('dialog').waitFor();
		await inspect(page, `${orientation}-method-cancel`);
		await button('Tidak').click();
		await home();
		await typeNumber(page, QRIS_EXPIRED);
		await page.getByText('Kode QR sudah kedaluwarsa').waitFor();
		await inspect(page, `${orientation}-qris-expired`);
		await home();
		for (const [bank, hp] of Object.entries({ bca: BCA_OPEN, mandiri: MANDIRI_OPEN, bni: BNI_OPEN })) {
			await typeNumber(page, hp);
			await page.getByText('Cara Pembayaran').waitFor();
			await inspect(page, `${orientation}-va-${bank}`);
			await home();
		}
		Object.assign(invoiceOf(MANDIRI_OPEN).json_data ?? {}, { expiry_time: '2020-01-01T10:00:00+07:00' });
		await typeNumber(page, MANDIRI_OPEN);
		await page.getByText(/Batas waktu sudah lewat/).waitFor();
		await inspect(page, `${orientation}-va-expired`);
		await home();
		await toNonCash(LARGE);
		await button(/Virtual Account/).click();
		await button('Mandiri').waitFor();
		await inspect(page, `${orientation}-va-list`);
	});
});
