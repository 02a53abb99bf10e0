/** What a failure of the network means, for somebody who may never have heard of its code. */
export interface Explained {
	cause: string;
	remedy: string;
}

const CLOCK = 'Is the clock right (below)? Else the server needs a new certificate: tell the owner’s server team.';
const TRUST =
	'Put the authority that signed it into [back_office] ca_file. Is this the right address? Some networks answer in the place of others.';

/** First match wins. The texts are those of Node, OpenSSL and the WebSocket library. */
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
			remedy: 'Set the clock (below); a clock that loses time with the power needs a new battery.',
		}),
	],
	[
		/altnames|ERR_TLS_CERT_ALTNAME/,
		() => ({
			cause: 'the server’s TLS certificate is for another name',
			remedy: 'Write the name that the certificate is for into [back_office].',
		}),
	],
	[
		/self-signed|self signed|unable to verify|unable to get (?:local )?issuer|UNABLE_TO|SELF_SIGNED/,
		() => ({ cause: 'nobody this kiosk trusts has signed the server’s TLS certificate', remedy: TRUST }),
	],
	[
		/EPROTO|wrong version number|ssl3_get_record|packet length too long|SSL routines/i,
		() => ({ cause: 'the server does not speak TLS on this port', remedy: 'Check port and https:// or wss:// in [back_office].' }),
	],
	[
		/ECONNREFUSED/,
		() => ({
			cause: 'nothing listens at the server’s address',
			remedy: 'Check address and port in [back_office]; else the server is down.',
		}),
	],
	[
		/ENETUNREACH|EHOSTUNREACH|ENETDOWN/,
		() => ({ cause: 'there is no way to the server from here', remedy: 'Check the network cable or Wi-Fi, the router, and [network].' }),
	],
	[
		/ETIMEDOUT|no answer within|handshake has timed out|timed? ?out/i,
		() => ({ cause: 'the server does not answer in time', remedy: 'Check the network and its firewall; else the server hangs.' }),
	],
	[
		/(?:Unexpected server response: |answered |HTTP )(401|403)/,
		([, status]) => ({
			cause: `the server refuses this kiosk (${status})`,
			remedy: 'Log out and in again on the screen, with the outlet’s account.',
		}),
	],
	[
		/(?:Unexpected server response: |answered |HTTP )404/,
		() => ({ cause: 'the server knows no such address (404)', remedy: 'Check [back_office] socket_url and paths.' }),
	],
	[
		/(?:Unexpected server response: |answered |HTTP )(5\d\d)/,
		([, status]) => ({
			cause: `the server answers with an error of its own (${status})`,
			remedy: 'Nothing is to be done here: tell the owner’s server team the time and this number.',
		}),
	],
	[
		/closed with code (\d+)/,
		([, code]) => ({
			cause: `the server closes the live socket at once (code ${code})`,
			remedy: 'Log out and in again on the screen; if it stays so, tell the owner’s server team this code.',
		}),
	],
	[
		/ECONNRESET|socket hang up|cut off/,
		() => ({ cause: 'the server hangs up', remedy: 'Check that a firewall or proxy lets the kiosk through.' }),
	],
];

/** @param message of the error that a call or a socket ended with; a list of failures comes without one */
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
