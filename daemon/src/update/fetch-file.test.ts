import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { randomFrom } from '../../../tests/support/random.ts';
import { systemClock } from '../base/clock.ts';
import { fetchFile, partOf } from './fetch-file.ts';
import {
	answersStatus,
	cutsAfter,
	knowsNoRange,
	type Publisher,
	publisher,
	saysNothing,
	sends,
	sendsWithoutEnd,
	trickles,
} from './publisher.fixture.ts';
import type { Line } from './receive.ts';
import { updateServer } from './server.ts';
import { sha256OfBytes } from './sha256.ts';

const NAME = 'kiosk_0.3.0.efi';
const random = randomFrom(19);
const BYTES = Buffer.from(Array.from({ length: 300_000 }, () => random.int(0, 255)));
const FILE = { name: NAME, bytes: BYTES.length, sha256: sha256OfBytes(BYTES), kind: 'uki' as const };
/** Skips the waits between attempts. */
const hurried = { ...systemClock, after: (ms: number, action: () => void) => systemClock.after(ms === 10_000 ? 0 : ms, action) };

let web: Publisher;
let folder: string;
beforeEach(async () => {
	web = await publisher({ [NAME]: BYTES });
	folder = temporaryFolder('set');
});

/** Limits that no test reaches. */
const PATIENT = { silenceMs: 60_000, slowMs: 300_000, slowBytes: 1 };
const IMPATIENT = { silenceMs: 300, slowMs: 400, slowBytes: 100 };

function fetched(change: Partial<Line> = {}, reserveBytes = 0) {
	const server = updateServer({ url: web.url, ca: null });
	onTestFinished(() => server.close());
	const line: Line = {
		clock: hurried,
		rate: null,
		patience: PATIENT,
		signal: new AbortController().signal,
		...change,
	};
	return fetchFile(FILE, { server, line, folder, onBytes: () => undefined, reserveBytes });
}
const isThere = (): boolean => existsSync(join(folder, NAME)) && readFileSync(join(folder, NAME)).equals(BYTES);

test('a complete file is stored under its name and not requested again', async () => {
	expect(await fetched()).toEqual({ ok: true, value: undefined });
	expect(isThere()).toBe(true);
	expect(await fetched()).toMatchObject({ ok: true });
	expect(web.asked).toEqual([`${NAME} whole`]);
	expect(readdirSync(folder)).toEqual([NAME]);
});

test('after a broken connection the download continues after the last byte received', async () => {
	web.misbehave(NAME, cutsAfter(100_000), 2);
	expect(await fetched()).toMatchObject({ ok: true });
	expect(isThere()).toBe(true);
	// A broken connection may lose bytes in flight, so the requests continue at varying bytes.
	const starts = web.asked.map((asked) => Number(/bytes=(\d+)-/.exec(asked)?.[1] ?? 0));
	expect(starts).toEqual([0, expect.any(Number), expect.any(Number)]);
	const [, second = 0, third = 0] = starts;
	expect(second).toBeGreaterThan(0);
	expect(third).toBeGreaterThan(second);
	expect(second).toBeLessThanOrEqual(100_000);
	expect(third).toBeLessThanOrEqual(second + 100_000);
});

test('a later run continues the download of an earlier run', async () => {
	writeFileSync(partOf(join(folder, NAME)), BYTES.subarray(0, 200_000));
	expect(await fetched()).toMatchObject({ ok: true });
	expect(isThere()).toBe(true);
	expect(web.asked).toEqual([`${NAME} bytes=200000-299999`]);
});

test('if the server does not support ranges, the file is downloaded from the start', async () => {
	writeFileSync(partOf(join(folder, NAME)), BYTES.subarray(0, 200_000));
	web.misbehave(NAME, knowsNoRange);
	expect(await fetched()).toMatchObject({ ok: true });
	expect(isThere()).toBe(true);
});

test('if a resumed file has the wrong hash, it is downloaded again from the start', async () => {
	writeFileSync(partOf(join(folder, NAME)), Buffer.alloc(200_000, 7));
	expect(await fetched()).toMatchObject({ ok: true });
	expect(isThere()).toBe(true);
	expect(web.asked.at(-1)).toBe(`${NAME} whole`);
});

