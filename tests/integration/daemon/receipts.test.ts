import { beforeEach, expect, test } from 'vitest';
import { escposText } from '../../simulators/printer/escpos-text.ts';
import type { Printer } from '../../simulators/printer/start.ts';
import { feedNote } from '../../support/feed-note.ts';
import { DEAD_PRINTER, type Kiosk, type KioskOptions, partText, printerSection, type Screen } from '../../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';

// Any page can request receipts over HTTP. From the request the daemon uses only the name of the
// invoice; it prints no data that the page sends.

const BUDI = '081234567890';
const SITI_PAID_BY_QRIS = '081200000001';
const WITH_LOGO = '081200000013';
const TOTAL = 137_500;

const FORGED = {
	logo: '',
	ahass: 'AHASS PALSU',
	tanggal: '01-01-2026 00:00',
	nomor: 'INV/PALSU',
	nama: 'Pencuri',
	nopol: 'X 1',
	is_paid: true,
	metode: 'Tunai',
	lines: [],
	untaxed: 0,
	taxed: 0,
	total: 50_000,
	received: 150_000,
};

let printer: Printer;
let kiosk: Kiosk;
let screen: Screen;

async function start(options: KioskOptions = {}): Promise<void> {
	kiosk = await kioskForTest({ settings: printerSection(printer.uri), ...options });
	screen = await kiosk.screen();
}

beforeEach(async () => {
	printer = await printerForTest(10);
});

const papers = (): string[] => printer.queue.receipts.map(({ data }) => escposText(data).replace(/ +/g, ' '));
const paper = (count: number): Promise<string> =>
	until(() => {
		expect(papers()).toHaveLength(count);
		return papers().at(-1) ?? '';
	});
const print = (body: object) => kiosk.post('/kiosk/print', body);
const feed = async (...notes: number[]): Promise<void> => {
	for (const nominal of notes) await feedNote(kiosk, nominal);
};
/** Loads a row of the staff list, because the daemon prints only rows that it has forwarded. */
async function listed(hp: string): Promise<Record<string, unknown>> {
	const [row] = await kiosk.list(hp);
	if (!row) throw new Error('no such row');
	return row;
}

test('[spec 2.10.3] if a page sends a forged receipt, the daemon prints neither its paid mark (LUNAS) nor its change (Lebih Bayar)', async () => {
	await start();
	const invoice = await kiosk.lookUp(BUDI);
	expect(await print({ id: invoice.id, receipt: FORGED })).toMatchObject({ status: 400, body: { code: 'bad_request' } });
	expect(await print({ id: 4711, receipt: FORGED })).toMatchObject({ status: 400 });
	// Even without the forged receipt the request is refused, because the invoice is not paid.
	expect(await print({ id: invoice.id })).toMatchObject({ status: 409, body: { code: 'not_paid' } });
	expect(await print({ id: 4711 })).toMatchObject({ status: 404, body: { code: 'unknown_payment' } });
	expect(await print({ id: invoice.id, of: 'list' })).toMatchObject({ status: 403 });
	await kiosk.staff();
	expect(await print({ id: invoice.id, of: 'list' })).toMatchObject({ status: 404 });
	// Only the receipt of a real payment is printed.
	await kiosk.openCash(BUDI);
	await feed(100_000, 50_000);
	await until(() => expect(screen.of('payment_notification')).not.toHaveLength(0));
	expect(await print({ id: invoice.id })).toMatchObject({ status: 202, body: { copy: false } });
	const text = await paper(1);
	expect(text).not.toMatch(/PALSU|Pencuri|100\.000/);
});

