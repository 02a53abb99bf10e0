import * as v from 'valibot';
import { RupiahSchema } from './money-schema.ts';

/**
 * Payments held back because the changed server in the settings is not confirmed; null if there are
 * none.
 */
export const HeldMoney = v.nullable(v.object({ count: v.number(), total: RupiahSchema }));
export type HeldMoney = v.InferOutput<typeof HeldMoney>;
