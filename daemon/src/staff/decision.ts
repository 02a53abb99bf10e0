import * as v from 'valibot';

/** Without a letter or digit a name is empty on the screen, or shown as question marks. */
const text = (what: string) => v.pipe(v.string(), v.trim(), v.regex(/[\p{L}\p{N}]/u, what));

/** A staff decision: name and reason; the journal records both. */
export const Decision = v.object({ by: text('the name of the person who decides'), why: text('the reason') });
