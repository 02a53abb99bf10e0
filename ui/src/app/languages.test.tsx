// @vitest-environment happy-dom

import { ACCEPTOR_STATES, EDC_STATES, RETURN_REASONS } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import type { UnknownAction } from '@reduxjs/toolkit';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { sentencesIn } from '../../voice/sentences.ts';
import { CrashScreen } from '../kiosk/crash.tsx';
import type { Api } from '../lib/api.ts';
import { writeSession } from '../lib/session-cookie.ts';
import { answered, invoiceInfo, settings } from '../lib/test-data.ts';
import { writeHp } from '../lib/visit-storage.ts';
import { acceptorReported } from '../state/acceptor.ts';
import { aidsOpened } from '../state/aids.ts';
import { alertShown } from '../state/alert.ts';
import { noteInDoubt, noteMoving, noteReceived, noteReturned } from '../state/cash.ts';
import { socketOpened } from '../state/connection.ts';
import { terminalReported } from '../state/edc.ts';
import { healthHeard } from '../state/health.ts';
import { applyLive } from '../state/live-events.ts';
import { paymentDone, printAccepted, printReported } from '../state/paid.ts';
import { loggedIn } from '../state/session.ts';
import { resetChoices } from '../state/session-end.ts';
import { settingsKnown } from '../state/settings.ts';
import type { AppThunk, Store } from '../state/store.ts';
import { draw, storeWith } from '../state/test-store.tsx';
import { type Catalogue, indonesian, setCatalogue } from '../text/catalogue.ts';
import { LANGUAGE_NAMES } from '../text/language.ts';
import { sentencesOf } from '../text/spoken.ts';
import { aroundRoutes, showRoute } from './routed.fixture.tsx';

aroundRoutes();
afterEach(() => {
	setCatalogue(indonesian);
	storeWith().store.dispatch(resetChoices());
});

function open(address: string, answers: Partial<Api> = {}): Store {
	const { store } = storeWith({ invoiceInfo: async () => answered(invoiceInfo()), ...answers });
	store.dispatch(settingsKnown({ ...settings, edc: true, edc_qris_ms: 1_000, voice: true }));
	writeSession({ token: 't', development: true });
	store.dispatch(loggedIn({ token: 't', development: true }));
	store.dispatch(socketOpened());
	if (address !== '/') writeHp('0812');
	showRoute(store, address);
	return store;
}

test('after a visit in English, the screen and its language for screen readers return to Indonesian', async () => {
	const store = open('/');
	store.dispatch(acceptorReported({ state: 'ready', is_ready: true }));
	expect(document.documentElement.lang).toBe('id');
	fireEvent.click(screen.getByRole('button', { name: 'English' }));
	expect(await screen.findByText('Enter your phone number')).toBeTruthy();
	expect(document.documentElement.lang).toBe('en');
	for (const digit of '0812') fireEvent.click(screen.getByRole('button', { name: digit }));
	fireEvent.click(screen.getByRole('button', { name: 'Next' }));
	fireEvent.click(await screen.findByRole('button', { name: /Pay in cash/ }));
	expect(await screen.findByText('Reload machine')).toBeTruthy();
	expect(screen.getByText('Still to pay')).toBeTruthy();
	fireEvent.click(screen.getByRole('button', { name: 'Back' }));
	expect(await screen.findByText('Masukan nomor HP anda')).toBeTruthy();
	expect(document.documentElement.lang).toBe('id');
});

test('staff screens are in Indonesian, even after a customer chose another language', async () => {
	open('/');
	fireEvent.click(screen.getByRole('button', { name: 'English' }));
	await screen.findByText('Enter your phone number');
	for (const key of '000000') fireEvent.keyDown(document.body, { key });
	fireEvent.keyDown(document.body, { key: 'Enter' });
	expect(await screen.findByText('Masukan PIN')).toBeTruthy();
	expect(screen.getAllByRole('button', { name: 'Kembali' })).not.toEqual([]);
	expect(document.documentElement.lang).toBe('id');
});

/**
 * Puts every catalogue text in brackets, so that a text without brackets cannot come from the
 * catalogue.
 */
