import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../base/result.ts';
import type { ImageFacts } from '../update/image-facts.ts';
import { parseManifest } from '../update/manifest.ts';
import { type Outcome, readState, type State } from '../update/state.ts';
import type { CommandTools } from './command-tools.ts';

/**
 * Socket of the service that starts update units for technicians, who have no right to start units.
 * The caller sends one word and receives one answer.
 */
export const UPDATE_SOCKET = '/run/kiosk/update.sock';
const ANSWER_MS = 15_000;
const LOOK_MS = 500;
/** Maximum size of a release file, bytes. */
const LARGEST_BYTES = 2_000_000_000;

export interface UpdateCommandDeps {
	subject: string;
	json: boolean;
	by: string;
	why: string;
	/** Folder of the updater. */
	folder: string;
	/** Socket of the service that starts update units. */
	socket: string;
	image: ImageFacts;
	/** Time without a change of the updater's state after which the command gives up, ms. */
	patienceMs: number;
	tools: CommandTools;
}

/** @returns the commands under `kioskctl update`, by name */
export function updateCommands(of: UpdateCommandDeps): Record<string, () => Promise<void> | void> {
	const { say, refuse, call, decided, confirmed } = of.tools;
	const state = (): State =>
		readState(of.folder) ?? refuse('No update state: this is not an appliance, or it has not checked for updates yet.');

	/**
	 * Starts the update unit that this word names; exits with the reason if the unit does not start.
	 */
	async function start(word: string): Promise<void> {
		const answer = await ask(of.socket, word).catch((error: Error) =>
			refuse(`The update units cannot be reached at ${of.socket}: ${messageOf(error)}`),
		);
		if (answer !== 'ok') refuse(`Not started: ${answer}`);
	}

	/**
	 * Prints each change of the state until `isEnd` accepts the state; exits after `patienceMs`
	 * without a change.
	 */
	async function follow(before: State | null, isEnd: (now: State) => boolean): Promise<State> {
		let last = keyOf(before);
		let heard = performance.now();
		for (;;) {
			await delay(LOOK_MS);
			const now = readState(of.folder);
			const key = keyOf(now);
			if (now !== null && key !== last) {
				last = key;
				heard = performance.now();
				say(stateLine(now));
				if (isEnd(now)) return now;
			}
			if (performance.now() - heard > of.patienceMs)
				refuse('The update has made no progress for a while; journalctl -u "kiosk-update*" shows why.');
		}
	}

	return {
		'update status': () => {
			const now = readState(of.folder);
			if (of.json) return say(JSON.stringify({ image: of.image, update: now }, null, '\t'));
			say(imageLine(of.image));
			say(now === null ? 'The kiosk has not looked for an update yet.' : statusText(now));
		},
		'update history': () => {
			const { history } = state();
			if (of.json) return say(JSON.stringify(history, null, '\t'));
			if (history.length === 0) say('No update has been installed yet.');
			for (const outcome of history.toReversed()) say(outcomeLine(outcome));
		},
		'update check': async () => {
			const before = readState(of.folder);
			await start('check');
			const after = await follow(before, ({ state, text }) => !(state === 'checking' || (state === 'downloading' && text === '')));
			if (after.state === 'refused') process.exitCode = 1;
		},
		'update install': async () => {
			if (of.subject === '') refuse('Name the folder of the release, or its manifest: kioskctl update install DIR');
			const before = readState(of.folder);
			const files = filesOf(of.subject, refuse);
			const to = join(of.folder, 'import');
			await logged('install');
			copyAll(files, to, { say, refuse });
			await installBrought('import', before);
		},
		'update usb': async () => {
			const before = readState(of.folder);
			await logged('install');
			say('Copying from the stick takes minutes; leave the stick in.');
			await installBrought('usb', before);
		},
		'update rollback': async () => {
			decided();
			await confirmed(
				`Return from ${of.image.version ?? 'this version'} to the previous version? The kiosk restarts when no payment is open.`,
			);
			const before = state();
			await logged('rollback');
			await start('rollback');
			await follow(before, () => true);
		},
	};

	/**
	 * Starts the units that verify and install the files, and prints each state until the restart or
	 * a failure.
	 */
	async function installBrought(word: 'import' | 'usb', before: State | null): Promise<void> {
		await start(word);
		const after = await follow(before, ({ state }) => !['checking', 'verified', 'writing', 'written', 'waiting'].includes(state));
		if (after.state === 'restarting') return say('The kiosk restarts now. Afterwards run: kioskctl update status');
		process.exitCode = 1;
	}

	/**
	 * Records name and reason in the daemon's log, because the units do not know the person. An
	 * installation without a name or reason is not recorded.
	 */
	async function logged(what: 'install' | 'rollback'): Promise<void> {
		if (of.by !== '' && of.why !== '') await call('POST', '/update/asked', { what, by: of.by, why: of.why });
	}
}

