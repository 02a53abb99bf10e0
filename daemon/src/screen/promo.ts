import { createReadStream, statSync } from 'node:fs';
import { extname } from 'node:path';
import { pipeline } from 'node:stream';
import type { Log } from '../log/log.ts';
import { refuse } from './http.ts';
import type { Handler } from './server.ts';

/** The one promo film that is shown. */
export interface Film {
	file: string;
	/** Bytes. */
	size: number;
	type: 'video/mp4' | 'video/webm';
	/** Another film has another one. */
	version: string;
}

const PROMO_PATH = '/kiosk/promo/';

/** @returns where the screen finds the film on this origin; the version in it keeps a browser from playing an earlier one */
export const promoAddress = (film: Film | null): string | null => (film ? PROMO_PATH + film.version : null);

/** @returns the film that the settings name, or null when its file is not there, which the log says */
export function filmOfSettings(file: string, log: Log): Film | null {
	const found = statSync(file, { throwIfNoEntry: false });
	if (!found?.isFile()) {
		log.event('screen.promo_missing', { video: file });
		return null;
	}
	const type = extname(file) === '.webm' ? 'video/webm' : 'video/mp4';
	return { file, size: found.size, type, version: `${found.size}-${Math.round(found.mtimeMs)}` };
}

/** Serves the film of the moment, with the ranges that browsers ask for. */
export function promoVideo(current: () => Film | null): Handler {
	return (request, response, path) => {
		if (!path.startsWith(PROMO_PATH) || request.method !== 'GET') return false;
		const film = current();
		if (!film || path !== promoAddress(film)) {
			refuse(response, 404, 'not_found', 'this film is not shown any more');
			return true;
		}
		const asked = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
		const start = asked ? Number(asked[1]) : 0;
		const end = asked?.[2] ? Math.min(Number(asked[2]), film.size - 1) : film.size - 1;
		if (start > end) {
			refuse(response, 416, 'range', `the video has ${film.size} bytes`);
			return true;
		}
		response.writeHead(asked ? 206 : 200, {
			'Content-Type': film.type,
			'Content-Length': end - start + 1,
			'Accept-Ranges': 'bytes',
			// The disk of a kiosk holds it once already, and its browser's cache is in memory.
			'Cache-Control': 'no-store',
			...(asked ? { 'Content-Range': `bytes ${start}-${end}/${film.size}` } : {}),
		});
		// A reader that goes away, or a file that does, ends this answer and nothing else.
		pipeline(createReadStream(film.file, { start, end }), response, () => undefined);
		return true;
	};
}