function bracketed<T>(node: T): T {
	if (typeof node === 'string') return `⟦${node}⟧` as T;
	if (typeof node === 'function') return ((...given: unknown[]) => `⟦${node(...given)}⟧`) as T;
	if (Array.isArray(node)) return node.map(bracketed) as T;
	return Object.fromEntries(Object.entries(node as object).map(([key, one]) => [key, bracketed(one)])) as T;
}

/**
 * Words that come from invoice, settings, banks and staff slips. They are the same in every
 * language.
 */
const DATA = ['INV/42', 'Budi', 'Bengkel Uji', 'Bank Uji', 'kabel putus', 'k7f3a9', '7f3a9c2e', 'Rp', ...Object.values(LANGUAGE_NAMES)];

/** @returns visible texts and screen-reader names that contain words outside the catalogue */
function findUncatalogued(): string[] {
	const shown: string[] = [];
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
		if (node.parentElement?.closest('[data-testid], style, script') === null) shown.push(node.textContent ?? '');
	for (const element of document.body.querySelectorAll('*'))
		for (const name of ['aria-label', 'alt', 'title', 'placeholder']) shown.push(element.getAttribute(name) ?? '');
	return shown.filter((words) => /\p{L}{2}/u.test(removeKnownParts(words)));
}

/** @returns the text without bracketed parts and without `DATA` */
function removeKnownParts(words: string): string {
	let left = words;
	for (let before = ''; before !== left; ) {
		before = left;
		left = left.replace(/⟦[^⟦⟧]*⟧/gu, '');
	}
	return DATA.reduce((text, one) => text.replaceAll(one, ''), left);
}

const RECORDED = sentencesIn('id');

/**
 * @returns the sentences to speak that have no recording. Sentences with a number are left out,
 * because the kiosk never speaks them.
 */
function findUnrecorded(store: Store): string[] {
	const parts = store.getState().spoken.flatMap((shown) => shown.parts);
	const sentences = parts.flatMap((part) => (typeof part === 'string' ? sentencesOf(part.replace(/[⟦⟧]/gu, '')) : []));
	return sentences.filter((sentence) => !RECORDED.includes(sentence) && !/\d/.test(sentence));
}

/** @param steps each step changes the screen; after each one, every text is checked */
async function expectOnlyCatalogueTexts(store: Store, steps: readonly (UnknownAction | AppThunk)[] = []): Promise<void> {
	await waitFor(() => expect(document.querySelector('h1, [role="status"]')).not.toBeNull());
	expect([...findUncatalogued(), ...findUnrecorded(store)]).toEqual([]);
	for (const step of steps) {
		await act(async () => void store.dispatch(step as UnknownAction));
		expect([...findUncatalogued(), ...findUnrecorded(store)]).toEqual([]);
	}
}

const speakPseudo = () => setCatalogue(bracketed<Catalogue>(indonesian));
const words = bracketed(indonesian);

test('the home screen has no text outside the catalogue', async () => {
	speakPseudo();
	const store = open('/');
	await expectOnlyCatalogueTexts(store, [
		aidsOpened(),
		healthHeard('look'),
		applyLive({ type: 'kiosk_note_in_doubt', id: 1, note_id: '7f3a9c2e-1', nominal: rupiah(50_000) }),
		applyLive({ type: 'kiosk_note_returned', nominal: null, reason: 'unreadable' }),
		settingsKnown({ ...settings, unconfirmed: [] }),
	]);
});

test('the method screen has no text outside the catalogue', async () => {
	speakPseudo();
	for (const results of [{}, { qr_url: '0002', payment_type: 1, json_data: { expiry_time: '' } }, { is_paid: true }]) {
		const store = open('/payment-method', { invoiceInfo: async () => answered(invoiceInfo(results)) });
		await expectOnlyCatalogueTexts(store, [terminalReported('silent'), acceptorReported({ state: 'bill_jam', is_ready: false })]);
		const more = screen.queryByRole('button', { name: new RegExp(words.payment.method.nonCash) });
		if (more !== null) await act(async () => void fireEvent.click(more));
		expect(findUncatalogued()).toEqual([]);
		cleanup();
	}
	open('/payment-method', { invoiceInfo: async () => ({ ok: false, status: 500, message: null }) });
	expect(await screen.findByText(words.screens.gangguan)).toBeTruthy();
	expect(findUncatalogued()).toEqual([]);
});