const keyOf = (state: State | null): string => JSON.stringify([state?.state, state?.version, state?.reason, state?.text, state?.checked]);

/** Asks the service on the socket to start a unit. @returns the service's answer */
function ask(socket: string, word: string): Promise<string> {
	return new Promise((resolve, reject) => {
		const line = connect(socket);
		let answer = '';
		line.setTimeout(ANSWER_MS, () => line.destroy(new Error('no answer')));
		line.on('connect', () => line.write(`${word}\n`));
		line.on('data', (piece) => {
			answer += piece;
		});
		line.on('end', () => resolve(answer.trim()));
		line.on('error', reject);
	});
}

/**
 * @returns the files of all releases in a folder, or of the release with the named manifest;
 * manifests last
 */
function filesOf(subject: string, refuse: (sentence: string) => never): string[] {
	const isFolder = existsSync(subject) && statSync(subject).isDirectory();
	const folder = isFolder ? subject : dirname(subject);
	const manifests = isFolder
		? readdirSync(folder).filter((name) => name.endsWith('.json') && existsSync(join(folder, `${name}.sig`)))
		: [basename(subject)];
	if (manifests.length === 0) refuse(`${subject} has no manifest of a release: a .json file with its .json.sig`);
	const names = new Set<string>();
	for (const manifest of manifests) {
		if (!existsSync(join(folder, `${manifest}.sig`))) refuse(`${join(folder, manifest)}.sig is missing`);
		const parsed = parseManifest(readFileSync(join(folder, manifest)));
		if (!parsed.ok) refuse(`${join(folder, manifest)}: ${parsed.error.message}`);
		for (const kind of ['root', 'verity', 'uki'] as const) {
			const possible = parsed.value.files.filter((file) => file.kind === kind || file.kind === `${kind}.gz`);
			// The compressed file is faster to copy.
			const found = possible.toReversed().find(({ name }) => existsSync(join(folder, name)));
			names.add(found?.name ?? refuse(`${possible[0]?.name} is missing in ${folder}`));
		}
	}
	for (const manifest of manifests) names.add(manifest).add(`${manifest}.sig`);
	return [...names].map((name) => join(folder, name));
}

function copyAll(files: readonly string[], to: string, { say, refuse }: Pick<CommandTools, 'say' | 'refuse'>): void {
	try {
		for (const name of readdirSync(to)) rmSync(join(to, name), { recursive: true });
		for (const file of files) {
			const { size } = statSync(file);
			if (size > LARGEST_BYTES) refuse(`${file} is larger than any file of a release`);
			say(`copying ${basename(file)}, ${Math.ceil(size / 1_048_576)} MB`);
			copyFileSync(file, join(to, basename(file)));
			// The updater's Unix user must be able to read the files.
			chmodSync(join(to, basename(file)), 0o644);
		}
	} catch (error) {
		refuse(`The files cannot be copied to ${to}: ${messageOf(error)}`);
	}
}

function imageLine({ version, built, chromium }: ImageFacts): string {
	if (version === null) return 'This system is not a kiosk image.';
	const day = (date: Date): string => date.toISOString().slice(0, 10);
	const parts = [
		`${version} runs`,
		built && `built ${day(built)}`,
		chromium && `Chromium ${chromium.version} of ${day(chromium.released)}`,
	];
	return `${parts.filter(Boolean).join(', ')}.`;
}

function statusText(state: State): string {
	const { checked, offered, floor } = state;
	return [
		stateLine(state),
		`  since           ${state.since}`,
		`  server reached  ${checked ?? 'never'}`,
		...(offered ? [`  offered         ${offered.version}, released ${offered.released_at}`] : []),
		...(floor ? [`  oldest accepted ${floor}`] : []),
	].join('\n');
}

function stateLine({ state, version, reason, text, done_bytes, total_bytes, tries }: State): string {
	const mb = (bytes: number): number => Math.round(bytes / 1_048_576);
	const details = [
		...(state === 'downloading' && total_bytes > 0 ? [`${mb(done_bytes)} of ${mb(total_bytes)} MB`] : []),
		...(state === 'trial' ? [`start ${tries}`] : []),
		...(text || reason ? [text || reason] : []),
	];
	return `${[state.replace('_', ' '), version].filter(Boolean).join(' ')}${details.length > 0 ? `: ${details.join(', ')}` : ''}`;
}

function outcomeLine({ version, from, outcome, reason, tries, at }: Outcome): string {
	const why = [reason, tries > 0 ? `${tries} start(s)` : ''].filter(Boolean).join(', ');
	return `${at}  ${version.padEnd(16)} ${outcome.replace('_', ' ').padEnd(12)} from ${from ?? 'unknown'}${why && `  (${why})`}`;
}
