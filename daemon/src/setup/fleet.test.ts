import { createPrivateKey } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeCertificates } from '../../../tests/integration/fleet/certificates.ts';
import { boot, home, homeOfEachTest, onCard, siteName, written } from './setup.fixture.ts';

let certificates: string;
/** The authority, this kiosk's certificate and key, and another valid certificate with its key. */
let pem: { ca: string; cert: string; key: string; otherCert: string; otherKey: string };
beforeAll(() => {
	certificates = mkdtempSync(join(tmpdir(), 'setup-fleet-'));
	const { ca, client, server } = makeCertificates(certificates);
	const read = (file: string) => readFileSync(file, 'utf8');
	pem = { ca: read(ca), cert: read(client.cert), key: read(client.key), otherCert: read(server.cert), otherKey: read(server.key) };
});
afterAll(() => rmSync(certificates, { recursive: true, force: true }));

homeOfEachTest();
beforeEach(() => {
	onCard('fleet.pem', pem.cert);
	onCard('fleet.key', pem.key);
	onCard('fleet-ca.pem', pem.ca);
});

const UPLOAD = '/run/systemd/journal-upload.conf.d/kiosk.conf';
const AGENT = '/run/kiosk-fleet/agent.yml';
/** @returns the destinations in the settings files of the two programs that send log and metrics */
const sent = () => {
	const [logs = null] = /^URL=.*/m.exec(existsSync(join(home, 'root', UPLOAD)) ? written(UPLOAD) : '') ?? [];
	const [metrics = null] = /https:[^"]*/.exec(existsSync(join(home, 'root', AGENT)) ? written(AGENT) : '') ?? [];
	return { logs, metrics };
};
const NOTHING = { logs: null, metrics: null };

const SITE = '[site]\nname = "Maju"\n';
const LOGS = 'logs = "https://fleet.example.id:19532"\n';
const METRICS = 'metrics = "https://fleet.example.id:9090/api/v1/write"\n';
const NAME = 'name = "kiosk-0001"\n';
const BOTH = `${SITE}[fleet]\n${LOGS}${METRICS}${NAME}`;
const ALL_SENT = { logs: 'URL=https://fleet.example.id:19532', metrics: 'https://fleet.example.id:9090/api/v1/write' };

test('without an address the kiosk sends nothing, even if all files are present', () => {
	for (const text of [SITE, `${SITE}[fleet]\n`, `${SITE}[fleet]\n${NAME}scrape_seconds = 60\n`]) {
		onCard('kiosk.toml', text);
		expect(boot()).toEqual([]);
		expect(existsSync(join(home, 'root/run/kiosk-fleet'))).toBe(false);
		expect(sent()).toEqual(NOTHING);
	}
});

test('with both addresses, the log uploader and the metrics agent get address, name and certificates, and only their group may read the key', () => {
	onCard('kiosk.toml', `${BOTH}scrape_seconds = 60\n[screen]\nservice_listen = "127.0.0.1:8090"\n`);
	expect(boot()).toEqual([]);
	expect(sent()).toEqual(ALL_SENT);
	const agent = written(AGENT);
	for (const part of ['scrape_interval: 60s', 'targets: ["127.0.0.1:8090"]', 'instance: "kiosk-0001"']) expect(agent).toContain(part);
	expect(written('/run/kiosk-fleet/name')).toBe('kiosk-0001\n');
	const files = { 'fleet.pem': [pem.cert, 0o644], 'fleet.key': [pem.key, 0o640], 'fleet-ca.pem': [pem.ca, 0o644] } as const;
	for (const [name, [text, mode]] of Object.entries(files)) {
		const path = `/run/kiosk-fleet/${name}`;
		expect(written(path), name).toBe(text);
		expect(statSync(join(home, 'root', path)).mode & 0o777, name).toBe(mode);
		for (const reader of [UPLOAD, AGENT]) expect(written(reader)).toContain(path);
	}
	expect(siteName()).toBe('Maju');
});

test('log and metrics can be switched on separately', () => {
	onCard('kiosk.toml', `[fleet]\n${LOGS}${NAME}`);
	expect(boot()).toEqual([]);
	expect(sent()).toEqual({ ...NOTHING, logs: ALL_SENT.logs });
	onCard('kiosk.toml', `[fleet]\n${METRICS}${NAME}`);
	expect(boot()).toEqual([]);
	expect(sent()).toEqual({ ...NOTHING, metrics: ALL_SENT.metrics });
	expect(written(AGENT)).toContain('scrape_interval: 30s');
});

test.each([
	['https://fleet.example.id', 'https://fleet.example.id:443'],
	['https://fleet.example.id:443/', 'https://fleet.example.id:443'],
	['https://fleet.example.id/kiosks/', 'https://fleet.example.id:443/kiosks'],
	['https://[2001:db8::1]:19532', 'https://[2001:db8::1]:19532'],
])('for the address %s the uploader gets %s, because it adds a port and a path itself', (address, url) => {
	onCard('kiosk.toml', `[fleet]\nlogs = "${address}"\n${NAME}`);
	expect(boot()).toEqual([]);
	expect(sent().logs).toBe(`URL=${url}`);
});

test.each([
	[`${LOGS}`, 'line 3: fleet.name: expected the name that the owner gives this kiosk'],
	[`${METRICS}`, 'line 3: fleet.name: expected the name that the owner gives this kiosk'],
	['logs = "http://fleet.example.id:19532"\n', 'line 4: fleet.logs = "http://fleet.example.id:19532": expected an address such as "https:'],
	['logs = "fleet.example.id:19532"\n', 'line 4: fleet.logs = '],
	['logs = ""\n', 'line 4: fleet.logs = "": expected an address'],
	['logs = true\n', 'line 4: fleet.logs = true: expected an address in quotes'],
	['logs = "https://fleet.example.id:99999"\n', 'line 4: fleet.logs = '],
	['logs = "https://fleet.example.id:19532/upload"\n', 'without the /upload that the kiosk adds'],
	['logs = "https://who:pass@fleet.example.id"\n', 'line 4: fleet.logs = '],
	['logs = "https://fleet.example.id/?a\\\\"\n', 'line 4: fleet.logs = '],
	['logs = "https://fleet.example.id\\nServerKeyFile=/etc/shadow"\n', 'line 4: fleet.logs = '],
	[
		'metrics = "https://fleet.example.id:9090"\n',
		'line 4: fleet.metrics = "https://fleet.example.id:9090": expected an address with its path',
	],
	['metrics = "http://fleet.example.id:9090/api/v1/write"\n', 'line 4: fleet.metrics = '],
	['metrics = "https://fleet.example.id/\\", x: \\""\n', 'line 4: fleet.metrics = '],
	[`name = ""\n${LOGS}`, 'line 4: fleet.name = "": expected a name of 1 to 64 letters'],
	[`name = "kiosk 1"\n${LOGS}`, 'line 4: fleet.name = "kiosk 1": expected a name'],
	[`name = 'a", b: "'\n${LOGS}`, 'line 4: fleet.name = '],
	[`name = "${'k'.repeat(65)}"\n${LOGS}`, 'line 4: fleet.name = '],
	['scrape_seconds = 14\n', 'line 4: fleet.scrape_seconds = 14: expected a whole number of seconds from 15 to 300'],
	['scrape_seconds = 301\n', 'line 4: fleet.scrape_seconds = 301: expected'],
	['scrape_seconds = 30.5\n', 'line 4: fleet.scrape_seconds = 30.5: expected'],
	['scrape_seconds = "30"\n', 'line 4: fleet.scrape_seconds = "30": expected a whole number of seconds'],
	['log = "https://fleet.example.id:19532"\n', 'line 4: fleet.log: there is no such setting'],
])('%j is refused with a message that names the line; nothing is sent, and the kiosk keeps its settings', (lines, sentence) => {
	onCard('kiosk.toml', `${SITE}[fleet]\n${lines}`);
	expect(boot()).toContainEqual(expect.stringMatching(/^kiosk\.toml, line \d: fleet\./));
	expect(written('/run/kiosk/setup-problems.txt')).toContain(sentence);
	expect(sent()).toEqual(NOTHING);
	expect(siteName()).toBe('Maju');
});

test('an invalid section is refused like an invalid setting', () => {
	onCard('kiosk.toml', `fleet = "on"\n${SITE}`);
	expect(boot()).toEqual(['kiosk.toml, line 1: fleet = "on": expected Object']);
	expect(siteName()).toBe('Maju');
});

test.each<[string, () => void, string]>([
	['a missing certificate', () => rmSync(join(home, 'card/fleet.pem')), 'fleet.pem, there is no such file'],
	['a missing key', () => rmSync(join(home, 'card/fleet.key')), 'fleet.key, there is no such file'],
	['a missing authority', () => rmSync(join(home, 'card/fleet-ca.pem')), 'fleet-ca.pem, there is no such file'],
	['a key in the certificate’s place', () => onCard('fleet.pem', pem.key), 'fleet.pem, this is not a certificate in PEM form'],
	['a certificate in the key’s place', () => onCard('fleet.key', pem.cert), 'fleet.key, this is not a private key in PEM form'],
	['an empty key', () => onCard('fleet.key', ''), 'fleet.key, this is not a private key in PEM form'],
	['a truncated authority', () => onCard('fleet-ca.pem', pem.ca.slice(0, 200)), 'fleet-ca.pem, this is not a certificate in PEM form'],
	[
		'a folder in the place of the key',
		() => {
			rmSync(join(home, 'card/fleet.key'));
			mkdirSync(join(home, 'card/fleet.key'));
		},
		'fleet.key, the file cannot be read',
	],
	['the key of another kiosk', () => onCard('fleet.key', pem.otherKey), 'fleet.key, this is not the key of the certificate in fleet.pem'],
	[
		'the certificate of another kiosk',
		() => onCard('fleet.pem', pem.otherCert),
		'fleet.key, this is not the key of the certificate in fleet.pem',
	],
	[
		'a key with a passphrase',
		() =>
			onCard(
				'fleet.key',
				createPrivateKey(pem.key).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }) as string,
			),
		'fleet.key, this is not a private key in PEM form without a passphrase',
	],
])('%s is reported by name, nothing is sent, and the kiosk keeps its settings', (_, spoil, sentence) => {
	onCard('kiosk.toml', BOTH);
	spoil();
	expect(boot()).toEqual([expect.stringContaining(sentence)]);
	expect(sent()).toEqual(NOTHING);
	expect(existsSync(join(home, 'root/run/kiosk-fleet'))).toBe(false);
	expect(siteName()).toBe('Maju');
});

