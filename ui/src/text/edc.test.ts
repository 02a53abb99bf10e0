import { expect, test } from 'vitest';
import { EDC_STATES } from '../../../daemon/contract/live.ts';
import { declineText, edcText, refusalText, terminalText } from './edc.ts';

test('every state of the terminal and every refusal says what happened and what to do now', () => {
	for (const [name, { status, advice }] of [
		...EDC_STATES.map((state) => [state, terminalText[state]] as const),
		...Object.entries(refusalText),
	]) {
		expect(status.length, name).toBeGreaterThan(10);
		expect(advice, name).toMatch(/staf|kasir|tunggu|petunjuk|masukkan nomor/);
	}
});

test('the sentences of the specification stand letter for letter', () => {
	expect(declineText.S2.retrying).toBe('Gagal, Mohonn tunggu, Sedang mencoba lagi');
	expect(declineText.PT.cause).toBe('Mesin EDC bermasalah, silahkan hubungi customer service');
	expect(declineText.TN.cause).toBe('Top up tidak tersedia, silahkan hubungi customer service');
	expect(declineText.unknown.cause).toBe('Kode respons tidak dikenal');
	expect(edcText.retry).toBe('Silahkan coba lagi');
	expect(edcText.givenUp).toBe('3x Percobaan gagal, harap hubungi customer service');
	expect(edcText.title).toBe('PETUNJUK PEMBAYARAN');
});
