// @module-tag deep
/**
 * Replays recorded rehearsals. If KIOSK_RECORDINGS names a folder, replays the files of a real unit
 * from there, instead of the samples from the simulators.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Recording, readRecording } from '../../../daemon/src/rehearsal/signed-file.ts';
import { LONGEST_REPLAY_MS, outcomeOf, replay } from './replay.ts';

const SAMPLES = join(import.meta.dirname, 'recordings');
const FOLDER = process.env.KIOSK_RECORDINGS ?? SAMPLES;

function recordingIn(folder: string, file: string): Recording {
	const read = readRecording(readFileSync(join(folder, file), 'utf8'));
	if (!read.ok) throw new Error(`${file}: ${read.error.reason}`);
	return read.value.recording;
}

/** Recordings to replay; without printer rehearsals, because a recording contains no print jobs. */
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json') && !file.includes('paper-out'));

// The replays run in parallel, because each waits most of the time.
describe.concurrent.each(files)('%s', (file) => {
	test('a replay of the recorded bytes leads to the same money and verdict', { timeout: LONGEST_REPLAY_MS }, async ({ expect }) => {
		const recording = recordingIn(FOLDER, file);
		expect(await replay(recording)).toEqual(outcomeOf(recording));
	});
});

test('a replay with the code of another note leads to another amount and verdict', async () => {
	const recording = recordingIn(SAMPLES, 'rehearsal-cable-idle.json');
	// 81 44 is a note of Rp 20.000 in escrow; 81 45 is a note of Rp 50.000.
	const changed = JSON.parse(JSON.stringify(recording).replaceAll('"8144"', '"8145"')) as Recording;
	const { money, verdict } = await replay(changed);
	expect([money.notes, verdict]).toEqual([[{ nominal: 50_000, end: 'credited' }], 'failed']);
});
