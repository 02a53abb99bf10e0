/**
 * Measures where staff touch the screen. The booted kiosk shows only pictures. Therefore the
 * buttons are found by name on a simulated kiosk with the same screens, size and money.
 */
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { expect } from 'vitest';
import { startPrinter } from '../simulators/printer/start.ts';
import { logIn, sharedBrowser, typeNumber } from '../support/browser.ts';
import { feedNote } from '../support/feed-note.ts';
import { type Kiosk, printerSection, startKiosk } from '../support/kiosk.ts';
import { until } from '../support/until.ts';
import { type Box, patchOf } from './patch.ts';

export interface Touch {
	/** Name of the button, for messages. */
	name: string;
	/** Middle of the button, both from 0 to 1. */
	at: readonly [x: number, y: number];
	/** Place and appearance of the button before the touch. */
	box: Box;
	patch: readonly number[];
}

/** What the customer does who leaves a note in doubt, then what staff do, in this order. */
export const ACTS = ['leave', 'open the staff menu', 'add a name', 'give change', 'settle the note', 'count the box'] as const;
export type Act = (typeof ACTS)[number];

/** Phone numbers of two customers, who leave the same money in both kiosks. */
export interface Evening {
	/** Pays Rp 150.000 for an invoice of Rp 137.500. */
	overpaid: string;
	/** Pays Rp 100.000, and the acceptor never reports where the note is. */
	doubtful: string;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }).first();

/** Measures a button as it is drawn now. */
async function measure(page: Page, name: string | RegExp): Promise<Touch> {
	const target = button(page, name);
	// The page may be redrawn between two measurements.
	const box = await until(async () => {
		const found = await target.boundingBox();
		if (!found) throw new Error(`${name} is not on the screen`);
		return found;
	});
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
 * @returns their places before each press
 */
async function press(page: Page, names: readonly (string | RegExp)[]): Promise<Touch[]> {
	const touches: Touch[] = [];
	for (const name of names) {
		touches.push(await measure(page, name));
		await button(page, name).click();
		await page.waitForLoadState('networkidle');
	}
	return touches;
}

async function haveMoney(page: Page, kiosk: Kiosk, { overpaid, doubtful }: Evening): Promise<void> {
	const home = () => page.getByText('Masukan nomor HP anda').waitFor();
	await typeNumber(page, overpaid);
	await button(page, /Bayar Tunai/).click();
	for (const nominal of [100_000, 50_000]) await feedNote(kiosk, nominal);
	await page.getByText('Lunas').first().waitFor();
	await home();
	await typeNumber(page, doubtful);
	await button(page, /Bayar Tunai/).click();
	kiosk.acceptor.device.nextMishaps.add('lost_stacked');
	await feedNote(kiosk, 100_000);
	await until(async () => expect((await kiosk.health()).in_doubt).toHaveLength(1));
}

/** @param size of the booted kiosk's screen, pixels */
export async function measureTouches(size: { width: number; height: number }, evening: Evening): Promise<Record<Act, Touch[]>> {
	const printer = await startPrinter({ port: 0, printMs: 10 });
	const kiosk = await startKiosk({ login: false, screen: 'keyboard = true\n', settings: printerSection(printer.uri), edc: {} });
	const context = await (await sharedBrowser()).newContext({ viewport: size, reducedMotion: 'reduce' });
	try {
		const page = await context.newPage();
		await logIn(page, kiosk);
		await haveMoney(page, kiosk, evening);
		const steps: Record<Act, (string | RegExp)[]> = {
			leave: ['Kembali', 'Ya, kembali'],
			'open the staff menu': [...'000000', 'Lanjut', ...kiosk.backOffice.account.pin, 'Submit', 'Menu staf'],
			'add a name': ['Hitung kotak uang', 'Kelola nama', 'Tambah nama', ...'sari', 'Simpan nama', 'Kembali', 'Kembali'],
			'give change': ['Selesaikan', /Kembalian belum diberikan/, 'Berikan uang', 'Ya, catat', /^sari/],
			'settle the note': [/Uang kertas belum pasti/, 'Ada di kotak', 'Ya, catat', /^sari/, 'Kembali'],
			'count the box': [
				'Hitung kotak uang',
				/^sari/,
				/100\.000/,
				'1',
				/50\.000/,
				'1',
				'Selesai hitung',
				'Simpan hitungan',
				'Ya, simpan',
				'Selesai',
			],
		};
		const touches: Partial<Record<Act, Touch[]>> = {};
		for (const act of ACTS) touches[act] = await press(page, steps[act]);
		return touches as Record<Act, Touch[]>;
	} finally {
		await context.close();
		await Promise.all([kiosk.stop(), printer.stop()]);
	}
}
