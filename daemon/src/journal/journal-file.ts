import { statfsSync } from 'node:fs';
import * as v from 'valibot';
import type { Clock } from '../base/clock.ts';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import type { Claim } from './claim.ts';
import { diskReserve } from './disk-reserve.ts';
import { type FileIdentity, hex, identifyJournalFile } from './file-identity.ts';
import { assertWritable, WRITES } from './format.ts';
import { type HeadFile, openHead } from './head-file.ts';
import type { JournalRecord } from './records.ts';
import type { Rows } from './rows.ts';
import type { Seal } from './seal.ts';
import { type Sealing, sealing } from './sealing.ts';
import { isDamage, isDiskFault, readStore, type Store, type StoreError } from './store.ts';
import type { JournalError } from './trouble.ts';

export interface JournalSettings {
	directory: string;
	/**
	 * Free space below which no payment begins. This space is kept for the records of a payment in
	 * progress.
	 */
	minFreeBytes: number;
	/**
	 * Head file, preferably on another disk; without it a lost or stale journal goes undetected.
	 */
	headFile?: string;
	/** Disk reserve for records that must be written when the disk is full; left out: none. */
	reserveBytes?: number;
	/**
	 * Key file of the seals, preferably on another disk; created at the first start. Left out: a
	 * rewritten chain goes undetected.
	 */
	keyFile?: string;
	/**
	 * @returns the newest format that may be written now; left out: the newest that this version
	 * writes.
	 */
	writes?: () => number;
	/**
	 * The claim to hold while the file is open; left out: the caller ensures that no other program
	 * opens the file.
	 */
	claim?: Claim;
}

/**
 * @param thorough reads and verifies the whole file first
 * @param seal null: the records have no seals
 */
export type OpenStore = (directory: string, thorough: boolean, seal: Seal | null) => Result<Store, StoreError>;

function freeBytesOf(directory: string): number {
	const disk = statfsSync(directory);
	return disk.bavail * disk.bsize;
}

/** Records that begin a payment or a card action; refused while the disk reserve is missing. */
const BEGINS: ReadonlySet<JournalRecord['kind']> = new Set(['cash_intent', 'card_sale', 'card_action']);
/** Records that can be refused or retried later, so they must not use the disk reserve. */
const MAY_WAIT: ReadonlySet<JournalRecord['kind']> = new Set([...BEGINS, 'note_uploaded', 'card_approval_sent', 'staff_names_changed']);
const CLOSED: JournalError = { code: 'journal_unhealthy', message: 'the journal is closed' };

/** The journal's file: its store while it is open, else the reason why it is closed. */
export class JournalFile {
	readonly settings: JournalSettings;
	readonly clock: Clock;
	readonly open: OpenStore;
	readonly head: HeadFile;
	readonly own: FileIdentity;
	readonly keys: Sealing;
	readonly #freeBytes: (directory: string) => number;
	readonly #reserve: ReturnType<typeof diskReserve>;
	#store: Store | null = null;
	#broken: JournalError | null = null;
	/**
	 * A read or write has failed, or an earlier run found damage, so the whole file is verified
	 * before it is used.
	 */
	#doubtful: boolean;
	/**
	 * The file is damaged or was retired. A damaged file is not reopened in this run, because it
	 * would pass as valid until a bad page is read.
	 */
	#damaged = false;
	/** A newer version wrote the file. This version only lists its contents and never changes it. */
	#newer: JournalError | null = null;

	constructor(settings: JournalSettings, clock: Clock, open: OpenStore, freeBytes = freeBytesOf) {
		const { directory, reserveBytes = 0 } = settings;
		this.settings = settings;
		this.clock = clock;
		this.open = open;
		this.head = openHead(settings.headFile ?? null);
		this.own = identifyJournalFile(directory, this.head);
		this.keys = sealing(settings.keyFile, this.own, this.head);
		this.#freeBytes = freeBytes;
		this.#reserve = diskReserve(directory, reserveBytes);
		this.#doubtful = this.head.read().damage !== null;
	}

	/** The store of the open file; null while the file is closed. */
	store(): Store | null {
		return this.#store;
	}

	/** Why the file is closed; null while it is open. */
	whyClosed(): JournalError | null {
		return this.#broken;
	}

