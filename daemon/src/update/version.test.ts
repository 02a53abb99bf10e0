import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { compareVersions, isPublishable, newest } from './version.ts';

/** Each pair: the older version, then the newer version. */
const PAIRS = [
	['0.9.0', '0.10.0'],
	['1.0~rc1', '1.0'],
	['1.0', '1.0-dirty'],
	['1.0', '1.0+dirty'],
	['1.0-1', '1.0.1'],
	['1.0', '1.0^1'],
	['1.a', '1.1'],
	['0.2', '0.2.0'],
	['0.1.0-testkeys', '0.2.0'],
	['0.1.0-dirty', '0.1.0-testkeys'],
	['9', '10'],
	['1.0,2', '1.0,3'],
] as const;
const EQUAL = [
	['1.0', '1.0'],
	['1.01', '1.1'],
	['1.0_a', '1.0a'],
	['1.0+a', '1.0a'],
] as const;

test.each(PAIRS)('%s is older than %s', (older, newer) => {
	expect(compareVersions(older, newer)).toBeLessThan(0);
	expect(compareVersions(newer, older)).toBeGreaterThan(0);
});

test.each(EQUAL)('%s and %s are equal', (one, other) => expect(compareVersions(one, other)).toBe(0));

test('systemd orders the versions above in the same way', ({ skip }) => {
	const asked = (one: string, other: string) => spawnSync('systemd-analyze', ['compare-versions', one, other], { encoding: 'utf8' });
	if (asked('1', '2').error) return skip('this computer has no systemd-analyze');
	for (const [older, newer] of PAIRS) expect(asked(older, newer).stdout).toContain('<');
	for (const [one, other] of EQUAL) expect(asked(one, other).stdout).toContain('==');
});

test('newest returns the newest version, or null for an empty list', () => {
	expect(newest(['0.2.0', '0.10.0', '0.9.9'])).toBe('0.10.0');
	expect(newest([])).toBeNull();
});

test.each(['0.2.0', '0.2.0-dirty', '0.1.0-testkeys', '1.0+dirty'])('%s can be published', (name) => expect(isPublishable(name)).toBe(true));

test.each(['0.1.0~dirty', '', '../x', '1.0+3', '1.0+3-0', '-1', 'a/b', '1 0', 'x'.repeat(65)])('"%s" cannot be published', (name) => {
	expect(isPublishable(name)).toBe(false);
});
