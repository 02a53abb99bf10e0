import { randomUUID } from 'node:crypto';
import { openStore } from '../../daemon/src/journal/store.ts';

/** Adds receipts that were asked for and printed to a journal that nobody has open; two records each. */
export function addPrints(directory: string, receipts: number): void {
	const opened = openStore(directory);
	if (!opened.ok) throw new Error(opened.error.message);
	const store = opened.value;
	for (let receipt = 0; receipt < receipts; receipt += 1) {
		const print_id = randomUUID();
		store.append({ kind: 'print_requested', print_id, payment_id: '0', purpose: 'receipt' }, new Date());
		store.append({ kind: 'print_ended', print_id, state: 'done', reason: '' }, new Date());
	}
	store.close();
}
