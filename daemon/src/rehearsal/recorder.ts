/** Keeps the entries of a running rehearsal in a file, so that they survive a power cut. */
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import type { Clock } from '../base/clock.ts';
import { Entry } from './signed-file.ts';

/**
 * Maximum size of the file: enough for about two hours with an idle acceptor and a busy terminal.
 */
const LARGEST_BYTES = 4 * 1024 * 1024;

/** An entry before the recorder adds `run`, `ms` and `at`. */
export type Fact = Entry extends infer E ? (E extends Entry ? Omit<E, 'run' | 'ms' | 'at'> : never) : never;

export interface Recorder {
	/**
	 * Adds an entry, which is written and synced in the background. Does nothing once the file is
	 * full or a write has failed.
	 */
	add(fact: Fact): void;
	isFull(): boolean;
	/** Resolves when all added entries are on disk. */
	flushed(): Promise<void>;
	/** Ends the recording and closes the file. */
	close(): void;
}

/**
 * Appends to the file. A power cut may have truncated its last line.
 * @param run number of the run: 1 when the rehearsal begins, one more after each restart of the
 * daemon
 * @param failed called once if a write fails
 */
export function startRecorder(file: string, run: number, clock: Clock, failed: (error: unknown) => void): Recorder {
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	const begun = clock.now();
	const opening = open(file, 'a', 0o600);
	let waiting: string[] = [];
	/** Size of the file in bytes, including the entries of earlier runs. */
	let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
	let isFirst = true;
	let broken = false;
	let writing: Promise<void> | null = null;

	/**
	 * Writes in the background, so that payments do not wait. Entries added during a write share the
	 * next write.
	 */
	async function writeAll(): Promise<void> {
		try {
			const handle: FileHandle = await opening;
			while (waiting.length > 0) {
				const text = waiting.join('');
				waiting = [];
				await handle.write(text);
				await handle.datasync();
			}
		} catch (error) {
			broken = true;
			failed(error);
		} finally {
			writing = null;
		}
	}

	return {
		add(fact) {
			if (broken || size > LARGEST_BYTES) return;
			const line = `${JSON.stringify({ run, ms: Math.round(clock.now() - begun), at: clock.wall().toISOString(), ...fact })}\n`;
			size += line.length;
			// Each run begins on a new line, because a power cut may have truncated the last line.
			waiting.push(isFirst ? `\n${line}` : line);
			isFirst = false;
			writing ??= writeAll();
		},
		isFull: () => broken || size > LARGEST_BYTES,
		async flushed() {
			await writing;
		},
		close() {
			broken = true;
			Promise.resolve(writing)
				.then(() => opening)
				.then((handle) => handle.close())
				// If the file could not be opened, `failed` has already been called.
				.catch(() => undefined);
		},
	};
}

/** @returns the entries; skips lines that a power cut has truncated */
export function readEntries(file: string): Entry[] {
	const lines = readFileSync(file, 'utf8').split('\n');
	return lines.flatMap((line) => {
		try {
			return [v.parse(Entry, JSON.parse(line))];
		} catch {
			return [];
		}
	});
}

export const dropEntries = (file: string): void => rmSync(file, { force: true });
