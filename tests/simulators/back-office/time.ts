/** Jakarta has been 7 hours ahead of UTC, without summer time, since 1964. */
const AHEAD_MS = 7 * 3_600_000;

const shifted = (at: Date): string => new Date(at.getTime() + AHEAD_MS).toISOString();

/** @returns "2026-11-20T09:14:00+07:00" */
export const jakartaIso = (at: Date): string => `${shifted(at).slice(0, 19)}+07:00`;

/** @returns "20-11-2026 09:14" */
export function jakartaDisplay(at: Date): string {
	const text = shifted(at);
	return `${text.slice(8, 10)}-${text.slice(5, 7)}-${text.slice(0, 4)} ${text.slice(11, 16)}`;
}
