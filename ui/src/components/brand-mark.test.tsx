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
 * Loads a page with the brand mark. @returns a function that shows an invoice with this logo
 */
function mark() {
	const { store } = storeWith();
	store.dispatch(settingsKnown({ ...settings, site_name: 'Bengkel Maju' }));
	draw(store, <BrandMark />);
	return (logo: string) => act(() => void store.dispatch(invoiceFound({ ...customerDetailOf(invoiceInfo()), logo })));
}

test('until an invoice names a logo, the first letter of the site’s name is shown; a later invoice without a logo keeps the logo', () => {
	const name = mark();
	expect(letter()).toBe('B');
	name(LOGO);
	expect(picture()?.getAttribute('src')).toBe(SHOWN);
	name('');
	expect(picture()?.getAttribute('src')).toBe(SHOWN);
});

test('a reloaded page shows the last logo at once, unless that logo failed to load', () => {
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

test('after the outlet logs out, the log-in screen and later pages show no logo', () => {
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

test('the letter replaces a logo that failed to load, and the next invoice tries the logo again', () => {
	const name = mark();
	name(LOGO);
	fireEvent.error(picture() as HTMLImageElement);
	expect(letter()).toBe('B');
	name(LOGO);
	expect(picture()?.getAttribute('src')).toBe(SHOWN);
});
