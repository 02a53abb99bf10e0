import { expect, test } from 'vitest';
import { afterAnswer, afterSign, begunProgress, type Progress, stepOf } from './progress.ts';
import { REHEARSALS, SCRIPTS, type Sign } from './scripts.ts';

const UNKNOWN = { acceptor: null, edc: null };
const after = (progress: Progress, ...signs: Sign[]): Progress => signs.reduce((now, sign) => afterSign(now, sign, UNKNOWN), progress);

test.each(REHEARSALS)('%s ends when all its signs have been observed in order and all its questions are answered', (name) => {
	let progress = begunProgress(name);
	for (const step of SCRIPTS[name].steps) {
		expect(stepOf(progress)).toBe(step);
		progress = 'ask' in step ? (afterAnswer(progress, 0) ?? progress) : after(progress, step.until);
	}
	expect([stepOf(progress), progress.missed]).toEqual([null, false]);
});

test('an unexpected sign or an answer without a question does not change the progress', () => {
	const begun = begunProgress('box-out');
	expect(after(begun, 'escrow', 'restarted')).toBe(begun);
	expect(afterAnswer(begun, 1)).toBe(null);
});

test('a power cut one step early is accepted, because the last step may not have been saved; after an even earlier power cut, the moment of the test counts as missed', () => {
	const atNote = after(begunProgress('power-cut-stacking'), 'cash_open');
	expect(after(atNote, 'restarted')).toMatchObject({ step: 3, missed: false });
	expect(after(begunProgress('power-cut-stacking'), 'restarted')).toMatchObject({ step: 3, missed: true });
});

test('if the outcome of the note comes before the power cut, the moment of the test counts as missed and the questions follow', () => {
	const cut = after(begunProgress('power-cut-stacking'), 'cash_open', 'accepted', 'note_over');
	expect([stepOf(cut), cut.missed]).toMatchObject([{ ask: 'inserted' }, true]);
});

test('a step that waits for the return of a device is skipped if the device is already back', () => {
	const gone = afterSign(begunProgress('cable-idle'), 'acceptor_gone', { acceptor: 'acceptor_back', edc: null });
	expect(stepOf(gone)).toMatchObject({ until: 'cash_open' });
});
