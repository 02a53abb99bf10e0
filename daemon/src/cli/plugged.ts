/** What is plugged into this machine, as its kernel tells. */
import { existsSync, globSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface SerialAdapter {
	/** e.g. /dev/ttyUSB0 */
	device: string;
	/** Names that stay the same: by its number, and links that udev rules have made. */
	names: string[];
	/** e.g. "0403:6001 FTDI FT232R A50285BI", or '' for a port of the board. */
	usb: string;
	/** ISO 8601, or null where the kernel does not tell. */
	since: string | null;
}

export interface UsbDevice {
	/** Where it is plugged, as `[devices]` writes it. */
	port: string;
	id: string;
	name: string;
}

const text = (file: string): string => {
	try {
		return readFileSync(file, 'utf8').trim();
	} catch {
		return '';
	}
};

/** @returns the folder of the USB device that this folder of /sys belongs to, or null */
function usbFolder(of: string): string | null {
	for (let at = realpathSync(of); at.startsWith('/sys/devices'); at = dirname(at)) if (existsSync(join(at, 'idVendor'))) return at;
	return null;
}

const usbText = (folder: string): string =>
	[
		`${text(join(folder, 'idVendor'))}:${text(join(folder, 'idProduct'))}`,
		...['manufacturer', 'product', 'serial'].map((name) => text(join(folder, name))),
		`port:${basename(folder)}`,
	]
		.filter(Boolean)
		.join(' ');

/** @returns adapters on USB; ports of the board are only those that a setting names */
export function serialAdapters(): SerialAdapter[] {
	return globSync('/sys/class/tty/{ttyUSB,ttyACM}*')
		.sort()
		.flatMap((folder) => {
			const device = `/dev/${basename(folder)}`;
			try {
				const usb = usbFolder(join(folder, 'device'));
				const { birthtimeMs } = statSync(device);
				const since = birthtimeMs > 0 ? new Date(birthtimeMs).toISOString() : null;
				return [{ device, names: namesOf(device), usb: usb ? usbText(usb) : '', since }];
			} catch {
				// Pulled just now.
				return [];
			}
		});
}

function namesOf(device: string): string[] {
	const links = [...globSync('/dev/serial/by-id/*'), ...globSync('/dev/serial/by-path/*'), ...globSync('/dev/kiosk-*')];
	return links.filter((link) => realDevice(link) === device);
}

/** @returns the device that a name leads to, or null when there is none */
export function realDevice(path: string): string | null {
	try {
		return realpathSync(path);
	} catch {
		return null;
	}
}

/** @returns where a link leads although nothing is there, or null */
export function danglingLink(path: string): string | null {
	try {
		return readlinkSync(path);
	} catch {
		return null;
	}
}

export function usbDevices(): UsbDevice[] {
	try {
		return readdirSync('/sys/bus/usb/devices')
			.filter((name) => /^\d+-[\d.]+$/.test(name))
			.sort()
			.map((name) => {
				const folder = join('/sys/bus/usb/devices', name);
				const called = [text(join(folder, 'manufacturer')), text(join(folder, 'product'))].filter(Boolean).join(' ');
				return { port: name, id: `${text(join(folder, 'idVendor'))}:${text(join(folder, 'idProduct'))}`, name: called };
			});
	} catch {
		return [];
	}
}
