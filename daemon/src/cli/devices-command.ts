import { spawnSync } from 'node:child_process';
import type { LineFacts } from '../serial/line-record.ts';
import type { Settings } from '../settings/settings.ts';
import type { Asked } from '../staff/ask-daemon.ts';
import { danglingLink, realDevice, type SerialAdapter, serialAdapters, type UsbDevice, usbDevices } from './connected-devices.ts';

/** The daemon's answer to GET /devices. */
interface Lines {
	acceptor: LineFacts | null;
	edc: LineFacts | null;
	screen: { screen: string; ago_ms: number } | null;
}

export interface Devices {
	lines: Lines | null;
	adapters: SerialAdapter[];
	usb: UsbDevice[];
}

/** @param asked the daemon's answer to GET /devices */
export const devicesNow = (asked: Asked): Devices => ({
	lines: asked.ok ? (JSON.parse(asked.text) as Lines) : null,
	adapters: serialAdapters(),
	usb: usbDevices(),
});

/** @returns the connected devices and the state of their lines as text */
export function devicesText({ lines, adapters, usb }: Devices, settings: Settings): string {
	const out: string[] = [];
	if (!lines) out.push('The daemon does not answer, so the state of its lines is not known.', '');
	const { acceptor, edc, printer } = settings;
	out.push(...device('Bill acceptor', acceptor && addressOf(acceptor.port), lines?.acceptor ?? null, '[acceptor]'));
	if (acceptor)
		out.push(
			`  settings      ${acceptor.baud} baud, ${acceptor.data_bits} data bits, parity ${acceptor.parity}, ${acceptor.stop_bits} stop bit(s)`,
		);
	if (acceptor?.port.transport === 'serial') out.push(...portSettings(acceptor.port.path));
	out.push(...device('Card terminal', edc && addressOf(edc.port), lines?.edc ?? null, '[edc]'));
	if (edc?.port.transport === 'serial') out.push(...portSettings(edc.port.path));
	out.push('Receipt printer', `  setting       ${printer?.uri ?? 'none: the browser prints'}`, '');
	out.push('Serial adapters');
	if (adapters.length === 0) out.push('  none on USB');
	for (const adapter of adapters) {
		out.push(`  ${adapter.device}  ${adapter.usb}${adapter.since ? `  plugged in ${adapter.since}` : ''}`);
		for (const name of adapter.names) out.push(`    ${name}`);
		if (!isUsed(adapter, settings)) out.push('    no setting names it');
	}
	out.push('', 'USB');
	if (usb.length === 0) out.push('  no device, or the list cannot be read');
	for (const { port, id, name } of usb) out.push(`  port:${port.padEnd(10)} ${id}  ${name}`);
	return out.join('\n');
}

const addressOf = (port: Settings['acceptor'] extends infer A ? (A extends { port: infer P } ? P : never) : never): string =>
	port.transport === 'tcp' ? `tcp:${port.host}:${port.port}` : port.path;

function device(title: string, address: string | undefined, facts: LineFacts | null, section: string): string[] {
	if (address === undefined) return [title, `  no ${section} section in the settings`, ''];
	const lines = [title, `  setting       ${address}${whereTo(address)}`];
	if (facts) {
		lines.push(`  line          ${facts.open_since ? `open since ${facts.open_since}` : 'not open'}`);
		if (facts.lost && !facts.open_since) lines.push(`  last failure  ${facts.lost.reason}, ${facts.lost.at}`);
		lines.push(`  last bytes    ${facts.heard ? `${facts.heard.bytes}  at ${facts.heard.at}` : 'none in this run'}`);
		if (facts.open_since && facts.heard_bytes > 0 && !facts.speaks)
			lines.push('                no byte received since the line was opened belongs to the protocol of this device');
	}
	return [...lines, ''];
}

function whereTo(address: string): string {
	if (!address.startsWith('/')) return '';
	const real = realDevice(address);
	if (real === null) {
		const link = danglingLink(address);
		return link === null ? '  (no such device)' : `  (leads to ${link}, which does not exist)`;
	}
	return real === address ? '' : `  -> ${real}`;
}

/**
 * @returns the port settings that the kernel reports; if the adapter refused a setting, they differ
 * from `kiosk.toml`
 */
function portSettings(path: string): string[] {
	const { status, stdout } = spawnSync('stty', ['-F', path, '-a'], { encoding: 'utf8', timeout: 2_000 });
	if (status !== 0) return [];
	const speed = /speed (\d+)/.exec(stdout)?.[1] ?? '?';
	const flags = /-?\b(parenb|parodd|inpck|cs7|cs8)\b/g;
	return [`  port is set   ${speed} baud, ${(stdout.match(flags) ?? []).join(' ')}`];
}

const isUsed = (adapter: SerialAdapter, { acceptor, edc }: Settings): boolean =>
	[acceptor?.port, edc?.port].some((port) => port?.transport === 'serial' && realDevice(port.path) === adapter.device);
