import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const COOKIE = 'csrftoken';

function cookieValue(request: IncomingMessage): string | undefined {
	const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
	return pairs.find(([name]) => name === COOKIE)?.[1];
}

export const hasCsrfCookie = (request: IncomingMessage): boolean => cookieValue(request) !== undefined;

export const newCsrfCookie = (): string => `${COOKIE}=${randomBytes(16).toString('hex')}; Path=/; SameSite=Lax`;

/**
 * Checks that a caller with the CSRF cookie repeats its value in the header.
 * @returns the reason for a refusal, or null
 */
export function whyForged(request: IncomingMessage): string | null {
	const cookie = cookieValue(request);
	if (cookie === undefined || request.headers['x-csrftoken'] === cookie) return null;
	return 'CSRF Failed: CSRF token missing or incorrect.';
}
