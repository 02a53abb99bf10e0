/** Receives a published file with limits for rate, size and silence. */
import type { IncomingMessage } from 'node:http';
import { type Clock, every, pause } from '../base/clock.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { type FetchFailure, reasonOf } from './server.ts';

/** Limits after which a download is given up. The next run continues it. */
export interface Patience {
	/** Maximum time without a byte. */
	silenceMs: number;
	/** Span in which at least `slowBytes` must arrive. */
	slowMs: number;
	slowBytes: number;
}

/** Minimum pause. Shorter pauses would cost CPU time without improving the rate limit. */
const LEAST_PAUSE_MS = 20;

export interface Line {
	clock: Clock;
	/** Bytes per second; null: no limit. */
	rate: number | null;
	patience: Patience;
	/** Aborts the download, for example when the service stops. */
	signal: AbortSignal;
}

/**
 * Opens and reads one body.
 * @param expected length of the body in bytes; any other length is a failure
 * @param take receives the pieces in order; its promise delays the next piece
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
