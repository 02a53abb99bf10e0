/** Log, metrics and device lines, which the other parts of the daemon use. */
import { join } from 'node:path';
import { systemClock as clock } from './base/clock.ts';
import { timestampIn } from './base/site-time.ts';
import type { Start } from './daemon-settings.ts';
import { keepRemarks } from './health/observed-faults.ts';
import { limitRepeats } from './log/limit.ts';
import { openLog, tellListeners } from './log/log.ts';
import { defineMetrics } from './metrics/definitions.ts';
import { countEvents } from './metrics/event-metrics.ts';
import type { Rehearsals } from './rehearsal/rehearsals.ts';
import { DeviceLines } from './serial/device-lines.ts';
import { keepTraces } from './serial/traces.ts';

export type DaemonLog = ReturnType<typeof startLog>;

/** Opens the log with its listeners. Creates the device lines and the traces of their bytes. */
export function startLog({ settings, journald }: Start) {
	const { site, acceptor } = settings;
	const written = limitRepeats(openLog(settings.log.level, journald), clock);
	const timestamp = timestampIn(site.timezone);
	const lines = new DeviceLines(clock, timestamp);
	const now = (): string => timestamp(clock.wall());
	const remarks = keepRemarks(now);
	const traces = keepTraces({ lines: lines.traces, directory: join(settings.state_directory, 'traces'), clock, log: written });
	const metrics = defineMetrics();
	const count = countEvents(metrics, [...new Set(acceptor?.notes.values())], clock.now);
	let rehearsals: Rehearsals | null = null;
	const log = tellListeners(written, [traces.heard, count, remarks.heard, (event) => rehearsals?.hear(event)]);
	return {
		log,
		lines,
		remarks,
		traces,
		metrics,
		timestamp,
		/** The current time, ISO 8601 with the site's offset. */
		now,
		/** Passes every event to the rehearsals from now on. */
		tellRehearsals(started: Rehearsals): void {
			rehearsals = started;
		},
	};
}
