/** Open cases on the staff screen. */
import * as v from 'valibot';
import { RupiahSchema } from './money-schema.ts';
import { StaffName } from './staff-names.ts';

/** Kinds of open cases, and the decisions that staff can make about them on the screen. */
export const DECISIONS = {
	/** A note in doubt. */
	note: ['in_box', 'returned', 'not_ours'],
	/** A card sale with an unknown outcome. */
	sale: ['charged', 'not_charged'],
	/** Change: the cash for an invoice exceeds its total. */
	change: ['given'],
	/** An invoice whose customer left after a partial payment. */
	partial: ['rest_elsewhere', 'given'],
	/** An invoice whose payments by more than one method exceed its total. */
	twice: ['given'],
	/** A card charge for an invoice that was already paid. Staff must void it at the terminal. */
	charged_twice: [],
	/**
	 * The records of kiosk and back office about an invoice contradict each other. A technician
	 * compares them.
	 */
	dispute: [],
	/** A banknote whose report the back office refused. A technician decides. */
	parked: [],
	/** Cash is off until staff have inspected the acceptor. */
	lock: ['unlocked'],
	/** A slip of money given back or of a count of the cashbox did not print. */
	slip: ['print'],
} as const;
export type CaseKind = keyof typeof DECISIONS;
/**
 * A cashier may decide only about change, which is certainly owed, and slips, which move no money.
 */
export const needsSupervisor = (kind: CaseKind): boolean => kind !== 'change' && kind !== 'slip';
/**
 * @param amount rupiah in question
 * @param limit maximum rupiah about which one person may decide alone
 */
export const needsTwoNames = (kind: CaseKind, amount: number, limit: number): boolean =>
	kind !== 'slip' && kind !== 'lock' && amount > limit;
export const CASE_KINDS = Object.keys(DECISIONS) as CaseKind[];

export const StaffCase = v.object({
	kind: v.picklist(CASE_KINDS),
	id: v.string(),
	noinvoice: v.string(),
	/** ISO 8601; '' if it is not known. */
	time: v.string(),
	/** Rupiah; null for a note of unknown value and for a lock. */
	amount: v.nullable(RupiahSchema),
	/** The device's report as a sentence for staff; '' if there is none. */
	heard: v.string(),
});
export type StaffCase = v.InferOutput<typeof StaffCase>;

/**
 * GET /kiosk/staff/cases.
 * @property two_names_above rupiah above which a decision needs a second name
 */
export const StaffCases = v.object({ cases: v.array(StaffCase), two_names_above: RupiahSchema, nominals: v.array(RupiahSchema) });
export type StaffCases = v.InferOutput<typeof StaffCases>;

/** POST /kiosk/staff/cases: a decision, answered with the remaining cases. */
export const StaffDecision = v.strictObject({
	kind: v.picklist(CASE_KINDS),
	id: v.pipe(v.string(), v.maxLength(1_000)),
	decision: v.picklist([...DECISIONS.note, ...DECISIONS.sale, ...DECISIONS.partial, ...DECISIONS.slip, ...DECISIONS.lock]),
	/** The displayed amount. A decision about an outdated amount is refused. */
	amount: StaffCase.entries.amount,
	/** Value that staff enter for a note of unknown value; else null. */
	nominal: v.nullable(RupiahSchema),
	/** Approval code on the terminal's slip of a charged sale, if staff have it. */
	approval: v.optional(v.pipe(v.string(), v.regex(/^[0-9A-Z]{6}$/, '6 letters or digits'))),
	by: StaffName,
	/** The second person; null if the decision needs none. */
	second: v.nullable(StaffName),
});
export type StaffDecision = v.InferOutput<typeof StaffDecision>;