test('the receipt of a cash payment shows received amount and change, and its second print is a copy', async () => {
	await start();
	const { id } = await kiosk.openCash(BUDI);
	await feed(100_000);
	expect(await print({ id })).toMatchObject({ status: 409, body: { code: 'not_paid' } });
	await feed(50_000);
	await until(() => expect(screen.of('payment_notification')).not.toHaveLength(0));
	await kiosk.lookUp(BUDI);
	expect(await print({ id })).toMatchObject({ status: 202, body: { copy: false } });
	const original = await paper(1);
	for (const words of ['LUNAS', 'Status Sudah dibayar', 'Total diterima Rp 150.000', 'Lebih Bayar Rp 12.500', 'Tukarkan'])
		expect(original).toContain(words);
	expect(original).toMatch(/Metode Pembayaran (Tunai|Cash)/);
	expect(original).not.toContain('SALINAN');
	await until(() => expect(screen.of('kiosk_print').at(-1)).toMatchObject({ state: 'done' }));
	expect(await print({ id })).toMatchObject({ body: { copy: true } });
	expect(await paper(2)).toContain('Lebih Bayar hanya ditukar satu kali');
});

test('if the printer fails, only the page that shows the payment gets the receipt for the phone', {
	tags: 'deep',
}, async () => {
	await start({
		settings: `${DEAD_PRINTER}[receipt]\nwhatsapp_link = "https://wa.me/62812?text={text}"`,
	});
	const { id } = await kiosk.lookUp(SITI_PAID_BY_QRIS);
	const { body } = await print({ id });
	const { code, text, link } = body.take as { code: string; text: string; link: string };
	await until(() => expect(screen.of('kiosk_print').at(-1)).toMatchObject({ state: 'failed' }));
	expect(new URL(link).searchParams.get('text')).toContain(`Kode ${code}`);
	expect(link).not.toMatch(/Siti|0812000/);
	expect(await kiosk.ctl('verify', text)).toMatchObject({ code: 0 });
	expect((await print({ id })).body).toMatchObject({ copy: false, take: { code } });
	// After another look-up the page no longer gets this receipt. Staff get it only on paper.
	await kiosk.lookUp(BUDI);
	expect(await print({ id })).toMatchObject({ status: 404 });
	const row = await listed(SITI_PAID_BY_QRIS);
	expect((await print({ id: row.id, of: 'list' })).body.take).toBeNull();
});

test('the daemon fetches the dealer’s logo only from the address that the back office named, and prints it if it can be loaded', async () => {
	await start();
	const book = kiosk.backOffice.books.find(SITI_PAID_BY_QRIS);
	const logo = Buffer.from(String(kiosk.backOffice.books.find(WITH_LOGO)?.logo.split(',')[1]), 'base64');
	const fetched: string[] = [];
	kiosk.backOffice.pictures = (request, response) => {
		fetched.push(request.url ?? '');
		response.writeHead(200, { 'Content-Type': 'image/png' }).end(logo);
	};
	Object.assign(book ?? {}, { logo: `${kiosk.backOffice.url}/pictures/logo.png` });
	const { id } = await kiosk.lookUp(SITI_PAID_BY_QRIS);
	expect(await print({ id, logo: `${kiosk.backOffice.url}/pictures/other.png` })).toMatchObject({ status: 400 });
	await print({ id });
	expect(await paper(1)).toMatch(/^ *\[image\]/);
	expect(fetched).toEqual(['/pictures/logo.png']);
	expect(kiosk.daemon.events('print.no_logo')).toEqual([]);
	// If the logo cannot be loaded, the receipt is printed without it.
	Object.assign(book ?? {}, { logo: `${kiosk.backOffice.url}/static/qris/1.svg` });
	await kiosk.lookUp(SITI_PAID_BY_QRIS);
	await until(() => expect(screen.of('kiosk_print').at(-1)).toMatchObject({ state: 'done' }));
	await print({ id });
	expect(await paper(2)).not.toMatch(/^ *\[image\]/);
	expect(kiosk.daemon.events('print.no_logo')).toMatchObject([{ reason: 'neither PNG nor JPEG' }]);
});

