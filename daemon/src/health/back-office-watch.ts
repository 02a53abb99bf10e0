import type { CallBackOffice } from '../back-office/client.ts';
import { type Probe, probeOffice } from '../back-office/office-probe.ts';
import type { Clock } from '../base/clock.ts';

/** Interval of the probes while the connection is down. */
const PROBE_CLOSED_MS = 30_000;
/**
 * Interval of the probes while the connection is up. They then check only the certificate's date.
 */
const PROBE_OPEN_MS = 6 * 3_600_000;
/**
 * A call that its caller cancels after waiting this long counts as failed: the page and the kiosk's
 * own look-ups often give up before the limit of the call.
 */
const PATIENCE_MS = 8_000;

/** Results of the last calls to the back office and of the probes. */
export interface OfficeWatch {
	/** Makes a call and records its result. */
	call: CallBackOffice;
	/** Why and when (ISO 8601) the last call failed, e.g. "answered 500"; null if it did not fail. */
	failure(): { message: string; at: string } | null;
	/**
	 * How far the back office's clock was ahead of the kiosk's in the last answer, ms; null before
	 * the first answer.
	 */
	aheadMs(): number | null;
	probe(): Probe | null;
	/**
	 * Starts the probes.
	 * @param connected whether the live socket is open
	 */
	watch(connected: () => boolean): void;
	stop(): void;
}

export function watchOffice(parts: {
	call: CallBackOffice;
	url: string;
	caFile: string | undefined;
	clock: Clock;
	now: () => string;
}): OfficeWatch {
	const { clock } = parts;
	let failure: { message: string; at: string } | null = null;
	let aheadMs: number | null = null;
	let probe: Probe | null = null;
	let stopped = false;
	let cancel = () => {};

	async function look(connected: () => boolean): Promise<void> {
		probe = await probeOffice(parts.url, parts.caFile);
		if (!stopped) cancel = clock.after(connected() && probe.problem === null ? PROBE_OPEN_MS : PROBE_CLOSED_MS, () => void look(connected));
	}

	return {
		async call(request) {
			const begun = clock.now();
			const answer = await parts.call(request);
			const waited = Math.round(clock.now() - begun);
			// The caller cancelled the call early, so the back office is not at fault.
			if (request.signal?.aborted && waited < PATIENCE_MS) return answer;
			const problem = request.signal?.aborted ? `no answer within ${waited} ms` : problemOf(answer);
			failure = problem === null ? null : { message: problem, at: parts.now() };
			const date = answer.ok ? Date.parse(answer.value.date ?? '') : Number.NaN;
			if (Number.isFinite(date)) aheadMs = date - clock.wall().getTime();
			return answer;
		},
		failure: () => failure,
		aheadMs: () => aheadMs,
		probe: () => probe,
		watch: (connected) => void look(connected),
		stop() {
			stopped = true;
			cancel();
		},
	};
}

/** @returns why the call failed; null if it succeeded. A redirect counts as a failure. */
function problemOf(answer: Awaited<ReturnType<CallBackOffice>>): string | null {
	if (!answer.ok) return answer.error.message;
	const { status } = answer.value;
	return status >= 300 && status < 400 ? `answered ${status}, a redirect` : status >= 500 ? `answered ${status}` : null;
}
