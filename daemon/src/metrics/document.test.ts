import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { metricsDocument } from './document.ts';

test('the reference of metrics in docs/ is current (make docs)', () => {
	expect(readFileSync(new URL('../../../docs/reference/metrics.md', import.meta.url), 'utf8')).toBe(metricsDocument());
});
