import { existsSync, renameSync } from 'node:fs';
import { renameForGood } from '../base/replace-file.ts';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import type { FileIdentity } from './file-identity.ts';
import type { HeadFile } from './head-file.ts';
import { setAsideKey } from './interrupted-restart.ts';
import { makeSeal, readSeal, type Seal } from './seal.ts';

/** `lost`: the journal is sealed and its key is missing, so its records cannot be proved. */
export interface SealError {
	code: 'lost' | 'unusable';
	message: string;
}

/** Manages the key that seals the journal. */
export interface Sealing {
	/**
	 * @returns the key, created if the journal has none yet; null if the journal is not sealed. A
	 * lost key is never replaced automatically
	 */
	now(): Result<Seal | null, SealError>;
	/**
	 * Makes a new key for the records after `before`, the newest record, and stores it in a file
	 * beside the key file. Thus a disk that cannot store the key is noticed before the journal is
	 * changed.
	 */
	prepare(before: { seq: number; hash: string }): Result<Seal, SealError>;
	/** Moves the prepared key into the key file; durable if the result is ok. */
	adopt(): Result<void, SealError>;
	/**
	 * Makes the key of a new journal.
	 * @param folder the old journal's folder. The old key is kept under the name of this folder,
	 * because it proves the old records
	 * @param aside folder of the journal that is set aside now. It differs from `folder` after an
	 * interrupted restart, which has already set the old key aside; the present key is then kept
	 * under the name of `aside`
	 */
	begin(folder: string, aside: string): Result<Seal | null, SealError>;
}

const preparedKey = (keyFile: string): string => `${keyFile}.next`;

/** @param keyFile undefined: the journal is not sealed */
export function sealing(keyFile: string | undefined, own: FileIdentity, head: HeadFile): Sealing {
	const unusable = (message: string) => fail({ code: 'unusable', message } as const);

	function writing<T>(write: () => T): Result<T, SealError> {
		try {
			return ok(write());
		} catch (error) {
			return unusable(`the key of the journal cannot be written: ${messageOf(error)}`);
		}
	}

	const changeKey = <T>(change: (file: string) => T): Result<T, SealError> =>
		keyFile === undefined ? unusable('the journal is not sealed') : writing(() => change(keyFile));

	return {
		now() {
			if (keyFile === undefined) return ok(null);
			const found = readSeal(keyFile);
			if (found.state === 'found') return ok(found.seal);
			if (found.state === 'unreadable') return unusable(`the key of the journal cannot be read: ${found.why}`);
			const newest = own.newest();
			if (!newest.ok) return unusable(newest.error.message);
			const { seq, hash, sealed } = newest.value;
			const known = head.read();
			if (!sealed && !(known.sealed && known.seq > 0)) return writing(() => makeSeal(keyFile, seq + 1, hash));
			return fail({
				code: 'lost',
				message: `the key that seals the journal is lost: ${found.why}. Nothing proves that its records, up to ${own.reference()}, were not rewritten. Put the key back, or accept the journal: kioskctl journal reseal`,
			});
		},
		prepare: ({ seq, hash }) => changeKey((file) => makeSeal(preparedKey(file), seq + 1, hash)),
		adopt: () => changeKey((file) => renameForGood(preparedKey(file), file)),
		begin(folder, aside) {
			if (keyFile === undefined) return ok(null);
			const kept = setAsideKey(keyFile, folder);
			if (existsSync(keyFile)) renameSync(keyFile, existsSync(kept) ? setAsideKey(keyFile, aside) : kept);
			return writing(() => makeSeal(keyFile, 1, ''));
		},
	};
}
