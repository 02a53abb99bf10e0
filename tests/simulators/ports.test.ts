import { expect, test } from 'vitest';
import { portOffset, portsAt, refusedByBrowsers } from './ports.ts';

test('KIOSK_PORT_OFFSET shifts every port', () => {
	expect(portsAt(portOffset({}))).toMatchObject({
		screen: 8080,
		backOffice: 8081,
		service: 8082,
		acceptor: 7001,
		edc: 7002,
		printer: 8631,
		panel: 8090,
	});
	expect(portsAt(portOffset({ KIOSK_PORT_OFFSET: '100' }))).toMatchObject({ screen: 8180, panel: 8190 });
});

test.each(['-1', '1.5', 'abc', '60000', ' 1'])('KIOSK_PORT_OFFSET=%s is refused', (text) => {
	expect(() => portOffset({ KIOSK_PORT_OFFSET: text })).toThrow('whole number from 0 to');
});

test('if browsers refuse a port, a warning says what to change', () => {
	expect(refusedByBrowsers(portsAt(0))).toBeNull();
	expect(refusedByBrowsers(portsAt(2_000))).toMatch(/port 10080 .*Use another KIOSK_PORT_OFFSET/);
});