test('if Cetak is tapped again while the receipt prints, only one receipt is printed', async () => {
	await start();
	const invoice = await kiosk.lookUp(SITI_PAID_BY_QRIS);
	const answers = await Promise.all([1, 2, 3].map(() => print({ id: invoice.id })));
	expect(new Set(answers.map(({ body }) => body.print_id)).size).toBe(1);
	await paper(1);
	await until(() => expect(screen.of('kiosk_print').at(-1)).toMatchObject({ state: 'done' }));
	expect(papers()).toHaveLength(1);
});

test('if the total grows at the server after the payment, the invoice gets no receipt', async () => {
	await start();
	const invoice = await kiosk.lookUp(SITI_PAID_BY_QRIS);
	const book = kiosk.backOffice.books.find(SITI_PAID_BY_QRIS);
	if (!book) throw new Error('no such invoice');
	Object.assign(book, { total: book.total + 200_000, is_paid: false });
	// The screen repeats the look-up before it offers a method.
	await kiosk.lookUp(SITI_PAID_BY_QRIS);
	expect(await print({ id: invoice.id })).toMatchObject({ status: 409, body: { code: 'not_paid' } });
	// For a row of an outdated list, the daemon repeats the look-up.
	Object.assign(book, { is_paid: true });
	const row = await listed(SITI_PAID_BY_QRIS);
	Object.assign(book, { is_paid: false });
	expect(await print({ id: row.id, of: 'list' })).toMatchObject({ status: 409, body: { code: 'not_paid' } });
});

test('an invoice that is paid elsewhere gets a receipt after the back office’s message', { tags: 'deep' }, async () => {
	await start();
	const invoice = await kiosk.lookUp(BUDI);
	const book = kiosk.backOffice.books.find(BUDI);
	if (!book) throw new Error('no such invoice');
	kiosk.backOffice.books.pay(book, 'qris');
	await until(() => expect(screen.of('payment_notification')).not.toHaveLength(0));
	expect(await print({ id: invoice.id })).toMatchObject({ status: 202 });
	expect(await paper(1)).toContain('LUNAS');
});

test('a receipt that staff print from the list shows the cash payments that the journal has', { tags: 'deep' }, async () => {
	await start();
	const invoice = await kiosk.openCash(BUDI);
	await kiosk.staff();
	expect(await print({ id: invoice.id, of: 'list' })).toMatchObject({ status: 404, body: { code: 'unknown_payment' } });
	await feed(100_000, 50_000);
	await until(() => expect(screen.of('payment_notification')).not.toHaveLength(0));
	const row = await listed(BUDI);
	// Another customer is at the kiosk now.
	await kiosk.lookUp(SITI_PAID_BY_QRIS);
	expect(await print({ id: row.id, of: 'list' })).toMatchObject({ status: 202, body: { copy: false } });
	expect(await paper(1)).toMatch(/Total diterima Rp 150\.000\n.*Lebih Bayar Rp 12\.500/s);
});

test('staff can print a row of the list while the back office does not answer', { tags: 'deep' }, async () => {
	await start();
	const { id } = await kiosk.openCash(BUDI);
	await feed(100_000, 50_000);
	await until(() => expect(screen.of('payment_notification')).not.toHaveLength(0));
	await listed(BUDI);
	await kiosk.backOffice.setNetwork({ mode: 'silent', path: 'get-invoice-info' });
	expect(await print({ id, of: 'list' })).toMatchObject({ status: 202 });
	expect(await paper(1)).toContain('Lebih Bayar Rp 12.500');
});

