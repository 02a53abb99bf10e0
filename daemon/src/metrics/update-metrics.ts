import type { Gauge } from 'prom-client';
import type { UpdateFacts } from '../update/watch.ts';
import type { Definitions } from './definitions.ts';

/** Sets the metrics of updates; unknown values are absent. @param now wall clock */
export function showUpdate(metrics: Definitions, { state, image }: UpdateFacts, now: Date): void {
	const age = (gauge: Gauge, time: Date | null): void => {
		if (time === null) gauge.remove();
		else gauge.set(Math.max(0, (now.getTime() - time.getTime()) / 1_000));
	};
	const offered = state?.offered ?? null;
	metrics.update.reset();
	if (image.version !== null) metrics.image.set({ version: image.version }, 1);
	if (state !== null && image.version !== null) metrics.update.set({ state: state.state, version: state.version ?? image.version }, 1);
	age(metrics.imageAge, image.built);
	age(metrics.chromiumAge, image.chromium?.released ?? null);
	age(metrics.checkAge, state?.checked ? new Date(state.checked) : null);
	age(metrics.behind, offered === null ? null : offered.version === image.version ? now : new Date(offered.released_at));
}
