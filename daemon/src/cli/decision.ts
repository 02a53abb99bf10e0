import * as v from 'valibot';

/** Who of the staff decides, and why; the journal keeps both. */
export const Decision = v.object({
	by: v.pipe(v.string(), v.trim(), v.nonEmpty('the name of who decides')),
	why: v.pipe(v.string(), v.trim(), v.nonEmpty('the reason')),
});
