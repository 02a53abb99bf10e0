/**
 * Keeps the last bytes of every device line in memory and saves them to a file when a device
 * misbehaves.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/result.ts';
import { answerJson, type Handler } from '../http/handler.ts';
import type { LoggedEvent } from '../log/event-fields.ts';
import type { EventId } from '../log/events.ts';
import type { Log } from '../log/log.ts';
import type { OpenPort } from './port.ts';

/** Capacity of a ring in characters: about ten minutes of an idle acceptor, or 200 card sales. */
const RING_CHARACTERS = 64 * 1024;
/** Overhead of one entry in characters. */
const ENTRY_CHARACTERS = 40;
/**
 * Maximum number of saved files for money faults, and the same number for other faults: at most 2 ×
 * 20 × 64 kB.
 */
const KEPT_FILES = 20;
/** Shortest time between two files of the same cause; money faults are always saved. */
const PAUSE_MS = 600_000;

/**
 * Decides for each byte of one direction of a line whether it may be shown. Bytes come in order;
 * chunks may split frames anywhere.
 */
export type ShowByte = (byte: number) => boolean;

export type LineName = 'acceptor' | 'edc';

export interface TraceEntry {
	/** ISO 8601, wall clock. */
	at: string;
	from: 'kiosk' | 'device' | 'line';
	/**
	 * Bytes in hex, with `##` for masked bytes; or the opening of the line, or the reason of its
	 * loss.
	 */
	what: string;
}

export interface LineTrace {
	line: LineName;
	/** Opens the line and records its traffic. */
	open: OpenPort;
	/** The recorded entries, oldest first. */
	entries(): TraceEntry[];
}

/** @param show returns the mask of one direction of one connection */
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

/** Events for which the bytes of a line are saved. */
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
/** States of the bill acceptor for which its bytes are saved. */
const ODD_STATES = new Set(['silent', 'garbled', 'communication_failure', 'bill_jam', 'motor_failure', 'stacker_problem']);

const isMoney = (id: string): boolean => id.startsWith('cash.') || id.startsWith('card.');

export interface Traces {
	/**
	 * Saves a file if the event is a device fault. For faults that concern no money, at most one file
	 * in `PAUSE_MS` is saved for each cause.
	 */
	heard(event: LoggedEvent): void;
	/** GET /traces on the staff socket. */
	handler: Handler;
}

/** @param directory folder of the files, which is created when the first file is saved */
export function keepTraces(deps: { lines: readonly LineTrace[]; directory: string; clock: Clock; log: Log }): Traces {
	const { lines, directory, clock, log } = deps;
	const keptAt = new Map<string, number>();
	/** The causes for which a file is being written. Value: whether another file must follow. */
	const writing = new Map<string, boolean>();

	function lineOf({ id, fields }: LoggedEvent): LineName | undefined {
		if (id === 'acceptor.state' && ODD_STATES.has(fields.state)) return 'acceptor';
		return FAULTS[id];
	}

	function heard(event: LoggedEvent): void {
		const { id, fields } = event;
		const name = lineOf(event);
		const trace = lines.find(({ line }) => line === name);
		if (!trace) return;
		const cause = id === 'acceptor.state' ? `acceptor.${fields.state}` : id;
		const now = clock.now();
		if (!isMoney(id) && now - (keptAt.get(cause) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return;
		keptAt.set(cause, now);
		keepSoon(trace, cause);
	}

	/**
	 * Writes one file of a cause at a time. Faults of this cause that come meanwhile share the next
	 * file.
	 */
	function keepSoon(trace: LineTrace, cause: string): void {
		if (writing.has(cause)) return void writing.set(cause, true);
		writing.set(cause, false);
		// The file is written in the background, so that the payment does not wait for it.
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

/** @returns the cause in the name of a trace file; the name consists of time and cause */
const causeOf = (name: string): string => name.slice('2026-11-21T13-00-00-000Z-'.length);

function filesIn(directory: string): string[] {
	try {
		return readdirSync(directory).sort();
	} catch {
		// The folder does not exist before the first file is saved.
		return [];
	}
}

const traceText = (trace: LineTrace): string =>
	[
		`${trace.line}: bytes in hex, ## is not shown`,
		...trace.entries().map(({ at, from, what }) => `${at} ${from.padEnd(6)} ${what}`),
		'',
	].join('\n');
