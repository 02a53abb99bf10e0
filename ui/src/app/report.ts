/** The browser's console is the screen's log: the daemon's browser keeps it. Never call it with personal data. */
export function reportFault(what: string, detail: unknown): void {
	// biome-ignore lint/suspicious/noConsole: the one place where the screen writes its log
	console.error(what, detail);
}
