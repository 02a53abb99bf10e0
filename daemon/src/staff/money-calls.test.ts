import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { journal, journalOfEachTest } from '../journal/journal.fixture.ts';
import { ACCOUNT, keyOf, saidPaid } from '../journal/payment.fixture.ts';
import type { JournalRecord } from '../journal/records.ts';
import { moneyCalls } from './money-calls.ts';

journalOfEachTest();

/** @returns the status of the answer */
async function post(wish: object): Promise<number> {
	const calls = moneyCalls({
		journal,
		cash: { isPayingInvoice: () => false },
		token: { current: () => ({ account: ACCOUNT }) },
		invoices: { balanceOf: (key: ReturnType<typeof keyOf>) => journal.money.balanceOf(key) },
		newId: randomUUID,
		log: { event: () => {} },
	} as unknown as Parameters<typeof moneyCalls>[0]);
	let status = 0;
	const response = {
		writeHead(code: number) {
			status = code;
			return response;
		},
		setHeader: () => {},
		on: () => {},
		end: () => {},
	};
	const request = Object.assign(Readable.from([Buffer.from(JSON.stringify(wish))]), { method: 'POST', headers: {} });
	await calls(request as unknown as IncomingMessage, response as unknown as ServerResponse, '/money');
	return status;
}

test('a review is refused if the reason of the dispute has changed since the person saw it', async () => {
	journal.append(saidPaid(7));
	journal.append({ ...saidPaid(7), seen_id: randomUUID(), is_paid: false } as JournalRecord);
	const { why } = journal.money.balanceOf(keyOf(7));
	const review = { action: 'review', invoice: 'INV/7', due: rupiah(137_500), by: 'Sari', why: 'compared' };
	expect(await post({ ...review, dispute: 'Rp 137500 more was given back than this kiosk received' })).toBe(409);
	expect(journal.money.balanceOf(keyOf(7)).state).toBe('dispute');
	expect(await post({ ...review, dispute: why })).toBe(200);
	expect(journal.money.balanceOf(keyOf(7)).state).toBe('open');
});
