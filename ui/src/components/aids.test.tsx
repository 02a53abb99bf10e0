// @vitest-environment happy-dom

import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { customerDetailOf } from '../lib/customer-detail.ts';
import { invoiceInfo, settings } from '../lib/test-data.ts';
import { choiceMade } from '../state/aids.ts';
import { invoiceFound } from '../state/invoice.ts';
import { endVisit } from '../state/session-end.ts';
import { settingsKnown } from '../state/settings.ts';
import { draw, storeWith } from '../state/test-store.tsx';
import { Aids } from './aids.tsx';

afterEach(cleanup);

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name, hidden: true }));
const isOn = (name: string) => screen.getByRole('button', { name, hidden: true }).getAttribute('aria-pressed');

test('one button opens the display aids; all are off at first, and each can be switched on and off', () => {
	const { store } = storeWith();
	draw(store, <Aids />);
	press('Bantuan tampilan');
	const names = ['Teks besar', 'Kontras tinggi', 'Posisi rendah'];
	expect(names.map(isOn)).toEqual(['false', 'false', 'false']);
	press('Teks besar');
	press('Posisi rendah');
	expect(names.map(isOn)).toEqual(['true', 'false', 'true']);
	press('Teks besar');
	expect(names.map(isOn)).toEqual(['false', 'false', 'true']);
	press('Tutup');
	expect(screen.queryByRole('dialog', { hidden: true })).toBeNull();
	expect(store.getState().aids.lowReach).toBe(true);
});

test('a kiosk that speaks has a volume key, and the end of the visit resets the volume', () => {
	const { store } = storeWith();
	draw(store, <Aids />);
	press('Bantuan tampilan');
	expect(screen.queryByRole('button', { name: /Suara panduan/, hidden: true })).toBeNull();
	act(() => void store.dispatch(settingsKnown({ ...settings, voice: true })));
	press('Suara panduan: biasa');
	press('Suara panduan: keras');
	expect(screen.getByRole('button', { name: 'Suara panduan: mati', hidden: true })).toBeTruthy();
	expect(choiceMade(store.getState())).toBe(true);
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	act(() => void store.dispatch(endVisit()));
	expect(store.getState().aids.volume).toBe('normal');
});

test('for the next customer, every aid is off and the dialog is closed', () => {
	const { store } = storeWith();
	draw(store, <Aids />);
	press('Bantuan tampilan');
	press('Kontras tinggi');
	expect(choiceMade(store.getState())).toBe(true);
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	store.dispatch(endVisit());
	expect(choiceMade(store.getState())).toBe(false);
});
