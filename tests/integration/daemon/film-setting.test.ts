import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';

let kiosk: Kiosk;
afterEach(() => kiosk?.stop());

describe('film setting', () => {
	const WEBM = Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.from('0123456789')]);

	/**
	 * Calls `prepare`, which puts files into the film folder, and starts a kiosk whose settings name
	 * this film.
	 * @returns the film's address; null if the kiosk serves no film
	 */
	async function named(video: string, prepare: () => void): Promise<string | null> {
		kiosk = await startKiosk({
			login: false,
			screen: `promo = { enabled = true, video = "${video}" }`,
			environment(directory) {
				mkdirSync(join(directory, 'journal', 'promo-films'), { recursive: true });
				writeFileSync(join(directory, 'journal', 'outlet-token.json'), '{"token":"secret-token","development":false}');
				writeFileSync(join(directory, 'journal', 'promo-films', 'film.webm'), WEBM);
				folder = directory;
				prepare();
				return {};
			},
		});
		return ((await (await fetch(`${kiosk.daemon.url}/kiosk/settings`)).json()) as { promo_video: string | null }).promo_video;
	}
	let folder = '';

	test('the film named in the settings is served, whole and in ranges', async () => {
		const address = await named('film.webm', () => undefined);
		const whole = await fetch(kiosk.daemon.url + address, { headers: kiosk.session() });
		expect([whole.status, Buffer.from(await whole.arrayBuffer())]).toEqual([200, WEBM]);
		const part = await fetch(kiosk.daemon.url + address, { headers: { ...kiosk.session(), Range: 'bytes=4-7' } });
		expect([part.status, await part.text(), part.headers.get('content-type')]).toEqual([206, '0123', 'video/webm']);
	});

	const REFUSED: [string, string, (films: string) => void, RegExp][] = [
		['the stored log-in', '../outlet-token.json', () => undefined, /ends neither/],
		[
			'the stored log-in by another name',
			'../token.webm',
			(films) => symlinkSync('outlet-token.json', join(films, '..', 'token.webm')),
			/not in/,
		],
		['a link to the stored log-in', 'token.mp4', (films) => symlinkSync('../outlet-token.json', join(films, 'token.mp4')), /outside/],
		['a linked folder', 'up/film.webm', (films) => symlinkSync('..', join(films, 'up')), /no such file/],
		['a file that is not a film', 'text.mp4', (films) => writeFileSync(join(films, 'text.mp4'), 'secret-token'), /neither MP4 nor WebM/],
		['a folder', 'folder.mp4', (films) => mkdirSync(join(films, 'folder.mp4')), /not a file/],
		['a pipe', 'pipe.mp4', (films) => void execFileSync('mkfifo', [join(films, 'pipe.mp4')]), /not a file/],
		['a file of the system', '/etc/passwd', () => undefined, /ends neither/],
		['a film in another folder', '/tmp/film.webm', () => undefined, /not in/],
		['a missing file', 'missing.webm', () => undefined, /no such file/],
	];
	for (const [what, video, prepare, reason] of REFUSED)
		test(`no film is served if the setting names ${what}`, { tags: what === 'a link to the stored log-in' ? [] : 'deep' }, async () => {
			expect(await named(video, () => prepare(join(folder, 'journal', 'promo-films')))).toBeNull();
			expect(kiosk.daemon.events('screen.promo_missing')).toMatchObject([{ reason: expect.stringMatching(reason) }]);
		});
});
