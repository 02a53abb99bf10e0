import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { escposText } from '../../simulators/printer/escpos-text.ts';
import { rastersIn, readQr } from '../../support/read-qr.ts';
import { until } from '../../support/until.ts';
import { type Cups, startCups } from './cups.ts';
import { openShop, type Shop, titles } from './shop.ts';

let cups: Cups;
let shop: Shop;

beforeAll(async () => {
	cups = await startCups();
	shop = await openShop(cups.uri);
});
afterEach(() => cups.paper.set('good'));
afterAll(async () => {
	await shop?.stop();
	await cups?.remove();
});

/** @returns a function that returns the sheets printed since `watchPaper` was called */
function watchPaper(): () => Buffer[] {
	const before = cups.paper.sheets().length;
	return () => cups.paper.sheets().slice(before);
}

const PAPER = `
         AHASS 01234 Bengkel Maju Motor
                   LUNAS
------------------------------------------------
Tanggal                         21-11-2026 14:32
AHASS             AHASS 01234 Bengkel Maju Motor
Nomor                           INV/2026/11/0042
Nama                                Budi Santoso
Status                             Sudah dibayar
Metode Pembayaran                          Tunai
NOPOL                                 B 1234 XYZ
------------------------------------------------
Servis ringan
  1 x 75.000                              75.000
Oli mesin MPX2 0,8 L
  1 x 52.500                              52.500
Ring gasket
  2 x 5.000                               10.000
------------------------------------------------
Untaxed Amount                        Rp 123.874
Taxed                                  Rp 13.626
Total                                 Rp 137.500
Total diterima                        Rp 137.500`.slice(1);

const esc = (...codes: number[]): string => String.fromCharCode(...codes);
const ALIGN = { left: esc(0x1b, 0x61, 0), centre: esc(0x1b, 0x61, 1) };
const WEIGHT = { plain: esc(0x1b, 0x45, 0), bold: esc(0x1b, 0x45, 1) };
const SIZE = { normal: esc(0x1d, 0x21, 0), double: esc(0x1d, 0x21, 0x11) };
type Style = readonly [keyof typeof ALIGN, keyof typeof WEIGHT, keyof typeof SIZE];

/**
 * @returns the expected text of this sheet: the receipt, and the foot with the code printed on this
 * sheet
 */
function withFoot(paper: string, sheet: Buffer | undefined): string {
	const code = /Kode +([0-9A-Z-]{19})$/m.exec(escposText(sheet ?? Buffer.alloc(0)))?.[1] ?? 'none';
	return `${paper}\n${'-'.repeat(48)}\nKode${code.padStart(44)}`;
}

function styleOf(line: string, at: number): Style {
	const words = line.trim();
	if (words === 'LUNAS') return ['centre', 'bold', 'double'];
	if (at === 0 || words === 'SALINAN') return ['centre', 'bold', 'normal'];
	return ['left', /^Total {3}/.test(line) ? 'bold' : 'plain', 'normal'];
}

/**
 * @returns the bytes before and after the QR code's data, built from the command table of ESC/POS
 * and not by the kiosk's encoder. The printer gets a command wherever the style changes.
 */
function bytesOf(paper: string): Buffer[] {
	let [align, weight, size]: Style = ['left', 'plain', 'normal'];
	const change = ([toAlign, toWeight, toSize]: Style): string => {
		const commands = [
			align === toAlign ? '' : ALIGN[toAlign],
			weight === toWeight ? '' : WEIGHT[toWeight],
			size === toSize ? '' : SIZE[toSize],
		];
		[align, weight, size] = [toAlign, toWeight, toSize];
		return commands.join('');
	};
	const lines = paper.split('\n').map((line, at) => {
		const style = styleOf(line, at);
		return `${change(style)}${style[0] === 'centre' ? line.trim() : line}`;
	});
	const reset = esc(0x1b, 0x40);
	const feedAndCut = esc(0x1d, 0x56, 66, 120);
	const before = `${reset}${lines.join('\n')}\n${change(['centre', weight, size])}${esc(0x1d, 0x76, 0x30, 0)}`;
	return [before, `${change(['left', 'plain', 'normal'])}${feedAndCut}`].map((text) => Buffer.from(text, 'latin1'));
}

