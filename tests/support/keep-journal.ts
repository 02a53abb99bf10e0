import { cpSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * If the environment variable `KIOSK_KEEP_JOURNALS` names a folder, copies a kiosk's journal, its
 * head and its key there. Continuous integration opens these journals with the previous release.
 * @param kiosk folder of a stopped kiosk
 */
export function keepJournal(kiosk: string): void {
	const folder = process.env.KIOSK_KEEP_JOURNALS;
	if (folder === undefined || !existsSync(join(kiosk, 'journal', 'journal.sqlite'))) return;
	const kept = mkdtempSync(join(folder, 'kiosk-'));
	for (const place of ['', 'state', 'journal']) {
		if (!existsSync(join(kiosk, place))) continue;
		for (const name of readdirSync(join(kiosk, place)))
			if (/^journal\.(sqlite(-wal)?|head|key)$/.test(name)) cpSync(join(kiosk, place, name), join(kept, place, name));
	}
}