test('if a certificate or key is invalid, the last valid fleet settings and certificates stay active together', () => {
	onCard('kiosk.toml', BOTH);
	boot();
	onCard('kiosk.toml', BOTH.replace('Maju', 'Baru').replaceAll('fleet.example.id', 'other.example.id'));
	onCard('fleet.pem', pem.otherCert);
	expect(boot()).toEqual([expect.stringContaining('fleet.key, this is not the key')]);
	expect(sent()).toEqual(ALL_SENT);
	expect(written('/run/kiosk-fleet/fleet.pem')).toBe(pem.cert);
	expect(siteName()).toBe('Baru');

	onCard('kiosk.toml', 'site =');
	expect(boot()).toHaveLength(1);
	expect(sent()).toEqual(ALL_SENT);
	for (const file of readdirSync(join(home, 'card'))) rmSync(join(home, 'card', file));
	expect(boot()).toEqual([expect.stringContaining('the last valid settings stay active')]);
	expect(sent()).toEqual(ALL_SENT);

	onCard('kiosk.toml', BOTH);
	onCard('fleet.pem', pem.otherCert);
	onCard('fleet.key', pem.otherKey);
	onCard('fleet-ca.pem', pem.ca);
	expect(boot()).toEqual([]);
	expect(written('/run/kiosk-fleet/fleet.key')).toBe(pem.otherKey);
});

