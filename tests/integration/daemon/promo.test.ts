import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const MB = 1024 * 1024;

let kiosk: Kiosk;
afterEach(() => kiosk.stop());

/** @returns bytes that begin like a WebM file but contain no film */
const webm = (bytes: number): Buffer => Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.alloc(bytes - 4, 7)]);

const start = async (): Promise<void> => {
	kiosk = await startKiosk({ login: false, screen: 'promo = { enabled = true }' });
};
const address = async (): Promise<string | null> =>
	((await (await fetch(`${kiosk.daemon.url}/kiosk/settings`)).json()) as { promo_video: string | null }).promo_video;
const status = async (path: string): Promise<number> => (await fetch(kiosk.daemon.url + path, { headers: kiosk.session() })).status;
/** @returns the daemon's peak memory, bytes */
const peakMemory = (): number => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${kiosk.daemon.pid}/status`, 'utf8'))?.[1]) * 1024;

test('a film is stored with little memory and served in ranges, and a later film replaces it', { tags: 'deep' }, async () => {
	await start();
	expect(await address()).toBeNull();
	const film = webm(150 * MB);
	kiosk.backOffice.film = { name: 'a.webm', bytes: film };
	const before = peakMemory();
	await kiosk.login();
	const first = await until(async () => {
		const found = await address();
		if (found === null) throw new Error('no film yet');
		return found;
	});
	expect(peakMemory() - before).toBeLessThan(60 * MB);
	const part = await fetch(kiosk.daemon.url + first, { headers: { ...kiosk.session(), Range: 'bytes=2-9' } });
	expect([part.status, part.headers.get('content-range'), part.headers.get('content-type')]).toEqual([
		206,
		`bytes 2-9/${film.length}`,
		'video/webm',
	]);
	expect(Buffer.from(await part.arrayBuffer()).equals(film.subarray(2, 10))).toBe(true);

	kiosk.backOffice.film = { name: 'a.webm', bytes: webm(1 * MB) };
	await kiosk.crash();
	await until(async () => expect(await address()).not.toBe(first));
	expect([await status(first), await status((await address()) ?? '')]).toEqual([404, 200]);
	expect(readdirSync(join(kiosk.directory, 'journal', 'promo'))).toHaveLength(2);
});

test('[spec 2.1.6] with the promo switched off the daemon does not ask the back office for a film', async () => {
	kiosk = await startKiosk();
	kiosk.backOffice.film = { name: 'a.webm', bytes: webm(1_000) };
	await kiosk.lookUp('081234567890');
	expect(kiosk.backOffice.calls.map(({ path }) => path)).not.toContain('/payment/api/v1/video/');
});
