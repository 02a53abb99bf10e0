import type { lookup as resolveName } from 'node:dns';
import { expect, test } from 'vitest';
import { reachOf } from './reachable.ts';

const PUBLIC = ['203.0.114.7', '8.8.8.8', '[2606:4700::1111]', '[64:ff9b::808:808]', '172.32.0.1', '100.128.0.1'];
const INSIDE = ['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '[fd00::1]', '[::ffff:192.168.1.1]'];
const NOWHERE = [
	'127.0.0.1',
	'127.255.255.254',
	'0.0.0.0',
	'169.254.169.254',
	'224.0.0.1',
	'255.255.255.255',
	'[::1]',
	'[::]',
	'[::ffff:127.0.0.1]',
	'[::127.0.0.1]',
	'[64:ff9b::7f00:1]',
	'[fe80::1]',
	'[ff02::1]',
	'[2002:7f00:1::]',
];

/** @returns a name server that knows these names */
const resolver = (names: Record<string, string[]>): typeof resolveName =>
	((name: string, _options: object, callback: (error: Error | null, found: { address: string; family: number }[]) => void) =>
		callback(
			null,
			(names[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
		)) as unknown as typeof resolveName;

const site = (host: string): URL => new URL(`http://${host}/`);
const OFFICE = site('office.example');

/** @returns the addresses that a connection to the host may use */
const resolved = (own: string, host: string, addresses: string[]): Promise<string[]> => {
	const asked = site(host);
	const { lookup } = reachOf(site(own), resolver({ [asked.hostname]: addresses }));
	return new Promise((resolve) =>
		lookup(asked)(asked.hostname, { all: true }, (error, found) =>
			resolve(error || typeof found === 'string' ? [] : found.map(({ address }) => address)),
		),
	);
};

test.each([...INSIDE, ...NOWHERE])('files may be fetched from %s only if it is the back office’s own origin', (host) => {
	expect(reachOf(OFFICE).problem(site(host))).toMatch('private network');
	expect(reachOf(site(host)).problem(site(host))).toBeNull();
	expect(reachOf(site(`${host}:9000`)).problem(site(`${host}:9000`))).toBeNull();
});

test.each([...INSIDE, ...NOWHERE])('if the back office is at port 9000 of %s, other ports and schemes of this host are refused', (host) => {
	const reach = reachOf(site(`${host}:9000`));
	for (const other of [`http://${host}:8080/`, `http://${host}/`, `https://${host}:9000/`])
		expect(reach.problem(new URL(other))).toMatch('private network');
});

test.each(PUBLIC)('files may be fetched from the public address %s', (host) => expect(reachOf(OFFICE).problem(site(host))).toBeNull());

test.each(['2130706433', '0x7f.1', '127.1', '0177.0.0.1', '%31%32%37.0.0.1'])(
	'the spelling %s of the loopback address is refused',
	(host) => {
		expect(reachOf(OFFICE).problem(site(host))).toMatch('private network');
	},
);

test('a connection to a host name uses only public addresses', async () => {
	expect(await resolved('office.example', 'cdn.example', ['127.0.0.1'])).toEqual([]);
	expect(await resolved('office.example', 'cdn.example', ['192.168.1.1', '::1'])).toEqual([]);
	expect(await resolved('office.example', 'cdn.example', ['8.8.8.8', '127.0.0.1', '::ffff:10.0.0.1'])).toEqual(['8.8.8.8']);
});

test('the back office’s name may resolve to a private network, but only `localhost` may resolve to the kiosk itself', async () => {
	expect(await resolved('office.example', 'office.example', ['192.168.1.9'])).toEqual(['192.168.1.9']);
	expect(await resolved('office.example', 'office.example', ['127.0.0.1'])).toEqual([]);
	expect(await resolved('localhost', 'localhost', ['127.0.0.1', '::1'])).toEqual(['127.0.0.1', '::1']);
	expect(await resolved('127.0.0.1', 'localhost', ['127.0.0.1'])).toEqual([]);
});

test('for another port of the back office’s host, addresses of the kiosk and of private networks are refused', async () => {
	expect(await resolved('office.example:9000', 'office.example:8080', ['192.168.1.9', '8.8.8.8'])).toEqual(['8.8.8.8']);
	expect(await resolved('localhost:9000', 'localhost:8080', ['127.0.0.1', '::1'])).toEqual([]);
});
