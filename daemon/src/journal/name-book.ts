import * as v from 'valibot';
import { ListedPerson, NAME_ACTIONS } from './records.ts';
import type { Rows } from './rows.ts';

const ListRow = v.object({ people: v.pipe(v.string(), v.parseJson(), v.array(ListedPerson)) });

const ChangeRow = v.object({
	record: v.number(),
	action: v.picklist(NAME_ACTIONS),
	staff_name: v.nullable(v.string()),
	by: v.nullable(v.string()),
	time: v.string(),
	before: v.nullable(v.pipe(v.string(), v.parseJson(), v.object({ seq: v.number(), is_last: v.boolean() }))),
});
/**
 * A change of the list of staff names, as recorded. `time`: ISO 8601. `before`, for a list taken
 * over from the previous journal: the record of that journal that contains the list; `is_last`: no
 * later change of the list in that journal can be missing.
 */
export type NameChange = v.InferOutput<typeof ChangeRow>;

/** The names of the outlet's staff. */
export interface NameBook {
	/** The list of the newest change; null: the journal has no change, or is closed. */
	people(): readonly ListedPerson[] | null;
	/** @param most maximum number of changes @returns the newest changes, oldest first */
	changes(most: number): NameChange[];
}

const NAMES = `FROM records INDEXED BY records_names WHERE kind = 'staff_names_changed' ORDER BY seq DESC LIMIT`;

export const nameBook = (rows: Rows): NameBook => ({
	people: () => rows(ListRow, `SELECT body ->> 'people' AS people ${NAMES} 1`)[0]?.people ?? null,
	changes: (most) =>
		rows(
			ChangeRow,
			`SELECT seq AS record, body ->> 'action' AS action, body ->> 'staff_name' AS staff_name, body ->> 'by' AS by,
			body ->> 'time' AS time, body -> 'before' AS before ${NAMES} ?`,
			most,
		).reverse(),
});
