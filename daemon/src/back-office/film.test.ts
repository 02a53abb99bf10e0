import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../tests/support/until.ts';
import type { Clock } from '../base/clock.ts';
import { ok } from '../base/result.ts';
import { Secret } from '../base/secret.ts';
import { downloader } from '../http/download.ts';
import { ACCOUNT } from '../journal/payment.fixture.ts';
import { type FilmKeeper, startFilmKeeper } from './film.ts';
import type { OutletToken } from './token.ts';

const WEBM = Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.alloc(200_000, 7)]);
const MP4 = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom', 'latin1'), Buffer.alloc(90_000, 9)]);
const ETAG = { ETag: '"one"' };

let directory: string;
let server: Server;
let origin: string;
/** How the film server answers. Every request is recorded. */
let answer: RequestListener;
let asked: { path: string; headers: Record<string, unknown> }[];
/** The back office's answer. */
let named: unknown;
let keeper: FilmKeeper | null;
let events: { id: string; reason?: unknown }[];
let timers: { ms: number; act: () => void }[];
let loggedIn: () => void;

beforeEach(async () => {
	directory = join(mkdtempSync(join(tmpdir(), 'film-')), 'promo');
	asked = [];
	server = createServer((request, response) => {
		asked.push({ path: request.url ?? '', headers: request.headers });
		answer(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	named = { results: [{ video: '/film.webm' }] };
	serve(WEBM, ETAG);
	events = [];
	keeper = null;
});
afterEach(() => {
	keeper?.stop();
	server.closeAllConnections();
	server.close();
	rmSync(join(directory, '..'), { recursive: true });
});

function serve(film: Buffer, headers: Record<string, string> = {}): void {
	answer = (request, response) => {
		if (headers.ETag && request.headers['if-none-match'] === headers.ETag) response.writeHead(304).end();
		else response.writeHead(200, { 'Content-Length': film.length, ...headers }).end(film);
	};
}

/** A clock whose timers run only when a test fires them with `ring`. */
const clock: Clock = {
	now: () => 0,
	wall: () => new Date(0),
	after(ms, act) {
		const timer = { ms, act };
		timers.push(timer);
		return () => void timers.splice(timers.indexOf(timer) >>> 0, 1);
	},
};
const ring = (ms: number): void => timers.find((timer) => timer.ms === ms)?.act();
const SIX_HOURS = 6 * 3_600_000;
const TEN_MINUTES = 10 * 60_000;

/** Starts a film keeper on the folder. */
function start(minFreeBytes = 0): FilmKeeper {
	keeper?.stop();
	timers = [];
	const session = { token: new Secret('secret-token'), account: ACCOUNT, refused: false };
	keeper = startFilmKeeper({
		directory,
		call: async ({ headers, path }) => {
			expect([path, headers.Authorization]).toEqual(['/payment/api/v1/video/', 'Token secret-token']);
			return ok({ status: 200, contentType: 'application/json', setCookie: [], body: Buffer.from(JSON.stringify(named)) });
		},
		path: '/payment/api/v1/video/',
		csrf: { csrf_cookie: 'csrftoken', csrf_header: 'X-CSRFToken' },
		token: {
			current: () => session,
			onChange(listener: () => void) {
				loggedIn = listener;
			},
		} as unknown as OutletToken,
		download: downloader({ url: origin }),
		minFreeBytes,
		clock,
		log: { event: (id, fields) => void events.push({ id, ...fields }) },
		onChanged: () => events.push({ id: 'told' }),
	});
	return keeper;
}

const told = (id: string): number => events.filter((event) => event.id === id).length;
const shown = (): Buffer | null => {
	const film = keeper?.current();
	return film ? readFileSync(film.file) : null;
};
/** Waits until this event has occurred `times` times. */
const heard = (id: string, times = 1) => until(() => expect(told(id)).toBe(times));

test('the film named by the back office is stored byte for byte, and the screen is notified', async () => {
	start();
	await heard('told');
	expect(shown()?.equals(WEBM)).toBe(true);
	expect(keeper?.current()).toMatchObject({ type: 'video/webm', size: WEBM.length });
	expect(asked).toMatchObject([{ path: '/film.webm', headers: { host: new URL(origin).host } }]);
	expect(JSON.stringify(asked)).not.toContain('secret');
});

test('an absolute address is fetched as given, and its query string is not logged', async () => {
	named = { results: [`${origin}/cdn/film?signature=abc`] };
	serve(MP4);
	start();
	await heard('told');
	expect(keeper?.current()?.type).toBe('video/mp4');
	expect(asked[0]?.path).toBe('/cdn/film?signature=abc');
	expect(JSON.stringify(events)).not.toContain('abc');
});

test('after a restart without network, the stored film is shown at once', async () => {
	start();
	await heard('told');
	const before = keeper?.current();
	server.close();
	server.closeAllConnections();
	expect(start().current()).toEqual(before);
	await heard('film.failed');
	expect(shown()?.equals(WEBM)).toBe(true);
});

test.each([
	['with an ETag', ETAG, { ETag: '"two"' }],
	['without an ETag', {}, {}],
])('after six hours, an unchanged film %s is not replaced, but another film replaces it', async (_what, first, second) => {
	serve(WEBM, first);
	start();
	await heard('told');
	const before = keeper?.current();
	ring(SIX_HOURS);
	await until(() => expect(asked).toHaveLength(2));
	await until(() => expect(timers.filter(({ ms }) => ms === SIX_HOURS)).toHaveLength(1));
	serve(MP4, second);
	ring(SIX_HOURS);
	await heard('told', 2);
	expect(told('film.failed')).toBe(0);
	expect(shown()?.equals(MP4)).toBe(true);
	expect(keeper?.current()?.version).not.toBe(before?.version);
	expect(existsSync(before?.file ?? '')).toBe(false);
});

test('a log-in triggers a check for a film at once', async () => {
	named = { results: [] };
	start();
	named = { results: ['/film.webm'] };
	loggedIn();
	await heard('told');
});

test('an empty list removes the stored film', async () => {
	start();
	await heard('told');
	named = { results: [] };
	ring(SIX_HOURS);
	await heard('told', 2);
	expect(keeper?.current()).toBeNull();
	expect(readdirSync(directory)).toEqual([]);
});

test.each<[string, RequestListener, RegExp]>([
	['is missing', (_, response) => response.writeHead(404).end(), /404/],
	['is a web page', (_, response) => response.end('<html>Log in to the Wi-Fi</html>'), /neither MP4 nor WebM/],
	['is empty', (_, response) => response.end(), /neither MP4 nor WebM/],
	['is cut off', (_, response) => response.writeHead(200, { 'Content-Length': 300_000 }).write(WEBM, () => response.destroy()), /aborted/],
	['is too large', (_, response) => response.writeHead(200, { 'Content-Length': 600e6 }).write('x'), /may have at most 524288000/],
	['redirects in circles', (_, response) => response.writeHead(302, { Location: '/film.webm' }).end(), /more than 3 redirects/],
	['redirects to another scheme', (_, response) => response.writeHead(302, { Location: 'file:///etc/passwd' }).end(), /file: is not http/],
	['redirects to an invalid address', (_, response) => response.writeHead(302, { Location: 'http://[' }).end(), /Invalid URL/],
])('if the new film %s, the stored film stays, and the failure is logged and retried', async (_what, broken, reason) => {
	start();
	await heard('told');
	const before = readdirSync(directory).sort();
	answer = broken;
	ring(SIX_HOURS);
	await heard('film.failed');
	expect(events.at(-1)?.reason).toMatch(reason);
	expect(readdirSync(directory).sort()).toEqual(before);
	expect(shown()?.equals(WEBM)).toBe(true);
	serve(MP4);
	ring(TEN_MINUTES);
	await heard('told', 2);
});

test.each([{ results: 7 }, { message: 'Sedang pemeliharaan' }, { detail: 'Sedang pemeliharaan' }])(
	'if the back office answers %j, the stored film stays',
	async (odd) => {
		start();
		await heard('told');
		named = odd;
		ring(SIX_HOURS);
		await heard('film.failed');
		expect(shown()?.equals(WEBM)).toBe(true);
	},
);

test('a download that stalls for 30 s is aborted, and its file is deleted', async () => {
	answer = (_, response) => response.writeHead(200, { 'Content-Length': WEBM.length }).write(WEBM.subarray(0, 1000));
	start();
	await until(() => expect(readdirSync(directory)).toHaveLength(1));
	ring(30_000);
	await heard('film.failed');
	expect(events.at(-1)?.reason).toBe('nothing came for 30000 ms');
	expect(readdirSync(directory)).toEqual([]);
});

/** Redirects the film's request to this address, which serves the film. */
function redirectTo(address: string): void {
	const film = answer;
	answer = (request, response) =>
		request.url === '/film.webm' ? response.writeHead(307, { Location: address }).end() : film(request, response);
}

test('a redirect to another path of the film’s server is followed', async () => {
	redirectTo('/there');
	start();
	await heard('told');
	expect(asked.map(({ path }) => path)).toEqual(['/film.webm', '/there']);
});

test.each(['localhost', '[::1]', '[::ffff:127.0.0.1]', '127.0.0.2', '2130706434'])(
	'a redirect to the kiosk’s own address %s is not followed',
	async (host) => {
		redirectTo(`${origin.replace('127.0.0.1', host)}/there`);
		start();
		await heard('film.failed');
		expect(events.at(-1)?.reason).toMatch(/private network/);
		expect(asked.map(({ path }) => path)).toEqual(['/film.webm']);
	},
);

test('if the back office’s address is the kiosk’s own, a redirect to another port of the kiosk is not followed', async () => {
	const reached: string[] = [];
	const other = createServer((request, response) => {
		reached.push(request.url ?? '');
		response.end(WEBM);
	});
	await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
	redirectTo(`http://127.0.0.1:${(other.address() as AddressInfo).port}/there`);
	start();
	try {
		await heard('film.failed');
		expect(events.at(-1)?.reason).toMatch(/private network/);
		expect(reached).toEqual([]);
	} finally {
		other.closeAllConnections();
		other.close();
	}
});

test('an ETag with characters that are invalid in a header is not sent back', async () => {
	serve(WEBM, { ETag: '"caf\xe9"' });
	start();
	await heard('told');
	ring(SIX_HOURS);
	await until(() => expect(asked).toHaveLength(2));
	expect(asked[1]?.headers['if-none-match']).toBeUndefined();
});

test('if a film would use the journal’s disk space, it is not stored', async () => {
	start(Number.MAX_SAFE_INTEGER);
	await heard('film.failed');
	expect(events.at(-1)?.reason).toMatch(/bytes free, \d+ are needed/);
	expect(readdirSync(directory)).toEqual([]);
});

test('after a crash, incomplete files are deleted, and a film of the wrong size is downloaded again', async () => {
	start();
	await heard('told');
	const film = keeper?.current();
	writeFileSync(join(directory, 'film-half'), 'x');
	expect(start().current()).toEqual(film);
	expect(existsSync(join(directory, 'film-half'))).toBe(false);
	writeFileSync(film?.file ?? '', 'cut');
	expect(start().current()).toBeNull();
	await heard('told', 2);
	expect(shown()?.equals(WEBM)).toBe(true);
});
