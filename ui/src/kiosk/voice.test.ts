// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { volumeChanged } from '../state/aids.ts';
import { languageShown } from '../state/language.ts';
import { sentenceGone, sentenceShown } from '../state/spoken.ts';
import { storeWith } from '../state/test-store.tsx';
import type { Language } from '../text/language.ts';
import { clipsOf, createSpeaker, keepSpeaking, type Recordings } from './voice.ts';

const said: string[] = [];
let playing: FakeAudio[] = [];
class FakeAudio {
	onended: () => void = () => undefined;
	onerror: () => void = () => undefined;
	volume = 0;
	file: string;
	constructor(file: string) {
		this.file = file;
	}
	async play() {
		said.push(this.file.replace('/voice/', ''));
		playing = [this];
	}
	pause() {
		playing = [];
	}
}
/** Lets the file that is playing reach its end. */
const ends = () => playing.shift()?.onended();
const heard = () => said.splice(0);
const speaker = () => createSpeaker(FakeAudio as unknown as typeof Audio);
function saysAloud(): (files: readonly string[]) => void {
	const { say } = speaker();
	return (files) => say(files, 1);
}

beforeEach(() => {
	said.length = 0;
	playing = [];
});

test('texts are spoken sentence by sentence and amounts word by word; a sentence or word without a recording is not spoken', () => {
	const recordings: Recordings = { 'Kurang Bayar': 'k', 'Lunas.': 'l', dua: '2', ribu: '1000', rupiah: 'rp' };
	expect(clipsOf(['Kurang Bayar', 2_000, 'Lunas. Terima kasih, Budi Santoso.', '081234567890'], 'id', recordings)).toEqual([
		'k',
		'2',
		'1000',
		'rp',
		'l',
	]);
});

test('the files of a text play one after another, and a new text stops them', () => {
	const say = saysAloud();
	say(['a', 'b', 'c']);
	ends();
	expect(heard()).toEqual(['a', 'b']);
	say(['d']);
	expect(heard()).toEqual(['d']);
	ends();
	expect([heard(), playing]).toEqual([[], []]);
	say([]);
	expect(heard()).toEqual([]);
});

test('if a new text begins with the same sentences, these are not repeated', () => {
	const say = saysAloud();
	say(['lunas', 'thanks', 'will print']);
	say(['lunas', 'thanks', 'printing']);
	expect(heard()).toEqual(['lunas']);
	ends();
	ends();
	expect(heard()).toEqual(['thanks', 'printing']);
	say(['lunas', 'thanks', 'done']);
	expect(heard()).toEqual(['done']);
	ends();
	say(['lunas', 'thanks', 'done']);
	expect(heard()).toEqual([]);
});

test('a file that cannot be played is skipped', () => {
	const say = saysAloud();
	say(['a', 'b']);
	playing.shift()?.onerror();
	expect(heard()).toEqual(['a', 'b']);
});

const LISTS: Record<Language, Recordings> = { id: { Halo: 'halo', Bayar: 'bayar' }, en: { Hello: 'hello' }, jv: {} };
let quiet: () => void = () => undefined;
/** Starts a kiosk that speaks, at this route. */
function kiosk(route: string) {
	vi.useFakeTimers();
	history.replaceState(null, '', route);
	const { store } = storeWith();
	quiet = keepSpeaking(store, speaker(), async (language) => LISTS[language]);
	const show = (key: string, ...parts: string[]) => store.dispatch(sentenceShown({ key, parts }));
	return { store, show, later: () => vi.advanceTimersByTimeAsync(300) };
}
afterEach(() => {
	quiet();
	vi.useRealTimers();
});

test('while a question is open, only the question is spoken; when it closes, the text of the screen is spoken again', async () => {
	const { store, show, later } = kiosk('/cash-payment');
	show('screen', 'Bayar');
	await later();
	show('question', 'Halo');
	await later();
	store.dispatch(sentenceGone('question'));
	await later();
	expect(heard()).toEqual(['bayar', 'halo', 'bayar']);
});

test('after quick changes only the last text is spoken; an alert without a recording interrupts nothing', async () => {
	const { show, later } = kiosk('/cash-payment');
	show('screen', 'Halo');
	show('screen', 'Bayar');
	await later();
	show('alert', 'Error 500');
	await later();
	expect([heard(), playing.length]).toEqual([['bayar'], 1]);
});

test('the home screen speaks only after a touch', async () => {
	const { show, later } = kiosk('/');
	show('screen', 'Halo');
	await later();
	expect(heard()).toEqual([]);
	window.dispatchEvent(new Event('pointerdown'));
	await later();
	expect(heard()).toEqual(['halo']);
});

test('speech changes language with the screen', async () => {
	const { store, show, later } = kiosk('/cash-payment');
	store.dispatch(languageShown('en'));
	show('screen', 'Hello');
	await later();
	expect(heard()).toEqual(['hello']);
});

test('the volume key makes the voice first louder, then silent, then normal again, and repeats the sentence', async () => {
	const { store, show, later } = kiosk('/cash-payment');
	const volumes: (number | undefined)[] = [];
	const listen = async () => {
		await later();
		volumes.push(playing[0]?.volume);
	};
	show('screen', 'Bayar');
	await listen();
	for (let press = 1; press <= 3; press += 1) {
		store.dispatch(volumeChanged());
		await listen();
	}
	expect([volumes, heard()]).toEqual([
		[0.5, 1, undefined, 0.5],
		['bayar', 'bayar', 'bayar'],
	]);
});
