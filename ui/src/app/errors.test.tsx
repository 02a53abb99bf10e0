// @vitest-environment happy-dom

import { ACCEPTOR_STATES, RETURN_REASONS } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { referenceOf } from '@kiosk/contract/reference';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { TaskArea } from '../features/cash/task-area.tsx';
import { StatusLine, shownOf } from '../features/receipt/print-state.tsx';
import { CrashScreen } from '../kiosk/crash.tsx';
import { acceptorReported } from '../state/acceptor.ts';
import { noteInDoubt, noteReturned } from '../state/cash.ts';
import { nextStepOf } from '../state/next-step.ts';
import type { Store } from '../state/store.ts';
import { draw, storeWith } from '../state/test-store.tsx';
import { acceptorText } from '../text/acceptor.ts';
import { paymentText } from '../text/payment.ts';
import { returnText } from '../text/returns.ts';

/**
 * Every text about a fault says what happened, where the money is (MONEY) and what to do now
 * (NEXT). If staff must help, the screen also shows a reference.
 */
const MONEY = /tercatat|dicatat|dihitung|dikembalikan/;
const NEXT = /staf|kasir|Reload Mesin|Ready|cara bayar|Tunggu|Gunakan|Coba|Masukkan/;

afterEach(cleanup);

const shown = () => document.body.textContent ?? '';

test('every acceptor state except Ready says what happened, where the money is and what to do', () => {
	for (const state of ACCEPTOR_STATES) {
		if (state === 'ready') continue;
		const { status, advice } = acceptorText[state];
		expect(status.length, state).toBeGreaterThan(10);
		expect(advice, state).toMatch(MONEY);
		expect(advice, state).toMatch(NEXT);
	}
});

const drawNotice = (store: Store) => draw(store, <TaskArea step={nextStepOf(store.getState())} invoice="INV/42" />);

test('in acceptor states that need staff, the screen shows the invoice number', () => {
	const { store } = storeWith();
	for (const state of ACCEPTOR_STATES) {
		store.dispatch(acceptorReported({ state, is_ready: false }));
		const step = nextStepOf(store.getState());
		if (step.tone !== 'stop') continue;
		expect(step.body, state).toMatch(/staf|kasir/);
		drawNotice(store);
		expect(shown(), state).toContain('Nomor rujukan INV/42');
		cleanup();
	}
});

test('after a note was returned, the screen shows the reason and what to try', () => {
	const { store } = storeWith();
	for (const reason of RETURN_REASONS) {
		store.dispatch(noteReturned({ nominal: null, reason }));
		drawNotice(store);
		expect(shown(), reason).toContain('Uang dikembalikan, ambil uang Anda.');
		expect(shown(), reason).toContain(returnText[reason]);
		expect(returnText[reason], reason).toMatch(NEXT);
		cleanup();
	}
});

test('when a closed acceptor returns a note, the screen tells the customer to take the note and insert no more', () => {
	const { store } = storeWith();
	store.dispatch(noteReturned({ nominal: null, reason: 'rejected_by_machine' }));
	store.dispatch(acceptorReported({ state: 'cashbox_open', is_ready: false }));
	drawNotice(store);
	for (const part of ['ambil uang Anda', 'Jangan masukkan uang dulu', 'Hubungi staf', 'INV/42']) expect(shown()).toContain(part);
});

test('if a fault may have left a note inside the acceptor, the screen does not ask the customer to take a note', () => {
	const { store } = storeWith();
	store.dispatch(noteReturned({ nominal: null, reason: 'rejected_by_machine' }));
	store.dispatch(acceptorReported({ state: 'stacker_problem', is_ready: false }));
	drawNotice(store);
	for (const part of ['Jangan masukkan uang lagi', 'Hubungi staf', 'INV/42']) expect(shown()).toContain(part);
	expect(shown()).not.toContain('ambil uang');
});

test('a note in doubt is shown with its amount and reference', () => {
	const { store } = storeWith();
	store.dispatch(noteInDoubt({ note_id: '7f3a9c2e-1111', nominal: rupiah(100_000) }));
	drawNotice(store);
	for (const part of ['Rp 100.000', 'belum pasti', 'tercatat', 'hubungi staf', referenceOf('7f3a9c2e-1111')])
		expect(shown()).toContain(part);
});

test('the message about a print problem names the invoice, and says either that it is paid or that it is not paid', () => {
	const { store } = storeWith();
	for (const reason of [...Object.keys(paymentText.print.reasons), 'unheard_of'])
		for (const fate of [{ state: 'failed', reason } as const, { state: 'printing', reason } as const]) {
			draw(store, <StatusLine {...shownOf(fate, paymentText.print.failedHint('INV/42'))} />);
			const fact = reason === 'not_paid' ? ['belum tercatat lunas'] : ['tetap tercatat lunas', 'INV/42'];
			for (const part of [...fact, 'staf']) expect(shown(), reason).toContain(part);
			cleanup();
		}
});

test('the crash screen shows error text, reference, invoice and restart button, and says that money is recorded', () => {
	const { store } = storeWith();
	sessionStorage.setItem('customerDetail', JSON.stringify({ id: 42, noinvoice: 'INV/42', total: 137_500, is_paid: false }));
	draw(store, <CrashScreen error={new Error('kabel putus')} code="k7f3a9" />);
	sessionStorage.clear();
	for (const part of ['Unexpected Application Error!', 'kabel putus', 'tetap tercatat', 'staf', 'k7f3a9', 'INV/42'])
		expect(shown()).toContain(part);
	expect(screen.getByRole('button', { name: 'Mulai ulang' })).toBeTruthy();
});
