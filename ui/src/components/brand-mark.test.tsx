// @vitest-environment happy-dom

import { act, cleanup, fireEvent } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { customerDetailOf } from '../lib/customer-detail.ts';
import { keepLogo } from '../lib/kept-logo.ts';
import { invoiceInfo, settings } from '../lib/test-data.ts';
import { invoiceFound } from '../state/invoice.ts';
import { endSession } from '../state/session-end.ts';
import { settingsKnown } from '../state/settings.ts';
import { draw, storeWith } from '../state/test-store.tsx';
import { BrandMark } from './brand-mark.tsx';

afterEach(() => {
	cleanup();
	localStorage.clear();
});

const LOGO = 'https://dealer.example/logo.png';
const SHOWN = '/kiosk/picture?url=https%3A%2F%2Fdealer.example%2Flogo.png';
const picture = () => document.querySelector('img');
const letter = () => document.querySelector('span[aria-hidden]')?.textContent ?? null;

/**
 * Loads a page with the brand mark.
 * @returns a function that shows an invoice with the given logo
 */
function mark() {
	const { store } = storeWith();
	store.dispatch(settingsKnown({ ...settings, site_name: 'Bengkel Maju' }));
	draw(store, <BrandMark />);
	return (logo: string) => act(() => void store.dispatch(invoiceFound({ ...customerDetailOf(invoiceInfo()), logo })));
}

test('until an invoice names a logo, the first letter of the site’s name is shown; after that, an invoice without a logo does not change the mark', () => {
	const name = mark();
	expect(letter()).toBe('B');
	name(LOGO);
	expect(picture()?.getAttribute('src')).toBe(SHOWN);
	name('');
	expect(picture()?.getAttribute('src')).toBe(SHOWN);
});

test('a reloaded page shows the last logo at once, unless this logo had failed to load', () => {
	mark()(LOGO);
	fireEvent.load(picture() as HTMLImageElement);
	cleanup();
	mark();
	expect(picture()?.getAttribute('src')).toBe(SHOWN);
	cleanup();
	localStorage.clear();
	mark()(LOGO);
	fireEvent.error(picture() as HTMLImageElement);
	cleanup();
	mark();
	expect(letter()).toBe('B');
});

test('after the outlet has logged out, neither the login screen nor a reloaded page shows a logo', () => {
	const { store } = storeWith();
	store.dispatch(invoiceFound({ ...customerDetailOf(invoiceInfo()), logo: LOGO }));
	keepLogo(LOGO);
	store.dispatch(endSession());
	draw(store, <BrandMark />);
	expect(picture()).toBeNull();
	cleanup();
	mark();
	expect(picture()).toBeNull();
});

test('if a logo fails to load, the letter replaces it; the next invoice loads the logo again', () => {
	const name = mark();
	name(LOGO);
	fireEvent.error(picture() as HTMLImageElement);
	expect(letter()).toBe('B');
	name(LOGO);
	expect(picture()?.getAttribute('src')).toBe(SHOWN);
});
