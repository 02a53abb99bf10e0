import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { openRehearsals, type RehearsalDeps, type Rehearsals } from './rehearsals.ts';

let directory: string;
const event = vi.fn();

beforeEach(() => {
	directory = join(temporaryFolder('rehearsals'), 'rehearsals');
	mkdirSync(directory);
	event.mockClear();
});

const open = (): Rehearsals =>
	openRehearsals({
		directory,
		newestRecord: () => 1,
		isPaying: () => false,
		devices: { acceptor: true, edc: true, printer: true },
		tap: () => undefined,
		pauseEscrow: () => undefined,
		key: {},
		timestamp: (at: Date) => at.toISOString(),
		clock: systemClock,
		log: { event },
	} as unknown as RehearsalDeps);

/**
 * Replaces the file with a folder, so that the daemon can neither write nor remove the file, as on
 * a read-only disk.
 */
function makeReadOnly(file: string): void {
	rmSync(join(directory, file), { force: true });
	mkdirSync(join(directory, file));
}

const abandoned = () => event.mock.calls.some(([id]) => id === 'rehearsal.abandoned');

test.each(['running.json', 'running.jsonl'])('a payment does not fail if %s of a full recording cannot be deleted', async (file) => {
	const rehearsals = open();
	expect(rehearsals.wish({ action: 'begin', name: 'cable-idle', by: 'Budi' })).toMatchObject({ ok: true });
	makeReadOnly(file);
	// More events than a recording can hold.
	for (let times = 0; times < 50_000; times += 1) rehearsals.hear({ id: 'acceptor.state', fields: { state: 'ready' } } as never);
	expect(rehearsals.look().running).toBeNull();
	expect(abandoned()).toBe(true);
});

test('the daemon starts even if the files of an old rehearsal cannot be deleted', () => {
	const begun = new Date(Date.now() - 2 * 3_600_000).toISOString();
	const kept = { name: 'cable-idle', by: 'Budi', begun, record: 1, run: 1, step: 0, missed: false, answers: {} };
	writeFileSync(join(directory, 'running.json'), JSON.stringify(kept));
	makeReadOnly('running.jsonl');
	expect(open().look().running).toBeNull();
});
