import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { directory, journal, journalOfEachTest, take } from './journal.fixture.ts';
import { keyOf, paymentOf } from './payment.fixture.ts';
import { paymentFile, paymentsOf } from './payment-file.ts';
import { readStore } from './store.ts';

journalOfEachTest();

/** @returns the export of this invoice */
function exported(invoice: string) {
	const opened = readStore(directory);
	if (!opened.ok) return expect.fail(opened.error.message);
	const store = opened.value;
	try {
		return paymentFile(store, paymentsOf(store, { invoice }));
	} finally {
		store.close();
	}
}

test('a moved note appears in the records of both invoices’ exports, but counts only for the new invoice', () => {
	const note_id = take(50_000, 1);
	journal.append({ kind: 'note_parked', park_id: randomUUID(), note_id, reason: 'the back office answered 409' });
	const moved = { note_id, from: keyOf(1), payment: paymentOf(2), by: 'Sari', why: 'merged' };
	journal.append({ kind: 'note_moved', move_id: randomUUID(), ...moved });
	journal.append({ kind: 'note_uploaded', note_id });
	const history = ['cash_intent', 'cash_credit', 'note_parked', 'note_moved', 'note_uploaded'];
	const [before, now] = [exported('INV/1'), exported('INV/2')];
	expect([before.records.map(({ kind }) => kind), before.notes]).toEqual([history, []]);
	expect([now.records.map(({ kind }) => kind), now.notes.map((note) => note.note_id)]).toEqual([history, [note_id]]);
});
