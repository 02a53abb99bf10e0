/** Connected devices, as the kernel reports them. */
import { existsSync, globSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface SerialAdapter {
	/** e.g. /dev/ttyUSB0 */
	device: string;
	/** Stable names: links in /dev/serial and links from udev rules. */
	names: string[];
	/** e.g. "0403:6001 FTDI FT232R A50285BI port:1-4"; '' if its USB device is not found. */
	usb: string;
	/** When the adapter was plugged in, ISO 8601; null if the kernel does not record it. */
	since: string | null;
}

export interface UsbDevice {
	/** USB port, e.g. "1-2.3"; `[devices]` of the setup file names it "port:1-2.3". */
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

/** @returns the folder in /sys of the USB device to which the folder `of` belongs, or null */
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

/** @returns the connected USB serial adapters; serial ports of the mainboard are left out */
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
				// The adapter was unplugged meanwhile.
				return [];
			}
		});
}

function namesOf(device: string): string[] {
	const links = [...globSync('/dev/serial/by-id/*'), ...globSync('/dev/serial/by-path/*'), ...globSync('/dev/kiosk-*')];
	return links.filter((link) => realDevice(link) === device);
}

/** @returns the device to which a path leads, or null if there is none */
export function realDevice(path: string): string | null {
	try {
		return realpathSync(path);
	} catch {
		return null;
	}
}

/** @returns the target of a link, even if the target does not exist; null if the path is no link */
export function danglingLink(path: string): string | null {
	try {
		return readlinkSync(path);
	} catch {
		return null;
	}
}

/** @returns the connected USB devices; an empty list if they cannot be read */
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
