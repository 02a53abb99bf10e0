/** Removals and returns of the cashbox after a start with an unreadable journal. */
import { type AcceptorReport, WITH_BOX } from '../acceptor/driver.ts';
import type { JournalRecord } from '../journal/records.ts';

/**
 * Keeps the acceptor's reports about its cashbox while the journal has been unreadable since the
 * start. The journal may already contain a removal that is reported now.
 */
export class BlindStart {
	/** When the acceptor first showed that its cashbox is in place, ISO 8601. */
	#boxSeenAt: string | null = null;
	/**
	 * Id of the removal that was reported before any cashbox was seen in place. The cashbox may have
	 * been out before the start.
	 */
	#unsureRemoval: string | null = null;

	/** @param time of the report, ISO 8601 */
	onReport(report: AcceptorReport, time: string): void {
		const showsBox = report.kind === 'cashbox_in_place' || (report.kind === 'state' && WITH_BOX.has(report.state));
		if (showsBox) this.#boxSeenAt ??= time;
	}

	/** Called before the record of a removal is written. */
	onRemoval(removal_id: string): void {
		if (this.#boxSeenAt === null) this.#unsureRemoval = removal_id;
	}

	/**
	 * Compares the journal's removal with the reports, so that a removal is neither recorded twice
	 * nor left without its return.
	 * @param known id of the removal that has no return in the journal
	 * @param boxOut id of the removal that has no return in the cash state, or null
	 * @param unwritten records that wait for the journal
	 * @returns `boxOut` and `unwritten`, corrected; `returnedAt`: when the known removal ended, if
	 * its return was added to the records, ISO 8601
	 */
	compare(known: string, boxOut: string | null, unwritten: readonly JournalRecord[]) {
		const isOwn = unwritten.some((record) => record.kind === 'cashbox_removed' && record.removal_id === known);
		// A removal of this run can be on disk although its write failed.
		if (isOwn || known === boxOut) return { boxOut, unwritten, returnedAt: null };
		const repeated = this.#unsureRemoval;
		if (repeated !== null)
			return { boxOut: boxOut === repeated ? known : boxOut, unwritten: withoutRepeated(unwritten, repeated, known), returnedAt: null };
		const time = this.#boxSeenAt;
		if (time === null) return { boxOut: known, unwritten, returnedAt: null };
		const cameBack: JournalRecord = { kind: 'cashbox_returned', removal_id: known, time };
		return { boxOut, unwritten: [cameBack, ...unwritten], returnedAt: time };
	}
}

/**
 * Drops the second record of a removal. The return that was recorded for it becomes the return of
 * the known removal.
 */
function withoutRepeated(unwritten: readonly JournalRecord[], repeated: string, known: string): JournalRecord[] {
	return unwritten
		.filter((record) => record.kind !== 'cashbox_removed' || record.removal_id !== repeated)
		.map((record) => (record.kind === 'cashbox_returned' && record.removal_id === repeated ? { ...record, removal_id: known } : record));
}
