import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rupiah } from '@kiosk/contract/money';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { differenceFrom, readAnchors } from './anchors.ts';
import { openJournal } from './journal.ts';
import { ACCOUNT } from './payment.fixture.ts';
import { openStore, readStore } from './store.ts';

const payment = { account: ACCOUNT, id: 7, odoo_id: null, noinvoice: 'INV/7', total: rupiah(137_500) };
let directories: string[];
beforeEach(() => {
	directories = [];
});
afterEach(() => {
	for (const directory of directories) rmSync(directory, { recursive: true });
});

/**
 * Writes a journal with one note intent for each value.
 * @returns its folder, and one anchor for each record
 */
function write(nominals: readonly number[]): { directory: string; anchors: { record: number; hash: string }[] } {
	const directory = mkdtempSync(join(tmpdir(), 'anchors-'));
	directories.push(directory);
	const journal = openJournal({ directory, minFreeBytes: 0 }, systemClock, openStore);
	const anchors = nominals.map((nominal) => {
		journal.append({ kind: 'cash_intent', note_id: randomUUID(), payment, nominal: rupiah(nominal), code: '0x45', time: '' });
		return journal.newest();
	});
	journal.close();
	return { directory, anchors };
}

function differs(directory: string, text: string): string | null {
	const opened = readStore(directory, null);
	if (!opened.ok) throw new Error(opened.error.message);
	try {
		return differenceFrom(opened.value, readAnchors(text));
	} finally {
		opened.value.close();
	}
}

test('a journal that contains all anchored records passes; a truncated or rewritten journal is detected', () => {
	const mine = write([50_000, 20_000, 10_000]);
	const log = mine.anchors.map((anchor) => JSON.stringify({ event: 'journal.anchor', ...anchor })).join('\n');
	expect(differs(mine.directory, log)).toBeNull();
	expect(differs(write([50_000]).directory, log)).toContain('record 1 differs from the anchored record');
	const [first] = mine.anchors;
	expect(differs(mine.directory, JSON.stringify({ ...first, record: 9 }))).toContain('record 9 is missing');
});

test('anchors are read from journald lines, pino lines and plain text; other lines are ignored', () => {
	const hash = 'ab'.repeat(32);
	const text = [
		'Nov 21 14:00 kiosk kioskd[1]: started',
		`{"KIOSK_EVENT":"journal.anchor","KIOSK_RECORD":"12","KIOSK_HASH":"${hash}"}`,
		`{"event":"journal.anchor","record":13,"hash":"${hash}"}`,
		`The journal: record 14, hash ${hash.toUpperCase()}`,
		`{"record":15,"hash":"short"}`,
	].join('\n');
	expect(readAnchors(text)).toEqual([12, 13, 14].map((record) => ({ record, hash })));
});
