import type { RootState, Store } from '../state/store.ts';

type Cue = 'key' | 'note' | 'success' | 'attention';

/** One tone of a cue: pitch in Hz, start and length in seconds. */
type Tone = { hz: number; at: number; lasts: number };

/** Four short, clearly different cues: a tick, a step up, a rising chord, and a low tone twice. */
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
 * Fraction of full volume, so that the cue is audible only at the panel. The page does not change
 * the PC's own volume.
 */
const PEAK = 0.15;
/** Fade in and out, s, because a tone clicks without a fade. */
const EDGE_S = 0.006;
/** Silence after which the audio device is suspended, because an open device costs power. */
const SLEEP_AFTER_MS = 10_000;

export type Sound = {
	/** Plays a cue; without audio it does nothing. */
	play(cue: Cue): void;
};

/**
 * @param Context the browser's AudioContext, undefined if missing; the first cue opens it and must
 * follow a touch
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
		// Every cue has a visible counterpart, so a kiosk without working audio loses no
		// information.
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
			// The device opens after the next frame, because opening takes a tenth of a second.
			if (context === null) requestAnimationFrame(() => setTimeout(() => playCue(cue)));
			else playCue(cue);
		},
	};
}

/** @returns the cue for a state change, or null */
function cueOf(before: RootState, now: RootState): Cue | null {
	if (now.paid.payment?.how === 'fresh' && before.paid.payment === null) return 'success';
	if (now.attention !== before.attention) return 'attention';
	const listed = before.cash.opening && !now.cash.opening;
	const sameCash = now.cash.id !== null && now.cash.id === before.cash.id;
	return sameCash && !listed && now.cash.entries.length > before.cash.entries.length ? 'note' : null;
}

/**
 * Plays cues for touched buttons and, from the first touch on, for state changes.
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
		// Browsers block sound before the first touch.
		touched = true;
		sound.play('key');
	};
	window.addEventListener('click', onClick);
	return () => {
		stop();
		window.removeEventListener('click', onClick);
	};
}
