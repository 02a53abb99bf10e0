/**
 * Reads a published file from the network at a limited rate and size; gives up when almost no bytes
 * come.
 */
import type { IncomingMessage } from 'node:http';
import { type Clock, every, pause } from '../base/clock.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { type FetchFailure, reasonOf } from './server.ts';

/** When a download is given up. The next run continues it, so giving up costs little. */
export interface Patience {
	/** Time without any byte. */
	silenceMs: number;
	/** In each of these spans at least `slowBytes` must come. */
	slowMs: number;
	slowBytes: number;
}

/** Shortest pause; a shorter one costs CPU and does not improve the rate limit. */
const LEAST_PAUSE_MS = 20;

export interface Line {
	clock: Clock;
	/** Bytes per second, or null. */
	rate: number | null;
	patience: Patience;
	/** Ends the download, for example at the end of the service. */
	signal: AbortSignal;
}

/**
 * Opens and reads one body.
 * @param expected bytes; another number is a failure
 * @param take receives each piece, in order; the next piece is read once its promise resolves
 */
export async function receive(
	line: Line,
	expected: number,
	open: (signal: AbortSignal) => Promise<Result<IncomingMessage, FetchFailure>>,
	take: (piece: Buffer) => Promise<void>,
): Promise<Result<void, FetchFailure>> {
	const watch = watchFor(line);
	let received = 0;
	try {
		const opened = await open(watch.signal);
		if (!opened.ok) return opened;
		const response = opened.value;
		try {
			for await (const piece of response as AsyncIterable<Buffer>) {
				watch.heard(piece.length);
				received += piece.length;
				if (received > expected) return fail({ code: 'length', message: `the server sends more than the published ${expected} bytes` });
				await take(piece);
				await watch.keepRate();
			}
		} catch (error) {
			if (watch.signal.aborted) return fail(reasonOf(watch.signal));
			if (response.readableAborted || response.errored) return cutOff(received, expected);
			throw error;
		} finally {
			response.destroy();
		}
		return received === expected ? ok(undefined) : cutOff(received, expected);
	} finally {
		watch.end();
	}
}

const cutOff = (received: number, expected: number) =>
	fail<FetchFailure>({ code: 'unreachable', message: `cut off after ${received} of ${expected} bytes` });

function watchFor({ clock, rate, patience, signal }: Line) {
	const ending = new AbortController();
	const giveUp = (message: string): void => ending.abort({ code: 'stalled', message } satisfies FetchFailure);
	const begun = clock.now();
	let [all, recent] = [0, 0];
	let cancelSilence = () => {};
	const listen = (): void => {
		cancelSilence();
		cancelSilence = clock.after(patience.silenceMs, () => giveUp(`nothing came for ${patience.silenceMs} ms`));
	};
	listen();
	const stopSpans = every(clock, patience.slowMs, () => {
		if (recent < patience.slowBytes) giveUp(`only ${recent} bytes came in ${patience.slowMs} ms`);
		recent = 0;
	});
	return {
		signal: AbortSignal.any([ending.signal, signal]),
		heard(bytes: number): void {
			all += bytes;
			recent += bytes;
			listen();
		},
		async keepRate(): Promise<void> {
			const early = rate === null ? 0 : (all / rate) * 1_000 - (clock.now() - begun);
			if (early < LEAST_PAUSE_MS) return;
			cancelSilence();
			await pause(clock, early);
			listen();
		},
		end(): void {
			cancelSilence();
			stopSpans();
		},
	};
}
