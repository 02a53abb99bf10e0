/**
 * The two calls that are made before the first screen. They need neither the client nor its
 * schemas, because both are loaded later.
 */
import type { ScreenSettings, Visit } from '@kiosk/contract/kiosk-api';
import type { ApiFailure, ApiResult, FirstCalls } from './api.ts';

/**
 * Time limit of these two calls, because the settings, which contain the usual limit, are not known
 * yet.
 */
const TIMEOUT_MS = 5_000;

/** The result of a call that got no answer. */
export const NO_ANSWER: ApiFailure = { ok: false, status: null, message: null };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

async function get<T>(path: string, token: string | null, isAnswer: (value: unknown) => value is T): Promise<ApiResult<T>> {
	try {
		const headers = { Accept: 'application/json', ...(token !== null && { Authorization: `Token ${token}` }) };
		const answer = await fetch(path, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
		const value: unknown = answer.ok ? await answer.json() : null;
		return isAnswer(value) ? { ok: true, value } : { ok: false, status: answer.status, message: null };
	} catch {
		return NO_ANSWER;
	}
}

/**
 * Checks only the parts that the first screen needs. `checkSettings` checks all parts as soon as
 * the schemas are loaded.
 */
const isSettings = (value: unknown): value is ScreenSettings => isRecord(value) && isRecord(value.paths) && isRecord(value.places);

const isVisit = (value: unknown): value is Visit => {
	if (!isRecord(value)) return false;
	const { visit } = value;
	return visit === null || (isRecord(visit) && typeof visit.screen === 'string' && typeof visit.number === 'string');
};

/** @param token returns the token of the page's session; null if there is no session */
export const firstCalls = (token: () => string | null): FirstCalls => ({
	settings: () => get('/kiosk/settings', token(), isSettings),
	visit: () => get('/kiosk/visit', token(), isVisit),
});
