import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { messageOf } from '../result.ts';

/** A handshake over a mobile network takes some round trips. */
const LIMIT_MS = 10_000;

export interface Certificate {
	/** ISO 8601. */
	valid_from: string;
	valid_to: string;
	issuer: string;
}

/** What a connection to the server shows, without a single request. */
export interface Probe {
	/** Why it cannot be trusted or reached; null when a call would go through. */
	problem: string | null;
	/** null where the address has no TLS, or none was reached. */
	certificate: Certificate | null;
	/** The server's address as DNS gave it, or null. */
	address: string | null;
}

/**
 * Connects, looks at the certificate and hangs up.
 * @param url http(s) or ws(s); `{token}` may stand in it
 * @param caFile certificate authority, PEM, or undefined for the machine's own
 */
export function probeOffice(url: string, caFile: string | undefined, limitMs = LIMIT_MS): Promise<Probe> {
	const { protocol, hostname, port } = new URL(url.replace('{token}', 'x'));
	const secure = protocol === 'https:' || protocol === 'wss:';
	const host = hostname.replace(/[[\]]/g, '');
	return new Promise((resolve) => {
		let address: string | null = null;
		const end = (problem: string | null, certificate: Certificate | null): void => {
			clearTimeout(timer);
			socket.destroy();
			resolve({ problem, certificate, address });
		};
		const to = { host, port: Number(port) || (secure ? 443 : 80) };
		const ca = caAt(caFile);
		const socket = secure
			? // Also what is not trusted has a date that helps; nothing is sent over it.
				connectTls({ ...to, servername: /^[\d.:]+$/.test(host) ? '' : host, rejectUnauthorized: false, ...(ca ? { ca } : {}) })
			: connect(to);
		const timer = setTimeout(() => end(`no answer within ${limitMs} ms`, null), limitMs);
		socket.on('lookup', (_error, found) => {
			address = found || null;
		});
		socket.on('error', (error) => end(messageOf(error) || 'ECONNREFUSED', null));
		if ('getPeerCertificate' in socket)
			socket.on('secureConnect', () => {
				const { valid_from, valid_to, issuer } = socket.getPeerCertificate();
				const certificate = {
					valid_from: isoOf(valid_from),
					valid_to: isoOf(valid_to),
					issuer: String(issuer?.O ?? issuer?.CN ?? ''),
				};
				end(socket.authorized ? null : String(socket.authorizationError), certificate);
			});
		else socket.on('connect', () => end(null, null));
	});
}

/** @returns the date of a certificate, ISO 8601; one that is none is the beginning of time, which is over */
function isoOf(date: string): string {
	const at = new Date(date);
	return (Number.isNaN(at.getTime()) ? new Date(0) : at).toISOString();
}

function caAt(file: string | undefined): Buffer | null {
	try {
		return file === undefined ? null : readFileSync(file);
	} catch {
		return null;
	}
}
