import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';

/** A journal with its head and key, as packed by make-sample.ts. */
const Sample = v.object({ sqlite: v.string(), head: v.string(), key: v.nullable(v.string()) });
export type Sample = v.InferOutput<typeof Sample>;

/**
 * Unpacks the sample journal of a version.
 * @param kiosk folder of the kiosk; the folder `journal` is created in it
 */
export function unpackSample(version: string, kiosk: string): void {
	const packed = readFileSync(join(import.meta.dirname, 'samples', `${version}.json.gz`));
	const { sqlite, head, key } = v.parse(Sample, JSON.parse(gunzipSync(packed).toString()));
	const directory = join(kiosk, 'journal');
	mkdirSync(directory, { recursive: true });
	writeFileSync(join(directory, 'journal.sqlite'), Buffer.from(sqlite, 'base64'), { mode: 0o600 });
	writeFileSync(join(directory, 'journal.head'), head);
	if (key !== null) writeFileSync(join(directory, 'journal.key'), key, { mode: 0o600 });
}
