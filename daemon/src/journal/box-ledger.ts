import type { JournalRecord } from './records.ts';
import type { Run } from './rows.ts';

type BoxRecord = Extract<JournalRecord, { kind: 'cashbox_collected' | 'cashbox_removed' | 'cashbox_returned' }>;

/** Applies a cashbox record to the table of removals, their returns and their counts. */
export function applyBoxRecord(record: BoxRecord, seq: number, run: Run, exactlyOne: (changes: number) => void): void {
	switch (record.kind) {
		case 'cashbox_removed':
			return exactlyOne(run('INSERT INTO box_removals (removal_id, seq, time) VALUES (?, ?, ?)', record.removal_id, seq, record.time));
		case 'cashbox_returned':
			return exactlyOne(
				run('UPDATE box_removals SET returned = ? WHERE removal_id = ? AND returned IS NULL', record.time, record.removal_id),
			);
		case 'cashbox_collected': {
			// The count includes earlier uncounted removals, because their notes may have stayed in the
			// box.
			const counted = `UPDATE box_removals SET collected_seq = ? WHERE collected_seq IS NULL`;
			if (record.removal === undefined) return void run(counted, seq);
			return exactlyOne(Math.min(1, run(`${counted} AND seq <= (SELECT seq FROM box_removals WHERE removal_id = ?)`, seq, record.removal)));
		}
		default:
			return record satisfies never;
	}
}