test('a removed fleet section stops the sending, even if another setting is invalid', () => {
	onCard('kiosk.toml', BOTH);
	boot();
	onCard('kiosk.toml', `${SITE}[screen]\nrotation = 45\n`);
	expect(boot()).toHaveLength(1);
	expect(sent()).toEqual(NOTHING);
	expect(readdirSync(join(home, 'root/run/kiosk-fleet'))).toEqual([]);
	for (const file of readdirSync(join(home, 'card'))) rmSync(join(home, 'card', file));
	expect(boot()).toEqual([expect.stringContaining('the last valid settings stay active')]);
	expect(sent()).toEqual(NOTHING);
});

test('if no setup file is found and the stored copy is damaged, nothing is sent, but the other settings still apply', () => {
	onCard('kiosk.toml', BOTH);
	boot();
	for (const file of readdirSync(join(home, 'card'))) rmSync(join(home, 'card', file));
	for (const text of ['', 'null', '{"settings":{"logs":"https://a.id","name":"a"}}']) {
		writeFileSync(join(home, 'good/0.2.0/fleet.json'), text);
		expect(boot()).toContainEqual(expect.stringContaining('nothing is sent to the fleet'));
		expect(sent()).toEqual(NOTHING);
		expect(siteName()).toBe('Maju');
	}
});

test('each fleet file in the credentials takes precedence over the same file on the partition', () => {
	onCard('kiosk.toml', SITE);
	onCard('fleet.key', pem.otherKey);
	writeFileSync(join(home, 'given', 'kiosk.toml'), BOTH);
	writeFileSync(join(home, 'given', 'fleet.key'), pem.key);
	expect(boot()).toEqual([]);
	expect(sent()).toEqual(ALL_SENT);
	expect(written('/run/kiosk-fleet/fleet.key')).toBe(pem.key);
});

test('files with a byte order mark and Windows line ends are valid', () => {
	onCard('kiosk.toml', `\uFEFF${BOTH.replaceAll('\n', '\r\n')}`);
	onCard('fleet.key', `\uFEFF${pem.key.replaceAll('\n', '\r\n')}`);
	expect(boot()).toEqual([]);
	expect(sent()).toEqual(ALL_SENT);
});
