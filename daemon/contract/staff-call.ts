/** The customer's button "Panggil staf". */
import * as v from 'valibot';
import { IdSchema } from './back-office.ts';
import { CALLING_SCREENS } from './calling-screens.ts';

/** POST /kiosk/call-staff: the screen with the button, and the displayed invoice, if any. */
export const StaffCallRequest = v.strictObject({
	screen: v.picklist(CALLING_SCREENS),
	id: v.optional(v.nullable(IdSchema), null),
});

/** `since`: start of the open call, ISO 8601 with offset. Another press does not change it. */
export const StaffCallAnswer = v.object({ since: v.string() });

/** A call as shown to staff. `invoice`: '' if no invoice was displayed. */
export const StaffCall = v.object({ since: v.string(), screen: v.picklist(CALLING_SCREENS), invoice: v.string() });
export type StaffCall = v.InferOutput<typeof StaffCall>;
