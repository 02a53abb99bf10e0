import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const RESERVE_FILE = 'journal.reserve';
const BLOCK_BYTES = 64 * 1024;

/**
 * Reserved space on the journal's disk, so that a payment in progress can be recorded completely
 * even if the disk is full.
 */
export interface Reserve {
	held(): boolean;
	/**
	 * Throws if the reserve file exists but cannot be opened for writing, for example after the
	 * kernel made the disk read-only. Checks only while the space is reserved. The probe does not
	 * open the journal itself, because closing a second handle would release the locks of the first.
	 */
	probe(): void;
	/** Reserves the space if the disk has room for it. @returns whether the space is reserved */
	take(): boolean;
	/**
	 * Frees the reserved space so that the journal can use it.
	 * @returns whether this call freed it
	 */
	release(): boolean;
}

/** @param bytes size of the reserve; 0: no reserve */
export function diskReserve(directory: string, bytes: number): Reserve {
	const file = join(directory, RESERVE_FILE);
	let held = sizeOf(file) >= bytes;

	return {
		held: () => held,
		probe() {
			if (!held || bytes === 0) return;
			try {
				closeSync(openSync(file, 'r+'));
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
				held = false;
			}
		},
		take() {
			if (held) return true;
			try {
				fill(file, bytes);
				held = true;
			} catch {
				rmSync(file, { force: true });
			}
			return held;
		},
		release() {
			if (!held || bytes === 0) return false;
			held = false;
			try {
				rmSync(file, { force: true });
			} catch {
				return false;
			}
			return true;
		},
	};
}

/** Fills the file with bytes and syncs it: a sparse file would reserve nothing. */
function fill(file: string, bytes: number): void {
	const handle = openSync(file, 'w', 0o600);
	try {
		for (let written = 0; written < bytes; ) written += writeSync(handle, Buffer.alloc(Math.min(BLOCK_BYTES, bytes - written)));
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
}

function sizeOf(file: string): number {
	try {
		return statSync(file).size;
	} catch {
		return 0;
	}
}
