import { expect, test } from 'vitest';
import { acceptorReducer, acceptorReported, acceptsCash } from './acceptor.ts';
import { alertClosed, alertReducer, alertShown } from './alert.ts';
import { backOfficeReached, connectionReducer, isOnline, socketClosed, socketOpened } from './connection.ts';
import { loadingReducer, loadingSet } from './loading.ts';
import { modalClosed, modalOpened, modalReducer } from './modal.ts';
import { paidReducer, paymentDone, printAccepted, printAsked, printFate, printRefused, printReported } from './paid.ts';

const start = { type: 'start' };

test('an alert is red unless said otherwise; closing hides it and clears its text', () => {
	const shown = alertReducer(undefined, alertShown({ text: 'Gagal' }));
	expect(shown).toMatchObject({ show: true, text: 'Gagal', color: 'danger' });
	expect(alertReducer(shown, alertClosed())).toMatchObject({ show: false, text: '', color: 'danger' });
	expect(alertReducer(shown, alertShown({ text: 'Gagal' })).number).not.toBe(shown.number);
});

test('closing the modal resets type, content, text and title', () => {
	const open = modalReducer(undefined, modalOpened({ tipe: 'x', content: 'y', text: 'z', title: 't', id: '1', params: [1] }));
	expect(open.show).toBe(true);
	expect(modalReducer(open, modalClosed())).toEqual({ ...open, show: false, tipe: '', content: 'list', text: '', title: '' });
	expect(modalReducer(undefined, start).content).toBe('list');
});

test('the loading flag is off until set', () => {
	expect(loadingReducer(undefined, start)).toBe(false);
	expect(loadingReducer(false, loadingSet(true))).toBe(true);
});

test('online needs both the daemon and the back office', () => {
	const socket = connectionReducer(undefined, socketOpened());
	expect(isOnline(socket)).toBe(false);
	const online = connectionReducer(socket, backOfficeReached(true));
	expect(isOnline(online)).toBe(true);
	expect(isOnline(connectionReducer(online, socketClosed()))).toBe(false);
	expect(isOnline(connectionReducer(connectionReducer(online, socketClosed()), socketOpened()))).toBe(false);
});

test('Ready does not outlive the socket that said it', () => {
	const ready = acceptorReducer(undefined, acceptorReported({ state: 'ready', is_ready: true }));
	expect(acceptorReducer(ready, socketClosed())).toEqual({ state: null, is_ready: false });
});

test('cash is offered when the machine can open, not while it is away or broken', () => {
	const offered = (state: Parameters<typeof acceptorReported>[0]['state']) => acceptsCash({ state, is_ready: false });
	expect(offered('inhibited')).toBe(true);
	expect(offered('disconnected')).toBe(false);
	expect(offered('note_in_doubt')).toBe(false);
	expect(acceptsCash({ state: null, is_ready: false })).toBe(false);
});

test('the fate of a print follows its own job, also when the report is faster than the answer', () => {
	const reported = paidReducer(undefined, printReported({ print_id: 'p2', state: 'failed', reason: 'paper_out' }));
	expect(printFate(reported)).toBeNull();
	const asked = paidReducer(reported, printAsked());
	expect(printFate(asked)).toEqual({ state: 'printing', reason: null });
	expect(printFate(paidReducer(asked, printAccepted('p2')))).toEqual({ state: 'failed', reason: 'paper_out' });
	expect(printFate(paidReducer(asked, printAccepted('p3')))).toEqual({ state: 'printing', reason: null });
	expect(printFate(paidReducer(asked, printRefused('offline')))).toEqual({ state: 'failed', reason: 'offline' });
});

test('a repeated payment message does not make a shown payment new', () => {
	const before = paidReducer(undefined, paymentDone({ id: '42', how: 'before' }));
	expect(paidReducer(before, paymentDone({ id: '42', how: 'fresh' }))).toBe(before);
});
