import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rupiah } from '@kiosk/contract/money';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { checkLetter, decode32, encode32 } from './base32.ts';
import { isCodeOf, isOwnCode, readCode, shortCode } from './short-code.ts';
import { openSlipKey, type SlipKey } from './slip-key.ts';
import { isSlipText, type PaperFacts, readSlipText, slipText } from './slip-text.ts';

const LETTERS = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'];
const OF = { record: 1_234, hash: '0123456789abcdef'.repeat(4) };
const FACTS: PaperFacts = {
	kind: 'receipt',
	noinvoice: 'INV/2026/00123',
	amount: rupiah(150_000),
	change: rupiah(5_000),
	time: '24-11-2026 09:25',
};

let directory: string;
let events: string[];
beforeEach(() => {
	directory = temporaryFolder('slip-key');
	events = [];
});

const open = (folder = 'one'): SlipKey | null =>
	openSlipKey(join(directory, folder), { event: (id) => void events.push(id) }, () => new Date('2026-11-24T02:25:00Z'));
function keyIn(folder?: string): SlipKey {
	const key = open(folder);
	if (!key) throw new Error('there is no key');
	return key;
}
const hasSigned = (key: SlipKey, text: string): boolean => {
	const read = readSlipText(text);
	return read !== null && key.hasSigned(read.signed, read.signature);
};

test('the key is created once, only its owner can read it, and the next start uses it again', () => {
	const key = keyIn();
	expect(key.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
	expect(Buffer.from(key.publicKey, 'base64url')).toHaveLength(32);
	expect(statSync(join(directory, 'one', 'slip.key')).mode & 0o777).toBe(0o600);
	expect(keyIn().id).toBe(key.id);
	expect(keyIn('two').id).not.toBe(key.id);
	expect(events).toEqual(['slip.key_made', 'slip.key_made']);
});

test.for(['', '{}', '{"id":"AAAAAAAA","private":"AAAA"}'])('a damaged key file %s is kept beside a new key', (text) => {
	const { id } = keyIn();
	writeFileSync(join(directory, 'one', 'slip.key'), text);
	expect(keyIn().id).not.toBe(id);
	expect(readdirSync(join(directory, 'one')).sort()).toEqual(['slip.key', 'slip.key.damaged-20261124022500']);
	expect(events).toEqual(['slip.key_made', 'slip.key_damaged', 'slip.key_made']);
});

test('a key file in which one letter has changed counts as damaged', () => {
	const { id } = keyIn();
	const file = join(directory, 'one', 'slip.key');
	const stored = JSON.parse(readFileSync(file, 'utf8'));
	const [last] = stored.private.slice(-3);
	writeFileSync(
		file,
		JSON.stringify({ ...stored, private: stored.private.slice(0, -3) + (last === 'A' ? 'B' : 'A') + stored.private.slice(-2) }),
	);
	expect(keyIn().id).not.toBe(id);
	expect(events).toContain('slip.key_damaged');
});

test('a key file that cannot be read is not replaced: printouts carry no code', () => {
	mkdirSync(join(directory, 'one', 'slip.key'), { recursive: true });
	expect(open()).toBeNull();
	expect(events).toEqual(['slip.no_key']);
	expect(statSync(join(directory, 'one', 'slip.key')).isDirectory()).toBe(true);
});

test('letters decode to the encoded bytes', () => {
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
			expect([...(decode32(encode32(bytes)) ?? [])].slice(0, bytes.length)).toEqual([...bytes]);
		}),
	);
	expect(decode32('ABU')).toBeNull();
});

test('the check letter reveals any single wrong letter and any exchange of two letters', () => {
	const letter = fc.constantFrom(...LETTERS);
	fc.assert(
		fc.property(fc.array(letter, { minLength: 15, maxLength: 15 }), fc.nat(15), fc.nat(15), letter, (letters, one, other, wrong) => {
			const whole = [...letters, checkLetter(letters.join(''))];
			const isRight = (code: string[]) => checkLetter(code.slice(0, -1).join('')) === code.at(-1);
			expect(isRight(whole)).toBe(true);
			expect(isRight(whole.with(one, wrong))).toBe(whole[one] === wrong);
			const exchanged = whole.with(one, whole[other] ?? '').with(other, whole[one] ?? '');
			expect(isRight(exchanged)).toBe(whole[one] === whole[other]);
		}),
	);
});

