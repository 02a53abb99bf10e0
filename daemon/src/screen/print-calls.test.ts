import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { fail, ok } from '../base/result.ts';
import { printLimit } from '../printer/print-limit.ts';
import { printCalls } from './print-calls.ts';

const clock: Clock = { now: () => 0, wall: () => new Date(), after: () => () => {} };
const calls = (receipts: object, desk: object | null) =>
	printCalls({
		receipts: receipts as never,
		desk: desk as never,
		sample: vi.fn(),
		account: vi.fn(),
		page: vi.fn(),
		limit: printLimit(6, clock),
		isRestarting: () => false,
		isStaff: () => true,
		link: '',
		log: { event: vi.fn() },
	});

/** @returns status and body of the answer */
async function asked(handler: ReturnType<typeof calls>, wish: object): Promise<[number, unknown]> {
	const request = Object.assign(Readable.from([Buffer.from(JSON.stringify(wish))]), { method: 'POST' });
	const answer: [number, unknown] = [0, null];
	const response = {
		writeHead: (status: number) => {
			answer[0] = status;
		},
		setHeader: () => {},
		end: (text: string) => {
			answer[1] = JSON.parse(text);
		},
	};
	await handler(request as unknown as IncomingMessage, response as unknown as ServerResponse, '/kiosk/print');
	return answer;
}

test('the limit of prints also limits the look-ups that a page can cause', async () => {
	const freshen = vi.fn(async () => {});
	const handler = calls({ freshen, ofInvoice: () => fail({ code: 'not_paid', reason: 'unpaid' }) }, null);
	const statuses: number[] = [];
	for (let times = 0; times < 10; times += 1) statuses.push((await asked(handler, { id: 1 }))[0]);
	expect(freshen).toHaveBeenCalledTimes(6);
	expect(statuses).toEqual([409, 409, 409, 409, 409, 409, 429, 429, 429, 429]);
});

test.each(['invoice', 'list'])('two taps while the %s is looked up cause only one print', async (of) => {
	const made = ok({ of: { id: 1, key: 'key' }, receipt: {} });
	let printing: { print_id: string; copy: boolean; code: null } | null = null;
	const print = vi.fn(() => {
		printing = { print_id: 'one', copy: false, code: null };
		return printing;
	});
	const receipts = {
		freshen: async () => new Promise((resolve) => void setImmediate(resolve)),
		ofInvoice: () => made,
		ofRow: async () => new Promise((resolve) => void setImmediate(() => resolve(made))),
		keyOfRow: () => 'key',
	};
	const handler = calls(receipts, { print, printing: () => printing });
	const answers = await Promise.all([asked(handler, { id: 1, of }), asked(handler, { id: 1, of })]);
	expect(answers).toEqual([
		[202, { print_id: 'one', copy: false, take: null }],
		[202, { print_id: 'one', copy: false, take: null }],
	]);
	expect(print).toHaveBeenCalledOnce();
});
