/** Cause and remedy of a network failure, in plain words. */
export interface Explained {
	cause: string;
	remedy: string;
}

const CLOCK = 'Check the kiosk’s clock (part clock). If it is right, the server needs a new certificate: tell the owner’s server team.';
const TRUST =
	'Check the address. If it is right, put the certificate of the signing authority into [back_office] ca_file. Some networks intercept connections.';

/**
 * Patterns for error messages of Node, OpenSSL and the WebSocket library. The first match is used.
 */
const EXPLAINED: readonly (readonly [RegExp, (found: RegExpExecArray) => Explained])[] = [
	[
		/getaddrinfo (?:ENOTFOUND|EAI_\w+) ?([^\s:]*)/,
		([, name]) => ({
			cause: `the name ${name || 'of the server'} cannot be resolved (DNS)`,
			remedy: 'Check the spelling in [back_office] and the network’s DNS server: kioskctl network check.',
		}),
	],
	[/certificate has expired|CERT_HAS_EXPIRED/, () => ({ cause: 'the server’s TLS certificate has expired', remedy: CLOCK })],
	[
		/not yet valid|CERT_NOT_YET_VALID/,
		() => ({
			cause: 'the server’s TLS certificate is not valid yet: most likely this kiosk’s clock is wrong',
			remedy: 'Set the clock (part clock). A clock that loses the time when the power is off needs a new battery.',
		}),
	],
	[
		/altnames|ERR_TLS_CERT_ALTNAME/,
		() => ({
			cause: 'the server’s TLS certificate is for another name',
			remedy: 'Use the name in the certificate in [back_office].',
		}),
	],
	[
		/self-signed|self signed|unable to verify|unable to get (?:local )?issuer|UNABLE_TO|SELF_SIGNED/,
		() => ({ cause: 'the server’s TLS certificate is signed by an authority that this kiosk does not trust', remedy: TRUST }),
	],
	[
		/EPROTO|wrong version number|ssl3_get_record|packet length too long|SSL routines/i,
		() => ({ cause: 'the server does not speak TLS on this port', remedy: 'Check port and https:// or wss:// in [back_office].' }),
	],
	[
		/ECONNREFUSED/,
		() => ({
			cause: 'nothing listens at the server’s address',
			remedy: 'Check address and port in [back_office]. If they are right, the server is down: tell the owner’s server team.',
		}),
	],
	[
		/ENETUNREACH|EHOSTUNREACH|ENETDOWN/,
		() => ({ cause: 'the network has no route to the server', remedy: 'Check the network cable or Wi-Fi, the router, and [network].' }),
	],
	[
		/ETIMEDOUT|no answer within|handshake has timed out|timed? ?out/i,
		() => ({
			cause: 'the server does not answer in time',
			remedy: 'Check the network and its firewall. If both are fine, tell the owner’s server team.',
		}),
	],
	[
		/(?:Unexpected server response: |answered |HTTP )(401|403)/,
		([, status]) => ({
			cause: `the server refuses this kiosk (${status})`,
			remedy: 'Log out and log in again on the screen, with the outlet’s account.',
		}),
	],
	[
		/(?:Unexpected server response: |answered |HTTP )404/,
		() => ({ cause: 'the server does not know this path (404)', remedy: 'Check [back_office] socket_url and paths.' }),
	],
	[
		/(?:Unexpected server response: |answered |HTTP )(5\d\d)/,
		([, status]) => ({
			cause: `the server reports an internal error (${status})`,
			remedy: 'Tell the owner’s server team the time and this number; the kiosk needs no change.',
		}),
	],
	[
		/closed with code (\d+)/,
		([, code]) => ({
			cause: `the server closes the live socket at once (code ${code})`,
			remedy: 'Log out and log in again on the screen. If it stays closed, tell the owner’s server team this code.',
		}),
	],
	[
		/ECONNRESET|socket hang up|cut off/,
		() => ({ cause: 'the server closes the connection', remedy: 'Check that firewall and proxy let the kiosk through.' }),
	],
];

/**
 * @param message error message of the failed call or socket; '' if there is none, for example for
 * an AggregateError
 */
export function explainNetwork(message: string): Explained {
	for (const [pattern, words] of EXPLAINED) {
		const found = pattern.exec(message);
		if (found) return words(found);
	}
	return {
		cause: message === '' ? 'the server cannot be reached' : message,
		remedy: 'Check network, DNS, clock and the address in [back_office]: kioskctl network check.',
	};
}
