/** The health part about a back office that is connected but answers wrongly. */

import { expect, test } from 'vitest';
import { VirtualClock } from '../../../tests/support/virtual-clock.ts';
import type { CallBackOffice } from '../back-office/client.ts';
import { fail, ok } from '../base/result.ts';
import { backOffice } from './back-office-checks.ts';
import { watchOffice } from './back-office-watch.ts';
import { keepRemarks } from './observed-faults.ts';
import type { HealthDeps } from './report.ts';

const answer = (status: number) => ok({ status, contentType: '', setCookie: [], body: Buffer.alloc(0) });

/** @param answers called for each request in place of the back office */
function start(answers: CallBackOffice = async () => answer(200)) {
	const clock = new VirtualClock();
	const now = () => clock.wall().toISOString();
	const remarks = keepRemarks(now);
	const office = watchOffice({ call: answers, url: 'http://office', caFile: undefined, clock, now });
	const of = {
		token: { current: () => ({ refused: false }) },
		link: { isConnected: () => true },
		backOfficeUrl: 'http://office',
		unconfirmedSettings: () => [],
		office,
		remarks,
		clock,
	} as unknown as HealthDeps;
	const odd = (path: string) => remarks.heard({ id: 'back_office.odd_answer', fields: { call: 'invoice_info', path } });
	return { clock, office, odd, remarks, part: () => backOffice(of) };
}

test.each([
	['a total that cannot be read', 'warn', 'results.total: not an amount in rupiah'],
	['a list without a readable row', 'warn', 'results: no row can be read'],
	['a page in place of JSON', 'warn', 'the body is not JSON'],
	['an empty answer, which means that there is no invoice', 'ok', 'the body is empty'],
	['a sentence in place of an invoice', 'ok', 'results: Invalid key: Expected "results"'],
])('after %s, health shows the back office as %j, and as ok half an hour later', (_what, state, path) => {
	const { odd, part, clock } = start();
	odd(path);
	expect(part()).toMatchObject({ state, why: expect.stringContaining(state === 'ok' ? '' : path) });
	clock.advance(30 * 60_000);
	expect(part().state).toBe('ok');
});

test('after an answer that contradicts itself, health shows a warning for half an hour', () => {
	const { remarks, part, clock } = start();
	remarks.heard({
		id: 'back_office.contradiction',
		fields: { invoice: 'INV/7', reason: 'the back office lists Rp 137500 and says unpaid' },
	});
	expect(part()).toMatchObject({ state: 'warn', why: expect.stringMatching(/INV\/7.*lists Rp 137500 and says unpaid/) });
	clock.advance(30 * 60_000);
	expect(part().state).toBe('ok');
});

test('a call that is cancelled after a long wait counts as failed; a call that is cancelled early does not', async () => {
	const { clock, office, part } = start(async () => {
		clock.advance(waitMs);
		ending.abort();
		return fail({ code: 'unreachable', message: 'aborted' });
	});
	let waitMs = 1_000;
	let ending = new AbortController();
	const ask = () => office.call({ method: 'POST', path: '/', headers: {}, signal: ending.signal });
	await ask();
	expect(part().state).toBe('ok');
	waitMs = 10_000;
	ending = new AbortController();
	await ask();
	expect(part()).toMatchObject({ state: 'warn', why: expect.stringContaining('does not answer in time') });
});

test.each([
	[200, 'ok'],
	[302, 'warn'],
	[404, 'ok'],
	[500, 'warn'],
])('after the answer %i, health shows the back office as %j', async (status, state) => {
	const { office, part } = start(async () => answer(status));
	await office.call({ method: 'POST', path: '/', headers: {} });
	expect(part().state).toBe(state);
});
