/** The last bytes of every device line, kept in memory and, when a device does something odd, in a file. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { messageOf } from '../result.ts';
import { answerJson } from '../screen/http.ts';
import type { Handler } from '../screen/server.ts';
import type { OpenPort } from '../serial/port.ts';
import type { EventId, Log, LogFields } from './log.ts';
import type { ShowByte } from './trace-mask.ts';

/** Characters of a ring: some ten minutes of an idle acceptor, or two hundred card sales. */
const RING_CHARACTERS = 64 * 1024;
/** What one entry costs beside its bytes. */
const ENTRY_CHARACTERS = 40;
/** Files kept, of faults about money and of others each; at most 2 × 20 × 64 kB. */
const KEPT_FILES = 20;
/** Between two files of the same fault; one about money is always kept. */
const PAUSE_MS = 600_000;

export type LineName = 'acceptor' | 'edc';

export interface TraceEntry {
	/** ISO 8601, by the clock of that moment. */
	at: string;
	from: 'kiosk' | 'device' | 'line';
	/** Bytes in hex, `##` for one that is not shown; of the line itself: that it was opened, or why it was lost. */
	what: string;
}

export interface LineTrace {
	line: LineName;
	/** The same line, listened to. */
	open: OpenPort;
	/** Oldest first. */
	entries(): TraceEntry[];
}

/** @param show which bytes may be seen, one for each direction and connection */
export function traceLine(line: LineName, open: OpenPort, show: () => ShowByte, clock: Clock): LineTrace {
	const ring: TraceEntry[] = [];
	let size = 0;

	function keep(from: TraceEntry['from'], what: string): void {
		ring.push({ at: clock.wall().toISOString(), from, what });
		size += what.length + ENTRY_CHARACTERS;
		while (size > RING_CHARACTERS && ring.length > 1) size -= (ring.shift()?.what.length ?? 0) + ENTRY_CHARACTERS;
	}

	return {
		line,
		open(listener) {
			const [sent, heard] = [show(), show()];
			const port = open({
				opened() {
					keep('line', 'opened');
					listener.opened();
				},
				data(bytes) {
					keep('device', hexOf(bytes, heard));
					listener.data(bytes);
				},
				closed(reason, flooded) {
					keep('line', `lost: ${reason}`);
					listener.closed(reason, flooded);
				},
			});
			return {
				write(bytes) {
					keep('kiosk', hexOf(bytes, sent));
					port.write(bytes);
				},
				close: () => port.close(),
			};
		},
		entries: () => [...ring],
	};
}

const hexOf = (bytes: Uint8Array, show: ShowByte): string =>
	Array.from(bytes, (byte) => (show(byte) ? byte.toString(16).padStart(2, '0') : '##')).join(' ');

/** Which line an event speaks of when something is odd enough to keep its bytes. */
const FAULTS: Partial<Record<EventId, LineName>> = {
	'cash.note_in_doubt': 'acceptor',
	'cash.note_unexplained': 'acceptor',
	'acceptor.parity_suspected': 'acceptor',
	'acceptor.reopened': 'acceptor',
	'acceptor.line_lost': 'acceptor',
	'acceptor.rush': 'acceptor',
	'card.unknown': 'edc',
	'card.unexplained': 'edc',
	'card.evidence': 'edc',
	'edc.silent': 'edc',
	'edc.damaged': 'edc',
	'edc.refused': 'edc',
	'edc.line_lost': 'edc',
};
/** States of the bill acceptor that are worth a look at its bytes. */
const ODD_STATES = new Set(['silent', 'garbled', 'communication_failure', 'bill_jam', 'motor_failure', 'stacker_problem']);

const isMoney = (id: string): boolean => id.startsWith('cash.') || id.startsWith('card.');

export interface Traces {
	/** Keeps a file where the event is a fault of a device. */
	heard(id: EventId, fields: LogFields): void;
	/** GET /traces on the staff socket. */
	handler: Handler;
}

/** @param directory is made when it is first needed */
export function keepTraces(parts: { lines: readonly LineTrace[]; directory: string; clock: Clock; log: Log }): Traces {
	const { lines, directory, clock, log } = parts;
	const keptAt = new Map<string, number>();
	/** Causes whose file is being written, and whether another one is due. */
	const writing = new Map<string, boolean>();

	function lineOf(id: EventId, fields: LogFields): LineName | undefined {
		if (id === 'acceptor.state' && ODD_STATES.has(String(fields.state))) return 'acceptor';
		return FAULTS[id];
	}

	function heard(id: EventId, fields: LogFields): void {
		const name = lineOf(id, fields);
		const trace = lines.find(({ line }) => line === name);
		if (!trace) return;
		const cause = id === 'acceptor.state' ? `acceptor.${fields.state}` : id;
		const now = clock.now();
		if (!isMoney(id) && now - (keptAt.get(cause) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return;
		keptAt.set(cause, now);
		keepSoon(trace, cause);
	}

	/** One file of a cause at a time; what comes while it is written stands in the next one together. */
	function keepSoon(trace: LineTrace, cause: string): void {
		if (writing.has(cause)) return void writing.set(cause, true);
		writing.set(cause, false);
		// The payment goes on; the file is written beside it.
		void keep(trace, cause)
			.then(
				(file) => log.event('trace.kept', { file, cause }),
				(error) => log.event('trace.failed', { cause, reason: messageOf(error) }),
			)
			.finally(() => {
				const again = writing.get(cause);
				writing.delete(cause);
				if (again) keepSoon(trace, cause);
			});
	}

	async function keep(trace: LineTrace, cause: string): Promise<string> {
		const text = traceText(trace);
		mkdirSync(directory, { recursive: true, mode: 0o750 });
		const file = join(directory, `${clock.wall().toISOString().replace(/[:.]/g, '-')}-${cause}.txt`);
		const same = readdirSync(directory)
			.filter((name) => isMoney(causeOf(name)) === isMoney(cause))
			.sort();
		for (const old of same.slice(0, Math.max(0, same.length - KEPT_FILES + 1))) rmSync(join(directory, old), { force: true });
		await writeFile(file, text, { mode: 0o640 });
		return file;
	}

	return {
		heard,
		handler(request, response, path) {
			if (request.method !== 'GET' || path !== '/traces') return false;
			if (request.headers.accept?.includes('application/json')) {
				const rings = lines.map((trace) => ({ line: trace.line, entries: trace.entries() }));
				answerJson(response, 200, { lines: rings, directory, files: filesIn(directory) });
			} else {
				response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
				response.end(lines.map(traceText).join('\n'));
			}
			return true;
		},
	};
}

/** A name is the time, then the cause. */
const causeOf = (name: string): string => name.slice('2026-11-21T13-00-00-000Z-'.length);

function filesIn(directory: string): string[] {
	try {
		return readdirSync(directory).sort();
	} catch {
		// Nothing has been kept yet.
		return [];
	}
}

const traceText = (trace: LineTrace): string =>
	[
		`${trace.line}: bytes in hex, ## is not shown`,
		...trace.entries().map(({ at, from, what }) => `${at} ${from.padEnd(6)} ${what}`),
		'',
	].join('\n');
