/** HTTP calls with which the staff screen counts the cashbox. */
import * as v from 'valibot';
import { RupiahSchema } from './money-schema.ts';
import { StaffName } from './staff-names.ts';

const Count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000));
export const CountedNote = v.object({ nominal: RupiahSchema, count: Count });
export type CountedNote = v.InferOutput<typeof CountedNote>;

/**
 * GET /kiosk/staff/box, and the answer to each count. `result` contains the expected amount. It is
 * null before the first count, because staff must not know that amount while they count.
 */
export const BoxState = v.object({
	/**
	 * Values of the notes that the acceptor may take or that are in the box, rupiah, largest first.
	 */
	nominals: v.array(RupiahSchema),
	/** When the box was removed, ISO 8601; null while it is in the acceptor. */
	removed: v.nullable(v.string()),
	/** Start of the cashbox period, ISO 8601; null for the first period. */
	since: v.nullable(v.string()),
	/**
	 * Set in the first period of a journal that replaced another journal: the box may contain notes
	 * that are missing in this journal. `time`: start of the journal, ISO 8601. `dropped`: name of
	 * the person whose unsaved count was dropped, or null.
	 */
	renewed: v.nullable(v.object({ time: v.string(), dropped: v.nullable(v.string()) })),
	result: v.nullable(
		v.object({
			by: v.string(),
			/**
			 * Number of the counted period; if the count covers several periods, the number of the last
			 * one.
			 */
			period: v.number(),
			/** Number of counts since the last save. */
			times: v.number(),
			notes: v.array(v.object({ nominal: RupiahSchema, expected: v.number(), counted: v.number() })),
			/**
			 * The sum of the expected notes at the time of this count. A later note appears only in the
			 * next count.
			 */
			expected: RupiahSchema,
			counted: RupiahSchema,
			/**
			 * Number of notes in doubt or unexplained. They may be in the box in addition to the expected
			 * notes.
			 */
			in_doubt: v.number(),
			/** Whether the expected amount has changed since this count. Staff must then count again. */
			outdated: v.boolean(),
		}),
	),
});
export type BoxState = v.InferOutput<typeof BoxState>;

/** POST /kiosk/staff/box/count: one count. The journal contains a count only after it is saved. */
export const BoxCountRequest = v.strictObject({ by: StaffName, notes: v.pipe(v.array(CountedNote), v.maxLength(20)) });
/**
 * POST /kiosk/staff/box/save: writes the last count to the journal and begins a new period. The
 * request repeats `period`, `expected` and `counted` of the displayed result. The save is refused
 * if the last count is another one, for example from another page.
 */
export const BoxSaveRequest = v.strictObject({ by: StaffName, period: v.number(), expected: RupiahSchema, counted: RupiahSchema });
export type BoxSaveRequest = v.InferOutput<typeof BoxSaveRequest>;
export const BoxSaved = v.object({ period: v.number(), prints: v.boolean() });
