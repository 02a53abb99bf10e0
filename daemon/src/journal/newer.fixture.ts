import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readSeal } from './seal.ts';
import { JOURNAL_FILE } from './store.ts';

/**
 * Changes a closed journal as if a later version had written to it: raises its format and appends a
 * chained and sealed record of a kind that this version does not know.
 */
export function becomeNewer(directory: string, keyFile: string, carried: { written: number; readableFrom: number }): void {
	const db = new DatabaseSync(join(directory, JOURNAL_FILE));
	const last = db.prepare('SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1').get() as { seq: number; hash: Uint8Array };
	const note_id = randomUUID();
	const row = [last.seq + 1, Date.UTC(2026, 10, 21), 'note_folded', note_id, JSON.stringify({ kind: 'note_folded', note_id })] as const;
	const hash = createHash('sha256').update(last.hash).update(JSON.stringify(row)).digest();
	const found = readSeal(keyFile);
	const seal = found.state === 'found' ? found.seal.of(hash) : null;
	db.prepare('INSERT INTO records (seq, at, kind, subject, body, hash, seal) VALUES (?, ?, ?, ?, ?, ?, ?)').run(...row, hash, seal);
	db.prepare('UPDATE format SET written_format = ?, readable_from = ?').run(carried.written, carried.readableFrom);
	db.close();
}
