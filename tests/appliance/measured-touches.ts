/**
 * Measures where staff touch the screen. Of the booted kiosk a test sees only pictures, so this
 * module finds the buttons by name on a simulated kiosk with the same screens, size and money.
 */
import type { Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { expect } from 'vitest';
import { escposText } from '../simulators/printer/escpos-text.ts';
import { startPrinter } from '../simulators/printer/start.ts';
import { logIn, sharedBrowser, typeNumber } from '../support/browser.ts';
import { feedNote } from '../support/feed-note.ts';
import { type Kiosk, printerSection, startKiosk } from '../support/kiosk.ts';
import { until } from '../support/until.ts';
import { type Box, patchOf } from './patch.ts';

export interface Touch {
	/** Name of the button, for messages. */
	name: string;
	/** Middle of the button; both coordinates are from 0 to 1. */
	at: readonly [x: number, y: number];
	/** Place and appearance of the button before the touch. */
	box: Box;
	patch: readonly number[];
	/** The test waits for this button or text, but does not touch it. */
	isOnlySeen?: true;
}

/**
 * The acts in their order: a customer leaves while a note is in doubt, another customer leaves
 * while a card sale is unknown, and then staff act.
 */
type Act =
	| 'leave the cash screen'
	| 'leave the card screen'
	| 'open the staff menu'
	| 'add a name'
	| 'give change'
	| 'check a paper'
	| 'send the code'
	| 'leave the paper'
	| 'settle the note'
	| 'settle the sale'
	| 'count the box';

export interface Touches extends Record<Act, Touch[]> {
	/** @returns the keys to touch for a receipt's code */
	code(code: string): Touch[];
	/** The text on the screen for a receipt whose change was given. */
	isGiven: Touch;
}

/**
 * Phone numbers of three customers. Each of them pays the same money in the simulated kiosk and in
 * the booted kiosk.
 */
export interface Evening {
	/** Pays Rp 150.000 for an invoice of Rp 137.500. */
	overpaid: string;
	/** Pays Rp 100.000, and the acceptor never reports where the note is. */
	doubtful: string;
	/** Uses a card, and the terminal acknowledges the sale but never answers. */
	charged: string;
}

/** The approval code on the terminal's slip of the unknown sale. */
export const APPROVAL = '135642';
/** The characters of a receipt's code. */
const CODE_SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }).first();

/**
 * Waits until a button or another element stops changing, because colours fade in, and measures it.
 */
async function measure(page: Page, name: string | RegExp, target = button(page, name)): Promise<Touch> {
	let last = '';
	return until(async () => {
		const touch = await look(page, name, target);
		const before = last;
		last = JSON.stringify(touch);
		if (last !== before) throw new Error(`${name} still changes`);
		return touch;
	});
}

async function look(page: Page, name: string | RegExp, target: Locator): Promise<Touch> {
	const box = await target.boundingBox();
	if (!box) throw new Error(`${name} is not on the screen`);
	const { width, height, data } = PNG.sync.read(await page.screenshot());
	const [left, top] = [box.x / width, box.y / height];
	const place = { left, top, right: left + box.width / width, bottom: top + box.height / height };
	const colour = (x: number, y: number) => data.readUIntBE(4 * (Math.floor(y * height) * width + Math.floor(x * width)), 3);
	return {
		name: String(name),
		at: [(place.left + place.right) / 2, (place.top + place.bottom) / 2],
		box: place,
		patch: patchOf(colour, place),
	};
}

/**
 * Presses buttons one after the other.
 * @returns the place of each button before its press. Two screens in a row have the same Kembali,
 * and a touch on the earlier screen would be lost. Therefore the list also contains the heading to
 * wait for, before each Kembali except a first one.
 */
async function press(page: Page, names: readonly (string | RegExp)[]): Promise<Touch[]> {
	const touches: Touch[] = [];
	for (const [index, name] of names.entries()) {
		if (name === 'Kembali' && index > 0)
			touches.push({ ...(await measure(page, 'the heading', page.getByRole('heading').first())), isOnlySeen: true });
		touches.push(await measure(page, name));
		await button(page, name).click();
		await page.waitForLoadState('networkidle');
	}
	return touches;
}

async function haveMoney(page: Page, kiosk: Kiosk, overpaid: string): Promise<void> {
	await typeNumber(page, overpaid);
	await button(page, /Bayar Tunai/).click();
	for (const nominal of [100_000, 50_000]) await feedNote(kiosk, nominal);
	await page.getByText('Lunas').first().waitFor();
	await isHome(page);
}

