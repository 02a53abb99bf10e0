import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Pair {
	key: string;
	cert: string;
}

export interface Certificates {
	ca: string;
	server: Pair;
	client: Pair;
}

/**
 * Makes a private authority, a server certificate and a client certificate as PEM files in the
 * folder, as docs/owner/fleet.md describes.
 * @param names names of the server, in openssl's notation
 */
export function makeCertificates(folder: string, names = 'DNS:localhost,IP:127.0.0.1'): Certificates {
	const openssl = (...parameters: string[]) => execFileSync('openssl', parameters, { cwd: folder, stdio: 'pipe' });
	const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'];
	openssl('req', '-x509', ...newKey, '-subj', '/CN=kiosk fleet', '-keyout', 'ca.key', '-out', 'ca.pem');
	writeFileSync(join(folder, 'names'), `subjectAltName=${names}\n`);
	const pair = (name: string): Pair => {
		openssl('req', ...newKey.slice(0, -2), '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
		const sign = ['-in', `${name}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '30', '-extfile', 'names'];
		openssl('x509', '-req', ...sign, '-out', `${name}.pem`);
		return { key: join(folder, `${name}.key`), cert: join(folder, `${name}.pem`) };
	};
	return { ca: join(folder, 'ca.pem'), server: pair('localhost'), client: pair('kiosk-0001') };
}
