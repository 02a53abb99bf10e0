import type { Kiosk } from './kiosk.ts';
import { type RawAnswer, rawRequest } from './raw-request.ts';

// Makes the calls that any web page could make, with exactly the given headers.

type Origin = Pick<Kiosk, 'daemon'>;
type Headers = Record<string, string>;

/** @returns the header that sends the key of a session */
export const as = (key: string) => ({ Authorization: `Token ${key}` });

export const ask = ({ daemon }: Origin, method: string, path: string, headers: Headers = {}, body = ''): Promise<RawAnswer> =>
	rawRequest(daemon.url, method, path, headers, body);

/**
 * POSTs a `formData` field with a CSRF pair.
 * @param headers the session's header; a `Cookie` is added to the cookie of the CSRF pair
 */
export function postForm(kiosk: Origin, path: string, value: object, { Cookie, ...headers }: Headers = {}): Promise<RawAnswer> {
	const more = {
		'Content-Type': 'application/x-www-form-urlencoded',
		Cookie: `csrftoken=abcdefgh${Cookie ? `; ${Cookie}` : ''}`,
		'X-CSRFToken': 'abcdefgh',
	};
	return ask(kiosk, 'POST', path, { ...headers, ...more }, `formData=${encodeURIComponent(JSON.stringify(value))}`);
}

export const postJson = (kiosk: Origin, path: string, value: object, headers: Headers): Promise<RawAnswer> =>
	ask(kiosk, 'POST', path, { ...headers, 'Content-Type': 'application/json' }, JSON.stringify(value));

export const cookiesOf = ({ headers }: RawAnswer): string => decodeURIComponent(([headers['set-cookie']].flat() as string[]).join('\n'));

/** @returns the key of the session that this answer has started */
export const keyOf = (answer: RawAnswer): string => /kiosk_screen=([\w-]+)/.exec(cookiesOf(answer))?.[1] ?? '';

/** Starts another browser, as systemd does. @returns the key of its session */
export const startBrowser = async (kiosk: Origin): Promise<string> =>
	keyOf(await ask(kiosk, 'GET', kiosk.daemon.startAddress().slice(kiosk.daemon.url.length)));

/** Logs the outlet in from another page than the screen. @returns the key of that page's session */
export async function logInElsewhere(kiosk: Pick<Kiosk, 'daemon' | 'backOffice'>): Promise<string> {
	const { username, password } = kiosk.backOffice.account;
	const { status, body } = await postForm(kiosk, '/auth/login-outlet/', { username, password });
	if (status !== 200) throw new Error(`the log-in is answered ${status}: ${body}`);
	return (JSON.parse(body) as { token: string }).token;
}
