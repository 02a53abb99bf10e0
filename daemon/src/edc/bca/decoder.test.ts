import { rupiah } from '@kiosk/contract/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACK, ANSWER_BYTES, answer, NAK, refusal, STX, seal } from '../../../../tests/integration/card-line/frames.ts';
import { randomFrom } from '../../../../tests/support/random.ts';
import { DECODER_START, decode, type Meaning } from './decoder.ts';
import { isFitting } from './truncation-check.ts';

/** Decodes the reads one after another, and checks that the decoder never holds a whole frame. */
function decodeReads(...reads: readonly (readonly number[])[]): Meaning[] {
	let state = DECODER_START;
	const meanings: Meaning[] = [];
	for (const bytes of reads) {
		const decoded = decode(state, Uint8Array.from(bytes));
		state = decoded.state;
		expect(state.held.length).toBeLessThan(ANSWER_BYTES);
		meanings.push(...decoded.meanings);
	}
	return meanings;
}

const kinds = (meanings: readonly Meaning[]): string[] => meanings.map(({ kind }) => kind);
const codes = (meanings: readonly Meaning[]): string[] => meanings.flatMap((said) => (said.kind === 'answer' ? [said.response.code] : []));

describe('a frame', () => {
	test.each([1, 2, 3])('a frame of version %i is one answer, although version 3 equals ETX', (version) => {
		expect(decodeReads(answer({ version }))).toMatchObject([{ kind: 'answer', version, response: { code: '00' } }]);
	});

	test.each([0x00, 0x02, 0x03, 0x06, 0x15])('the LRC %i of a frame is not mistaken for a control byte', (lrc) => {
		const frame = answer({ version: 3, lrc });
		expect(frame.at(-1)).toBe(lrc);
		for (let at = 0; at <= frame.length; at += 1)
			expect(kinds(decodeReads([ACK, ...frame.slice(0, at)], [...frame.slice(at), ACK]))).toEqual(['ack', 'answer', 'ack']);
	});

	test('a frame that is split between reads at any byte is one answer', () => {
		const frame = answer({ version: 3 });
		for (let at = 0; at <= frame.length; at += 1) expect(kinds(decodeReads(frame.slice(0, at), frame.slice(at)))).toEqual(['answer']);
		expect(kinds(decodeReads(...frame.map((byte) => [byte])))).toEqual(['answer']);
	});

	test('a frame joined with ACK, a doubled NAK and another frame is decoded in order', () => {
		const all = [ACK, ...answer(), NAK, NAK, ...refusal('P3'), ACK];
		expect(kinds(decodeReads(all))).toEqual(['ack', 'answer', 'nak', 'nak', 'answer', 'ack']);
		expect(codes(decodeReads(...all.map((byte) => [byte])))).toEqual(['00', 'P3']);
	});
});

describe('invalid input', () => {
	test('noise before STX is discarded, even if the noise starts like a frame', () => {
		for (const noise of [[0x00, 0xff, 0x7f], [STX], [STX, STX], [STX, 0x01, 0x50], [STX, 0x02, 0x01]]) {
			const bytes = [...noise, ...answer()];
			expect(decodeReads(bytes)).toMatchObject([{ kind: 'discarded', bytes: noise.length }, { kind: 'answer' }]);
			expect(kinds(decodeReads(...bytes.map((byte) => [byte]))).filter((kind) => kind !== 'discarded')).toEqual(['answer']);
		}
	});

	test('noise that equals a frame header hides the ACK after it, but not the next frame', () => {
		expect(kinds(decodeReads([STX, 0x02, 0x00, ACK, ...answer()]))).toEqual(['damaged', 'answer']);
	});

	test.each([
		['LRC', [...answer().slice(0, -1), 0x7f], 'LRC'],
		['ETX', [...answer().slice(0, -2), 0x04, 0x04 ^ 0x03], 'ETX'],
		['version', seal(4, Buffer.from(answer().slice(4, -2)).toString('latin1')), 'version'],
		['amount', answer({ amount: '000013750050' }), 'amount'],
	])('a frame with a wrong %s is damaged, with the reason', (_what, bytes, why) => {
		const meanings = decodeReads(bytes);
		expect(meanings.filter(({ kind }) => kind === 'damaged')).toMatchObject([{ why: expect.stringContaining(why) }]);
		expect(codes(meanings)).toEqual([]);
	});

	test('a frame of wrong length is dropped, and the next frame is found', () => {
		const short = [STX, 0x01, 0x98, ...answer().slice(3)];
		expect(codes(decodeReads([...short, ...refusal('P3')]))).toEqual(['P3']);
	});

	test('after a frame with lost or doubled bytes, the next frame is still decoded', () => {
		for (let at = 3; at < ANSWER_BYTES; at += 1) {
			const lost = [...answer().slice(0, at), ...answer().slice(at + 1)];
			const doubled = [...answer().slice(0, at), 0x20, ...answer().slice(at)];
			expect(codes(decodeReads([...lost, ...refusal('P3')])).at(-1)).toBe('P3');
			expect(codes(decodeReads([...doubled, ...refusal('P3')])).at(-1)).toBe('P3');
		}
	});

	test('every flipped bit after the header is detected', () => {
		const frame = answer();
		for (let at = 3; at < frame.length; at += 1)
			for (let bit = 0; bit < 8; bit += 1) {
				const flipped = frame.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte));
				expect(kinds(decodeReads(flipped))[0]).toBe('damaged');
			}
	});
});

