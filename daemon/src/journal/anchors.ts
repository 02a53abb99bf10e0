import type { Store } from './store.ts';

/**
 * Number and hash of the record that was the journal's newest at some moment. Anchors are kept
 * outside the kiosk.
 */
export interface Anchor {
	record: number;
	/** SHA-256 of the record, hex. */
	hash: string;
}

/** An anchor as plain text, `record 12 … hash 3f9a…`, as in a log message. */
const AS_TEXT = /\brecord\W{1,4}(\d{1,15})\b[^\n]{0,200}?\bhash\W{1,4}([0-9a-f]{64})\b/i;

/**
 * Reads anchors from log lines: flat JSON (journald, pino) or plain text.
 * @returns each anchor once, sorted by record
 */
export function readAnchors(text: string): Anchor[] {
	const found = new Map<string, Anchor>();
	for (const line of text.split('\n')) {
		const anchor = ofJson(line) ?? ofText(line);
		if (anchor) found.set(`${anchor.record} ${anchor.hash}`, anchor);
	}
	return [...found.values()].sort((a, b) => a.record - b.record);
}

function ofJson(line: string): Anchor | null {
	try {
		const fields = Object.entries(JSON.parse(line) as object).map(([name, value]) => [name.toLowerCase().replace('kiosk_', ''), value]);
		const { record, hash } = Object.fromEntries(fields) as Record<string, unknown>;
		return anchorOf(String(record), String(hash));
	} catch {
		return null;
	}
}

function ofText(line: string): Anchor | null {
	const [, record = '', hash = ''] = AS_TEXT.exec(line) ?? [];
	return anchorOf(record, hash);
}

function anchorOf(record: string, hash: string): Anchor | null {
	if (!/^\d{1,15}$/.test(record) || !/^[0-9a-f]{64}$/i.test(hash)) return null;
	return { record: Number(record), hash: hash.toLowerCase() };
}

/**
 * Compares the journal with anchors. Anchors reveal that the journal was truncated, exchanged or
 * rewritten after they were logged, even if all its seals are valid.
 * @returns a sentence for the first difference, or null
 */
export function differenceFrom(store: Pick<Store, 'rows'>, anchors: readonly Anchor[]): string | null {
	for (const { record, hash } of anchors) {
		const [row] = store.rows('SELECT lower(hex(hash)) AS hash FROM records WHERE seq = ?', record);
		if (!row) return `record ${record} is missing: the journal was cut or exchanged`;
		if (row.hash !== hash) return `record ${record} differs from the anchored record: the journal was rewritten or exchanged`;
	}
	return null;
}
