// @vitest-environment happy-dom

import { afterEach, expect, test } from 'vitest';
import { customerDetailOf } from '../lib/customer-detail.ts';
import { invoiceInfo } from '../lib/test-data.ts';
import { text } from '../text/screens.ts';
import { chooseLanguage, restoreLanguage } from './choose-language.ts';
import { invoiceFound } from './invoice.ts';
import { resetLanguage } from './language.ts';
import { endSession, endVisit } from './session-end.ts';
import { storeWith } from './test-store.tsx';

afterEach(() => {
	storeWith().store.dispatch(resetLanguage());
	sessionStorage.clear();
});

const spoken = () => text.home.confirm;
const INDONESIAN = 'Lanjut';
const ENGLISH = 'Next';

test('after a visit in English, the next customer reads Indonesian', async () => {
	const { store } = storeWith();
	await store.dispatch(chooseLanguage('en'));
	expect([spoken(), store.getState().language.shown]).toEqual([ENGLISH, 'en']);
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	store.dispatch(endVisit());
	expect([spoken(), store.getState().language.shown, sessionStorage.length]).toEqual([INDONESIAN, 'id', 0]);
});

test('if the number was not found, the language stays while the customer corrects the number', async () => {
	const { store } = storeWith();
	await store.dispatch(chooseLanguage('en'));
	store.dispatch(endVisit());
	expect(spoken()).toBe(ENGLISH);
});

test('when the outlet’s session ends, the language becomes Indonesian again', async () => {
	const { store } = storeWith();
	await store.dispatch(chooseLanguage('en'));
	store.dispatch(endSession());
	expect([spoken(), sessionStorage.length]).toEqual([INDONESIAN, 0]);
});

test('if a language is still loading when the visit ends, the next customer does not see it', async () => {
	const { store } = storeWith();
	const loading = store.dispatch(chooseLanguage('en'));
	store.dispatch(resetLanguage());
	await loading;
	expect([spoken(), store.getState().language.shown]).toEqual([INDONESIAN, 'id']);
});

test('if a customer chooses two languages in quick succession, the later one is shown', async () => {
	const { store } = storeWith();
	await Promise.all([store.dispatch(chooseLanguage('jv')), store.dispatch(chooseLanguage('en'))]);
	expect(spoken()).toBe(ENGLISH);
	await Promise.all([store.dispatch(chooseLanguage('jv')), store.dispatch(chooseLanguage('id'))]);
	expect(spoken()).toBe(INDONESIAN);
});

test('after a reload during a visit, the page keeps its language; an unknown stored language is ignored', async () => {
	await storeWith().store.dispatch(chooseLanguage('jv'));
	const { store } = storeWith();
	await store.dispatch(restoreLanguage());
	expect([spoken(), store.getState().language.shown]).toEqual(['Lajeng', 'jv']);
	sessionStorage.setItem('language', 'klingon');
	const other = storeWith();
	await other.store.dispatch(restoreLanguage());
	expect(other.store.getState().language.shown).toBe('id');
});
