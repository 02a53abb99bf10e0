import { expect, test } from 'vitest';
import { acceptorReducer, acceptorReported, acceptsCash } from './acceptor.ts';
import { alertClosed, alertReducer, alertShown } from './alert.ts';
import { backOfficeReached, connectionReducer, isOnline, socketClosed, socketOpened } from './connection.ts';
import { loadingReducer, loadingSet } from './loading.ts';
import { modalClosed, modalOpened, modalReducer } from './modal.ts';
import { paidReducer, paymentDone, printAccepted, printAsked, printFate, printRefused, printReported } from './paid.ts';
import { visitEnded } from './visit.ts';

const start = { type: 'start' };

test('[spec 3.12, 4.7] an alert has the color danger by default; when it is closed, it is hidden and its text is cleared', () => {
	const shown = alertReducer(undefined, alertShown({ text: 'Gagal' }));
	expect(shown).toMatchObject({ show: true, text: 'Gagal', color: 'danger' });
	expect(alertReducer(shown, alertClosed())).toMatchObject({ show: false, text: '', color: 'danger' });
	expect(alertReducer(shown, alertShown({ text: 'Gagal' })).number).not.toBe(shown.number);
});

test('[spec 3.13, 4.8] when the modal is closed, it is hidden, and type, content, text and title are reset', () => {
	const open = modalReducer(undefined, modalOpened({ tipe: 'x', content: 'y', text: 'z', title: 't', id: '1', params: [1] }));
	expect(open.show).toBe(true);
	expect(modalReducer(open, modalClosed())).toEqual({ ...open, show: false, tipe: '', content: 'list', text: '', title: '' });
	expect(modalReducer(undefined, start).content).toBe('list');
});

test('if a modal is open when the visit ends, it is not shown to the next customer', () => {
	const open = modalReducer(undefined, modalOpened({ tipe: 'x' }));
	expect(modalReducer(open, visitEnded()).show).toBe(false);
});

test('[spec 3.14] the loading flag is false until it is set', () => {
	expect(loadingReducer(undefined, start)).toBe(false);
	expect(loadingReducer(false, loadingSet(true))).toBe(true);
});

test('the kiosk is online only if both the daemon and the back office are connected', () => {
	const socket = connectionReducer(undefined, socketOpened());
	expect(isOnline(socket)).toBe(false);
	const online = connectionReducer(socket, backOfficeReached(true));
	expect(isOnline(online)).toBe(true);
	expect(isOnline(connectionReducer(online, socketClosed()))).toBe(false);
	expect(isOnline(connectionReducer(connectionReducer(online, socketClosed()), socketOpened()))).toBe(false);
});

test('when the socket closes, the acceptor no longer counts as ready', () => {
	const ready = acceptorReducer(undefined, acceptorReported({ state: 'ready', is_ready: true }));
	expect(acceptorReducer(ready, socketClosed())).toEqual({ state: null, is_ready: false });
});

test('cash is offered if the acceptor can be opened, but not if it is disconnected or faulty', () => {
	const offered = (state: Parameters<typeof acceptorReported>[0]['state']) => acceptsCash({ state, is_ready: false });
	expect(offered('inhibited')).toBe(true);
	expect(offered('disconnected')).toBe(false);
	expect(offered('note_in_doubt')).toBe(false);
	expect(acceptsCash({ state: null, is_ready: false })).toBe(false);
});

test('the state of the print is that of the requested job, even if the report arrives before the answer', () => {
	const reported = paidReducer(undefined, printReported({ print_id: 'p2', state: 'failed', reason: 'paper_out' }));
	expect(printFate(reported)).toBeNull();
	const asked = paidReducer(reported, printAsked());
	expect(printFate(asked)).toEqual({ state: 'printing', reason: null });
	expect(printFate(paidReducer(asked, printAccepted('p2')))).toEqual({ state: 'failed', reason: 'paper_out' });
	expect(printFate(paidReducer(asked, printAccepted('p3')))).toEqual({ state: 'printing', reason: null });
	expect(printFate(paidReducer(asked, printRefused('offline')))).toEqual({ state: 'failed', reason: 'offline' });
});

test('if an invoice was paid before, a repeated payment message does not make it count as just paid', () => {
	const before = paidReducer(undefined, paymentDone({ id: '42', how: 'before' }));
	expect(paidReducer(before, paymentDone({ id: '42', how: 'fresh' }))).toBe(before);
});

test('if a later invoice has the same id, its payment replaces the earlier one', () => {
	const before = paidReducer(undefined, paymentDone({ id: '42', noinvoice: 'INV/42', how: 'before' }));
	expect(paidReducer(before, paymentDone({ id: '42', noinvoice: 'INV/42', how: 'fresh' }))).toBe(before);
	const next = { id: '42', noinvoice: 'INV/NEW', how: 'fresh' } as const;
	expect(paidReducer(before, paymentDone(next)).payment).toEqual(next);
});
