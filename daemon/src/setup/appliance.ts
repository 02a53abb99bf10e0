/**
 * Parses the setup file of an appliance: the daemon's settings, and the sections `[network]` and
 * `[devices]` for the system. fleet.ts parses `[fleet]`.
 */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { stringify } from 'smol-toml';
import * as v from 'valibot';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import { parseToml, type SettingsRefused, settingsOf } from '../settings/settings.ts';
import { problemSentence } from '../settings/settings-problem.ts';

const ip = v.pipe(
	v.string('an address in quotes'),
	v.check((text) => isIP(text) !== 0, 'an address such as "192.0.2.1"'),
);

const ownAddress = v.pipe(
	v.string('an address in quotes'),
	v.check(
		(text) => text === 'dhcp' || (/^[^/]+\/\d{1,3}$/.test(text) && withinPrefix(text)),
		'"dhcp", or an address with its prefix such as "192.0.2.10/24"',
	),
);

function withinPrefix(text: string): boolean {
	const [address = '', prefix] = text.split('/');
	const family = isIP(address);
	return family !== 0 && Number(prefix) <= (family === 4 ? 32 : 128);
}

const Network = v.pipe(
	v.strictObject({
		interface: v.optional(v.picklist(['ethernet', 'wifi'], '"ethernet" or "wifi"'), 'ethernet'),
		address: v.optional(ownAddress, 'dhcp'),
		gateway: v.optional(ip),
		dns: v.optional(v.array(ip), []),
		ntp: v.optional(v.array(v.pipe(v.string(), v.regex(/^[\w.:-]+$/, 'a name or an address'))), []),
		/** IEEE 802.11: up to 32 bytes. */
		ssid: v.optional(v.pipe(v.string(), v.nonEmpty('not empty'), v.maxBytes(32, 'at most 32 bytes'))),
		/** WPA2: 8 to 63 printable ASCII characters. */
		password: v.optional(v.pipe(v.string(), v.regex(/^[ -~]{8,63}$/, '8 to 63 letters, digits and signs'))),
	}),
	v.forward(
		v.check(({ address, gateway }) => address === 'dhcp' || gateway !== undefined, 'an address beside a fixed [network] address'),
		['gateway'],
	),
	v.forward(
		v.check(({ interface: kind, ssid }) => kind === 'ethernet' || ssid !== undefined, 'the name of the Wi-Fi network'),
		['ssid'],
	),
);
export type Network = v.InferOutput<typeof Network>;

/** Identifies a USB adapter: its serial number, or its USB port. */
const usbPlace = v.pipe(
	v.string('a text in quotes'),
	v.regex(/^(serial:[\w.-]{1,64}|port:\d+-\d+(\.\d+)*)$/, '"serial:NUMBER" or "port:1-2.3"'),
);

const Devices = v.strictObject({
	acceptor: v.optional(usbPlace),
	edc: v.optional(usbPlace),
	/** "auto" for the first USB printer, or a CUPS device URI. */
	printer: v.optional(v.pipe(v.string(), v.regex(/^(auto|(usb|ipp|ipps|socket):\/\/[!-~]+)$/, '"auto", or an address of CUPS')), 'auto'),
});
export type Devices = v.InferOutput<typeof Devices>;

export interface Setup {
	/** The daemon's settings file. */
	kioskToml: string;
	/** Degrees, clockwise. */
	rotation: number;
	/** Whether keyboards and mice work on the screen. */
	keyboard: boolean;
	/** host:port of the daemon's metrics. */
	serviceListen: string;
	network: Network;
	devices: Devices;
}

/**
 * Checks the file except `[fleet]`, and splits it into the parts of the daemon and of the system.
 * The daemon's own schema checks the daemon's part.
 * @param caFile path of the back office's certificate authority, or null; `ca_file` in the settings
 * has priority
 */
export function parseSetup(source: string, caFile: string | null): Result<Setup, SettingsRefused> {
	const table = parseToml(source);
	if (!table.ok) return table;
	// An invalid fleet section must not invalidate the other settings.
	const { network = {}, devices = {}, fleet: _, ...daemon } = table.value;
	const settings = settingsOf(daemon, source, undefined);
	const system = v.safeParse(v.object({ network: Network, devices: Devices }), { network, devices });
	const problems = [
		...(settings.ok ? [] : settings.error.problems),
		...(system.success ? [] : system.issues.map((issue) => problemSentence(issue, source))),
	];
	if (!settings.ok || !system.success) return fail({ code: 'settings_refused', problems });
	const { back_office, journal } = daemon;
	const placed = {
		...daemon,
		// The journal is on a separate partition, which a factory reset keeps.
		journal: { directory: '/var/lib/kiosk-journal', ...(journal as object | undefined) },
		...(caFile === null ? {} : { back_office: { ca_file: caFile, ...(back_office as object | undefined) } }),
	};
	const { rotation, keyboard, service_listen } = settings.value.screen;
	return ok({ kioskToml: stringify(placed), rotation, keyboard, serviceListen: service_listen, ...system.output });
}

/** A public key. Options before the key are refused, because they could allow more than a shell. */
const KEY_LINE = /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|sk-ssh-ed25519@openssh\.com) [A-Za-z0-9+/]+=*( .*)?$/;

/**
 * @returns the keys, each restricted to a terminal and a tunnel. sshd's settings limit the tunnel
 * to the kiosk's page for technicians
 */
export function parseAuthorizedKeys(source: string): Result<string, SettingsRefused> {
	const lines = source.split('\n').map((line) => line.trim());
	const isKey = (line: string) => line !== '' && !line.startsWith('#');
	const problems = lines.flatMap((line, index) =>
		isKey(line) && !KEY_LINE.test(line) ? [`line ${index + 1}: this is not a public SSH key such as "ssh-ed25519 AAAA… name"`] : [],
	);
	if (problems.length > 0) return fail({ code: 'settings_refused', problems });
	return ok(
		lines
			.filter(isKey)
			.map((line) => `restrict,pty,port-forwarding ${line}\n`)
			.join(''),
	);
}

export function parseCertificate(source: string): Result<string, SettingsRefused> {
	try {
		new X509Certificate(source);
		return ok(source);
	} catch (error) {
		return fail({ code: 'settings_refused', problems: [`this is not a certificate in PEM form: ${messageOf(error)}`] });
	}
}
