/** The staff names, which health and the staff screen need. */
import { randomUUID } from 'node:crypto';
import type { DaemonJournal } from './daemon-journal.ts';
import type { DaemonLog } from './daemon-log.ts';
import type { Start } from './daemon-settings.ts';
import { openStaffNames } from './staff/staff-names.ts';

export type DaemonNames = ReturnType<typeof openNames>;

/** Opens the staff names. */
export function openNames({ settings, journal, log, now }: Start & DaemonLog & DaemonJournal) {
	const { personal_codes } = settings.staff;
	return {
		staffNames: openStaffNames({
			journal,
			directory: settings.state_directory,
			needsCodes: personal_codes,
			newId: randomUUID,
			now,
			log,
		}),
	};
}
