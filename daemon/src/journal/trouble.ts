import type { Log } from '../log/log.ts';

/**
 * `disk_full`: the journal is sound and can be read. `journal_unhealthy`: it cannot be written or
 * trusted; the daemon tries to open it again unless it is damaged. `journal_newer`: it is sound,
 * but only a newer version can read it; this version does not change it.
 */
export type JournalError = {
	code: 'disk_full' | 'journal_unhealthy' | 'journal_newer';
	message: string;
	/** The disk failed while the record was written, so the record may be on disk. */
	mayBeWritten?: true;
};

/** @returns whether the journal is closed; a closed journal answers queries as if it were empty */
export const isClosed = (trouble: JournalError | null): boolean => trouble !== null && trouble.code !== 'disk_full';

/** @returns a sentence for the person whose decision was certainly or perhaps not recorded */
export const refusedRecordText = ({ message, mayBeWritten }: JournalError): string =>
	mayBeWritten
		? `the disk failed, so this may be recorded or not; check that before you repeat it: ${message}`
		: `nothing was done: ${message}`;

/** Logs the trouble of the journal. */
export function logTrouble(log: Log, { code, message }: JournalError): void {
	if (code === 'journal_newer') log.event('journal.newer', { message });
	else log.event('journal.unhealthy', { code, message });
}
