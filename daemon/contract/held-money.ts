import * as v from 'valibot';
import { RupiahSchema } from './money-schema.ts';

/**
 * Unsent payments while the changed server in the settings is not confirmed; null if the server is
 * confirmed.
 */
export const HeldMoney = v.nullable(v.object({ count: v.number(), total: RupiahSchema }));
export type HeldMoney = v.InferOutput<typeof HeldMoney>;
