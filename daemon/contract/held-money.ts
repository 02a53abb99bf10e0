import * as v from 'valibot';
import { RupiahSchema } from './money-schema.ts';

/**
 * Payments that the kiosk does not send until a person confirms the changed server in the settings;
 * null if the server is confirmed.
 */
export const HeldMoney = v.nullable(v.object({ count: v.number(), total: RupiahSchema }));
export type HeldMoney = v.InferOutput<typeof HeldMoney>;