test('of 130 oversized requests and 130 taps, the daemon prints six receipts and refuses the others with a reason', {
	tags: 'deep',
}, async () => {
	await start();
	const { id } = await kiosk.lookUp(SITI_PAID_BY_QRIS);
	const large = {
		id,
		receipt: { ...FORGED, lines: Array.from({ length: 2_000 }, () => ({ name: 'x'.repeat(90), qty: 1, price: 1, subtotal: 1 })) },
	};
	expect(JSON.stringify(large).length).toBeGreaterThan(250_000);
	const refused = await Promise.all(Array.from({ length: 130 }, () => print(large)));
	expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([413]));
	const statuses: number[] = [];
	let last: Awaited<ReturnType<typeof print>> | undefined;
	for (let tap = 0; tap < 130; tap += 1) {
		last = await print({ id });
		statuses.push(last.status);
		if (last.status === 202) {
			const { print_id } = last.body;
			await until(() => expect(screen.of('kiosk_print')).toContainEqual(expect.objectContaining({ print_id, state: 'done' })));
		}
	}
	expect(statuses.filter((status) => status === 202)).toHaveLength(6);
	expect(last).toMatchObject({ status: 429, body: { code: 'too_many_prints' } });
	expect(papers()).toHaveLength(6);
	expect(partText(await kiosk.health(), 'printer')).toBe(printer.uri);
});

test('the receipt of an invoice with a thousand lines is shortened and states the number of missing lines', { tags: 'deep' }, async () => {
	await start();
	const book = kiosk.backOffice.books.find(SITI_PAID_BY_QRIS);
	const block = book?.list_invoice[0];
	if (!book || !block) throw new Error('no such invoice');
	block.detail = Array.from({ length: 1_000 }, (_, at) => ({ produk_name: `Baut ${at} ${'x'.repeat(2_000)}`, qty: 1, harga: 1 }));
	const { id } = await kiosk.lookUp(SITI_PAID_BY_QRIS);
	await print({ id });
	const text = await paper(1);
	expect(text).toMatch(/Baut 199\nx/);
	expect(text).not.toMatch(/Baut 200/);
	expect(text).toContain('... 800 baris lagi');
	expect(printer.queue.receipts[0]?.data.length).toBeLessThan(64 * 1024);
});

test('without a printer the page gets the receipt and prints it; each time the page gets it counts as a print', async () => {
	await start({ settings: '' });
	const { id } = await kiosk.openCash(BUDI);
	expect(await print({ id, receipt: FORGED })).toMatchObject({ status: 400 });
	expect(await print({ id })).toMatchObject({ status: 409, body: { code: 'not_paid' } });
	await feed(100_000, 50_000);
	await until(() => expect(screen.of('payment_notification')).not.toHaveLength(0));
	const first = await print({ id });
	expect(first).toMatchObject({ status: 200, body: { receipt: { is_paid: true, total: TOTAL, received: 150_000, copy: false } } });
	expect(await print({ id })).toMatchObject({ status: 200, body: { receipt: { copy: true } } });
	for (let more = 0; more < 4; more += 1) await print({ id });
	expect(await print({ id })).toMatchObject({ status: 429, body: { code: 'too_many_prints' } });
});

test('the slip of a virtual account shows BELUM DIBAYAR and the number from the kiosk’s look-up', async () => {
	await start();
	const invoice = await kiosk.lookUp('081200000009');
	expect((await print({ id: invoice.id, of: 'account', no_va: '1' })).status).toBe(400);
	expect((await print({ id: invoice.id, of: 'account' })).status).toBe(202);
	const slip = await paper(1);
	for (const part of [
		'BELUM DIBAYAR',
		String(invoice.noinvoice),
		'Virtual Account Mandiri',
		'88608',
		'8860 8000 0000 0000 9',
		'Rp 3.450.000',
	])
		expect(slip).toContain(part);
	await until(() => expect(screen.of('kiosk_print').at(-1)).toMatchObject({ state: 'done' }));
	// An invoice without a virtual account gets no slip.
	const cash = await kiosk.lookUp(BUDI);
	expect((await print({ id: cash.id, of: 'account' })).body).toMatchObject({ code: 'unknown_payment' });
	expect((await print({ id: invoice.id, of: 'account' })).body).toMatchObject({ code: 'unknown_payment' });
});
