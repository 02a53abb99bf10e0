/** Wraps the journal's commits and the calls to the back office to measure their durations. */
import type { BackOfficePaths } from '@kiosk/contract/kiosk-api';
import type { CallBackOffice } from '../back-office/client.ts';
import { allowList } from '../back-office/proxy.ts';
import { ok } from '../base/result.ts';
import type { openStore } from '../journal/store.ts';
import type { Definitions } from './definitions.ts';

/** @param now monotonic ms @returns a function like `open`; its stores measure every commit */
export function timedStore(open: typeof openStore, metrics: Definitions, now: () => number): typeof openStore {
	return (...place) => {
		const opened = open(...place);
		if (!opened.ok) return opened;
		const store = opened.value;
		return ok({
			...store,
			append(...record) {
				const begun = now();
				const written = store.append(...record);
				metrics.commitSeconds.observe((now() - begun) / 1_000);
				return written;
			},
		});
	};
}

/**
 * @param now monotonic ms
 * @returns a function like `call`; each call is timed and counted under its name in `paths`, or as
 * `other`
 */
export function timedCalls(call: CallBackOffice, paths: BackOfficePaths, metrics: Definitions, now: () => number): CallBackOffice {
	const allowed = allowList(paths);
	const nameOf = (method: string, path: string): string =>
		path === paths.cash_notification ? 'cash_notification' : (allowed(method, path)?.name ?? 'other');
	return async (asked) => {
		const begun = now();
		const name = nameOf(asked.method, asked.path.split('?')[0] ?? '');
		const answer = await call(asked);
		metrics.callSeconds.observe({ call: name }, (now() - begun) / 1_000);
		metrics.calls.inc({ call: name, result: answer.ok ? `${Math.floor(answer.value.status / 100)}xx` : answer.error.code });
		return answer;
	};
}
