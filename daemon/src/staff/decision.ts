import * as v from 'valibot';

/**
 * The text needs at least one letter or digit: otherwise screen and paper would show only blanks or
 * question marks.
 */
const text = (what: string) => v.pipe(v.string(), v.trim(), v.regex(/[\p{L}\p{N}]/u, what));

/** A staff decision: name and reason; the journal records both. */
export const Decision = v.object({ by: text('the name of the person who decides'), why: text('the reason') });
