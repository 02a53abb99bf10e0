/** The staff screen's rehearsals of hardware faults. All sentences are Indonesian. */
import * as v from 'valibot';

export const REHEARSAL_VERDICTS = ['passed', 'failed', 'missed'] as const;
export type RehearsalVerdict = (typeof REHEARSAL_VERDICTS)[number];

/**
 * A rehearsal in the list. `possible`: whether its device is in the settings. `last`: the result in
 * its newest file.
 */
export const ListedRehearsal = v.object({
	name: v.string(),
	title: v.string(),
	possible: v.boolean(),
	last: v.nullable(
		v.object({ file: v.string(), ended: v.string(), by: v.string(), verdict: v.picklist(REHEARSAL_VERDICTS), text: v.string() }),
	),
});
export type ListedRehearsal = v.InferOutput<typeof ListedRehearsal>;

/**
 * The running rehearsal. `step`: number of the present step, from 1. `ask`: which number the
 * present step asks for, an amount in rupiah or a count. `judging`: whether all steps are done, and
 * the verdict waits for the outcome of every note and sale.
 */
export const RunningRehearsal = v.object({
	name: v.string(),
	title: v.string(),
	by: v.string(),
	step: v.number(),
	says: v.array(v.string()),
	ask: v.nullable(v.picklist(['inserted', 'in_hand', 'in_box', 'charges', 'sheets'])),
	judging: v.boolean(),
});
export type RunningRehearsal = v.InferOutput<typeof RunningRehearsal>;

export const EndedRehearsal = v.object({
	name: v.string(),
	title: v.string(),
	file: v.string(),
	verdict: v.picklist(REHEARSAL_VERDICTS),
	text: v.string(),
	remedy: v.string(),
});
export type EndedRehearsal = v.InferOutput<typeof EndedRehearsal>;

/** Answer to GET and POST /kiosk/staff/rehearsal and to the same requests on the staff socket. */
export const RehearsalLook = v.object({
	running: v.nullable(RunningRehearsal),
	/** The last rehearsal that ended since the daemon started. */
	ended: v.nullable(EndedRehearsal),
	list: v.array(ListedRehearsal),
});
export type RehearsalLook = v.InferOutput<typeof RehearsalLook>;

/** Maximum number in an answer (rupiah or a count); no technician inserts so much money. */
const LARGEST_ANSWER = 10_000_000;

/** Body of POST /kiosk/staff/rehearsal, and of the same request on the staff socket. */
export const RehearsalWish = v.variant('action', [
	v.object({
		action: v.literal('begin'),
		name: v.string(),
		by: v.pipe(v.string(), v.trim(), v.nonEmpty('the name of the technician'), v.maxLength(60)),
	}),
	v.object({ action: v.literal('answer'), value: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(LARGEST_ANSWER)) }),
	v.object({ action: v.literal('stop') }),
]);
export type RehearsalWish = v.InferOutput<typeof RehearsalWish>;
