import { expect, test } from 'vitest';
import { releaseNotes } from '../../image/release-notes.ts';

const CHANGES = `# Changes

## 0.3.0

Faster.

### Bahasa Indonesia

- Lebih cepat.

### Screen

- Draws sooner.

## 0.2.0

Only English.
`;

test('the notes of a release are its section of the changelog, split into the Indonesian part and the English rest', () => {
	expect(releaseNotes(CHANGES, '0.3.0')).toEqual({
		id: '# 0.3.0\n\n- Lebih cepat.\n',
		en: '# 0.3.0\n\nFaster.\n\n### Screen\n\n- Draws sooner.\n',
	});
});

test('an image with test keys has the notes of the same version with real keys', () => {
	expect(releaseNotes(CHANGES, '0.3.0-testkeys').id).toContain('Lebih cepat');
});

test.each([
	['0.4.0', 'no section "## 0.4.0"'],
	['0.2.0', 'no part "### Bahasa Indonesia"'],
])('a release without notes in both languages is refused: %s', (version, reason) => {
	expect(() => releaseNotes(CHANGES, version)).toThrow(reason);
});
