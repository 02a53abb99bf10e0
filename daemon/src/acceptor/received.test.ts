import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rupiah } from '../../contract/money.ts';
import { receivedOf } from './cash-state.ts';
import { receivedEntries } from './received.ts';

const listed = (...nominals: number[]) => nominals.map((nominal) => ({ nominal: rupiah(nominal), tanggal: '21-11-2026 14:31' }));
const own = (...nominals: number[]) =>
	nominals.map((nominal, index) => ({ note_id: `note-${index}`, nominal: rupiah(nominal), time: '2026-11-21T14:31:00+07:00' }));
const total = (...lists: [ReturnType<typeof listed>, ReturnType<typeof own>]) => receivedOf(receivedEntries(...lists));

test('a note that the back office lists and the journal holds counts once', () => {
	expect(total(listed(100_000), own(100_000))).toBe(100_000);
});

test('a note that still waits in the outbox counts', () => {
	expect(total(listed(100_000), own(100_000, 50_000))).toBe(150_000);
});

test('a payment made elsewhere counts', () => {
	expect(total(listed(100_000, 20_000), own(100_000))).toBe(120_000);
});

test('offline, the journal alone speaks', () => {
	expect(total([], own(100_000, 100_000))).toBe(200_000);
});

const nominals = fc.array(fc.constantFrom(1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000), { maxLength: 12 });

test('uploaded notes never count twice, whichever of them the list already shows', () => {
	fc.assert(
		fc.property(nominals, nominals, fc.nat(), (mine, others, seed) => {
			const shown = mine.filter((_, index) => (seed >> (index % 30)) & 1);
			const sum = total(listed(...others, ...shown), own(...mine));
			const all = [...mine, ...others].reduce((a, b) => a + b, 0);
			expect(sum).toBeLessThanOrEqual(all);
			if (shown.length === mine.length) expect(sum).toBe(all);
		}),
	);
});
