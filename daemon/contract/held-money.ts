import * as v from 'valibot';
import { RupiahSchema } from './money-schema.ts';

/**
 * Payments that are not sent, because the server in the settings has changed and is not confirmed;
 * null if nothing is held.
 */
export const HeldMoney = v.nullable(v.object({ count: v.number(), total: RupiahSchema }));
export type HeldMoney = v.InferOutput<typeof HeldMoney>;
