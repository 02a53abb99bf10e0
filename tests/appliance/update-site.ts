/**
 * The owner's web server of updates: static files, ranges of files, and a manifest signed with the
 * image's test key. This module imports nothing from the kiosk, so that server and kiosk cannot
 * share a mistake.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { listen } from '../simulators/listen.ts';
import { KEYS } from './kernel-addon.ts';

const KINDS = { '.root.raw': 'root', '.verity.raw': 'verity', '.efi': 'uki' } as const;

/** @returns true if this function has answered the request; false if the server must answer it */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface UpdateSite {
	port: number;
	/** The path of each request since the last publication, and the bytes sent for it. */
	asked: { path: string; bytes: number }[];
	/** Publishes the files of a version. `fields` replace fields of the manifest. */
	publish(folder: string, version: string, names: readonly string[], fields?: object, key?: KeyObject): Promise<void>;
	/** The published manifest and its signature as bytes. Tests may damage them. */
	list: { bytes: Buffer; signature: Buffer };
	fault: Fault | null;
	/** Sends one byte a second instead of the contents of the files. */
	trickles: boolean;
	stop(): Promise<void>;
}

export const updateKey = (name: 'active' | 'reserve'): KeyObject => createPrivateKey(readFileSync(join(KEYS, 'update', `${name}.key`)));

async function sha256(file: string): Promise<string> {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}

/** @returns the manifest of a version and the text of its signature file */
export async function signedList(
	folder: string,
	version: string,
	names: readonly string[],
	fields: object = {},
	key: KeyObject = updateKey('active'),
): Promise<{ bytes: Buffer; signature: Buffer }> {
	const files = [];
	for (const name of names) {
		const path = join(folder, name);
		const kind = Object.entries(KINDS).find(([end]) => name.endsWith(end))?.[1];
		files.push({ name, bytes: statSync(path).size, sha256: await sha256(path), kind });
	}
	const list = {
		...{ format: 1, channel: 'stable', version, released_at: '2026-11-20T00:00:00Z', rollout: { percent: 100, seed: version } },
		...{ journal: { reads: 2, writes: 2 }, files, ...fields },
	};
	const bytes = Buffer.from(`${JSON.stringify(list, null, '\t')}\n`);
	const id = createHash('sha256')
		.update(createPublicKey(key).export({ type: 'spki', format: 'der' }))
		.digest('hex')
		.slice(0, 16);
	const signature = { key: id, signature: sign(null, bytes, key).toString('base64') };
	return { bytes, signature: Buffer.from(`${JSON.stringify(signature)}\n`) };
}

export async function startUpdateSite(): Promise<UpdateSite> {
	let served = '';
	const server = createServer((request, response) => {
		void answer(request, response).catch(() => response.destroy());
	});
	const site: UpdateSite = {
		port: 0,
		asked: [],
		list: { bytes: Buffer.alloc(0), signature: Buffer.alloc(0) },
		fault: null,
		trickles: false,
		async publish(folder, version, names, fields, key) {
			served = folder;
			site.asked = [];
			site.list = await signedList(folder, version, names, fields, key);
		},
		stop: () => Promise.resolve(),
	};
	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = request.url ?? '';
		const entry = { path, bytes: 0 };
		site.asked.push(entry);
		if (site.fault?.(request, response)) return;
		const whole = path.endsWith('.json') ? site.list.bytes : path.endsWith('.sig') ? site.list.signature : null;
		if (whole) {
			entry.bytes = whole.length;
			response.end(whole);
			return;
		}
		const file = join(served, path.replace(/^.*\//, ''));
		const { size } = statSync(file);
		const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
		const start = Number(from ?? 0);
		const end = to ? Math.min(Number(to), size - 1) : size - 1;
		response.writeHead(from === undefined ? 200 : 206, {
			'content-length': end - start + 1,
			'accept-ranges': 'bytes',
			...(from === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
		});
		if (site.trickles) {
			const timer = setInterval(() => response.write('.'), 1_000);
			response.on('close', () => clearInterval(timer));
			return;
		}
		const stream = createReadStream(file, { start, end });
		stream.on('data', (part) => {
			entry.bytes += part.length;
		});
		await pipeline(stream, response);
	}
	const listening = await listen(server, 0);
	site.port = listening.port;
	site.stop = listening.close;
	return site;
}