function expectPaper(sheets: readonly Buffer[], paper: string, kind: string): void {
	const [sheet = Buffer.alloc(0)] = sheets;
	const whole = withFoot(paper, sheet);
	expect(sheets.map(escposText)).toEqual([`${whole}\n${' '.repeat(20)}[image]\n[cut]`]);
	const [before = Buffer.alloc(0), after = Buffer.alloc(0)] = bytesOf(whole);
	expect(sheet.subarray(0, before.length).equals(before)).toBe(true);
	expect(sheet.subarray(-after.length).equals(after)).toBe(true);
	const [qr] = rastersIn(sheet);
	if (!qr) throw new Error('no QR code');
	// The QR code must fit on paper of 58 mm and be large enough for a phone's camera.
	expect(qr.width).toBeLessThanOrEqual(384);
	const read = readQr(qr);
	expect(read.dots).toBe(4);
	expect(read.text).toMatch(new RegExp(`^KIOSK1/${kind}/[0-9A-Z]{8}/\\d+/[0-9A-F]{16}/\\d{12}/137500/0/INV%2F2026%2F11%2F0042/`));
}

test('a receipt is printed once with the expected bytes, and the screen is told when the print starts and ends', async () => {
	const paper = watchPaper();
	const { print_id, copy } = await shop.print(42);
	expect(copy).toBe(false);
	expect(await shop.fate(print_id)).toBe('done');
	expect(shop.told(print_id)).toEqual(['printing', 'done']);
	expectPaper(paper(), PAPER, 'R');
	expect(shop.kiosk.daemon.events('print.sent')).toHaveLength(1);
});

test('the second print of a payment is marked SALINAN', async () => {
	const paper = watchPaper();
	const { print_id, copy } = await shop.print(42);
	expect(copy).toBe(true);
	expect(await shop.fate(print_id)).toBe('done');
	expectPaper(paper(), PAPER.replace('LUNAS\n', `LUNAS\n${' '.repeat(20)}SALINAN\n`), 'S');
});

test('the first print of a cash payment taken elsewhere is marked SALINAN and states that change is given only once', async () => {
	const paper = watchPaper();
	expect(await shop.printed(4_242)).toBe('done');
	const [sheet = ''] = paper().map(escposText);
	expect(sheet).toMatch(/LUNAS\n +SALINAN\n[\s\S]*Lebih Bayar +Rp 12\.500\nSalinan: Lebih Bayar hanya ditukar satu kali\./);
});

test('if the receipts of two payments are requested at the same moment, each receipt is printed once', async () => {
	const paper = watchPaper();
	const [first, second] = await Promise.all([shop.print(1), shop.print(2)]);
	expect(await Promise.all([shop.fate(first.print_id), shop.fate(second.print_id)])).toEqual(['done', 'done']);
	expect(titles(paper()).sort()).toEqual(['1', '2']);
});

test('if the receipt of one payment is requested twice at the same moment, only one receipt is printed', async () => {
	const paper = watchPaper();
	cups.paper.set('slow');
	const [first, second] = await Promise.all([shop.print(3), shop.print(3)]);
	expect(second).toEqual(first);
	cups.paper.set('good');
	expect(await shop.fate(first.print_id)).toBe('done');
	expect(titles(paper())).toEqual(['3']);
});

test('a receipt waits while the printer prints another receipt', async () => {
	const paper = watchPaper();
	cups.paper.set('slow');
	const first = await shop.print(4);
	await until(() => expect(cups.paper.runs().at(-1)).toMatch(/slow$/));
	const second = await shop.print(5);
	cups.paper.set('good');
	expect([await shop.fate(first.print_id), await shop.fate(second.print_id)]).toEqual(['done', 'done']);
	expect(titles(paper())).toEqual(['4', '5']);
});

test('the kiosk does not cancel a technician’s test page', async () => {
	const paper = watchPaper();
	cups.paper.set('slow');
	await cups.command('lp', '-d', 'receipt', import.meta.filename);
	await until(() => expect(cups.paper.runs().at(-1)).toMatch(/slow$/));
	const { print_id } = await shop.print(6);
	await until(() => expect(shop.kiosk.daemon.events('print.sent').at(-1)).toMatchObject({ print_id }));
	cups.paper.set('good');
	expect(await shop.fate(print_id)).toBe('done');
	expect(paper()).toHaveLength(2);
	expect(titles(paper().slice(1))).toEqual(['6']);
});

test('health shows the printer’s address', async () => {
	expect(await shop.health()).toBe(cups.uri);
});
