/**
 * Decides from which hosts the kiosk may fetch files named by the back office. An address, a host
 * name or a redirect from the back office must not make the kiosk call services on itself or in the
 * dealer's network.
 */
import { type LookupAddress, lookup as resolveName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Forbidden addresses: this PC, link-local, multicast, and addresses that are not hosts (RFC 6890).
 * The only exception is a back office that the settings name by its IP address or as `localhost`.
 */
const NOWHERE = ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '224.0.0.0/3'];
/** Private networks, allowed only for the back office's own origin. */
const PRIVATE = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', '198.18.0.0/15'];
const NOWHERE_6 = ['::/128', '::1/128', 'fe80::/10', 'fec0::/10', 'ff00::/8', '2001::/32', '2002::/16'];
const PRIVATE_6 = ['fc00::/7'];
/**
 * Prefixes of IPv6 addresses that contain an IPv4 address. BlockList itself handles ::ffff:0:0/96.
 */
const CARRIERS = ['::', '64:ff9b::'];

function listOf(v4: readonly string[], v6: readonly string[]): BlockList {
	const list = new BlockList();
	const add = (net: string, family: 'ipv4' | 'ipv6', carrier = '', more = 0): void => {
		const [address = '', prefix] = net.split('/');
		list.addSubnet(carrier + address, Number(prefix) + more, family);
	};
	for (const net of v4) {
		add(net, 'ipv4');
		for (const carrier of CARRIERS) add(net, 'ipv6', carrier, 96);
	}
	for (const net of v6) add(net, 'ipv6');
	return list;
}

let lists: { nowhere: BlockList; privately: BlockList } | null = null;
/**
 * @returns the lists of forbidden addresses. They are created at the first check, because creating
 * them takes a thirtieth of the daemon's start time
 */
function blockLists(): { nowhere: BlockList; privately: BlockList } {
	lists ??= { nowhere: listOf(NOWHERE, NOWHERE_6), privately: listOf(PRIVATE, PRIVATE_6) };
	return lists;
}
const isIn = (list: BlockList, address: string): boolean => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** @returns a URL's host name without the brackets of an IPv6 address */
const literal = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

export interface Reach {
	/**
	 * @returns why the URL's address is forbidden, or null. A host name gives null, because `lookup`
	 * checks it
	 */
	problem: (url: URL) => string | null;
	/**
	 * Resolves a host name to its allowed addresses only. The connection uses this result, so it goes
	 * to a checked address.
	 */
	lookup: (url: URL) => LookupFunction;
}

/**
 * @param own address of the back office. Its origin may be in the dealer's network. If the settings
 * name it by an IP address or as `localhost`, its origin may have any address. Other ports of its
 * host may belong to other services, even to this daemon, so the general rules apply to them.
 * @param resolve asks the name server
 */
export function reachOf(own: URL, resolve: typeof resolveName = resolveName): Reach {
	const isOwn = (url: URL): boolean => url.origin === own.origin;
	const isOwnLiteral = (url: URL): boolean => isOwn(url) && (url.hostname === 'localhost' || isIP(literal(url.hostname)) !== 0);

	const mayReach = (url: URL, address: string): boolean => {
		const { nowhere, privately } = blockLists();
		return isOwnLiteral(url) || !(isIn(nowhere, address) || (isIn(privately, address) && !isOwn(url)));
	};

	return {
		problem(url) {
			const address = literal(url.hostname);
			if (isIP(address) === 0 || mayReach(url, address)) return null;
			return `${address} is an address of this PC or of a private network`;
		},
		lookup: (asked) => (hostname, options, callback) => {
			resolve(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
				if (error) return callback(error, '', 0);
				const fitting = found.filter(({ address }) => mayReach(asked, address));
				const [first] = fitting;
				if (!first) return callback(new Error(`${hostname} resolves to this PC or a private network`), '', 0);
				if (options.all) callback(null, fitting);
				else callback(null, first.address, first.family);
			});
		},
	};
}
