import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as v from 'valibot';
import { expect, test } from 'vitest';
import { READS } from './format.ts';
import { JournalRecord } from './records.ts';

type Schema = v.GenericSchema & {
	entries?: Record<string, Schema>;
	options?: readonly (Schema | string)[];
	wrapped?: Schema;
	item?: Schema;
};

/** @returns fields and lists of a schema, without its checks of values */
function shapeOf(schema: Schema): string {
	const { type, entries, options = [], wrapped, item } = schema;
	if (entries)
		return `{ ${Object.entries(entries)
			.map(([name, field]) => `${name}: ${shapeOf(field)}`)
			.join(', ')} }`;
	if (wrapped) return `${shapeOf(wrapped)} or ${type === 'optional' ? 'left out' : 'null'}`;
	if (item) return `list of ${shapeOf(item)}`;
	if (options.length > 0) return options.map((one) => (typeof one === 'string' ? one : shapeOf(one))).join('|');
	return type === 'literal' ? String((schema as unknown as { literal: string }).literal) : type;
}

test('the fields and lists of all records equal those stored for this format; a change other than an optional field needs a new format', () => {
	const shapes = JournalRecord.options.map((option) => `${shapeOf(option as Schema)}\n`).sort();
	expect(shapes.join('')).toBe(readFileSync(join(import.meta.dirname, `records-of-format-${READS}.txt`), 'utf8'));
});
