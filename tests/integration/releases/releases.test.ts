// @module-tag deep
/**
 * Tests journals across releases. This version opens the journals of every release. The previous
 * release, to which a kiosk may return, opens journals of this version or refuses them unchanged.
 * The file releases.json lists the releases. In continuous integration `KIOSK_JOURNALS` names a
 * folder with all journals that the suites have written.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WRITES } from '../../../daemon/src/journal/format.ts';
import { runSeed } from '../../simulation/run.ts';
import { startBackOffice } from '../../simulators/back-office/start.ts';
import { type Daemon, freePort, startDaemon } from '../../support/daemon.ts';
import { temporaryFolder } from '../../support/folder.ts';
import type { Health } from '../../support/kiosk.ts';
import { staffCall } from '../../support/staff-call.ts';
import type { Opened } from './open-journals.ts';
import { checkOut, RELEASES, type Release, startRelease } from './release-tree.ts';
import { unpackSample } from './samples.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PREVIOUS = RELEASES.at(-1) as Release;
const SEEDS = 12;
/** The payments made by make-sample.ts, newest first. */
const DAY = ['card unknown', 'card approved', 'cash in doubt', 'cash not covered', 'cash paid'];

let stop: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of stop.splice(0)) await end();
	stop = [];
});

/** Starts a daemon without devices on a kiosk's folder. */
async function daemonOn(kiosk: string): Promise<Daemon> {
	const office = await startBackOffice({ port: 0 });
	const settings = `[back_office]\nurl = "${office.url}"\nsocket_url = "${office.url.replace('http', 'ws')}/ws/{token}/"\n`;
	const daemon = await startDaemon({ settings, directory: kiosk, port: await freePort() });
	stop.push(
		() => daemon.kill(),
		() => office.stop(),
	);
	return daemon;
}

function recordsIn(kiosk: string): number {
	const db = new DatabaseSync(join(kiosk, 'journal', 'journal.sqlite'), { readOnly: true });
	try {
		return Number(db.prepare('SELECT max(seq) AS seq FROM records').get()?.seq);
	} finally {
		db.close();
	}
}
type ReleaseHealth = Health & { last_payments: { method: string; outcome: string }[] };
const healthOf = async (daemon: Daemon) =>
	(await (await fetch(`${daemon.service}/health`, { headers: { Accept: 'application/json' } })).json()) as ReleaseHealth;
const sqliteIn = (kiosk: string): string =>
	createHash('sha256')
		.update(readFileSync(join(kiosk, 'journal', 'journal.sqlite')))
		.digest('hex');
const journalOf = (health: ReleaseHealth) => health.parts.find(({ part }) => part === 'journal');

/**
 * @returns the path of open-journals.ts in `tree`; up to release 0.2.0 the folder was
 * `tests/releases/`
 */
function openerIn(tree: string): string {
	const before = join(tree, 'tests', 'releases', 'open-journals.ts');
	return existsSync(before) ? before : join(tree, 'tests', 'integration', 'releases', 'open-journals.ts');
}

/**
 * Opens copies of journals with the code in `tree`.
 * @returns the answers of that code, and the folders of the copies
 */
