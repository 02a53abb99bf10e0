import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { newKey, releaseOf, rootName } from '../update/release.fixture.ts';
import { type State, stateFile } from '../update/state.ts';
import { updateCommands } from './update-commands.ts';

let folder: string;
let said: string[];
let asked: string[];
let socket: string;
/** Simulates the updater's systemd unit, which writes the state step by step. */
let unit: (word: string) => void;
beforeEach(async () => {
	folder = temporaryFolder('update');
	mkdirSync(join(folder, 'import'));
	socket = join(temporaryFolder('socket'), 'update.sock');
	[said, asked, unit] = [[], [], () => undefined];
	const server = createServer((line) => {
		line.on('data', (word) => {
			asked.push(String(word).trim());
			line.end('ok\n');
			unit(String(word).trim());
		});
	});
	await new Promise<void>((listening) => server.listen(socket, listening));
	onTestFinished(() => {
		server.close();
		process.exitCode = 0;
	});
});

const state = () => stateFile(folder, systemClock);
/** Writes each state after the command has printed the previous state. */
const steps =
	(...changes: Partial<State>[]) =>
	(): void => {
		const [next, ...rest] = changes;
		if (next === undefined) return;
		const seen = said.length;
		state().change(next);
		const look = setInterval(() => {
			if (said.length === seen) return;
			clearInterval(look);
			steps(...rest)();
		}, 5);
	};

class Refused extends Error {}
async function run(name: string, change: { subject?: string; by?: string; why?: string; patienceMs?: number } = {}) {
	const refuse = (sentence: string): never => {
		throw new Refused(sentence);
	};
	const { by = '', why = '' } = change;
	const commands = updateCommands({
		...{ subject: '', json: false, folder, socket, patienceMs: 20_000, ...change, by, why },
		image: { version: '0.2.0', built: new Date('2026-11-13'), chromium: { version: '142.0', released: new Date('2026-11-03') } },
		tools: {
			say: (line) => void said.push(line),
			refuse,
			call: async (...words) => void asked.push(words.slice(0, 2).join(' ')) as never,
			decided: () => (by && why ? { by, why } : refuse('Give the name')),
			yes: false,
			confirmed: async () => undefined,
		},
	});
	await commands[name]?.();
}

test('update status shows the image, the state, the last contact with the server, and the offered and the oldest accepted version', async () => {
	await run('update status');
	expect(said).toEqual(['0.2.0 runs, built 2026-11-13, Chromium 142.0 of 2026-11-03.', 'The kiosk has not looked for an update yet.']);
	state().change({
		state: 'waiting',
		version: '0.3.0',
		text: 'a payment is open',
		offered: { version: '0.3.0', released_at: '2026-11-20' },
		floor: '0.2.0',
	});
	await run('update status');
	expect(said.at(-1)).toMatch(
		/^waiting 0\.3\.0: a payment is open\n.*server reached {2}never\n.*offered .*0\.3\.0.*\n.*oldest accepted 0\.2\.0$/s,
	);
});

test('update history lists the newest outcome first', async () => {
	await expect(run('update history')).rejects.toThrow('No update state');
	const outcome = (version: string, outcome: 'good' | 'failed', reason: string) => ({
		version,
		from: '0.2.0',
		outcome,
		reason,
		tries: 3,
		at: '2026-11-23',
	});
	state().change({ history: [outcome('0.3.0', 'failed', 'never_drew'), outcome('0.4.0', 'good', '')] });
	await run('update history');
	expect(said).toEqual([
		expect.stringMatching(/0\.4\.0 +good .*\(3 start/),
		expect.stringMatching(/0\.3\.0 +failed .*\(never_drew, 3 start/),
	]);
});

test('update check prints each state until the check ends', async () => {
	unit = steps({ state: 'checking' }, { state: 'downloading', version: '0.3.0', total_bytes: 2_097_152 }, { state: 'verified' });
	await run('update check');
	expect(asked).toEqual(['check']);
	expect(said).toEqual(['checking', 'downloading 0.3.0: 0 of 2 MB', 'verified 0.3.0']);
});

test('update install copies only the needed files, makes them readable for the updater, and prints each state until the restart or a refusal', async () => {
	const release = temporaryFolder('release');
	const { files } = releaseOf({ root: Buffer.from('r'), verity: Buffer.from('v'), uki: Buffer.from('u') }, newKey());
	for (const [name, bytes] of Object.entries({ ...files, 'notes.md': Buffer.from('x') }))
		writeFileSync(join(release, name), bytes, { mode: 0o600 });
	unit = steps(
		{ state: 'verified', version: '0.3.0' },
		{ state: 'writing' },
		{ state: 'written' },
		{ state: 'waiting', text: 'a payment is open' },
		{ state: 'restarting' },
	);
	await run('update install', { subject: release, by: 'Sari', why: 'new printer' });
	expect(asked).toEqual(['POST /update/asked', 'import']);
	expect(readdirSync(join(folder, 'import'))).toContain(`${rootName('0.3.0')}.gz`);
	expect(readdirSync(join(folder, 'import'))).toHaveLength(5);
	expect(statSync(join(folder, 'import', 'stable.json')).mode & 0o777).toBe(0o644);
	expect(said).toContain('waiting 0.3.0: a payment is open');
	expect(said.at(-1)).toMatch(/restarts now/);
	said.length = 0;
	unit = steps({ state: 'refused', version: '0.3.0', reason: 'signature', text: 'signed with a key that is not known' });
	await run('update install', { subject: join(release, 'stable.json') });
	expect(said.at(-1)).toBe('refused 0.3.0: signed with a key that is not known');
	expect(process.exitCode).toBe(1);
});

test('update usb starts the updater and shows the reason of a refusal', async () => {
	unit = steps({ state: 'refused', version: null, reason: 'manifest', text: 'there is no manifest' });
	await run('update usb');
	expect(asked).toEqual(['usb']);
	expect(said.at(-1)).toBe('refused: there is no manifest');
	expect(process.exitCode).toBe(1);
});

test.each([
	['', 'Name the folder'],
	['EMPTY', 'has no manifest of a release'],
	['INCOMPLETE', 'is missing in'],
])('update install is refused before a unit starts (folder: "%s", message: "%s")', async (what, sentence) => {
	const release = temporaryFolder('release');
	const { files } = releaseOf({ root: Buffer.from('r'), verity: Buffer.from('v'), uki: Buffer.from('u') }, newKey());
	if (what === 'INCOMPLETE')
		for (const [name, bytes] of Object.entries(files)) if (!name.includes('root')) writeFileSync(join(release, name), bytes);
	await expect(run('update install', { subject: what && release })).rejects.toThrow(sentence);
	expect(asked).toEqual([]);
});

test('update rollback requires a name and a reason, logs both, and prints the result', async () => {
	state().change({ state: 'good', version: '0.2.0' });
	await expect(run('update rollback')).rejects.toThrow('Give the name');
	unit = steps({ text: 'no return to the previous version: the other slot has no version that is confirmed as good' });
	await run('update rollback', { by: 'Sari', why: 'x' });
	expect(asked).toEqual(['POST /update/asked', 'rollback']);
	expect(said.at(-1)).toMatch(/no return to the previous version/);
});

test('if the updater makes no progress or cannot be reached, the command ends with an explanation', async () => {
	await expect(run('update check', { patienceMs: 100 })).rejects.toThrow(/no progress for a while/);
	socket = '/nowhere/update.sock';
	await expect(run('update check')).rejects.toThrow(/cannot be reached/);
});
