import * as v from 'valibot';
import { Decision } from './decision.ts';

/** The beginning of a note's id, in upper or lower case. */
const note = v.pipe(v.string(), v.trim(), v.toLowerCase(), v.minLength(4, 'at least the first four characters of the note'));

/** Staff decisions about a parked note. */
export const PARKED_WISHES = [
	v.object({ action: v.literal('resend'), note: v.union([v.literal('all'), note]), ...Decision.entries }),
	v.object({ action: v.literal('book'), note, ...Decision.entries }),
	/** `expected`: key of the invoice that was shown to the person. */
	v.object({
		action: v.literal('move'),
		note,
		number: v.pipe(v.string(), v.trim(), v.nonEmpty('the other invoice')),
		expected: v.string(),
		...Decision.entries,
	}),
] as const;
export type ParkedWish = v.InferOutput<(typeof PARKED_WISHES)[number]>;
