import * as v from 'valibot';

/** A staff decision: name and reason; the journal records both. */
export const Decision = v.object({
	by: v.pipe(v.string(), v.trim(), v.nonEmpty('the name of the person who decides')),
	why: v.pipe(v.string(), v.trim(), v.nonEmpty('the reason')),
});
