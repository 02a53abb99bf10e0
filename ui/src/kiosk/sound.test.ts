// @vitest-environment happy-dom

import { rupiah } from '@kiosk/contract/money';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { customerDetailOf } from '../lib/customer-detail.ts';
import { invoiceInfo, settings } from '../lib/test-data.ts';
import { alertShown } from '../state/alert.ts';
import { questionAsked } from '../state/attention.ts';
import { machineAsked, machineOpened, noteReceived } from '../state/cash.ts';
import { invoiceFound } from '../state/invoice.ts';
import { paymentDone } from '../state/paid.ts';
import { settingsKnown } from '../state/settings.ts';
import { storeWith } from '../state/test-store.tsx';
import { createSound, playCues } from './sound.ts';

/** What the page told the browser to open and to play. */
let opened = 0;
let tones: { hz: number; from: number; to: number }[] = [];
let loudest = 0;
let state = 'suspended';

class FakeContext {
	currentTime = 0;
	destination = {};
	constructor() {
		opened += 1;
	}
	async resume() {
		state = 'running';
	}
	async suspend() {
		state = 'suspended';
	}
	createOscillator() {
		const tone = { hz: 0, from: 0, to: 0 };
		tones.push(tone);
		return {
			frequency: {
				set value(hz: number) {
					tone.hz = hz;
				},
			},
			connect: <T>(to: T) => to,
			start: (at: number) => {
				tone.from = at;
			},
			stop: (at: number) => {
				tone.to = at;
			},
		};
	}
	createGain() {
		const heard = (level: number) => {
			loudest = Math.max(loudest, level);
		};
		return { gain: { setValueAtTime: heard, linearRampToValueAtTime: heard }, connect: <T>(to: T) => to };
	}
}
const Context = FakeContext as unknown as typeof AudioContext;

let quiet: () => void = () => undefined;
beforeEach(() => {
	vi.useFakeTimers();
	[opened, tones, loudest, state] = [0, [], 0, 'suspended'];
	document.body.innerHTML = '<button><span>1</span></button><p>bukan tombol</p>';
});
afterEach(() => {
	quiet();
	vi.useRealTimers();
	document.body.replaceChildren();
});

function kiosk({ sound = true, context = Context as typeof AudioContext | undefined } = {}) {
	const { store } = storeWith();
	store.dispatch(settingsKnown({ ...settings, sound }));
	quiet = playCues(store, createSound(context));
	return store;
}
function touch(selector: string) {
	document.querySelector(selector)?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
	// The audio device is opened only after the next frame.
	vi.advanceTimersByTime(50);
}
/** @returns the tones since the last call */
const heard = () => tones.splice(0).map((tone) => tone.hz);

test('the audio device is opened by the first tap on a button and not before', () => {
	const store = kiosk();
	store.dispatch(alertShown({ text: 'Gagal' }));
	touch('p');
	expect(opened).toBe(0);
	touch('span');
	touch('button');
	expect(opened).toBe(1);
	expect(heard()).toEqual([1_760, 1_760]);
});

test('key, note, success and attention have four different sounds, all short and quiet', () => {
	const store = kiosk();
	const cues: number[][] = [];
	const cue = (cause: () => void) => {
		cause();
		for (const tone of tones) expect(tone.to - tone.from).toBeLessThan(0.5);
		cues.push(heard());
	};
	cue(() => touch('button'));
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	store.dispatch(machineAsked({ id: 42, known: [] }));
	store.dispatch(machineOpened({ machine_ready: true, message: '', entries: [], is_paid: false }));
	cue(() => store.dispatch(noteReceived({ note_id: 'a', nominal: rupiah(50_000), time: '' })));
	cue(() => store.dispatch(alertShown({ text: 'Gagal' })));
	cue(() => store.dispatch(paymentDone({ id: '42', how: 'fresh' })));
	expect(cues.every((tones) => tones.length > 0)).toBe(true);
	expect(new Set(cues.map(String)).size).toBe(4);
	expect(loudest).toBeGreaterThan(0);
	expect(loudest).toBeLessThanOrEqual(0.2);
});

test('no sound is played for notes in the first list, a repeated note or an invoice that was already paid', () => {
	const store = kiosk();
	touch('button');
	heard();
	store.dispatch(machineAsked({ id: 42, known: [] }));
	const entry = { note_id: 'a', nominal: rupiah(50_000), time: '' };
	store.dispatch(machineOpened({ machine_ready: true, message: '', entries: [entry], is_paid: false }));
	store.dispatch(noteReceived(entry));
	store.dispatch(paymentDone({ id: '42', how: 'before' }));
	expect(heard()).toEqual([]);
});

test('if a question opens without a touch, the attention sound is played', () => {
	const store = kiosk();
	touch('button');
	heard();
	store.dispatch(questionAsked());
	expect(heard()).toEqual([440, 440]);
});

test('if the settings switch sound off, the audio device is not opened', () => {
	const store = kiosk({ sound: false });
	touch('button');
	store.dispatch(alertShown({ text: 'Gagal' }));
	expect(opened).toBe(0);
});

test('the audio device is suspended after 10 s of silence and resumed for the next sound', async () => {
	kiosk();
	touch('button');
	expect(state).toBe('running');
	await vi.advanceTimersByTimeAsync(9_900);
	expect(state).toBe('running');
	await vi.advanceTimersByTimeAsync(200);
	expect(state).toBe('suspended');
	touch('button');
	expect(state).toBe('running');
	expect(opened).toBe(1);
});

test('the screen works even if audio is missing or broken', () => {
	class Broken {
		constructor() {
			throw new Error('no device');
		}
	}
	for (const context of [undefined, Broken as unknown as typeof AudioContext]) {
		const store = kiosk({ context });
		touch('button');
		store.dispatch(alertShown({ text: 'Gagal' }));
		expect(store.getState().alert.show).toBe(true);
		quiet();
	}
});