	/**
	 * @param renewed a new key that is not stored yet; left out: the stored key
	 * @returns why the file cannot be used; null: it is open
	 */
	reopen(renewed?: Seal): JournalError | null {
		if (this.#damaged || this.#newer) return this.#broken;
		const { settings, own, keys, head } = this;
		if (this.#store) this.shut();
		const unclaimed = settings.claim?.take() ?? null;
		if (unclaimed !== null) return this.refuse(unclaimed.message);
		const missing = own.missing();
		if (missing !== null) return this.refuse(missing);
		const later = own.newer();
		if (later !== null) return this.#closeAsNewer(later);
		const seal = renewed ? ok(renewed) : keys.now();
		if (!seal.ok) return this.refuse(seal.error.message);
		const opened = this.#openStore(seal.value);
		if (!opened.ok) {
			if (opened.error.code === 'damaged') return this.markSpoilt(opened.error.message);
			this.#doubtful = true;
			return this.refuse(opened.error.message);
		}
		this.#store = opened.value;
		own.opened();
		const { seq, hash } = this.newest();
		// Reading the newest record closes the store if it finds a bad page.
		if (!this.store()) return this.#broken;
		const behind = own.behind(seq);
		if (behind !== null) return this.refuse(behind);
		this.#broken = null;
		this.#doubtful = false;
		const sealed = seal.value !== null;
		if (seq > 0 || head.read().damage !== null || head.read().sealed !== sealed) head.replace({ seq, hash, damage: null, sealed });
		return null;
	}

	/** Makes the next opening verify the whole file first. */
	doubt(): void {
		this.#doubtful = true;
	}

	#openStore(seal: Seal | null): Result<Store, StoreError> {
		const { directory } = this.settings;
		const opened = this.open(directory, this.#doubtful, seal);
		if (opened.ok || opened.error.code !== 'disk_full' || !this.#reserve.release()) return opened;
		return this.open(directory, this.#doubtful, seal);
	}

	shut(): void {
		this.#store?.close();
		this.#store = null;
		this.settings.claim?.release();
	}

	/** Closes the file until the next `reopen`. */
	refuse(message: string): JournalError {
		this.shut();
		this.#broken = { code: 'journal_unhealthy', message };
		return this.#broken;
	}

	/** Closes the file for this run. */
	refuseForEver(message: string): JournalError {
		this.#damaged = true;
		return this.refuse(message);
	}

	#closeAsNewer(message: string): JournalError {
		this.shut();
		this.#newer = { code: 'journal_newer', message };
		this.#broken = this.#newer;
		return this.#newer;
	}

	/**
	 * Closes the file for this run and marks the damage on disk. The next start then verifies
	 * everything, even if this process dies before staff see the message.
	 */
	markSpoilt(what: string): JournalError {
		const written = this.head.read();
		this.head.replace({ ...written, damage: written.damage ?? what });
		return this.refuseForEver(`${what} (the newest record that is known is ${this.own.reference()})`);
	}

	/**
	 * Closes the file because a read has failed. Rethrows an error that neither disk nor file caused.
	 */
	markUnreadable(error: unknown): void {
		if (!isDamage(error)) throw error;
		const where = v.isValiError(error)
			? `a row of the journal cannot be understood (${v.getDotPath(error.issues[0]) ?? 'as a whole'}): `
			: '';
		this.#doubtful = true;
		if (isDiskFault(error)) this.refuse(messageOf(error));
		else this.markSpoilt(`the journal's file is damaged: ${where}${messageOf(error)}`);
	}

	/**
	 * Writes a record. If the disk is full, a record that cannot wait uses the disk reserve.
	 * @returns the number of the record
	 */
	append(record: JournalRecord): Result<number, JournalError> {
		const unfit = this.#checkReplaced();
		if (unfit || !this.#store) return fail(unfit ?? this.#broken ?? CLOSED);
		assertWritable(record.kind, this.settings.writes?.() ?? WRITES);
		if (BEGINS.has(record.kind) && !this.#reserve.held()) return fail(this.#diskFull('the disk reserve is used up'));
		let written = this.#store.append(record, this.clock.wall());
		if (!written.ok && written.error.code === 'disk_full' && !MAY_WAIT.has(record.kind) && this.#reserve.release())
			written = this.#store.append(record, this.clock.wall());
		if (written.ok) {
			const { seq, hash } = this.newest();
			if (seq === written.value) this.head.moved(seq, hash);
			return ok(written.value);
		}
		const { code, message } = written.error;
		if (code === 'disk_full') return fail({ code, message });
		if (code === 'damaged') return fail(this.markSpoilt(`the journal's file is damaged: ${message}`));
		if (code === 'busy') return fail({ code: 'journal_unhealthy', message });
		this.#doubtful = true;
		return fail({ ...this.refuse(message), mayBeWritten: true });
	}

	/**
	 * Why no payment may begin; null if payments may begin. Restores a used disk reserve once there
	 * is space, and closes the file if it was replaced.
	 */
	trouble(): JournalError | null {
		const closed = this.#broken ?? this.#checkReplaced();
		if (closed) return closed;
		const { directory, minFreeBytes, reserveBytes = 0 } = this.settings;
		try {
			this.#reserve.probe();
			const free = this.#freeBytes(directory);
			const needed = minFreeBytes + (this.#reserve.held() ? 0 : reserveBytes);
			if (free >= needed && this.#reserve.take()) return null;
			return { code: 'disk_full', message: `${free} bytes free in ${directory}, ${needed} are needed to take payments` };
		} catch (error) {
			return { code: 'journal_unhealthy', message: messageOf(error) };
		}
	}

	readonly rows: Rows = (schema, sql, ...parameters) => {
		try {
			return (this.#store?.rows(sql, ...parameters) ?? []).map((row) => v.parse(schema, row));
		} catch (error) {
			this.markUnreadable(error);
			return [];
		}
	};

	/** Reads a newer version's journal as far as this version understands it, for lists only. */
	readonly listedRows: Rows = (schema, sql, ...parameters) => {
		if (!this.#newer) return this.rows(schema, sql, ...parameters);
		const opened = readStore(this.settings.directory);
		if (!opened.ok) return [];
		try {
			return opened.value.rows(sql, ...parameters).map((row) => v.parse(schema, row));
		} catch {
			return [];
		} finally {
			opened.value.close();
		}
	};

	/** Number and hash (hex) of the newest record; 0 and '' in an empty journal. */
	newest(): { seq: number; hash: string } {
		const [row] = this.rows(NewestRow, 'SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1');
		return row ? { seq: row.seq, hash: hex(row.hash) } : { seq: 0, hash: '' };
	}

	close(): void {
		this.shut();
		this.head.close();
	}

	/**
	 * Closes the file if the journal's files were removed or replaced. @returns the trouble, or null
	 */
	#checkReplaced(): JournalError | null {
		const exchanged = this.#store && this.own.exchanged();
		return exchanged === null ? null : this.refuse(exchanged);
	}

	#diskFull(what: string): JournalError {
		return { code: 'disk_full', message: `the disk of ${this.settings.directory} is full: ${what}` };
	}
}

const NewestRow = v.object({ seq: v.number(), hash: v.instance(Uint8Array) });
