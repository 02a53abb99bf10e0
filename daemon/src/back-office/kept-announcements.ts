import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { replaceFileForGood } from '../base/replace-file.ts';
import { Payment, samePayment } from '../journal/records.ts';

/**
 * Maximum number of kept messages. A message counts for minutes only, and in that time few
 * customers pay.
 */
const MOST_KEPT = 20;

/** `at`: when the message came, wall-clock ms. */
const Kept = v.array(v.object({ payment: Payment, at: v.number() }));
type Kept = v.InferOutput<typeof Kept>;

/**
 * Messages "paid" about invoices without money of this kiosk. The journal stores none of them,
 * because a statement in it is a claim that only staff can end.
 */
export interface KeptAnnouncements {
	/** The messages of the run before, oldest first. */
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
				// On a full disk the message is known only until the next restart.
			}
		},
	};
}

function load(file: string): Kept {
	try {
		return v.parse(Kept, JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		// Without a file there was no message. A damaged file counts as missing.
		return [];
	}
}
