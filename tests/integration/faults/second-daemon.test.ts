// @module-tag deep
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { saleShown, startCardFor, terminalReady } from '../../support/card.ts';
import { type Daemon, freePort, spawnDaemon } from '../../support/daemon.ts';
import { stateBeside } from '../../support/journal-file.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
/**
 * Stacking time, ms: long enough for the second daemon to start, to wait for its claim and to end.
 */
const STACK_MS = 7_000;
/**
 * Time limit of a test in which a note stacks for seven seconds and two daemons start, on a busy
 * computer.
 */
const LIMIT_MS = 120_000;

let kiosk: Kiosk;
let second: Daemon | null;
let before: number;
beforeEach(async () => {
	second = null;
	kiosk = await startKiosk({
		acceptor: { timing: { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: STACK_MS, returnMs: 20 } },
		edc: { timing: { customerMs: 60_000 } },
		environment: stateBeside,
	});
	before = kiosk.daemon.log.length;
});
afterEach(async () => {
	await second?.kill();
	await kiosk.stop();
});

const state = () => join(kiosk.directory, 'state');
const journalOf = (folder: string) => join(folder, 'journal');
const portOf = (daemon: Daemon) => Number(new URL(daemon.url).port);
/** The first daemon's settings without address and journal folder. */
function settings(): string {
	const whole = readFileSync(join(kiosk.directory, 'kiosk.toml'), 'utf8');
	return whole.slice(whole.indexOf('[back_office]'));
}

const sameSettings = async () =>
	spawnDaemon({ settings: settings(), directory: kiosk.directory, port: portOf(kiosk.daemon), environment: { STATE_DIRECTORY: state() } });

/**
 * Starts a daemon with another address and folder. It shares with the first daemon only what
 * `share` names.
 */
async function otherSettings(share: { journal: boolean; state: boolean }): Promise<Daemon> {
	const directory = join(kiosk.directory, 'other');
	const own = join(directory, 'state');
	mkdirSync(own, { recursive: true });
	// The link gives the same folder another name.
	if (share.journal) symlinkSync(journalOf(kiosk.directory), journalOf(directory));
	const environment = { STATE_DIRECTORY: share.state ? state() : own };
	return spawnDaemon({ settings: settings(), directory, port: await freePort(), environment });
}

test.each<[what: string, start: () => Promise<Daemon>]>([
	['on the same settings', sameSettings],
	[
		'on the same journal under another name, with separate settings, state and address',
		() => otherSettings({ journal: true, state: false }),
	],
	['on the same state, with a separate journal and address', () => otherSettings({ journal: false, state: true })],
])(
	'a second daemon %s names the running process and ends, and the first daemon continues',
	async (_what, start) => {
		await kiosk.openCash(BUDI);
		expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: true });
		await until(() => expect(kiosk.daemon.events('cash.note_accepted')).toHaveLength(1));
		second = await start();
		expect(await second.ended).toBe(78);
		const [refused] = second.events('daemon.already_runs');
		expect(refused?.reason).toContain(`process ${kiosk.daemon.pid}`);
		expect(refused?.reason).toContain(join(kiosk.directory, 'kiosk.toml'));
		expect(existsSync(join(state(), 'kioskd.sock'))).toBe(true);
		await until(() => expect(kiosk.backOffice.books.notes.map(({ nominal }) => nominal)).toEqual([50_000]));
		expect((await kiosk.health()).in_doubt).toEqual([]);
		expect(await kiosk.ctl('journal', 'verify')).toMatchObject({ code: 0 });
		expect(await kiosk.ctl('health')).toMatchObject({ code: 0 });
		expect(kiosk.daemon.log.slice(before).filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
	},
	LIMIT_MS,
);

test('a start of a second daemon does not disturb a card sale at the terminal', async () => {
	const screen = await kiosk.screen();
	await terminalReady(screen);
	startCardFor(screen, await kiosk.lookUp(BUDI));
	await until(() => expect(kiosk.edc.terminal.waiting).not.toBeNull());
	second = await sameSettings();
	expect(await second.ended).toBe(78);
	expect((await kiosk.health()).card.unknown).toEqual([]);
	kiosk.edc.terminal.tap({ respCode: '00' });
	await saleShown(screen, 'approved');
	screen.close();
});

test('if another program uses the address, the daemon creates neither journal nor staff socket', async () => {
	const port = await freePort();
	const other = createServer().listen(port, '127.0.0.1');
	const directory = join(kiosk.directory, 'third');
	const own = join(directory, 'state');
	second = spawnDaemon({ settings: '', directory, port, environment: { STATE_DIRECTORY: own } });
	expect(await second.ended).toBe(78);
	expect(second.events('daemon.address_in_use')).toHaveLength(1);
	expect(existsSync(join(journalOf(directory), 'journal.sqlite'))).toBe(false);
	expect(existsSync(join(own, 'kioskd.sock'))).toBe(false);
	other.close();
});

test('if the first daemon is killed, a second daemon that already waits can start at once', async () => {
	const first = kiosk.daemon;
	second = await sameSettings();
	// The second daemon waits for the claims of the first daemon, which the kill releases.
	await first.kill();
	await until(() => expect(second?.events('daemon.started')).toHaveLength(1));
	expect(await kiosk.ctl('health')).toMatchObject({ code: 0 });
});