test('a short code belongs to one record of one kiosk', () => {
	const key = keyIn();
	const code = shortCode(key, OF) ?? '';
	expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
	expect(isCodeOf(key, code, OF)).toBe(true);
	expect(isCodeOf(key, code, { ...OF, hash: OF.hash.replace('0', '1') })).toBe(false);
	expect(isCodeOf(key, code, { ...OF, record: 1_235 })).toBe(false);
	expect(isCodeOf(keyIn('two'), code, OF)).toBe(false);
	expect(shortCode(key, { ...OF, record: 32 ** 5 })).toBeNull();
});

test('a code is read as people type it; a wrong letter is reported as a typing error, not as a forgery', () => {
	const key = keyIn();
	const code = shortCode(key, OF) ?? '';
	const read = { state: 'read', code, kiosk: key.id.slice(0, 2), record: OF.record };
	expect(isOwnCode(key, read.kiosk)).toBe(true);
	expect(readCode(code)).toEqual(read);
	expect(readCode(` ${code.replaceAll('-', ' ').toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')} `)).toEqual(read);
	expect(readCode(code.slice(0, -1))).toEqual({ state: 'mistyped' });
	expect(readCode(`${code}0`)).toEqual({ state: 'mistyped' });
	expect(readCode(code.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).toEqual({ state: 'mistyped' });
	expect(readCode('')).toEqual({ state: 'mistyped' });
});

test('every fact can be read back from the text of a QR code, for any short invoice number', () => {
	const key = keyIn();
	const texts = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((name) => encodeURIComponent(name.toWellFormed()).length <= 12);
	fc.assert(
		fc.property(
			texts,
			fc.constantFrom('receipt', 'copy', 'partial', 'collection'),
			fc.nat(1e9),
			fc.nat(1e9),
			(noinvoice, kind, amount, change) => {
				const facts = { kind, noinvoice, amount: rupiah(amount), change: rupiah(change), time: FACTS.time } as const;
				const text = slipText(key, facts, OF);
				expect(text).toMatch(/^[-0-9A-Z./%]+$/);
				expect(readSlipText(text)).toMatchObject({ ...facts, kiosk: key.id, record: OF.record, hash: OF.hash.slice(0, 16) });
				expect(hasSigned(key, text.toLowerCase())).toBe(true);
			},
		),
	);
});

test('a long invoice number is cut between two characters', () => {
	expect(readSlipText(slipText(keyIn(), { ...FACTS, noinvoice: 'x'.repeat(99) }, OF))?.noinvoice).toBe('x'.repeat(13));
});

test('a change of any character of a QR code, except the last, is detected', () => {
	const key = keyIn();
	const text = slipText(key, FACTS, OF);
	expect(hasSigned(key, text)).toBe(true);
	expect(hasSigned(key, text.replace('/150000/', '/950000/'))).toBe(false);
	expect(hasSigned(keyIn('two'), text)).toBe(false);
	// The last letter is left out, because three of its bits belong to no byte.
	for (let at = 0; at < text.length - 1; at += 1) {
		const edited = text.slice(0, at) + (text[at] === '7' ? '8' : '7') + text.slice(at + 1);
		expect(hasSigned(key, edited)).toBe(false);
	}
});

test('for any text, readCode and readSlipText do not throw', { tags: 'deep' }, () => {
	const letters = fc.string({ unit: fc.constantFrom(...'KIOSK1/RSB%0123456789ABCDEFZ -\n\u0130é') });
	fc.assert(
		fc.property(fc.oneof(letters, fc.string({ unit: 'binary' })), (text) => {
			readCode(text);
			readSlipText(`KIOSK1/${text}`);
			expect(readSlipText(text)).toBeNull();
		}),
	);
});

test('a code with an impossible amount is not accepted as a kiosk’s code', () => {
	const text = slipText(keyIn(), FACTS, OF);
	expect(readSlipText(text.replace('/150000/', '/1000000000001/'))).toBeNull();
	expect(readSlipText(text.replace('/5000/', '/9999999999999/'))).toBeNull();
});

test('an incomplete text is not read, and a short code is not taken for the text of a QR code', () => {
	expect(readSlipText('')).toBeNull();
	expect(readSlipText('KIOSK1/R')).toBeNull();
	expect(isSlipText('kiosk1/r')).toBe(true);
	expect(isSlipText('ABCD-EFGH-0000-0000')).toBe(false);
});
