import { fail, ok, type Result } from '../result.ts';

/** Where a device is: a tty path or `tcp:HOST:PORT`. */
export type DeviceAddress = { transport: 'serial'; path: string } | { transport: 'tcp'; host: string; port: number };

/** @param text as in the settings; IPv6 hosts stand in brackets. The error says what is expected instead. */
export function parseDeviceAddress(text: string): Result<DeviceAddress, { code: 'bad_address'; expected: string }> {
	const tcp = /^tcp:(\[[0-9a-fA-F:]+\]|[^:\s[\]]+):(\d{1,5})$/.exec(text);
	if (tcp) {
		const port = Number(tcp[2]);
		if (port >= 1 && port <= 65_535) return ok({ transport: 'tcp', host: String(tcp[1]).replace(/[[\]]/g, ''), port });
	}
	if (/^\/[^\0\s]+$/.test(text)) return ok({ transport: 'serial', path: text });
	return fail({ code: 'bad_address', expected: 'a device path such as "/dev/kiosk-acceptor", or "tcp:HOST:PORT"' });
}
