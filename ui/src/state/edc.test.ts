import type { SalePhase } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { socketClosed } from './connection.ts';
import {
	cardEntered,
	edcReducer,
	isAwaited,
	saleAnswered,
	saleAsked,
	saleReported,
	saleUnheard,
	terminalReported,
	triedAgain,
} from './edc.ts';
import { visitEnded } from './visit.ts';

const after = (...actions: Parameters<typeof edcReducer>[1][]) => actions.reduce(edcReducer, edcReducer(undefined, { type: 'start' }));
const entered = cardEntered({ id: 42, method: 'card', refused: null });
const refusedFor = (reason: 'cash_inside' | 'not_ready') =>
	saleReported({ id: 42, attempt_id: '', phase: 'declined', amount: rupiah(1), method: 'card', reason, left: null });
const report = (phase: SalePhase, attempt_id = 'a', id: number | string = 42) =>
	saleReported({ id, attempt_id, phase, amount: rupiah(137_500), method: 'card', reason: null, left: null });
const answer = (code: string, attempt: string | undefined = 'a') => saleAnswered({ code, attempt, retry: undefined, left: null });
const ready = terminalReported('ready');
const acked = [ready, entered, saleAsked(), report('sent'), report('acked')] as const;

test('a late or repeated report does not move a sale back to an earlier phase', () => {
	expect(after(...acked, report('sent')).sale.at).toBe('acked');
	expect(after(...acked, report('unknown'), report('acked')).sale.at).toBe('unknown');
	expect(after(...acked, answer('51'), report('acked')).sale.at).toBe('declined');
	expect(after(...acked, answer('00'), report('declined')).sale.at).toBe('approved');
	expect(after(...acked, answer('00'), report('unknown')).sale.at).toBe('approved');
});

test('a report about another payment changes nothing, even with a similar id', () => {
	const edc = after(...acked, report('unknown', 'b', 421), report('approved', 'b', 4));
	expect(edc.sale).toMatchObject({ at: 'acked', attempt: 'a' });
	expect(after(...acked, report('unknown', 'a', '42')).sale.at).toBe('unknown');
});

test('if the daemon reports a declined sale as unknown, it becomes unknown', () => {
	expect(after(...acked, answer('51'), report('unknown')).sale.at).toBe('unknown');
});

test('for each attempt one response is accepted; a response without an attempt id is accepted only during a running sale', () => {
	const waiting = after(...acked);
	expect(isAwaited(waiting, 'a')).toBe(true);
	expect(isAwaited(waiting, undefined)).toBe(true);
	expect(isAwaited(waiting, 'b')).toBe(false);
	const answered = after(...acked, answer('51'));
	expect(isAwaited(answered, 'a')).toBe(false);
	expect(isAwaited(answered, undefined)).toBe(false);
	expect(isAwaited(after(...acked, report('unknown')), undefined)).toBe(false);
	expect(isAwaited(after(...acked, report('approved')), 'a')).toBe(true);
	expect(isAwaited(after(ready, entered), undefined)).toBe(false);
	expect(isAwaited(after(ready, entered, saleAsked()), 'a')).toBe(false);
});

test('if an unknown sale turns out to be declined, by a report or by a response, the customer decides about a retry', () => {
	for (const told of [[answer('51')], [report('declined')], [report('declined'), answer('51')]])
		expect(after(...acked, report('unknown'), ...told).sale).toMatchObject({ at: 'declined', next: 'choose' });
});

test('the response code can arrive after the report "declined"', () => {
	expect(after(...acked, report('declined')).sale).toMatchObject({ code: null, next: 'choose' });
	expect(after(...acked, report('declined'), answer('51')).sale).toMatchObject({ code: '51', next: 'retry' });
});

test('a refusal is accepted only until the terminal has acknowledged the requested sale', () => {
	const refused = refusedFor('cash_inside');
	expect(after(ready, entered, saleAsked(), refused).sale).toEqual({ at: 'refused', reason: 'cash_inside' });
	expect(after(...acked, refused).sale.at).toBe('acked');
	expect(after(...acked, refused).lastSale?.attempt_id).toBe('a');
});

test('if a sale was refused because the terminal was not ready, it is requested again as soon as the terminal is ready', () => {
	const refused = refusedFor('not_ready');
	const stopped = [ready, entered, saleAsked(), refused] as const;
	expect(after(...stopped, ready).sale.at).toBe('refused');
	expect(after(...stopped, terminalReported('disconnected'), ready).sale.at).toBe('none');
});

test('if the socket is lost after a request, the request is sent again, unless the daemon reports the sale', () => {
	const cut = [ready, entered, saleAsked(), socketClosed()] as const;
	expect(after(...cut).sale.at).toBe('none');
	expect(after(...cut, terminalReported('busy'), report('acked')).sale).toMatchObject({ at: 'acked', attempt: 'a' });
});

test('after the socket was lost, a sale continues if the daemon reports it, and counts as lost if the terminal is free', () => {
	const cut = [...acked, socketClosed()] as const;
	expect(after(...cut).sale.at).toBe('acked');
	expect(after(...cut).terminal).toBeNull();
	expect(after(...cut, terminalReported('busy'), report('acked'), ready).sale.at).toBe('acked');
	expect(after(...cut, ready).sale.at).toBe('lost');
	expect(after(...cut, ready, report('approved')).sale.at).toBe('approved');
	expect(after(...cut, ready, report('declined')).sale).toMatchObject({ at: 'declined', next: 'choose' });
	expect(after(...cut, ready, report('declined', 'earlier')).sale.at).toBe('lost');
	expect(after(...acked, ready).sale.at).toBe('acked');
});

test('entering the card screen resumes an open or unknown sale of this invoice and ignores a sale of another invoice', () => {
	expect(after(report('acked'), entered).sale).toMatchObject({ at: 'acked', attempt: 'a' });
	expect(after(report('unknown'), entered).sale.at).toBe('unknown');
	expect(after(report('declined'), entered).sale.at).toBe('none');
	expect(after(report('unknown', 'a', 7), entered).sale.at).toBe('none');
	expect(after(...acked, cardEntered({ id: '42', method: 'card', refused: null })).sale.at).toBe('acked');
});

test('if a request gets no answer, it counts as lost; if a sale gets no result, it counts as unknown', () => {
	expect(after(ready, entered, saleAsked(), saleUnheard()).sale.at).toBe('lost');
	expect(after(...acked, saleUnheard()).sale).toMatchObject({ at: 'unknown', attempt: 'a' });
	expect(after(...acked, saleUnheard(), answer('00')).sale.at).toBe('approved');
});

test('a retry starts only after a decline that allows one: not after P3, not after an approval, and not during a running or unknown sale', () => {
	const again = (...actions: Parameters<typeof edcReducer>[1][]) => after(...actions, triedAgain()).sale.at;
	expect(again(...acked, answer('51'))).toBe('none');
	expect(again(...acked, answer('P3'))).toBe('declined');
	expect(again(...acked)).toBe('acked');
	expect(again(...acked, report('unknown'))).toBe('unknown');
	expect(again(...acked, answer('00'))).toBe('approved');
});

test('the end of the visit clears the payment but keeps the report of a running or unknown sale', () => {
	expect(after(...acked, answer('51'), visitEnded())).toMatchObject({ id: null, sale: { at: 'none' }, declines: 0, answered: [] });
	expect(after(...acked, report('approved'), visitEnded()).lastSale).toBeNull();
	expect(after(...acked, answer('P3'), visitEnded()).lastSale).toBeNull();
	expect(after(...acked, report('unknown'), visitEnded(), entered).sale.at).toBe('unknown');
});
