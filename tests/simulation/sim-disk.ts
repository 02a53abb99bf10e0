import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail, type Result } from '../../daemon/src/base/result.ts';
import type { JournalRecord } from '../../daemon/src/journal/records.ts';
import type { Seal } from '../../daemon/src/journal/seal.ts';
import { openStore, type Store, type StoreError } from '../../daemon/src/journal/store.ts';

/**
 * What a write meets. `power_cut_before`, `power_cut_after`: the machine dies around it, and the record is lost or kept.
 * `sync_failed`: the disk says no and has not written; `sync_failed_but_kept`: it says no and the bytes are there all the same.
 */
export type WriteFate = 'well' | 'disk_full' | 'sync_failed' | 'sync_failed_but_kept' | 'power_cut_before' | 'power_cut_after';

/** Memory that behaves as a disk for files: SQLite is the real one, only the plug is ours. */
const IN_MEMORY = '/dev/shm';

const GONE: StoreError = { code: 'broken', message: 'the machine has no power' };

/** The journal's disk. What was committed survives every power cut; what was not may vanish. */
export class SimDisk {
	readonly directory = mkdtempSync(join(IN_MEMORY, 'kiosk-simulation-'));
	/** Durable writes since the world began. */
	writes = 0;
	full = false;
	/** Asked before each write. */
	fate: (write: number, record: JournalRecord) => WriteFate = () => 'well';
	/** Around each write. */
	around: (act: () => void) => void = (act) => act();
	/** Called at a power cut, before the write returns into a process that no longer matters. `kept`: whether the write is on disk. */
	cutPower: (kept: boolean) => void = () => {};
	#open: Store | null = null;

	/** @param alive whether the process that opens it still runs */
	openFor(alive: () => boolean): (directory: string, thorough: boolean, seal: Seal | null) => Result<Store, StoreError> {
		return (directory, _thorough, seal) => {
			if (!alive()) return fail(GONE);
			const opened = openStore(directory, false, seal);
			if (!opened.ok) return opened;
			const store = opened.value;
			this.#open = store;
			return {
				ok: true,
				value: {
					append: (record, at) => (alive() ? this.#append(store, record, at) : fail(GONE)),
					rows: (sql, ...parameters) => (alive() ? store.rows(sql, ...parameters) : []),
					verify: (fromSeq, toSeq) => store.verify(fromSeq, toSeq),
					fault: (seq) => store.fault(seq),
					close: () => {
						if (alive()) this.#close();
					},
				},
			};
		};
	}

	/** Ends the process's hold on the file, as its death does. */
	drop(): void {
		this.#close();
	}

	/** What a person reads who looks into the file; the process's own handle serves while there is one. */
	rows(sql: string, ...parameters: string[]): Record<string, unknown>[] {
		if (this.#open !== null) return this.#open.rows(sql, ...parameters);
		return this.#look((store) => store.rows(sql, ...parameters));
	}

	/** @returns the first record whose hash does not fit, from the very first on, or null */
	verify(): number | null {
		return this.#open !== null ? this.#open.verify(1) : this.#look((store) => store.verify(1));
	}

	/** Opens the file anew, as a start does. */
	#look<T>(read: (store: Store) => T): T {
		const opened = openStore(join(this.directory, 'journal'));
		if (!opened.ok) throw new Error(opened.error.message);
		try {
			return read(opened.value);
		} finally {
			opened.value.close();
		}
	}

	remove(): void {
		this.#close();
		rmSync(this.directory, { recursive: true, force: true });
	}

	#close(): void {
		this.#open?.close();
		this.#open = null;
	}

	#append(store: Store, record: JournalRecord, at: Date): Result<number, StoreError> {
		let result: Result<number, StoreError> = fail(GONE);
		this.around(() => {
			result = this.#write(store, record, at);
		});
		return result;
	}

	#write(store: Store, record: JournalRecord, at: Date): Result<number, StoreError> {
		this.writes += 1;
		const fate = this.full ? 'disk_full' : this.fate(this.writes, record);
		switch (fate) {
			case 'well':
				return store.append(record, at);
			case 'disk_full':
				return fail({ code: 'disk_full', message: 'no space is left' });
			case 'sync_failed':
				return fail({ code: 'broken', message: 'the sync failed' });
			case 'sync_failed_but_kept':
				store.append(record, at);
				return fail({ code: 'broken', message: 'the sync failed' });
			case 'power_cut_before':
				this.cutPower(false);
				return fail(GONE);
			case 'power_cut_after':
				store.append(record, at);
				this.cutPower(true);
				return fail(GONE);
			default:
				return fate satisfies never;
		}
	}
}
