import { randomUUID } from 'node:crypto';
import { readSeal } from '../../../daemon/src/journal/seal.ts';
import { openStore } from '../../../daemon/src/journal/store.ts';

/**
 * Adds printed receipts, two records each, to a closed journal, and seals the records with the
 * journal's key.
 */
export function addPrints(directory: string, keyFile: string, receipts: number): void {
	const found = readSeal(keyFile);
	if (found.state !== 'found') throw new Error(found.why);
	const opened = openStore(directory, false, found.seal);
	if (!opened.ok) throw new Error(opened.error.message);
	const store = opened.value;
	for (let receipt = 0; receipt < receipts; receipt += 1) {
		const print_id = randomUUID();
		store.append({ kind: 'print_requested', print_id, payment_id: '0', purpose: 'receipt' }, new Date());
		store.append({ kind: 'print_ended', print_id, state: 'done', reason: '' }, new Date());
	}
	store.close();
}
