import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { messageOf } from '../base/result.ts';

/** Time limit of a probe. A TLS handshake over a mobile network takes several round trips. */
const LIMIT_MS = 10_000;

export interface Certificate {
	/** ISO 8601. */
	valid_from: string;
	valid_to: string;
	issuer: string;
}

/** Result of connecting to the server without sending a request. */
export interface Probe {
	/** Why a call would fail; null if the connection works. */
	problem: string | null;
	/** null without TLS, or if the handshake ended before the certificate came. */
	certificate: Certificate | null;
	/** The server's address from DNS, or null. */
	address: string | null;
}

/**
 * Connects, reads the certificate and disconnects.
 * @param url http(s) or ws(s); may contain `{token}`
 * @param caFile certificate authority, PEM; undefined for the public authorities
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
			? // Accepts untrusted certificates to read their date; sends no data.
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

/**
 * @returns a certificate's date, ISO 8601. An invalid date becomes 1970, so that the certificate
 * counts as expired
 */
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