test('the cash screen has no text outside the catalogue in any state of the acceptor', async () => {
	speakPseudo();
	const store = open('/cash-payment');
	await screen.findByText(words.payment.cash.reload);
	const note = { note_id: '7f3a9c2e-1', nominal: rupiah(50_000) };
	await expectOnlyCatalogueTexts(store, [
		...ACCEPTOR_STATES.map((state) => acceptorReported({ state, is_ready: state === 'ready' })),
		acceptorReported({ state: 'ready', is_ready: true }),
		...RETURN_REASONS.map((reason) => noteReturned({ nominal: rupiah(50_000), reason })),
		noteMoving(rupiah(50_000)),
		noteReceived({ ...note, time: '2026-11-21T14:31:08' }),
		noteInDoubt({ ...note, note_id: '7f3a9c2e-2' }),
		alertShown({ text: words.payment.cash.reloadFailed }),
		paymentDone({ id: '42', how: 'fresh' }),
		printAccepted('p1'),
		...Object.keys(indonesian.payment.print.reasons).map((reason) => printReported({ print_id: 'p1', state: 'failed', reason })),
		printReported({ print_id: 'p1', state: 'printing', reason: null }),
		printReported({ print_id: 'p1', state: 'done', reason: null }),
	]);
});

test('the QRIS screen, the virtual account screen and the bank list have no text outside the catalogue', async () => {
	speakPseudo();
	const va = { no_va: '988', bank: 'bni', payment_type: 2, json_data: { expiry_time: '2026-11-22T10:00:00' } };
	for (const results of [
		{},
		{ qr_url: '0002', payment_type: 1, json_data: { expiry_time: '2020-11-22T10:00:00' } },
		va,
		{ ...va, bank: 'mandiri', company_code: '88608' },
	]) {
		const store = open('/non-cash-payment', { invoiceInfo: async () => answered(invoiceInfo(results)) });
		await expectOnlyCatalogueTexts(store);
		cleanup();
	}
	const bank = { id: 1, nama: 'Bank Uji', logo: '', script_kode: 'bca', is_active: true };
	const info = answered({ ...invoiceInfo(), max_to_va: rupiah(1) });
	for (const vaBanks of [
		async () => answered({ results: [bank] }),
		async () => answered({ results: [] }),
		async () => ({ ok: false as const, status: 500, message: null }),
	]) {
		const store = open('/non-cash-payment', { invoiceInfo: async () => info, vaBanks });
		await screen.findByText(words.nonCash.banks.title);
		await expectOnlyCatalogueTexts(store);
		cleanup();
	}
});

test('the card screen has no text outside the catalogue in any state of the terminal and of a sale', async () => {
	speakPseudo();
	for (const address of ['/edc-bca-payment', '/edc-bca-payment?metode=qris']) {
		const store = open(address);
		await screen.findByText(words.edc.screen.title);
		await expectOnlyCatalogueTexts(
			store,
			EDC_STATES.map((state) => terminalReported(state)),
		);
		await act(async () => void store.dispatch(terminalReported('ready')));
		const method = store.getState().edc.method;
		const sale = (phase: 'sent' | 'acked' | 'unknown' | 'declined' | 'approved') =>
			applyLive({ type: 'kiosk_edc_sale', id: 42, attempt_id: '7f3a9c2e-3', phase, amount: rupiah(137_500), method });
		await expectOnlyCatalogueTexts(store, [sale('sent'), sale('acked'), sale('unknown'), sale('declined'), sale('approved')]);
		cleanup();
	}
});

test('the crash screen has no text outside the catalogue except the error itself', () => {
	speakPseudo();
	draw(storeWith().store, <CrashScreen error={new Error('kabel putus')} code="k7f3a9" />);
	expect(findUncatalogued()).toEqual([]);
});
