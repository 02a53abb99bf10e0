/** A newer version has written the journal. Then the kiosk returns to this version. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { READS } from '../../../daemon/src/journal/format.ts';
import { becomeNewer } from '../../../daemon/src/journal/newer.fixture.ts';
import { saleShown, startCardFor } from '../../support/card.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const NEWER = `the journal was written by a newer version of the kiosk (format ${READS + 1}); this version reads formats up to ${READS}`;

let kiosk: Kiosk;
let written: string;
beforeEach(async () => {
	kiosk = await startKiosk({ edc: {} });
	await kiosk.openCash(BUDI);
	kiosk.acceptor.device.insert({ nominal: 50_000 });
	await until(() => expect(kiosk.backOffice.books.notes).toHaveLength(1));
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(0));
	await kiosk.crash(() => {
		becomeNewer(directory(), join(directory(), 'journal.key'), { written: READS + 1, readableFrom: READS + 1 });
		written = digest();
	});
});
afterEach(() => kiosk.stop());

/** Folder of the journal. In these tests the journal's key is in the same folder. */
const directory = () => join(kiosk.directory, 'journal');
const digest = () =>
	createHash('sha256')
		.update(readFileSync(join(directory(), 'journal.sqlite')))
		.digest('hex');

const open = async (invoice: Record<string, unknown>) => (await kiosk.call('/payment/api/v1/open-machine/', { ...invoice, hp: BUDI })).body;

test('health, status, log and screen report that a newer version wrote the journal, not that the journal is damaged', async () => {
	const part = (await kiosk.health()).parts.find(({ part }) => part === 'journal');
	expect(part).toMatchObject({ state: 'fail', text: NEWER, remedy: expect.stringContaining('kioskctl update status') });
	const { code, out } = await kiosk.ctl('status');
	expect(code).toBe(2);
	expect(out.replace(/\s+/g, ' ')).toContain(NEWER);
	expect(out).not.toMatch(/damage|changed or/);
	expect(kiosk.daemon.events('journal.newer')).toEqual([expect.objectContaining({ level: 'error', message: NEWER })]);
	expect(kiosk.daemon.events('journal.unhealthy')).toEqual([]);
	const screen = await kiosk.screen();
	expect(screen.of('machine_ready').at(-1)).toMatchObject({ is_ready: false, state: 'journal_newer' });
	expect(screen.of('kiosk_edc').at(-1)).toMatchObject({ state: 'journal_newer' });
});

test('with a journal of a newer version, cash and cards are refused, and the list of payments stays readable', async () => {
	const invoice = await kiosk.lookUp(BUDI);
	expect(await open(invoice)).toMatchObject({ machine_ready: false, message: 'journal_newer' });
	expect(kiosk.acceptor.device.insert({ nominal: 1_000 })).toMatchObject({ taken: false });
	const screen = await kiosk.screen();
	startCardFor(screen, invoice);
	await saleShown(screen, 'declined', { reason: 'journal' });
	expect(kiosk.edc.terminal.bank.captured).toBe(0);
	expect(await kiosk.list()).not.toHaveLength(0);
	const report = (await (await fetch(`${kiosk.daemon.service}/health`, { headers: { Accept: 'application/json' } })).json()) as {
		last_payments: unknown[];
	};
	expect(report.last_payments).toMatchObject([{ method: 'cash', amount: 50_000 }]);
	expect((await kiosk.ctl('journal', 'verify')).out).toContain('each follows');
	expect(await kiosk.ctl('journal', 'export', '--invoice', String(invoice.noinvoice))).toMatchObject({ code: 0 });
});

test('commands that would change a journal of a newer version are refused, and the journal stays unchanged', async () => {
	const refused = await kiosk.ctl('journal', 'restart', '--by', 'Sari', '--why', 'no money', '--yes');
	expect(refused).toMatchObject({ code: 1, out: expect.stringContaining(`${NEWER}. Nothing was done.`) });
	const resealed = await kiosk.ctl('journal', 'reseal', '--by', 'Sari', '--why', 'no money', '--yes');
	expect(resealed).toMatchObject({ code: 1, out: expect.stringContaining(NEWER) });
	// Each attempt to open cash checks the journal again.
	const invoice = await kiosk.lookUp(BUDI);
	for (let asked = 0; asked < 3; asked += 1) expect(await open(invoice)).toMatchObject({ machine_ready: false });
	expect(kiosk.daemon.events('journal.newer')).toHaveLength(1);
	expect((await kiosk.health()).state).toBe('fail');
	expect(digest()).toBe(written);
});
