import type { Rupiah } from '@kiosk/contract/money';
import { fail, ok, type Result } from '../base/result.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalRecord } from '../journal/records.ts';
import { refusedRecordText } from '../journal/trouble.ts';
import type { Log } from '../log/log.ts';
import type { Slips } from '../printer/slips.ts';

type Collected = Extract<JournalRecord, { kind: 'cashbox_collected' }>;

export interface CollectDeps {
	cash: Pick<CashDesk, 'isOpen' | 'writeWaiting'>;
	journal: Pick<Journal, 'append' | 'cashbox'>;
	slips: Pick<Slips, 'collected' | 'hasPrinter'>;
	/** Reports the journal's newest record to the owner. */
	tellAnchor: () => void;
	/** @returns a fresh UUID */
	newId: () => string;
	/** @returns the present time, ISO 8601 with the site's offset */
	now: () => string;
	log: Log;
}

/**
 * `no_such_period`: the period does not exist or is already counted. `busy`: a customer is paying
 * in cash. `changed`: notes have come in meanwhile.
 */
export type NotCollected = { code: 'no_such_period' | 'busy' | 'changed' | 'not_written'; message: string };

/**
 * Records that the cashbox was emptied or counted, reports the newest record to the owner, and
 * prints the slip for the money.
 * @param asked.expected rupiah shown to the person. If notes came in meanwhile, the record is
 * refused.
 * @param asked.counted rupiah that the person counted; null if the money was not counted
 * @param asked.through number of the last period; for null see `CashBook.due`
 * @param asked.counts every count of the staff screen, oldest first
 */
export function collectCashbox(
	{ cash, journal, slips, tellAnchor, newId, now, log }: CollectDeps,
	asked: { by: string; expected: Rupiah; counted: Rupiah | null; through: number | null; counts?: Collected['counts'] },
): Result<{ period: number; prints: boolean }, NotCollected> {
	const { by, counted, through, counts } = asked;
	// Otherwise a stacked note would count for the next cashbox period.
	if (!cash.writeWaiting())
		return fail({ code: 'not_written', message: 'Not now: reports of the acceptor wait for the disk. Try again in a minute.' });
	const period = journal.cashbox.due(through);
	if (!period)
		return fail({ code: 'no_such_period', message: `period ${through} cannot be counted: there is none, or it has been counted` });
	const { notes, expected, removed } = period;
	if (!removed && cash.isOpen()) return fail({ code: 'busy', message: 'Not now: a customer is paying in cash.' });
	if (expected !== asked.expected) return fail({ code: 'changed', message: 'Notes came in meanwhile. Check the report again.' });
	const written = journal.append({
		kind: 'cashbox_collected',
		collection_id: newId(),
		by,
		expected,
		notes,
		counted,
		time: now(),
		...(counts && { counts }),
		...(removed && { removal: removed.removal_id }),
	});
	if (!written.ok) return fail({ code: 'not_written', message: refusedRecordText(written.error) });
	log.event('cash.collected', { period: period.number, expected, difference: counted === null ? null : counted - expected });
	tellAnchor();
	const count = journal.cashbox.lastCount();
	if (count) slips.collected(count);
	return ok({ period: period.number, prints: slips.hasPrinter() });
}
