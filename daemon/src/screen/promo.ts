import { closeSync, constants, createReadStream, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { extname, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { FILM_HEAD_BYTES, type Film, filmTypeOf } from '../back-office/film-download.ts';
import { messageOf } from '../base/result.ts';
import { type Handler, refuse } from '../http/handler.ts';
import type { Log } from '../log/log.ts';

const PROMO_PATH = '/kiosk/promo/';

/**
 * @returns the film's address on this origin. The version in it prevents the browser from playing
 * an earlier film from the cache.
 */
export const promoAddress = (film: Film | null): string | null => (film ? PROMO_PATH + film.version : null);

const EXTENSIONS: Record<string, Film['type']> = { '.mp4': 'video/mp4', '.webm': 'video/webm' };
/**
 * O_NOFOLLOW refuses a link that has replaced the checked file; with O_NONBLOCK, opening a pipe
 * does not block.
 */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * @param directory the only folder from which films are played, so that a setting cannot make the
 * daemon serve other files
 * @param video path of the film, absolute or relative to the folder
 * @returns the film; null if it may not be played, with the reason in the log
 */
export function filmOfSettings(directory: string, video: string, log: Log): Film | null {
	try {
		return filmIn(directory, video);
	} catch (error) {
		log.event('screen.promo_missing', { video, reason: messageOf(error) });
		return null;
	}
}

/** @throws with the reason if the film may not be played */
function filmIn(directory: string, video: string): Film {
	const file = resolve(directory, video);
	const named = EXTENSIONS[extname(file).toLowerCase()];
	if (named === undefined) throw new Error('its name ends neither in .mp4 nor in .webm');
	if (!file.startsWith(resolve(directory) + sep)) throw new Error(`it is not in ${directory}`);
	const real = realpathSync(file);
	if (!real.startsWith(realpathSync(directory) + sep)) throw new Error(`it is a link to a file outside of ${directory}`);
	const handle = openSync(real, READ_FLAGS);
	try {
		const found = fstatSync(handle);
		if (!found.isFile()) throw new Error('it is not a file');
		const head = Buffer.alloc(FILM_HEAD_BYTES);
		readSync(handle, head, 0, FILM_HEAD_BYTES, 0);
		const type = filmTypeOf(head);
		if (type === null) throw new Error('it is neither MP4 nor WebM');
		return { file: real, size: found.size, type, version: `${found.size}-${Math.round(found.mtimeMs)}` };
	} finally {
		closeSync(handle);
	}
}

/** Serves the current film, with range requests. */
export function promoVideo(current: () => Film | null): Handler {
	return (request, response, path) => {
		if (!path.startsWith(PROMO_PATH) || request.method !== 'GET') return false;
		const film = current();
		if (!film || path !== promoAddress(film)) {
			refuse(response, 404, 'not_found', 'this film is no longer shown');
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
			// The film is not cached: the browser's cache is in memory, and the film is already on the
			// kiosk's disk.
			'Cache-Control': 'no-store',
			...(asked ? { 'Content-Range': `bytes ${start}-${end}/${film.size}` } : {}),
		});
		// If the client disconnects or the file disappears, only this response ends.
		pipeline(createReadStream(film.file, { start, end }), response, () => undefined);
		return true;
	};
}
