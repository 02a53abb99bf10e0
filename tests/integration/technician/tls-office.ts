import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../../simulators/listen.ts';

/** A key for tests only, which protects nothing. It has two certificates for 127.0.0.1. */
const KEY = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIIyTP6pnEOSA+DPm9Q2HAKVvlshR8db4lJyX6793Qg/8oAoGCCqGSM49
AwEHoUQDQgAEVdtcb+j7WP6lp+z8zHR9/dQURriGwOncnIpDSgs/m/2hNtQysi8e
M34DSbwRT/KMFTKj+oja70qpJjlzbn0htg==
-----END EC PRIVATE KEY-----
`;
/** Valid until 2021. */
export const EXPIRED = `-----BEGIN CERTIFICATE-----
MIIBkTCCATagAwIBAgIUZT1l56KuP2GNAmqffdQ5NKuXMAowCgYIKoZIzj0EAwIw
IDEeMBwGA1UEAwwVQmFjayBvZmZpY2Ugb2YgYSB0ZXN0MB4XDTIwMDEwMTAwMDAw
MFoXDTIxMDEwMTAwMDAwMFowIDEeMBwGA1UEAwwVQmFjayBvZmZpY2Ugb2YgYSB0
ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEVdtcb+j7WP6lp+z8zHR9/dQU
RriGwOncnIpDSgs/m/2hNtQysi8eM34DSbwRT/KMFTKj+oja70qpJjlzbn0htqNO
MEwwGgYDVR0RBBMwEYcEfwAAAYIJbG9jYWxob3N0MA8GA1UdEwEB/wQFMAMBAf8w
HQYDVR0OBBYEFJkp/zmhbYj1KCH7Ldt7Go2kuJ1EMAoGCCqGSM49BAMCA0kAMEYC
IQCj3J2eLmPYGdjHEaqGkSH3YkdVZXIpQnlnFLqPhPalWwIhAKim9B0D/dPoXdpP
be+WLX5CKhXA0F7sXcROGKLa49Qc
-----END CERTIFICATE-----
`;
/** Valid until 2120; self-signed. */
export const GOOD = `-----BEGIN CERTIFICATE-----
MIIBkzCCATigAwIBAgIUQh2CyCnjWu4v+sLMvc40G/6XUlgwCgYIKoZIzj0EAwIw
IDEeMBwGA1UEAwwVQmFjayBvZmZpY2Ugb2YgYSB0ZXN0MCAXDTIwMDEwMTAwMDAw
MFoYDzIxMjAwMTAxMDAwMDAwWjAgMR4wHAYDVQQDDBVCYWNrIG9mZmljZSBvZiBh
IHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARV21xv6PtY/qWn7PzMdH39
1BRGuIbA6dycikNKCz+b/aE21DKyLx4zfgNJvBFP8owVMqP6iNrvSqkmOXNufSG2
o04wTDAaBgNVHREEEzARhwR/AAABgglsb2NhbGhvc3QwDwYDVR0TAQH/BAUwAwEB
/zAdBgNVHQ4EFgQUmSn/OaFtiPUoIfst23sajaS4nUQwCgYIKoZIzj0EAwIDSQAw
RgIhAJVJUONAYPfWkhfdphUIeEUKz5ucvxtNklmGYXFocw5YAiEAodxvRqtgzbbQ
n+pXOgcq3k5N+X04ubSnwYayAaMUTDg=
-----END CERTIFICATE-----
`;

/**
 * A server with this certificate that answers every path with an error. `caFile` holds the
 * certificate, so that the kiosk can trust it.
 */
export async function startTlsOffice(cert: string): Promise<{ url: string; caFile: string; stop(): Promise<void> }> {
	const server = createServer({ key: KEY, cert }, (_request, response) => response.writeHead(404).end());
	const { port, close } = await listen(server, 0);
	const folder = mkdtempSync(join(tmpdir(), 'tls-'));
	const caFile = join(folder, 'ca.pem');
	writeFileSync(caFile, cert);
	return {
		url: `https://127.0.0.1:${port}`,
		caFile,
		async stop() {
			await close();
			rmSync(folder, { recursive: true });
		},
	};
}
