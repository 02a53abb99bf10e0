import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Handler } from '../http/handler.ts';

const RECORDED = fileURLToPath(new URL('../../../ui/voice/dist/', import.meta.url));
const PATH = '/voice/';
const TYPES: Record<string, string> = { '.opus': 'audio/ogg', '.json': 'application/json' };

/** @returns the names of the files of the spoken guidance; none if the build contains none */
export const recordedFiles = (): ReadonlySet<string> => new Set(existsSync(RECORDED) ? readdirSync(RECORDED) : []);

/**
 * Serves the recordings, which are read from disk at each request. If a file is missing, the screen
 * still shows its sentence.
 * @param files the only names that are served
 */
export const voiceFiles =
	(files: ReadonlySet<string>): Handler =>
	(request, response, path) => {
		const name = path.startsWith(PATH) ? path.slice(PATH.length) : '';
		if (request.method !== 'GET' || !files.has(name)) return false;
		// The name of a sound is a hash of its sentence and voice. The JSON lists of the sounds keep
		// their names but change with the build.
		const isSound = extname(name) === '.opus';
		response.setHeader('Cache-Control', isSound ? 'public, max-age=31536000, immutable' : 'no-cache');
		response.setHeader('Content-Type', TYPES[extname(name)] ?? 'application/octet-stream');
		pipeline(createReadStream(join(RECORDED, name)), response, () => undefined);
		return true;
	};
