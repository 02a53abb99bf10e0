/** What the daemon's schema lets through, characters. */
const LONGEST_WHAT = 200;
const LONGEST_DETAIL = 2_000;

const wordsOf = (detail: unknown): string => (detail instanceof Error ? `${detail.message}\n${detail.stack ?? ''}` : String(detail));

/**
 * Writes a fault of the screen into the browser's console and the daemon's log. Never call it with personal data. It uses the
 * browser's own call, because the client that could fail must not be the one that tells.
 */
export function reportFault(what: string, detail: unknown): void {
	// biome-ignore lint/suspicious/noConsole: the one place where the screen writes its log
	console.error(what, detail);
	const body = JSON.stringify({ what: what.slice(0, LONGEST_WHAT), detail: wordsOf(detail).slice(0, LONGEST_DETAIL) });
	// A daemon that is away has more to worry about than this line.
	fetch('/kiosk/report', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, keepalive: true }).catch(() => undefined);
}
