// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { socketClosed } from '../state/connection.ts';
import { applyLive } from '../state/live-events.ts';
import { draw, storeWith } from '../state/test-store.tsx';
import { Layout } from './layout.tsx';

afterEach(cleanup);

const mark = () => screen.queryByRole('img', { name: /Kiosk/ })?.getAttribute('aria-label') ?? null;

test('the home screen shows the kiosk’s health as a mark that cannot be pressed; without a report from the daemon, the mark says that the kiosk needs attention', () => {
	const { store } = storeWith();
	draw(store, <Layout variant="home" />, '/');
	const hear = (state: 'ok' | 'look') => act(() => void store.dispatch(applyLive({ type: 'kiosk_health', state })));
	expect(mark()).toBe('Kiosk perlu dilihat petugas');
	hear('ok');
	expect(mark()).toBe('Kiosk baik');
	hear('look');
	expect(mark()).toBe('Kiosk perlu dilihat petugas');
	hear('ok');
	act(() => void store.dispatch(socketClosed()));
	expect(mark()).toBe('Kiosk perlu dilihat petugas');
	expect(screen.getByRole('img', { name: /Kiosk/ }).closest('a, button')).toBeNull();
});

test('the health mark is hidden during a payment', () => {
	draw(storeWith().store, <Layout variant="visit" />, '/cash-payment');
	expect(mark()).toBeNull();
});
