import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import sirv from 'sirv';
import type { Log } from '../log/log.ts';
import type { Handler } from './server.ts';

/** Where the screen finds the promo video on this origin. */
export const PROMO_PATH = '/kiosk/promo';

/** Serves the one promo video with ranges. @returns null when it is off or its file is not there, which the log says */
export function promoVideo(promo: { enabled: boolean; video: string }, log: Log): Handler | null {
	if (!promo.enabled) return null;
	if (!statSync(promo.video, { throwIfNoEntry: false })?.isFile()) {
		log.event('screen.promo_missing', { video: promo.video });
		return null;
	}
	const files = sirv(dirname(promo.video), { dev: true, dotfiles: true });
	return (request, response, path) => {
		if (path !== PROMO_PATH || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
		request.url = `/${encodeURIComponent(basename(promo.video))}`;
		files(request, response);
		return true;
	};
}
