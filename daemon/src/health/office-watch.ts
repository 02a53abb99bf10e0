import type { CallBackOffice } from '../back-office/client.ts';
import type { Clock } from '../clock.ts';
import { type Probe, probeOffice } from './office-probe.ts';

/** How often the way to the server is looked at: often while it is closed, and for the certificate's date a few times a day. */
const PROBE_CLOSED_MS = 30_000;
const PROBE_OPEN_MS = 6 * 3_600_000;

/** How the last calls and looks at the back office went. */
export interface OfficeWatch {
	/** The calls pass through it. */
	call: CallBackOffice;
	/** Why the last call had no good answer, e.g. "answered 500", and when, ISO 8601; null when it had one. */
	failure(): { message: string; at: string } | null;
	/** How far the server's clock was ahead of this one in its last answer, ms; null before the first. */
	aheadMs(): number | null;
	probe(): Probe | null;
	/** Begins to look; `connected` tells whether the live socket is open. */
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
			const answer = await parts.call(request);
			// The screen has gone; that says nothing about the server.
			if (request.signal?.aborted) return answer;
			if (!answer.ok) failure = { message: answer.error.message, at: parts.now() };
			else failure = answer.value.status >= 500 ? { message: `answered ${answer.value.status}`, at: parts.now() } : null;
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