test('except for discarded bytes, the meaning does not depend on how the bytes are split into reads', () => {
	const part = fc.oneof(
		fc.constantFrom([ACK], [NAK, NAK], [STX], [0xff, 0x00]),
		fc.record({ amount: fc.integer({ min: 0, max: 9_999_999 }), version: fc.constantFrom(1, 2, 3) }).map(answer),
		fc.constantFrom('P3', '51', 'TO').map((code) => refusal(code)),
	);
	fc.assert(
		fc.property(fc.array(part, { maxLength: 8 }), fc.array(fc.nat(300), { maxLength: 20 }), (parts, cuts) => {
			const bytes = parts.flat();
			const reads: number[][] = [];
			let at = 0;
			for (const cut of cuts) {
				reads.push(bytes.slice(at, at + cut));
				at += cut;
			}
			reads.push(bytes.slice(at));
			const known = (meanings: Meaning[]) => meanings.filter(({ kind }) => kind !== 'discarded');
			expect(known(decodeReads(...reads))).toEqual(known(decodeReads(bytes)));
		}),
	);
});

test('100.000 damaged frames cause no crash, no false approval and no memory growth', () => {
	const random = randomFrom(31);
	const asked = { type: 'sale', amount: rupiah(137_500) } as const;
	const paid = answer();
	const originals = [paid, answer({ amount: 137_400 }), answer({ type: '17' }), refusal('P3'), refusal('01', 'zeros'), refusal('10')];
	let state = DECODER_START;
	let undamaged = 0;
	const before = process.memoryUsage().heapUsed;
	for (let round = 0; round < 100_000; round += 1) {
		const original = originals[round % originals.length] ?? paid;
		const frame = Uint8Array.from(original);
		for (let changes = 1 + random.int(0, 3); changes > 0; changes -= 1) frame[random.int(0, ANSWER_BYTES - 1)] = random.int(0, 255);
		const decoded = decode(state, frame.subarray(0, random.chance(1 / 8) ? random.int(0, ANSWER_BYTES - 1) : ANSWER_BYTES));
		state = decoded.state;
		if (state.held.length >= ANSWER_BYTES) throw new Error('more is held than one frame');
		for (const meaning of decoded.meanings) {
			if (meaning.kind !== 'answer') continue;
			undamaged += 1;
			const approves = meaning.response.code === '00' && isFitting(asked, meaning.response);
			if (approves && original !== paid) throw new Error(`round ${round} made a payment of ${JSON.stringify(meaning.response)}`);
		}
	}
	// A one-byte XOR does not detect all damage; the undetected damage must be harmless.
	expect(undamaged).toBeGreaterThan(100);
	expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(100);
});

test('a flood of every byte value uses bounded memory, and the next frame is decoded', () => {
	const random = randomFrom(32);
	let state = DECODER_START;
	for (let read = 0; read < 2_000; read += 1) {
		const bytes = Uint8Array.from({ length: 500 }, () => random.pick([STX, 0x02, 0x00, ACK, NAK, random.int(0, 255)]));
		state = decode(state, bytes).state;
		expect(state.held.length).toBeLessThan(ANSWER_BYTES);
	}
	const after = decode(state, Uint8Array.from([...Array<number>(ANSWER_BYTES).fill(0xff), ...answer()]));
	expect(codes(after.meanings)).toEqual(['00']);
});
