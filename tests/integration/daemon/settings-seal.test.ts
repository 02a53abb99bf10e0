import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
import { stateBeside } from '../../support/journal-file.ts';
import { type Kiosk, type KioskOptions, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const SWAPPED = (settings: string) => settings.replace('"0x40" = 1000', '"0x40" = 100000');

let kiosk: Kiosk;
afterEach(() => kiosk?.stop());
const start = async (options: KioskOptions = {}): Promise<void> => {
	kiosk = await startKiosk(options);
};

const part = async (name: string) => (await kiosk.health()).parts.find((one) => one.part === name);
const openMachine = async () => {
	const invoice = await kiosk.lookUp(BUDI);
	return (await kiosk.call('/payment/api/v1/open-machine/', { ...invoice, hp: BUDI })).body;
};
/**
 * Waits until cash is closed because of unconfirmed settings. Before that, the acceptor may report
 * a fault of its own.
 */
const cashIsClosed = () =>
	until(async () => expect(await openMachine()).toMatchObject({ machine_ready: false, message: 'settings_unconfirmed' }));
const screenSettings = async () => {
	const headers = { Authorization: `Token ${kiosk.token()}` };
	return (await (await fetch(`${kiosk.daemon.url}/kiosk/settings`, { headers })).json()) as { unconfirmed: string[] };
};

test('the first start and a restart with unchanged settings need no confirmation', async () => {
	await start();
	expect(kiosk.daemon.events('settings.sealed')).toHaveLength(1);
	await kiosk.crash();
	expect(kiosk.daemon.events('settings.sealed')).toHaveLength(0);
	await kiosk.openCash(BUDI);
	expect(await part('settings')).toBeUndefined();
});

test('after a change of the note map, cash stays closed until a named person confirms the change', async () => {
	await start();
	await kiosk.crash(undefined, SWAPPED);
	const screen = await kiosk.screen();
	await cashIsClosed();
	expect(kiosk.acceptor.device.insert({ nominal: 1_000 })).toMatchObject({ taken: false });
	expect(screen.of('machine_ready').at(-1)).toMatchObject({ is_ready: false, state: 'settings_unconfirmed' });
	expect(screen.of('kiosk_setup').at(-1)).toMatchObject({ unconfirmed: ['[acceptor.notes]'] });
	expect((await screenSettings()).unconfirmed).toEqual(['[acceptor.notes]']);
	expect(await part('settings')).toMatchObject({ state: 'fail', text: expect.stringContaining('[acceptor.notes]') });
	expect(kiosk.daemon.events('settings.changed')).toMatchObject([{ level: 'warn', settings: ['[acceptor.notes]'] }]);

	// A second restart must not confirm the change.
	await kiosk.crash();
	expect((await kiosk.health()).state).toBe('fail');
	expect(await kiosk.ctl('setup', 'confirm')).toMatchObject({ code: 1, out: expect.stringContaining('--by NAME') });
	const confirmed = await kiosk.ctl('setup', 'confirm', '--by', 'Sari');
	expect(confirmed).toMatchObject({ code: 0, out: expect.stringContaining('[acceptor.notes]') });
	expect(kiosk.daemon.events('settings.confirmed')).toMatchObject([{ by: 'Sari', settings: ['[acceptor.notes]'] }]);
	await kiosk.openCash(BUDI);
	expect(await part('settings')).toBeUndefined();
	expect((await screenSettings()).unconfirmed).toEqual([]);
	await kiosk.crash();
	await kiosk.openCash(BUDI);
});

test('an open page is notified when the settings are confirmed', { tags: 'deep' }, async () => {
	await start();
	await kiosk.crash(undefined, SWAPPED);
	const screen = await kiosk.screen();
	await cashIsClosed();
	await kiosk.ctl('setup', 'confirm', '--by', 'Sari');
	await until(() => expect(screen.of('kiosk_setup').at(-1)).toMatchObject({ unconfirmed: [] }));
	// After the confirmation the open cash session takes notes without another request from the page.
	await until(() => expect(screen.of('machine_ready').at(-1)).toMatchObject({ is_ready: true }));
});

const CONFIRM = '/kiosk/staff/confirm-settings';

test('after the staff PIN a page can confirm changed settings only if it names exactly these settings', async () => {
	await start();
	await kiosk.crash(undefined, SWAPPED);
	const names = ['[acceptor.notes]'];
	expect(await kiosk.post(CONFIRM, { settings: names })).toMatchObject({ status: 403, body: { code: 'staff_only' } });
	await cashIsClosed();
	await kiosk.staff();
	for (const other of [[], ['[edc] port'], [...names, '[edc] port']])
		expect(await kiosk.post(CONFIRM, { settings: other })).toMatchObject({ status: 409, body: { code: 'other_settings' } });
	for (const odd of [{}, { settings: 'x' }, { settings: [1] }]) expect((await kiosk.post(CONFIRM, odd)).status).toBe(400);
	expect(await part('settings')).toMatchObject({ state: 'fail' });
	expect(await kiosk.post(CONFIRM, { settings: names })).toMatchObject({ status: 200, body: { confirmed: names } });
	expect(kiosk.daemon.events('settings.confirmed')).toMatchObject([{ by: 'staff PIN', settings: names }]);
	await kiosk.openCash(BUDI);
	await kiosk.crash();
	await kiosk.openCash(BUDI);
});

test('a change of [back_office] settings cannot be confirmed with the staff PIN', { tags: 'deep' }, async () => {
	await start();
	const renamed = (settings: string) => SWAPPED(`${settings}\n[back_office.paths]\ncash_notification = "/elsewhere/"\n`);
	await kiosk.crash(undefined, renamed);
	await kiosk.staff();
	const { unconfirmed } = await screenSettings();
	expect(unconfirmed).toContain('[back_office.paths]');
	expect(await kiosk.post(CONFIRM, { settings: unconfirmed })).toMatchObject({ status: 409, body: { code: 'technician_only' } });
	await cashIsClosed();
});

const SEALED: [string, (settings: string) => string][] = [
	['[back_office.paths]', (settings) => `${settings}\n[back_office.paths]\ncash_notification = "/elsewhere/"\n`],
	['[edc] port', (settings) => `${settings}\n[edc]\nport = "tcp:127.0.0.1:9"\n`],
	['[printer] uri', (settings) => `${settings}\n[printer]\nuri = "ipp://127.0.0.1:9/printers/x"\n`],
];
for (const [name, change] of SEALED)
	test(`after a change of ${name} cash stays closed until the change is confirmed`, { tags: 'deep' }, async () => {
		await start();
		await kiosk.crash(undefined, change);
		await cashIsClosed();
		expect((await part('settings'))?.text).toContain(name);
	});

test('a change of [back_office] url needs confirmation, and the new server does not get the previous log-in', {
	tags: 'deep',
}, async () => {
	await start();
	await kiosk.crash(undefined, (settings) => settings.replace('url = "http://127.0.0.1', 'url = "http://localhost'));
	expect((await part('settings'))?.text).toContain('[back_office] url');
	expect(kiosk.daemon.events('session.of_other_server')).toHaveLength(1);
	expect(await openMachine()).toMatchObject({ code: 'no_outlet' });
});

test('a change of a setting that does not concern money needs no confirmation', { tags: 'deep' }, async () => {
	await start();
	await kiosk.crash(undefined, (settings) => `[site]\nname = "Baru"\n${settings}`);
	await kiosk.openCash(BUDI);
});

test('a change of the technicians’ keys needs confirmation, although the daemon does not use these keys', { tags: 'deep' }, async () => {
	await start();
	const sealed = (keys: string) => () => writeFileSync(join(kiosk.directory, 'sealed.json'), JSON.stringify({ authorized_keys: keys }));
	await kiosk.crash(sealed('a'));
	// A newer release may protect additional settings. When the daemon finds such a setting for the
	// first time, this does not count as a change.
	expect(await part('settings')).toBeUndefined();
	await kiosk.crash(sealed('b'));
	expect(await part('settings')).toMatchObject({ state: 'fail', text: expect.stringContaining('authorized_keys') });
});

test('if the record of accepted settings is damaged, health reports a failure', async () => {
	await start();
	await kiosk.crash(() => writeFileSync(join(kiosk.directory, 'journal', 'accepted-settings.json'), '{'));
	expect(await part('settings')).toMatchObject({ state: 'fail' });
});

test('after a factory reset, settings that differ from those accepted before the reset need confirmation', {
	tags: 'deep',
}, async () => {
	await start({
		environment(directory) {
			mkdirSync(join(directory, 'state'));
			return { STATE_DIRECTORY: join(directory, 'state') };
		},
	});
	const reset = () => rmSync(join(kiosk.directory, 'state', 'accepted-settings.json'));
	await kiosk.crash(reset);
	expect(await part('settings')).toBeUndefined();
	await kiosk.crash(reset, SWAPPED);
	expect(await part('settings')).toMatchObject({ state: 'fail', text: expect.stringContaining('[acceptor.notes]') });
});

test.each<[string, (file: string) => void]>([
	['deleted', (file) => rmSync(file)],
	['written without the seal', (file) => writeFileSync(file, readFileSync(file, 'utf8').replace(/,"seal":"\w+"/, ''))],
])(
	'if the kiosk has taken money and its record of accepted settings is %s, cash stays closed until a confirmation',
	async (_how, forge) => {
		await start();
		await kiosk.openCash(BUDI);
		await feedNote(kiosk, 50_000);
		await kiosk.crash(() => forge(join(kiosk.directory, 'journal', 'accepted-settings.json')));
		expect(kiosk.daemon.events('settings.sealed')).toEqual([]);
		expect(await part('settings')).toMatchObject({ state: 'fail', text: expect.stringContaining('[acceptor.notes]') });
		expect((await kiosk.ctl('setup', 'confirm', '--by', 'Sari', '--yes')).code).toBe(0);
		await kiosk.crash();
		expect(await part('settings')).toBeUndefined();
	},
);

test('after a factory reset of a kiosk with money in its journal, unchanged settings need no confirmation', {
	tags: 'deep',
}, async () => {
	await start({ environment: stateBeside });
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	const state = join(kiosk.directory, 'state');
	await kiosk.crash(() => {
		rmSync(state, { recursive: true });
		mkdirSync(state);
	});
	expect(await part('journal')).toMatchObject({ state: 'fail', text: expect.stringContaining('journal reseal') });
	expect(await part('settings')).toBeUndefined();
	expect((await kiosk.ctl('journal', 'reseal', '--by', 'Sari', '--why', 'factory reset', '--yes')).code).toBe(0);
	await kiosk.crash();
	expect([await part('settings'), (await part('journal'))?.state]).toEqual([undefined, 'ok']);
	await kiosk.crash(undefined, SWAPPED);
	expect(await part('settings')).toMatchObject({ state: 'fail', text: expect.stringContaining('[acceptor.notes]') });
});
