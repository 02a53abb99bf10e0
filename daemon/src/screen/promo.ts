import { createReadStream, statSync } from 'node:fs';
import { extname } from 'node:path';
import { pipeline } from 'node:stream';
import type { Log } from '../log/log.ts';
import { refuse } from './http.ts';
import type { Handler } from './server.ts';

/** Where the screen finds the promo video on this origin. */
export const PROMO_PATH = '/kiosk/promo';

/** Serves the one promo video, with the ranges that browsers ask for. @returns null when it is off or its file is not there, which the log says */
export function promoVideo(promo: { enabled: boolean; video: string }, log: Log): Handler | null {
	if (!promo.enabled) return null;
	const size = fileSize(promo.video);
	if (size === null) {
		log.event('screen.promo_missing', { video: promo.video });
		return null;
	}
	const type = extname(promo.video) === '.webm' ? 'video/webm' : 'video/mp4';
	return (request, response, path) => {
		if (path !== PROMO_PATH || request.method !== 'GET') return false;
		const asked = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
		const start = asked ? Number(asked[1]) : 0;
		const end = asked?.[2] ? Math.min(Number(asked[2]), size - 1) : size - 1;
		if (start > end) {
			refuse(response, 416, 'range', `the video has ${size} bytes`);
			return true;
		}
		const range = asked ? { 'Content-Range': `bytes ${start}-${end}/${size}` } : {};
		response.writeHead(asked ? 206 : 200, { 'Content-Type': type, 'Content-Length': end - start + 1, 'Accept-Ranges': 'bytes', ...range });
		// A reader that goes away, or a file that does, ends this answer and nothing else.
		pipeline(createReadStream(promo.video, { start, end }), response, () => undefined);
		return true;
	};
}

function fileSize(path: string): number | null {
	const found = statSync(path, { throwIfNoEntry: false });
	return found?.isFile() ? found.size : null;
}
