import { expect, test } from 'vitest';
import { handedOver } from './systemd-sockets.ts';

test('sockets and files opened by systemd are found by name', () => {
	const environment = { LISTEN_PID: '42', LISTEN_FDS: '2', LISTEN_FDNAMES: 'kioskd.socket:journald' };
	expect(handedOver(environment, 42)).toEqual(
		new Map([
			['kioskd.socket', 3],
			['journald', 4],
		]),
	);
	expect(handedOver({ ...environment, LISTEN_FDS: '1', LISTEN_FDNAMES: 'kioskd.socket' }, 42).get('journald')).toBeUndefined();
});

test('if systemd passed no descriptors to this process, none are found', () => {
	expect(handedOver({ LISTEN_PID: '41', LISTEN_FDS: '1', LISTEN_FDNAMES: 'kioskd.socket' }, 42).size).toBe(0);
	expect(handedOver({}, 42).size).toBe(0);
});
