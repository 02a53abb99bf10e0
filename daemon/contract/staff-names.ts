/** Names of the outlet's staff. Each staff action on the screen needs a name. */
import * as v from 'valibot';

/**
 * With two names that look alike, one person could act as two. Names therefore contain only Latin
 * letters and printable ASCII, in one normal form.
 */
export const StaffName = v.pipe(
	v.string(),
	v.transform((name) => name.normalize('NFKC').trim().replace(/ +/g, ' ')),
	v.minLength(2),
	v.maxLength(40),
	v.regex(/^[\p{Script=Latin}\x20-\x7e]+$/u, 'Latin letters'),
);
export const STAFF_CODE_DIGITS = 6;
/** Personal code, which proves the name if `[staff] personal_codes` is set. */
const StaffCode = v.pipe(v.string(), v.regex(new RegExp(`^\\d{${STAFF_CODE_DIGITS}}$`), `${STAFF_CODE_DIGITS} digits`));

/**
 * Roles of staff. A cashier counts the box, gives change and prints missing slips. A supervisor
 * also settles all other cases and manages the names.
 */
export const STAFF_ROLES = ['cashier', 'supervisor'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/**
 * `code`: whether the name has a personal code; `lost`: it had a code, but the kiosk lost the hash.
 */
export const StaffPerson = v.object({
	name: StaffName,
	role: v.picklist(STAFF_ROLES),
	code: v.picklist(['none', 'set', 'lost']),
});
export type StaffPerson = v.InferOutput<typeof StaffPerson>;

/**
 * GET /kiosk/staff/names, and the answer to each change.
 * @property needs_codes whether each name must be proved by its personal code
 * @property needs_supervisor whether a supervisor must approve changes; false while no supervisor
 * can act yet
 * @property lost the kind of data that the kiosk has lost and a technician must restore; null if
 * none. `names`: the list of names that an earlier version kept in a file. `codes`: personal codes
 * that the settings require
 */
export const StaffNames = v.object({
	people: v.array(StaffPerson),
	needs_codes: v.boolean(),
	needs_supervisor: v.boolean(),
	lost: v.nullable(v.picklist(['names', 'codes'])),
});
export type StaffNames = v.InferOutput<typeof StaffNames>;

const APPROVAL = { name: StaffName, by: v.nullable(StaffName) };
/**
 * POST /kiosk/staff/names. `by`: the approving supervisor; null if none is needed. `retire` removes
 * the name from the names that staff can choose; the journal keeps it.
 */
export const StaffNameRequest = v.variant('action', [
	v.strictObject({ action: v.literal('add'), ...APPROVAL, role: v.picklist(STAFF_ROLES), code: v.nullable(StaffCode) }),
	v.strictObject({ action: v.literal('set_code'), ...APPROVAL, code: StaffCode }),
	v.strictObject({ action: v.literal('retire'), ...APPROVAL }),
]);
export type StaffNameRequest = v.InferOutput<typeof StaffNameRequest>;

/**
 * POST /kiosk/staff/proof: proves this name by its personal code. If the code is right, the page
 * may act in this name.
 */
export const StaffProof = v.strictObject({ name: StaffName, code: StaffCode });
export type StaffProof = v.InferOutput<typeof StaffProof>;
