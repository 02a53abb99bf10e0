import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { replaceFileForGood } from '../base/replace-file.ts';
import { Payment, samePayment } from '../journal/records.ts';

/**
 * Maximum number of stored messages. A message is valid for five minutes, and few customers pay
 * within five minutes.
 */
const MOST_KEPT = 20;

/** `at`: when the message came, wall-clock ms. */
const Kept = v.array(v.object({ payment: Payment, at: v.number() }));
type Kept = v.InferOutput<typeof Kept>;

/**
 * "Paid" messages about invoices for which `MoneyBook.keepsAnswersOn` is false. They are not in the
 * journal, because a dispute about a statement in the journal does not end by itself.
 */
export interface KeptAnnouncements {
	/** The messages of earlier runs, oldest first. */
	earlier: Kept;
	/** @param at wall-clock ms */
	keep(payment: Payment, at: number): void;
}

/** @param file in the state directory */
export function openKeptAnnouncements(file: string): KeptAnnouncements {
	const earlier = load(file);
	let kept = earlier;
	return {
		earlier,
		keep(payment, at) {
			kept = [...kept.filter((one) => !samePayment(one.payment, payment)), { payment, at }].slice(-MOST_KEPT);
			try {
				mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
				replaceFileForGood(file, JSON.stringify(kept));
			} catch {
				// If the disk is full, the message is valid only until the next restart.
			}
		},
	};
}

function load(file: string): Kept {
	try {
		return v.parse(Kept, JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		// If there is no file, there was no message. A damaged file counts as missing.
		return [];
	}
}
