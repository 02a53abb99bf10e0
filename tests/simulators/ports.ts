/**
 * All ports of a `make run`. One environment variable moves all of them, so that two runs can work
 * at the same time: with `KIOSK_PORT_OFFSET=100` the screen is on 8180 and the panel on 8190.
 */
export const OFFSET_VARIABLE = 'KIOSK_PORT_OFFSET';

const BASE = { screen: 8080, backOffice: 8081, service: 8082, acceptor: 7001, edc: 7002, printer: 8631, panel: 8090, vite: 5173 } as const;

export type Role = keyof typeof BASE;
export type Ports = Record<Role, number>;

const ROLE_NAMES: Record<Role, string> = {
	screen: 'the kiosk screen (daemon)',
	backOffice: 'the back office simulator',
	service: 'the health page (daemon)',
	acceptor: 'the bill acceptor simulator',
	edc: 'the card terminal simulator',
	printer: 'the printer simulator',
	panel: 'the control panel',
	vite: 'the development server of the screens',
};

/** Largest offset that keeps every port below 65536. */
const LARGEST_OFFSET = 65_535 - Math.max(...Object.values(BASE));

/** @returns the offset in the environment; throws with a readable message if it is invalid */
export function portOffset(environment: Record<string, string | undefined> = process.env): number {
	const text = environment[OFFSET_VARIABLE] ?? '0';
	const offset = Number(text);
	if (!/^\d+$/.test(text) || offset > LARGEST_OFFSET) {
		throw new Error(`${OFFSET_VARIABLE}="${text}" is not a whole number from 0 to ${LARGEST_OFFSET}.`);
	}
	return offset;
}

export function portsAt(offset: number): Ports {
	const entries = Object.entries(BASE).map(([role, port]) => [role, port + offset]);
	return Object.fromEntries(entries) as Ports;
}

/**
 * Chromium opens no page on these ports, because other protocols use them (net/base/port_util.cc).
 */
const REFUSED: ReadonlySet<number> = new Set([
	1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]);

/** @returns whether browsers and Node's fetch refuse this port */
export const isRefused = (port: number): boolean => REFUSED.has(port);

/** @returns a warning if browsers open no page on one of these ports, or null */
export function refusedByBrowsers(ports: Ports): string | null {
	const refused = (['screen', 'service', 'panel', 'vite'] as const).find((role) => isRefused(ports[role]));
	if (refused === undefined) return null;
	return `Browsers open no page on port ${ports[refused]} (${ROLE_NAMES[refused]}). Use another ${OFFSET_VARIABLE}.`;
}

/** @returns the message about a port that is in use */
export function busyPortMessage(role: Role, port: number): string {
	return (
		`Port ${port} (${ROLE_NAMES[role]}) is already in use by another program. ` +
		`Stop that program, or move all ports of this run: ${OFFSET_VARIABLE}=100 make run`
	);
}
