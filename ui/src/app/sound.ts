import type { RootState, Store } from './store.ts';

type Cue = 'key' | 'note' | 'success' | 'attention';

/** One tone of a cue: pitch in Hz, begin and length in seconds. */
type Tone = { hz: number; at: number; lasts: number };

/** Four short cues that cannot be taken for each other: a tick, a step up, a chord upwards, twice the same low call. */
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

/** Of full volume: heard at the panel, no nuisance at the next desk. The loudness of the room is set at the machine. */
const PEAK = 0.15;
/** A tone that begins or ends at once clicks; s. */
const EDGE_S = 0.006;
/** Silence is work for an open audio device; it sleeps when nobody is at the panel. */
const SLEEP_AFTER_MS = 10_000;

export type Sound = {
	/** Plays a cue, or does nothing where there is no audio. */
	play(cue: Cue): void;
};

/** @param Context the browser's, undefined where it has none; it is opened by the first cue, which has to come from a touch */
export function createSound(Context: typeof AudioContext | undefined): Sound {
	let context: AudioContext | null = null;
	let sleep: ReturnType<typeof setTimeout> | undefined;

	const ring = (to: AudioContext, { hz, at, lasts }: Tone) => {
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

	const sound = (cue: Cue) => {
		if (Context === undefined) return;
		// A kiosk without a loudspeaker, or whose audio has died, says everything on the screen as well.
		const silently = () => undefined;
		try {
			context ??= new Context();
			const awake = context;
			awake.resume().catch(silently);
			for (const tone of CUES[cue]) ring(awake, tone);
			clearTimeout(sleep);
			sleep = setTimeout(() => awake.suspend().catch(silently), SLEEP_AFTER_MS);
		} catch {
			silently();
		}
	};

	return {
		play(cue) {
			// To open the device takes a tenth of a second, and that is not to come between a key and its picture.
			if (context === null) requestAnimationFrame(() => setTimeout(() => sound(cue)));
			else sound(cue);
		},
	};
}

/** @returns the cue of what has changed, null for silence. Each has its twin on the screen: the row, the seal, the alert. */
function cueOf(before: RootState, now: RootState): Cue | null {
	if (now.paid.payment?.how === 'fresh' && before.paid.payment === null) return 'success';
	if (now.attention !== before.attention) return 'attention';
	const listed = before.cash.opening && !now.cash.opening;
	const sameCash = now.cash.id !== null && now.cash.id === before.cash.id;
	return sameCash && !listed && now.cash.entries.length > before.cash.entries.length ? 'note' : null;
}

/** Lets what happens be heard, from the first touch on. @returns ends it */
export function keepSounding(store: Store, sound: Sound): () => void {
	let before = store.getState();
	let touched = false;
	const wanted = () => before.settings?.sound === true;

	const stop = store.subscribe(() => {
		const now = store.getState();
		const cue = cueOf(before, now);
		before = now;
		if (cue !== null && touched && wanted()) sound.play(cue);
	});
	const pressed = (event: Event) => {
		if (!(event.target instanceof Element) || event.target.closest('button') === null || !wanted()) return;
		// A browser lets no page sound before it was touched.
		touched = true;
		sound.play('key');
	};
	window.addEventListener('click', pressed);
	return () => {
		stop();
		window.removeEventListener('click', pressed);
	};
}
