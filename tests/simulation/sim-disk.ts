import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail, type Result } from '../../daemon/src/base/result.ts';
import type { JournalRecord } from '../../daemon/src/journal/records.ts';
import type { Seal } from '../../daemon/src/journal/seal.ts';
import { openStore, type Store, type StoreError } from '../../daemon/src/journal/store.ts';

/**
 * What happens to a write. `power_cut_before` loses the record, `power_cut_after` keeps it.
 * `sync_failed` returns an error and loses the record. `sync_failed_but_kept` returns an error
 * although the record is on disk.
 */
export type WriteFate = 'well' | 'disk_full' | 'sync_failed' | 'sync_failed_but_kept' | 'power_cut_before' | 'power_cut_after';

/** Folder of the real SQLite files, on tmpfs. Only disk faults and power cuts are simulated. */
const IN_MEMORY = '/dev/shm';

const GONE: StoreError = { code: 'broken', message: 'the power is off' };

/** The journal's disk. Committed records survive a power cut. */
export class SimDisk {
	readonly directory = mkdtempSync(join(IN_MEMORY, 'kiosk-simulation-'));
	/** Number of attempted writes since the start of the world. */
	writes = 0;
	#full = false;
	/** Called when the disk becomes full and when it has space again. */
	onFull: (full: boolean) => void = () => {};
	/** Called before each write, unless the disk is full; decides what happens to the write. */
	fate: (write: number, record: JournalRecord) => WriteFate = () => 'well';
	/** Wraps each write. */
	around: (act: () => void) => void = (act) => act();
	/**
	 * Called at a power cut during a write, before the write returns. `kept` means that the write is
	 * on disk.
	 */
	cutPower: (kept: boolean) => void = () => {};
	/** Called when a record is on disk, before its write returns. */
	onKept: (record: JournalRecord) => void = () => {};
	#open: Store | null = null;

	get full(): boolean {
		return this.#full;
	}

	set full(full: boolean) {
		if (full !== this.#full) this.onFull(full);
		this.#full = full;
	}

	/** @param alive whether the process that opened the disk still runs */
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

	/** Closes the file when the process has died. */
	drop(): void {
		this.#close();
	}

	/** Reads the file through the process's open handle or, without one, as another program does. */
	rows(sql: string, ...parameters: string[]): Record<string, unknown>[] {
		if (this.#open !== null) return this.#open.rows(sql, ...parameters);
		return this.#look((store) => store.rows(sql, ...parameters));
	}

	/** @returns the number of the first record with a wrong hash, or null */
	verify(): number | null {
		return this.#open !== null ? this.#open.verify(1) : this.#look((store) => store.verify(1));
	}

	/** Opens the file as a starting daemon does, and closes it after `read`. */
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

	#keep(store: Store, record: JournalRecord, at: Date): Result<number, StoreError> {
		const written = store.append(record, at);
		if (written.ok) this.onKept(record);
		return written;
	}

	#write(store: Store, record: JournalRecord, at: Date): Result<number, StoreError> {
		this.writes += 1;
		const fate = this.full ? 'disk_full' : this.fate(this.writes, record);
		switch (fate) {
			case 'well':
				return this.#keep(store, record, at);
			case 'disk_full':
				return fail({ code: 'disk_full', message: 'no space is left' });
			case 'sync_failed':
				return fail({ code: 'broken', message: 'the sync failed' });
			case 'sync_failed_but_kept':
				this.#keep(store, record, at);
				return fail({ code: 'broken', message: 'the sync failed' });
			case 'power_cut_before':
				this.cutPower(false);
				return fail(GONE);
			case 'power_cut_after':
				this.#keep(store, record, at);
				this.cutPower(true);
				return fail(GONE);
			default:
				return fate satisfies never;
		}
	}
}
