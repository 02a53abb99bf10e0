import { expect, test } from 'vitest';
import { bucketOf, isChosen } from './rollout.ts';

const IDS = Array.from({ length: 10_000 }, (_, index) => `machine-${index}`);
const chosen = (percent: number, seed: string): string[] => IDS.filter((id) => isChosen(id, { percent, seed }, null));

test('0 percent chooses no kiosk, 10 percent about a tenth and 100 percent all', () => {
	expect(chosen(0, 'a')).toHaveLength(0);
	expect(chosen(100, 'a')).toHaveLength(IDS.length);
	expect(chosen(10, 'a').length).toBeGreaterThan(850);
	expect(chosen(10, 'a').length).toBeLessThan(1_150);
});

test('when the percentage grows, chosen kiosks stay chosen', () => {
	const later = new Set(chosen(50, 'a'));
	expect(chosen(10, 'a').every((id) => later.has(id))).toBe(true);
});

test('roll-outs with different seeds begin with different kiosks', () => {
	const first = new Set(chosen(10, 'a'));
	expect(chosen(10, 'b').filter((id) => first.has(id)).length).toBeLessThan(300);
});

test('percent_override replaces the percentage on one kiosk', () => {
	expect(isChosen('x', { percent: 0, seed: 'a' }, 100)).toBe(true);
	expect(isChosen('x', { percent: 100, seed: 'a' }, 0)).toBe(false);
});

test('the bucket of a kiosk and a seed is the same in every release of this code', () => {
	expect(bucketOf('0123456789abcdef0123456789abcdef', '0.2.0')).toBe(36);
});
