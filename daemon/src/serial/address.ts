import { fail, ok, type Result } from '../base/result.ts';

/** Address of a device: a tty path or `tcp:HOST:PORT`. */
export type DeviceAddress = { transport: 'serial'; path: string } | { transport: 'tcp'; host: string; port: number };

/**
 * @param text the address in the settings, where an IPv6 host is in brackets
 * @returns an error with the expected form if the text is not an address
 */
export function parseDeviceAddress(text: string): Result<DeviceAddress, { code: 'bad_address'; expected: string }> {
	const tcp = /^tcp:(\[[0-9a-fA-F:]+\]|[^:\s[\]]+):(\d{1,5})$/.exec(text);
	if (tcp) {
		const port = Number(tcp[2]);
		if (port >= 1 && port <= 65_535) return ok({ transport: 'tcp', host: String(tcp[1]).replace(/[[\]]/g, ''), port });
	}
	if (/^\/[^\0\s]+$/.test(text)) return ok({ transport: 'serial', path: text });
	return fail({ code: 'bad_address', expected: 'a device path such as "/dev/kiosk-acceptor", or "tcp:HOST:PORT"' });
}
