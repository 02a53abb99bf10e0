/** The contents of the staff home. */
import * as v from 'valibot';
import { RupiahSchema } from './money-schema.ts';
import { StaffCall } from './staff-call.ts';
import { CASE_KINDS, type CaseKind } from './staff-cases.ts';

/** Payments of one kind today. */
const Sales = v.object({ count: v.number(), total: RupiahSchema });

const Today = v.object({ paid: v.number(), notes: v.number(), card: Sales, qris: Sales });
export type Today = v.InferOutput<typeof Today>;

const Cases = v.partial(
	v.object(Object.fromEntries(CASE_KINDS.map((kind) => [kind, v.number()])) as Record<CaseKind, v.NumberSchema<undefined>>),
);
export type CaseCounts = v.InferOutput<typeof Cases>;

/** Parts of the kiosk on the staff home, in this order. */
export const STAFF_PARTS = ['cash', 'card', 'printer', 'back office', 'outbox', 'clock', 'disk', 'staff'] as const;

/** GET /kiosk/staff/home, for a page with a staff session. */
export const StaffHome = v.object({
	version: v.string(),
	/**
	 * The customer's last call, for ten minutes after staff answered it; null if there is none. This
	 * request counts as staff's answer to an open call.
	 */
	call: v.nullable(StaffCall),
	/**
	 * Payments since midnight in the site's time zone. Cash has no amount, because staff must count
	 * the cashbox without knowing the expected amount. Null while the journal cannot be read.
	 */
	today: v.nullable(Today),
	/**
	 * Number of open cases of each kind; kinds without a case are omitted. Null while the journal
	 * cannot be read.
	 */
	cases: v.nullable(Cases),
	parts: v.array(v.object({ part: v.picklist(STAFF_PARTS), state: v.picklist(['ok', 'off', 'unknown', 'warn', 'fail']) })),
});
export type StaffHome = v.InferOutput<typeof StaffHome>;
