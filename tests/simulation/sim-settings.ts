import { BEHAVIOUR } from '../simulators/acceptor/behaviour.ts';

/** Amount above which two names are needed, rupiah. Only the largest note exceeds this amount. */
export const TWO_NAMES_ABOVE = 60_000;

/** @returns the settings file of the simulated kiosk as TOML */
export const settingsFor = (server: string): string => `
[back_office]
url = "${server}"
socket_url = "${server.replace('http', 'ws')}/ws/{token}/"
[acceptor]
port = "tcp:127.0.0.1:1"
[acceptor.notes]
${Object.entries(BEHAVIOUR.notes)
	.map(([code, nominal]) => `"0x${Number(code).toString(16).padStart(2, '0')}" = ${nominal}`)
	.join('\n')}
[edc]
port = "tcp:127.0.0.1:2"
[staff]
two_names_above = ${TWO_NAMES_ABOVE}
`;
