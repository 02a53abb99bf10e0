import type { Volume } from '../state/aids.ts';
import type { Part } from '../state/spoken.ts';
import type { RootState, Store } from '../state/store.ts';
import type { Language } from '../text/language.ts';
import { amountWords, sentencesOf } from '../text/spoken.ts';

/** The recordings of one language: file names by sentence or word. */
export type Recordings = Readonly<Record<string, string>>;

/**
 * Delay before speaking, because screens often change in two steps and only the last text should be
 * spoken.
 */
const SETTLE_MS = 300;

/** @returns the recordings of these parts; a sentence or word without a recording is left out */
export function clipsOf(parts: readonly Part[], language: Language, recordings: Recordings): string[] {
	const words = parts.flatMap((part) => (typeof part === 'number' ? amountWords(part, language) : sentencesOf(part)));
	return words.flatMap((word) => recordings[word] ?? []);
}

/** Each volume as a fraction of full volume. */
const LOUDNESS: Readonly<Record<Volume, number>> = { normal: 0.5, loud: 1, off: 0 };

export type Speaker = {
	/**
	 * Plays these files one after another. If a new list begins with the same files, those that were
	 * already played are not repeated.
	 * @param volume from 0 to 1; the page does not change the PC's own volume
	 */
	say(files: readonly string[], volume: number): void;
};

/** @param Player the browser's audio player */
export function createSpeaker(Player: typeof Audio): Speaker {
	let files: readonly string[] = [];
	/** The index of the file that is playing or, if none is, of the next one. */
	let at = 0;
	let playing: HTMLAudioElement | null = null;
	let loudness = 1;

	const stop = () => {
		playing?.pause();
		playing = null;
	};
	const next = () => {
		const file = files[at];
		if (file === undefined) return stop();
		const player = new Player(`/voice/${file}`);
		player.volume = loudness;
		playing = player;
		const ended = () => {
			if (playing !== player) return;
			at += 1;
			next();
		};
		player.onended = ended;
		// A file that cannot be played is skipped, because the screen shows the same text.
		player.onerror = ended;
		player.play().catch(ended);
	};
	return {
		say(wanted, volume) {
			loudness = volume;
			const same = wanted.findIndex((file, index) => file !== files[index]);
			const common = same === -1 ? Math.min(wanted.length, files.length) : same;
			const goesOn = playing !== null && at < common;
			const rest = Math.min(at, common);
			files = wanted;
			if (goesOn) return;
			stop();
			at = rest;
			next();
		},
	};
}

/**
 * Speaks what the page asks the customer to do, in the customer's language. The home screen speaks
 * only after a touch, because otherwise it would speak to an empty hall.
 * @param load loads the recordings of a language; resolves to null if they cannot be loaded
 * @returns a function that stops the voice
 */
export function keepSpeaking(store: Store, speaker: Speaker, load: (language: Language) => Promise<Recordings | null>): () => void {
	let timer: ReturnType<typeof setTimeout> | undefined;
	let shown: RootState['spoken'] | null = null;
	let language: Language | null = null;
	let volume: Volume = 'normal';
	let home = false;
	let touched = false;

	const speak = async () => {
		const { spoken, aids, language: chosen } = store.getState();
		const recordings = await load(chosen.shown);
		if (recordings === null || spoken !== store.getState().spoken) return;
		const sayings = spoken.map(({ parts }) => clipsOf(parts, chosen.shown, recordings));
		const silent = aids.volume === 'off' || (home && !touched);
		speaker.say(silent ? [] : (sayings.findLast((files) => files.length > 0) ?? []), LOUDNESS[aids.volume]);
	};
	const speakSoon = () => {
		clearTimeout(timer);
		timer = setTimeout(() => void speak(), SETTLE_MS);
	};
	const onStoreChange = () => {
		const state = store.getState();
		const isHome = location.pathname === '/';
		if (isHome && !home) touched = false;
		home = isHome;
		if (state.spoken === shown && state.language.shown === language && state.aids.volume === volume) return;
		// After a change of the volume, resets the speaker, so that it repeats the sentence at the new
		// volume.
		if (state.aids.volume !== volume) speaker.say([], 0);
		shown = state.spoken;
		language = state.language.shown;
		volume = state.aids.volume;
		speakSoon();
	};
	const onTouch = () => {
		if (touched) return;
		touched = true;
		speakSoon();
	};
	const end = store.subscribe(onStoreChange);
	window.addEventListener('pointerdown', onTouch, true);
	onStoreChange();
	return () => {
		end();
		clearTimeout(timer);
		window.removeEventListener('pointerdown', onTouch, true);
		speaker.say([], 0);
	};
}

/**
 * Starts the voice. The caller has checked that the settings enable the voice.
 * @returns a function that stops the voice
 */
export const startVoice = (store: Store): (() => void) => keepSpeaking(store, createSpeaker(globalThis.Audio), loadRecordings());

/**
 * @returns a function that loads the list of recordings of a language; each list is fetched only
 * once
 */
function loadRecordings(): (language: Language) => Promise<Recordings | null> {
	const loaded: Partial<Record<Language, Recordings>> = {};
	return async (language) => {
		try {
			loaded[language] ??= (await (await fetch(`/voice/${language}.json`)).json()) as Recordings;
			return loaded[language] ?? null;
		} catch {
			return null;
		}
	};
}
