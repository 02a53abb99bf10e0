import type { RootState, Store } from '../state/store.ts';

type Cue = 'key' | 'note' | 'success' | 'attention';

/** One tone of a cue (a short sound): pitch in Hz, start and length in seconds. */
type Tone = { hz: number; at: number; lasts: number };

/**
 * Four short cues that are easy to tell apart: a tick, a step up, a rising chord, and a low tone
 * twice.
 */
const CUES: Record<Cue, readonly Tone[]> = {
	key: [{ hz: 1_760, at: 0, lasts: 0.035 }],
	note: [
		{ hz: 659, at: 0, lasts: 0.1 },
		{ hz: 988, at: 0.09, lasts: 0.16 },
	],
	success: [
		{ hz: 523, at: 0, lasts: 0.14 },
		{ hz: 659, at: 0.12, lasts: 0.14 },
		{ hz: 784, at: 0.24, lasts: 0.14 },
		{ hz: 1_047, at: 0.36, lasts: 0.34 },
	],
	attention: [
		{ hz: 440, at: 0, lasts: 0.16 },
		{ hz: 440, at: 0.26, lasts: 0.24 },
	],
};

/**
 * Cues play at this fraction of full volume, so that they are audible only at the panel. The page
 * does not change the PC's own volume.
 */
const PEAK = 0.15;
/** Each tone fades in and out in this time, s, because without a fade it would click. */
const EDGE_S = 0.006;
/** The audio device is suspended after this time of silence, because an open device costs power. */
const SLEEP_AFTER_MS = 10_000;

export type Sound = {
	/** Plays a cue. If there is no audio, does nothing. */
	play(cue: Cue): void;
};

/**
 * @param Context the browser's AudioContext; undefined if there is none. The first cue opens the
 * audio device, which browsers allow only after a touch.
 */
export function createSound(Context: typeof AudioContext | undefined): Sound {
	let context: AudioContext | null = null;
	let sleep: ReturnType<typeof setTimeout> | undefined;

	const playTone = (to: AudioContext, { hz, at, lasts }: Tone) => {
		const begin = to.currentTime + at;
		const oscillator = to.createOscillator();
		const volume = to.createGain();
		oscillator.frequency.value = hz;
		volume.gain.setValueAtTime(0, begin);
		volume.gain.linearRampToValueAtTime(PEAK, begin + EDGE_S);
		volume.gain.setValueAtTime(PEAK, begin + lasts - EDGE_S);
		volume.gain.linearRampToValueAtTime(0, begin + lasts);
		oscillator.connect(volume).connect(to.destination);
		oscillator.start(begin);
		oscillator.stop(begin + lasts);
	};

	const playCue = (cue: Cue) => {
		if (Context === undefined) return;
		// The screen shows everything that a cue says, so nothing is lost if audio fails.
		const ignore = () => undefined;
		try {
			context ??= new Context();
			const awake = context;
			awake.resume().catch(ignore);
			for (const tone of CUES[cue]) playTone(awake, tone);
			clearTimeout(sleep);
			sleep = setTimeout(() => awake.suspend().catch(ignore), SLEEP_AFTER_MS);
		} catch {
			ignore();
		}
	};

	return {
		play(cue) {
			// Opening the device takes a tenth of a second, so the next frame is drawn first.
			if (context === null) requestAnimationFrame(() => setTimeout(() => playCue(cue)));
			else playCue(cue);
		},
	};
}

/** @returns the cue for this change of the state, or null */
function cueOf(before: RootState, now: RootState): Cue | null {
	if (now.paid.payment?.how === 'fresh' && before.paid.payment === null) return 'success';
	if (now.attention !== before.attention) return 'attention';
	const listed = before.cash.opening && !now.cash.opening;
	const sameCash = now.cash.id !== null && now.cash.id === before.cash.id;
	return sameCash && !listed && now.cash.entries.length > before.cash.entries.length ? 'note' : null;
}

/**
 * Plays a cue for each touched button and, after the first touch, for changes of the state.
 * @returns a function that stops the cues
 */
export function playCues(store: Store, sound: Sound): () => void {
	let before = store.getState();
	let touched = false;
	const isOn = () => before.settings?.sound === true;

	const stop = store.subscribe(() => {
		const now = store.getState();
		const cue = cueOf(before, now);
		before = now;
		if (cue !== null && touched && isOn()) sound.play(cue);
	});
	const onClick = (event: Event) => {
		if (!(event.target instanceof Element) || event.target.closest('button') === null || !isOn()) return;
		// Before the first touch, browsers block sound.
		touched = true;
		sound.play('key');
	};
	window.addEventListener('click', onClick);
	return () => {
		stop();
		window.removeEventListener('click', onClick);
	};
}
