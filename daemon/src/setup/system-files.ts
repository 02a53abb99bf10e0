import type { Devices, Network } from './appliance.ts';

export interface SystemFile {
	path: string;
	text: string;
	mode: number;
}

/**
 * @returns the files of systemd-networkd and iwd. The Wi-Fi password is in a separate file that
 * only root can read
 */
export function networkFiles(network: Network): SystemFile[] {
	const { interface: kind, address, gateway, dns, ntp, ssid, password } = network;
	const lines = [
		'[Match]',
		kind === 'wifi' ? 'Type=wlan' : 'Type=ether',
		// Excludes virtual interfaces and USB adapters, which must not become the uplink.
		...(kind === 'wifi' ? [] : ['Kind=!*', 'Path=!*-usb-*']),
		'[Network]',
		address === 'dhcp' ? 'DHCP=yes' : `Address=${address}`,
		...(gateway === undefined ? [] : [`Gateway=${gateway}`]),
		...dns.map((server) => `DNS=${server}`),
		...ntp.map((server) => `NTP=${server}`),
		'LLMNR=no',
		'MulticastDNS=no',
		'[DHCPv4]',
		'UseHostname=no',
	];
	const files = [{ path: '/run/systemd/network/10-kiosk.network', text: `${lines.join('\n')}\n`, mode: 0o644 }];
	if (kind === 'wifi' && ssid !== undefined) {
		const [suffix, security] = password === undefined ? ['open', ''] : ['psk', `[Security]\nPassphrase=${password}\n`];
		files.push({ path: `/run/kiosk/iwd/${wifiName(ssid)}.${suffix}`, text: `${security}[Settings]\nAutoConnect=true\n`, mode: 0o600 });
	}
	return files;
}

/**
 * iwd.network(5): the file name of a network is its SSID if that has only letters, digits, space,
 * "_" and "-"; otherwise it is "=" and the SSID in hex.
 */
const wifiName = (ssid: string): string => (/^[\w -]+$/.test(ssid) ? ssid : `=${Buffer.from(ssid).toString('hex')}`);

/**
 * @returns udev rules that find the two serial devices by serial number or USB port and name them
 */
export function deviceRules(devices: Devices): string {
	return (['acceptor', 'edc'] as const)
		.flatMap((name) => {
			const [by, value] = devices[name]?.split(':') ?? [];
			if (by === undefined) return [];
			const match = by === 'serial' ? `ENV{ID_SERIAL_SHORT}=="${value}"` : `SUBSYSTEMS=="usb", KERNELS=="${value}"`;
			return [`SUBSYSTEM=="tty", ${match}, SYMLINK+="kiosk-${name}"\n`];
		})
		.join('');
}

/** First two rows of the libinput matrix that maps panel coordinates to the rotated picture. */
const TURNS: Readonly<Record<number, string>> = { 0: '1 0 0 0 1 0', 90: '0 1 0 -1 0 1', 180: '-1 0 1 0 -1 1', 270: '0 -1 1 1 0 0' };

/** udev match of a panel. A device that is also a keyboard or mouse does not match. */
const PANEL = 'ENV{ID_INPUT_TOUCHSCREEN}=="1", ENV{ID_INPUT_KEYBOARD}!="1", ENV{ID_INPUT_MOUSE}!="1", ';

/**
 * @param rotation degrees, clockwise
 * @param keyboard whether keyboards and mice work on the screen
 * @returns udev rules that enable input devices and map touches to the picture. 80-kiosk.rules
 * makes the compositor ignore all other input devices
 */
export const inputRules = (rotation: number, keyboard: boolean): string =>
	`SUBSYSTEM=="input", ${keyboard ? '' : PANEL}ENV{LIBINPUT_IGNORE_DEVICE}="0", ENV{LIBINPUT_CALIBRATION_MATRIX}="${TURNS[rotation]}"\n`;
