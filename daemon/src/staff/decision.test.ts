import * as v from 'valibot';
import { expect, test } from 'vitest';
import { Decision } from './decision.ts';

test.each(['', ' ', '\u200b', '\u2060 \u00ad', '-'])('a decision without a readable name or reason is refused: %j', (by) => {
	expect(v.safeParse(Decision, { by, why: 'change' }).success).toBe(false);
	expect(v.safeParse(Decision, { by: 'Sari', why: by }).success).toBe(false);
});

test('the name and the reason of a decision may be in any script', () => {
	expect(v.parse(Decision, { by: ' Šari 2 ', why: 'ꦲ' })).toEqual({ by: 'Šari 2', why: 'ꦲ' });
});
