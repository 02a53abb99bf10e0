import { createHash } from 'node:crypto';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/result.ts';
import type { Log } from '../log/log.ts';
import type { LogoRaster } from './raster.ts';

/** After this time a receipt prints without its logo. */
const PAPER_WAITS_MS = 2_000;
/**
 * Time limit of a download, from the request to the last byte. It is longer than a receipt waits: a
 * logo that is late for one receipt is ready for the next one.
 */
const FETCH_LIMIT_MS = 10_000;
/** Time limit of decoding. A logo takes about 100 ms, a large photograph one second. */
const DECODE_LIMIT_MS = 5_000;
/** After a failure the logo is requested again only after this time. */
const RETRY_MS = 60_000;
/** Number of kept logos: enough for the dealers on one outlet's invoices. */
const MOST_KEPT = 8;
/** Maximum size of a logo file, the same as for a picture on the screen, and of a data URL. */
const LARGEST_BYTES = 2 * 1024 * 1024;
const LONGEST_DATA_ADDRESS = 64 + (LARGEST_BYTES / 3) * 4;
/**
 * Limits of the worker's JavaScript heap. Pixels are stored outside this heap; the decoder limits
 * their number.
 */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };
/** The worker is a TypeScript file in the sources and a JavaScript file on the appliance. */
const WORKER = join(import.meta.dirname, `logo-worker${extname(import.meta.filename)}`);

/**
 * @returns the logo at an address as dots; null if the address is empty, the logo cannot be read,
 * or it is late
 */
export type LogoFor = (address: string) => Promise<LogoRaster | null>;

/**
 * Fetches and decodes the logos of receipts; keeps the last eight.
 * @param deps.read reads the bytes of a picture named by the back office; rejects any other address
 */
export function openLogos(deps: {
	read: (address: string, signal: AbortSignal) => Promise<Buffer>;
	clock: Clock;
	log: Log;
	decode?: (file: Buffer) => Promise<LogoRaster | null>;
}): LogoFor {
	const { clock, log, decode = decodeInWorker } = deps;
	const kept = new Map<string, Promise<LogoRaster | null>>();
	/** The newest decoding. Each decoding waits for the one before it, to limit memory. */
	let decoding: Promise<unknown> = Promise.resolve();

	async function fileAt(address: string): Promise<Buffer> {
		if (address.length > LONGEST_DATA_ADDRESS) throw new Error('its address is too long');
		const inside = /^data:image\/(?:png|jpe?g);base64,/i.exec(address);
		if (inside) return Buffer.from(address.slice(inside[0].length), 'base64');
		if (address.startsWith('data:')) throw new Error('neither PNG nor JPEG');
		const ending = new AbortController();
		const cancelLimit = clock.after(FETCH_LIMIT_MS, () => ending.abort(new Error(`no picture within ${FETCH_LIMIT_MS} ms`)));
		return deps.read(address, ending.signal).finally(cancelLimit);
	}

	async function load(address: string, key: string): Promise<LogoRaster | null> {
		try {
			const file = await fileAt(address);
			const drawn = decoding.then(() => decode(file));
			decoding = drawn.catch(() => undefined);
			return await drawn;
		} catch (error) {
			log.event('print.no_logo', { reason: messageOf(error) });
			clock.after(RETRY_MS, () => kept.delete(key));
			return null;
		}
	}

	return (address) => {
		if (address === '') return Promise.resolve(null);
		const key = createHash('sha256').update(address).digest('hex');
		const logo = kept.get(key) ?? load(address, key);
		kept.set(key, logo);
		for (const oldest of kept.keys()) {
			if (kept.size <= MOST_KEPT) break;
			kept.delete(oldest);
		}
		return new Promise((resolve) => {
			const cancelWait = clock.after(PAPER_WAITS_MS, () => resolve(null));
			void logo.then((drawn) => {
				cancelWait();
				resolve(drawn);
			});
		});
	};
}

/**
 * Decodes in a worker thread, so that device polling is not delayed. Rejects if decoding fails or
 * takes too long.
 */
export function decodeInWorker(file: Buffer): Promise<LogoRaster | null> {
	return new Promise((resolve, reject) => {
		const worker = new Worker(WORKER, { workerData: file, resourceLimits: WORKER_LIMITS });
		const limit = setTimeout(() => {
			reject(new Error(`not decoded within ${DECODE_LIMIT_MS} ms`));
			void worker.terminate();
		}, DECODE_LIMIT_MS);
		worker.once('message', resolve);
		worker.once('error', reject);
		worker.once('exit', () => {
			clearTimeout(limit);
			reject(new Error('the decoder ended'));
		});
	});
}
