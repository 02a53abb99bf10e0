import { EDC_STATES } from '@kiosk/contract/live';
import { expect, test } from 'vitest';
import { refusalText, terminalText } from './edc.ts';

test('[spec 8.17] the text for every state of the terminal and every refusal says what happened and what to do', () => {
	for (const [name, { status, advice }] of [
		...EDC_STATES.map((state) => [state, terminalText[state]] as const),
		...Object.entries(refusalText),
	]) {
		expect(status.length, name).toBeGreaterThan(10);
		expect(advice, name).toMatch(/staf|kasir|tunggu|petunjuk|masukkan nomor/);
	}
});
