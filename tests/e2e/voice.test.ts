// @module-tag deep
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { logIn, sharedBrowser, shot, typeNumber } from '../support/browser.ts';
import { type Kiosk, startKiosk } from '../support/kiosk.ts';
import { until } from '../support/until.ts';

const RECORDED = join(import.meta.dirname, '..', '..', 'ui', 'voice', 'dist');
/** @returns the sentence or word that is spoken in each sound file of the language */
const wordsOf = (language: string): Map<string, string> => {
	const files: Record<string, string> = JSON.parse(readFileSync(join(RECORDED, `${language}.json`), 'utf8'));
	return new Map(Object.entries(files).map(([words, file]) => [`/voice/${file}`, words]));
};

let kiosk: Kiosk;
let page: Page;
afterEach(async () => {
	await page.close();
	await kiosk.stop();
});

/** Opens a kiosk and records the sounds that its page plays. */
async function open(settings: string) {
	kiosk = await startKiosk({ login: false, screen: settings });
	page = await (await sharedBrowser()).newPage({ viewport: { width: 1920, height: 1080 } });
	await page.addInitScript(() => {
		const play = Audio.prototype.play;
		const sounds: { address: string; sound: HTMLAudioElement }[] = [];
		Object.assign(globalThis, { sounds });
		Audio.prototype.play = function (this: HTMLAudioElement) {
			sounds.push({ address: new URL(this.src).pathname, sound: this });
			return play.call(this);
		};
	});
	await logIn(page, kiosk);
}
type Sounds = { sounds: { address: string; sound: HTMLAudioElement }[] };
const played = (): Promise<string[]> => page.evaluate(() => (globalThis as unknown as Sounds).sounds.map(({ address }) => address));
const stillPlaying = (): Promise<string[]> =>
	page.evaluate(() =>
		(globalThis as unknown as Sounds).sounds.filter(({ sound }) => !sound.paused && !sound.ended).map(({ address }) => address),
	);

test('the kiosk says what to do on the method and the cash screen, and a new sentence interrupts the previous one', async () => {
	await open('voice = true');
	const words = wordsOf('id');
	const heard = async () => (await played()).map((address) => words.get(address));
	await typeNumber(page, '081234567890');
	await until(async () => expect(await heard()).toContain('Pilih cara bayar'));
	// The sound still plays, so the recording is a real sound that Chromium can play.
	await until(async () => expect(await stillPlaying()).toHaveLength(1));
	await page.getByRole('button', { name: /Bayar Tunai/ }).click();
	await until(async () => expect(await heard()).toContain('Masukkan uang'));
	await until(async () =>
		expect((await stillPlaying()).map((address) => words.get(address))).toEqual(['Silakan masukkan uang satu per satu.']),
	);
	await until(() => {
		if (!('taken' in kiosk.acceptor.device.insert({ nominal: 50_000 }))) throw new Error('no answer');
	});
	// Rp 137.500 minus Rp 50.000 is Rp 87.500.
	const left = ['Kurang Bayar', 'delapan', 'puluh', 'tujuh', 'ribu', 'lima', 'ratus', 'rupiah'];
	await until(async () => expect((await heard()).slice(-left.length)).toEqual(left));
	expect((await played()).every((address) => words.has(address))).toBe(true);
});

test('the volume key makes the voice louder and repeats the sentence; if the key is pressed again, the voice is off', async () => {
	await open('voice = true');
	const words = wordsOf('id');
	/** @returns address and volume of the sound that started last */
	const newest = () =>
		page.evaluate(() => {
			const last = (globalThis as unknown as Sounds).sounds.at(-1);
			return last && ([last.address, last.sound.volume] as const);
		});
	await typeNumber(page, '081234567890');
	await until(async () => expect((await newest())?.[1]).toBe(0.5));
	await page.getByRole('button', { name: 'Bantuan tampilan' }).click();
	await page.getByRole('button', { name: 'Suara panduan: biasa' }).click();
	await until(async () => expect((await newest())?.[1]).toBe(1));
	expect(words.has((await newest())?.[0] ?? '')).toBe(true);
	await shot(page, 'aids-volume');
	await page.getByRole('button', { name: 'Suara panduan: keras' }).click();
	await until(async () => expect(await stillPlaying()).toEqual([]));
});

test('the voice speaks the language that the customer chose', async () => {
	await open('voice = true');
	const words = wordsOf('en');
	await page.getByRole('button', { name: 'English' }).click();
	await until(async () => expect((await played()).some((address) => words.has(address))).toBe(true));
});

test('without the setting `voice` the kiosk plays no sound', async () => {
	await open('');
	await typeNumber(page, '081234567890');
	await page.getByText('Pilih cara bayar').waitFor();
	expect(await played()).toEqual([]);
});