test('a partial file that is longer than the published file is discarded', async () => {
	writeFileSync(partOf(join(folder, NAME)), Buffer.alloc(BYTES.length + 1));
	expect(await fetched()).toMatchObject({ ok: true });
	expect(isThere()).toBe(true);
});

test('a file of the right length with the wrong hash is refused and deleted', async () => {
	web.misbehave(NAME, sends(Buffer.alloc(BYTES.length), { 'Content-Length': BYTES.length }));
	expect(await fetched()).toMatchObject({ ok: false, error: { code: 'checksum' } });
	expect(readdirSync(folder)).toEqual([]);
});

const elsewhere = { Location: 'http://127.0.0.1:1/' };
test.each<[string, Parameters<Publisher['misbehave']>[1], string]>([
	['404', answersStatus(404), 'status'],
	['502', answersStatus(502), 'status'],
	['204', answersStatus(204), 'status'],
	['a redirect', answersStatus(302, elsewhere), 'redirect'],
	['a permanent redirect', answersStatus(308, elsewhere), 'redirect'],
	['silence', saysNothing, 'stalled'],
	['one byte now and then', trickles, 'stalled'],
	['too small an announced length', sends(BYTES.subarray(0, 10), { 'Content-Length': 10 }), 'length'],
	['too large an announced length', sends(BYTES, { 'Content-Length': BYTES.length + 1 }), 'length'],
	['more bytes than published, unannounced', sends(Buffer.concat([BYTES, BYTES])), 'length'],
	['a body without end', sendsWithoutEnd, 'length'],
	['a compressed body', sends(BYTES, { 'Content-Encoding': 'gzip' }), 'length'],
	['a part that was not requested', sends(BYTES, { 'Content-Range': `bytes 0-${BYTES.length - 1}/${BYTES.length}` }, 206), 'length'],
])('a download that meets %s fails with an explanation and leaves no file', async (_what, how, code) => {
	web.misbehave(NAME, how);
	expect(await fetched(code === 'stalled' ? { patience: IMPATIENT } : {})).toMatchObject({
		ok: false,
		error: { code, message: expect.stringMatching(/./) },
	});
	expect(existsSync(join(folder, NAME))).toBe(false);
});

test('an answer whose range differs from the request is refused', async () => {
	writeFileSync(partOf(join(folder, NAME)), BYTES.subarray(0, 200_000));
	web.misbehave(NAME, sends(BYTES.subarray(0, 100_000), { 'Content-Range': `bytes 0-99999/${BYTES.length}` }, 206));
	expect(await fetched()).toMatchObject({ ok: false, error: { code: 'length', message: expect.stringContaining('bytes 200000-299999') } });
});

test('if the disk has too little space, no request is sent', async () => {
	expect(await fetched({}, 1e15)).toMatchObject({ ok: false, error: { code: 'disk', message: expect.stringMatching(/MB are free/) } });
	expect(web.asked).toEqual([]);
});

test('a download does not exceed its rate limit', async () => {
	const begun = performance.now();
	expect(await fetched({ rate: 600_000 })).toMatchObject({ ok: true });
	expect(performance.now() - begun).toBeGreaterThan(400);
});

test('a download stops with the service, and a later run completes it', async () => {
	const ending = new AbortController();
	web.misbehave(
		NAME,
		(request, response, bytes) => {
			cutsAfter(100_000)(request, response, bytes);
			setTimeout(() => ending.abort(new Error('the service ends')), 5);
		},
		1,
	);
	expect(await fetched({ signal: ending.signal })).toMatchObject({ ok: false, error: { message: 'the service ends' } });
	expect(await fetched()).toMatchObject({ ok: true });
});

test('if a server without ranges breaks off every time, the download is given up', async () => {
	web.misbehave(NAME, (request, response, bytes) => {
		delete request.headers.range;
		cutsAfter(100_000)(request, response, bytes);
	});
	expect(await fetched()).toMatchObject({ ok: false, error: { code: 'no_range' } });
	expect(web.asked.length).toBeLessThan(5);
});
