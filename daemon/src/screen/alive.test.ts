import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { screenAlive } from './alive.ts';
import { ScreenLiveness } from './liveness.ts';

test('/kiosk/alive answers 204 while the screen reports frames, and 503 after 15 s without a report', async () => {
	let now = 0;
	const liveness = new ScreenLiveness({ now: () => now, wall: () => new Date(), after: () => () => {} });
	const alive = screenAlive(liveness);
	const server = createServer((request, response) => void alive(request, response, '/kiosk/alive')).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const ask = async () => (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).status;
	expect(await ask()).toBe(503);
	liveness.drawn('/login', '');
	expect(await ask()).toBe(204);
	now = 16_000;
	expect(await ask()).toBe(503);
	server.close();
});

test('a restarted browser resumes the visit of the previous browser only within five minutes and only if a screen of the visit was drawn last', () => {
	let now = 0;
	const liveness = new ScreenLiveness({ now: () => now, wall: () => new Date(), after: () => () => {} });
	expect(liveness.visit()).toBeNull();
	liveness.drawn('/cash-payment', '081234567890');
	now = 290_000;
	expect(liveness.visit()).toEqual({ screen: '/cash-payment', number: '081234567890' });
	now = 301_000;
	expect(liveness.visit()).toBeNull();
	// The receipt page cannot be restored from the number alone. The home screen and the staff list
	// belong to no visit.
	for (const screen of ['/cetak', '/', '/daftar-transaksi']) {
		liveness.drawn(screen, '081234567890');
		expect(liveness.visit()).toBeNull();
	}
	liveness.drawn('/payment-method', '');
	expect(liveness.visit()).toBeNull();
});
