/** The call with which staff check a receipt or slip by its code. */
import * as v from 'valibot';
import { RupiahSchema } from './money-schema.ts';
import { StaffCase } from './staff-cases.ts';

/**
 * Results of a check:
 * - `genuine`: printed by this kiosk, and its code is checked for the first time
 * - `shown`: printed by this kiosk, but its code was checked on the screen before
 * - `copy`: printed by this kiosk, but not the first receipt of its payment
 * - `given`: its money was already given to the customer
 * - `earlier`: older than the present journal, which does not show whether its money was given. A
 * QR code proves that this kiosk printed it; a typed code does not
 * - `unknown`: the journal contains no such printout
 * - `forged`: the code or a fact in it was changed
 * - `other_kiosk`: signed by another key, which this kiosk cannot check
 * - `mistyped`: a character of the code is missing or wrong
 */
export const VERDICTS = ['genuine', 'shown', 'copy', 'given', 'earlier', 'unknown', 'forged', 'other_kiosk', 'mistyped'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Maximum characters of a checked code or text. The texts of the kiosk's QR codes are shorter. */
export const LONGEST_CODE = 400;

/** POST /kiosk/staff/slip: a typed code or the text of a QR code. */
export const SlipCheckRequest = v.strictObject({ code: v.pipe(v.string(), v.maxLength(LONGEST_CODE)) });

/** The journal's facts about a printout; amounts in rupiah. */
export const CheckedPaper = v.object({
	kind: v.picklist(['receipt', 'copy', 'partial', 'collection', 'given']),
	/**
	 * The code to type, even if staff scanned the QR code; '' if the record number is too large for a
	 * code.
	 */
	code: v.string(),
	/** Number of the printout's record in the journal. */
	record: v.number(),
	/** The invoice number; '' for a cashbox slip. */
	noinvoice: v.string(),
	/** Time of the print by the kiosk's clock, ISO 8601. */
	printed: v.string(),
	/** The signed amount, if the QR code was read. The printout must show the same amount. */
	signed_amount: v.nullable(RupiahSchema),
	/**
	 * Present state of the invoice; null for a cashbox slip, or if the journal contains no money for
	 * the invoice.
	 */
	money: v.nullable(
		v.object({
			state: v.picklist(['open', 'partial', 'paid', 'paid_twice', 'dispute']),
			total: RupiahSchema,
			received: RupiahSchema,
		}),
	),
	/**
	 * The open case about the invoice's money; null if there is none, or for a slip of money given
	 * back.
	 */
	case: v.nullable(StaffCase),
	/**
	 * Money given to the customer since this printout; for a copy, since the original. `time`: ISO
	 * 8601.
	 */
	given: v.nullable(v.object({ amount: RupiahSchema, by: v.string(), time: v.string() })),
	/** Earlier checks on the screen. `last`: ISO 8601. */
	shown: v.nullable(v.object({ times: v.number(), last: v.string() })),
});
export type CheckedPaper = v.InferOutput<typeof CheckedPaper>;

/** The known facts about a printout of the previous journal; amounts in rupiah. */
export const EarlierPaper = v.object({
	/** When the present journal began, ISO 8601. */
	renewed: v.string(),
	/** Number of the record in the previous journal. */
	record: v.number(),
	/**
	 * The signed facts; null if the code was typed, because only the previous journal could verify a
	 * typed code.
	 */
	signed: v.nullable(v.object({ noinvoice: v.string(), amount: RupiahSchema, change: RupiahSchema, printed: v.string() })),
	/** Earlier checks on the screen, as in `CheckedPaper`. */
	shown: CheckedPaper.entries.shown,
});
export type EarlierPaper = v.InferOutput<typeof EarlierPaper>;

/** The result of a check. */
export const SlipVerdict = v.object({
	verdict: v.picklist(VERDICTS),
	/**
	 * Id of the signing key named in the code, or the beginning of that id; '' if the code names no
	 * key.
	 */
	kiosk: v.string(),
	/** The journal's facts about the printout; null if the journal does not contain it. */
	paper: v.nullable(CheckedPaper),
	/**
	 * The known facts about the printout of an earlier journal; null unless the verdict is
	 * `earlier`.
	 */
	earlier: v.nullable(EarlierPaper),
});
export type SlipVerdict = v.InferOutput<typeof SlipVerdict>;