function openWith(tree: string, folders: readonly string[]): { answers: Opened[]; copies: string[] } {
	const place = temporaryFolder('opened');
	const copies = folders.map((folder, at) => {
		cpSync(folder, join(place, String(at)), { recursive: true });
		return join(place, String(at));
	});
	const lines = execFileSync(process.execPath, [openerIn(tree), ...copies], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
		.trim()
		.split('\n');
	return { answers: lines.map((line) => JSON.parse(line) as Opened), copies };
}

/**
 * @returns folders with journals written by this version: from `KIOSK_JOURNALS`, or else of
 * simulations that run now
 */
async function leftBehind(): Promise<string[]> {
	const given = process.env.KIOSK_JOURNALS;
	if (given !== undefined) return readdirSync(given).map((name) => join(given, name));
	const folder = temporaryFolder('left');
	const before = process.env.KIOSK_KEEP_JOURNALS;
	process.env.KIOSK_KEEP_JOURNALS = folder;
	try {
		for (let seed = 1; seed <= SEEDS; seed += 1) await runSeed(seed, { adverse: seed % 2 === 0 });
	} finally {
		if (before === undefined) delete process.env.KIOSK_KEEP_JOURNALS;
		else process.env.KIOSK_KEEP_JOURNALS = before;
	}
	return readdirSync(folder).map((name) => join(folder, name));
}

/** Name of the sample in the format that this version writes. */
const PRESENT = WRITES > PREVIOUS.journal.writes ? `format-${WRITES}` : PREVIOUS.version;
const SAMPLES = [...new Set([...RELEASES.map(({ version }) => version), PRESENT])];

test.each(SAMPLES)('this version opens a journal of version %s, lists its payments and adds records', async (name) => {
	const kiosk = temporaryFolder('sample');
	unpackSample(name, kiosk);
	const health = await healthOf(await daemonOn(kiosk));
	expect(journalOf(health)).toMatchObject({ state: 'ok' });
	// The journal of version 0.1.0 is not sealed, so the settings need no confirmation after the
	// update. The other journals are sealed but lack a record of accepted settings, as if a person
	// had deleted it, so the settings need confirmation.
	expect(health.parts.find(({ part }) => part === 'settings')?.state).toBe(name === '0.1.0' ? undefined : 'fail');
	expect(health.in_doubt).toMatchObject([{ nominal: 2_000 }]);
	expect(health.card.unknown).toHaveLength(1);
	expect(health.last_payments.map(({ method, outcome }) => `${method} ${outcome}`)).toEqual(DAY);
	const { people } = (await staffCall<{ people: { name: string }[] }>({ directory: kiosk }, 'GET', '/names')).body;
	// Version 0.1.0 had no staff names.
	expect(people.map((one) => one.name)).toEqual(name === '0.1.0' ? [] : ['Sari']);
	const records = recordsIn(kiosk);
	const decision = { by: 'Sari', why: 'looked inside' };
	await staffCall({ directory: kiosk }, 'POST', '/acceptor/unlock', decision);
	expect(recordsIn(kiosk)).toBe(records + 1);
	expect(openWith(ROOT, [kiosk]).answers).toMatchObject([{ trouble: null, payments: DAY.length }]);
});

test('if the clone lacks a release’s commit, the error explains how to fetch the commit', () => {
	const lost = { ...PREVIOUS, version: '9.9.9', commit: '0'.repeat(40) };
	expect(() => checkOut(lost, temporaryFolder('lost'))).toThrow(
		/^this clone lacks commit 0{40} of release 9\.9\.9; .*git fetch --unshallow/,
	);
});

describe(`release ${PREVIOUS.version}`, () => {
	const place = mkdtempSync(join(tmpdir(), 'release-'));
	const isReadable = PREVIOUS.journal.reads >= WRITES;
	beforeAll(() => checkOut(PREVIOUS, place), 300_000);
	afterAll(() => rmSync(place, { recursive: true }));

	test('the previous release opens every journal of this version, or refuses the journal and changes nothing', {
		timeout: 900_000,
	}, async () => {
		// Copies open-journals.ts into release 0.1.0, which lacks this file.
		mkdirSync(dirname(openerIn(place)), { recursive: true });
		cpSync(openerIn(ROOT), openerIn(place), { force: false });
		const journals = await leftBehind();
		expect(journals.length).toBeGreaterThanOrEqual(SEEDS);
		const own = openWith(ROOT, journals).answers;
		const { answers, copies } = openWith(place, journals);
		const code = ({ trouble }: Opened) => trouble?.code ?? 'ok';
		if (isReadable) return expect(answers.map((one) => [code(one), one.payments])).toEqual(own.map((one) => [code(one), one.payments]));
		expect(answers.filter((one, at) => code(one) === 'ok' && (own[at]?.payments ?? 0) > 0)).toEqual([]);
		// After the previous release has opened the copies, this version must still find everything in
		// them.
		expect(openWith(ROOT, copies).answers.map((one) => [code(one), one.payments])).toEqual(own.map((one) => [code(one), one.payments]));
	});

	test('the previous release works with a journal of this version, or takes no money and changes nothing', async () => {
		const kiosk = temporaryFolder('sample');
		unpackSample(PRESENT, kiosk);
		const before = sqliteIn(kiosk);
		const daemon = await startRelease(place, kiosk, await freePort());
		stop.push(daemon.kill);
		const health = daemon.health() as ReleaseHealth;
		if (isReadable) {
			expect(journalOf(health)).toMatchObject({ state: 'ok' });
			expect(health.last_payments.map(({ method, outcome }) => `${method} ${outcome}`)).toEqual(DAY);
			return;
		}
		expect(journalOf(health)).toMatchObject({ state: 'fail' });
		await daemon.kill();
		expect(sqliteIn(kiosk)).toBe(before);
		const again = await healthOf(await daemonOn(kiosk));
		expect(journalOf(again)).toMatchObject({ state: 'ok' });
		expect(again.last_payments.map(({ method, outcome }) => `${method} ${outcome}`)).toEqual(DAY);
	});
});
