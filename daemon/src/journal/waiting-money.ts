import { RupiahSchema } from '@kiosk/contract/money-schema';
import * as v from 'valibot';
import { WAITING_APPROVALS } from './card-book.ts';
import { ACCOUNT_OF_KEY } from './note-book.ts';
import type { Rows } from './rows.ts';

const WaitingMoney = v.object({ account: ACCOUNT_OF_KEY, notes: v.number(), cards: v.number(), total: RupiahSchema });
/** Money of one account that is still to be sent: number of notes and card sales, and rupiah. */
export type WaitingMoney = v.InferOutput<typeof WaitingMoney>;

const WAITING = `SELECT account, sum(notes) AS notes, sum(cards) AS cards, sum(total) AS total FROM (
		SELECT account, count AS notes, 0 AS cards, total FROM waiting WHERE count > 0 AND account <> ''
		UNION ALL SELECT account, 0, 1, amount FROM card_sales WHERE ${WAITING_APPROVALS} AND account IS NOT NULL
	) GROUP BY account ORDER BY account`;

/** @returns the waiting money of every account */
export const waitingMoney = (rows: Rows): WaitingMoney[] => rows(WaitingMoney, WAITING);