const isHome = (page: Page) => page.getByText('Masukan nomor HP anda').waitFor();

async function leavesNoteInDoubt(page: Page, kiosk: Kiosk, doubtful: string): Promise<void> {
	await typeNumber(page, doubtful);
	await button(page, /Bayar Tunai/).click();
	kiosk.acceptor.device.nextMishaps.add('lost_stacked');
	await feedNote(kiosk, 100_000);
	await until(async () => expect((await kiosk.health()).in_doubt).toHaveLength(1));
}

async function leavesUnknownSale(page: Page, kiosk: Kiosk, charged: string): Promise<void> {
	kiosk.edc.terminal.setMode('silent_after_ack');
	await isHome(page);
	await typeNumber(page, charged);
	await button(page, /Bayar Non Tunai/).click();
	await button(page, /Kartu Debit BCA/).click();
	await page.getByText('Jangan bayar lagi, hubungi staf').first().waitFor();
}

/** @param size width and height of the booted kiosk's screen, pixels */
export async function measureTouches(size: { width: number; height: number }, { overpaid, doubtful, charged }: Evening): Promise<Touches> {
	const printer = await startPrinter({ port: 0, printMs: 10 });
	const edc = { lines: 'ack_ms = 500\nanswer_ms = 2000\n' };
	const kiosk = await startKiosk({ login: false, screen: 'keyboard = true\n', settings: printerSection(printer.uri), edc });
	const context = await (await sharedBrowser()).newContext({ viewport: size, reducedMotion: 'reduce' });
	try {
		const page = await context.newPage();
		await logIn(page, kiosk);
		await haveMoney(page, kiosk, overpaid);
		await leavesNoteInDoubt(page, kiosk, doubtful);
		const leaveCash = await press(page, ['Kembali', 'Ya, kembali']);
		await leavesUnknownSale(page, kiosk, charged);
		const leaveCard = await press(page, ['Kembali', 'Ya, kembali']);
		const code = codeOn(printer.queue.receipts.map(({ data }) => escposText(data ?? Buffer.alloc(0))));
		const before = {
			'leave the cash screen': leaveCash,
			'leave the card screen': leaveCard,
			'open the staff menu': await press(page, [...'000000', 'Lanjut', ...kiosk.backOffice.account.pin, 'Submit', 'Menu staf']),
			'add a name': await press(page, ['Hitung kotak uang', 'Kelola nama', 'Tambah nama', ...'Sari', 'Simpan nama', 'Kembali', 'Kembali']),
			'give change': await press(page, ['Selesaikan', /Kembalian belum diberikan/, 'Berikan uang', 'Ya, catat', /^Sari/, 'Kembali']),
			'check a paper': await press(page, ['Periksa struk']),
		};
		const keys = new Map<string, Touch>();
		for (const sign of CODE_SIGNS) keys.set(sign, await measure(page, sign));
		await press(page, [...code]);
		const sent = await press(page, ['Periksa']);
		const isGiven = await measure(page, 'the verdict', page.getByRole('heading', { name: 'Uang sudah diberikan' }));
		return {
			...before,
			code: (of) => [...of].map((sign) => keys.get(sign) as Touch),
			'send the code': sent,
			isGiven,
			'leave the paper': await press(page, ['Kembali']),
			'settle the note': await press(page, ['Selesaikan', /Uang kertas belum pasti/, 'Ada di kotak', 'Ya, catat', /^Sari/]),
			'settle the sale': await press(page, [
				/Kartu belum pasti/,
				'Kartu sudah didebet',
				'Ya, catat',
				...APPROVAL,
				'Lanjut',
				/^Sari/,
				'Kembali',
			]),
			'count the box': await press(page, [
				'Hitung kotak uang',
				/^Sari/,
				/100\.000/,
				'1',
				/50\.000/,
				'1',
				'Selesai hitung',
				'Simpan hitungan',
				'Ya, simpan',
				'Selesai',
			]),
		};
	} finally {
		await context.close();
		await Promise.all([kiosk.stop(), printer.stop()]);
	}
}

/** @returns the code on the first of the receipts that has one, without dashes */
export function codeOn(papers: readonly string[]): string {
	const [, code] = /Kode +(\S+)/.exec(papers.join('\n')) ?? [];
	if (code === undefined) throw new Error('no receipt has a code');
	return code.replaceAll('-', '');
}
