// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { answered, settings } from '../lib/test-data.ts';
import { applyLive } from '../state/live-events.ts';
import { settingsKnown } from '../state/settings.ts';
import { draw, storeWith } from '../state/test-store.tsx';
import { CallStaff } from './call-staff.tsx';

const SINCE = '2026-11-24T14:05:00+07:00';

afterEach(cleanup);

const press = () => act(async () => fireEvent.click(screen.getByRole('button', { name: /Panggil/ })));

test('one press calls staff; the screen shows the time of the call and the staff’s telephone number', async () => {
	const { store, calls } = storeWith({ callStaff: async () => answered({ since: SINCE }) });
	store.dispatch(settingsKnown({ ...settings, staff_phone: '0812-3456-7890' }));
	draw(store, <CallStaff />, '/cash-payment');
	expect(screen.queryByText(/0812/)).toBeNull();
	await press();
	expect(calls).toEqual(['callStaff']);
	expect(screen.getByText('Staf dipanggil 14:05').textContent).toBe('Staf dipanggil 14:05Telp. 0812-3456-7890');
	expect(screen.queryByRole('button')).toBeNull();
});

test('while the daemon has not answered, further presses make no further call', async () => {
	const slow = Promise.withResolvers<ReturnType<typeof answered<{ since: string }>>>();
	const { store, calls } = storeWith({ callStaff: () => slow.promise });
	draw(store, <CallStaff />);
	for (let count = 0; count < 100; count += 1) await press();
	expect(calls).toEqual(['callStaff']);
	await act(async () => slow.resolve(answered({ since: SINCE })));
	expect(screen.getByText('Staf dipanggil 14:05')).toBeTruthy();
});

test('after a reload, the page shows the open call until staff answer it', () => {
	const { store } = storeWith();
	draw(store, <CallStaff />);
	act(() => void store.dispatch(applyLive({ type: 'kiosk_staff_call', since: SINCE })));
	expect(screen.getByText('Staf dipanggil 14:05')).toBeTruthy();
	act(() => void store.dispatch(applyLive({ type: 'kiosk_staff_call', since: null })));
	expect(screen.getByRole('button', { name: 'Panggil staf' })).toBeTruthy();
});

test('a failed call is reported and can be repeated', async () => {
	const { store, calls } = storeWith({ callStaff: async () => ({ ok: false, status: null, message: null }) });
	draw(store, <CallStaff />);
	await press();
	expect(screen.getByRole('alert').textContent).toBe('Panggilan gagal, coba lagi');
	await press();
	expect(calls).toEqual(['callStaff', 'callStaff']);
});

test('staff screens have no button for calling staff', () => {
	draw(storeWith().store, <CallStaff />, '/staf');
	expect(screen.queryByRole('button')).toBeNull();
});
