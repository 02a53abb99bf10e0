/** The daemon's schema allows at most this many characters. */
const LONGEST_WHAT = 200;
const LONGEST_DETAIL = 2_000;

const wordsOf = (detail: unknown): string => (detail instanceof Error ? `${detail.message}\n${detail.stack ?? ''}` : String(detail));

/**
 * Writes a fault of the screen to the browser's console and to the daemon's log. Never call it with
 * personal data. It uses `fetch`, because the fault may be in the HTTP client.
 */
export function reportFault(what: string, detail: unknown): void {
	// biome-ignore lint/suspicious/noConsole: the one place where the screen writes its log
	console.error(what, detail);
	const body = JSON.stringify({ what: what.slice(0, LONGEST_WHAT), detail: wordsOf(detail).slice(0, LONGEST_DETAIL) });
	// If the daemon cannot be reached, nothing more can be done here.
	fetch('/kiosk/report', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, keepalive: true }).catch(() => undefined);
}
