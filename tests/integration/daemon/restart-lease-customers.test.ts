// @module-tag deep
/** While customers pay, the test requests a restart again and again. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { saleShown, startCard, tapCard, terminalReady } from '../../support/card.ts';
import { feedNote } from '../../support/feed-note.ts';
import { printerSection } from '../../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../../support/kiosk-for-test.ts';
import { staffCall } from '../../support/staff-call.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const OPEN = '/payment/api/v1/open-machine/';
/** Counts the notes, card sales and printouts for which the journal has no outcome yet. */
const UNDER_WAY = `SELECT (SELECT count(*) FROM notes WHERE state = 'intended') AS notes,
	(SELECT count(*) FROM card_sales WHERE state = 'sent') AS sales, (SELECT count(*) FROM prints WHERE state = 'requested') AS prints`;

test('a restart is granted only while no money moves, and a payment that is refused during the grant succeeds afterwards', async () => {
	const printer = await printerForTest(300);
	const kiosk = await kioskForTest({
		settings: printerSection(printer.uri),
		edc: { timing: { ackMs: 100, customerMs: 200 } },
		acceptor: { timing: { startMs: 20, resetMs: 50, recogniseMs: 150, stackMs: 300, returnMs: 100 } },
	});
	const screen = await kiosk.screen();
	await terminalReady(screen);
	const lease = (method: string, body: object | null = null) => staffCall(kiosk, method, '/restart/lease', body);
	const granted: object[] = [];
	const journal = new DatabaseSync(join(kiosk.directory, 'journal', 'journal.sqlite'), { readOnly: true });
	onTestFinished(() => journal.close());
	let stage = 'start';
	let ended = false;
	const asking = (async () => {
		while (!ended) {
			if ((await lease('POST', { by: 'person', seconds: 60 })).body.granted) {
				const { note, enabled } = kiosk.acceptor.device;
				granted.push({ at: stage, note, enabled, ...journal.prepare(UNDER_WAY).get() });
				await delay(30);
				await lease('DELETE');
				await delay(100);
			}
			await delay(5);
		}
	})();
	const refusals: unknown[] = [];
	const tryOften = (what: () => Promise<{ status: number; body: Record<string, unknown> }>) =>
		until(async () => {
			const answer = await what();
			if (answer.status === 409) refusals.push(answer.body);
			expect(answer.status).toBeLessThan(300);
		});
	const invoice = await kiosk.lookUp(BUDI);
	stage = 'open';
	await tryOften(() => kiosk.call(OPEN, { ...invoice, hp: BUDI }));
	stage = 'note';
	for (const nominal of [20_000, 50_000]) await feedNote(kiosk, nominal);
	await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(2));
	stage = 'leave';
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await delay(300);
	stage = 'card';
	const { id, odoo_id, noinvoice } = await kiosk.lookUp(BUDI);
	await until(() => {
		const last = screen.of('kiosk_edc_sale').at(-1);
		if (last === undefined || last.reason === 'restarting') startCard(screen, { amount: 67_500, id, odoo_id, noinvoice });
		expect(last?.phase).toBe('acked');
	});
	await tapCard(kiosk);
	await saleShown(screen, 'approved');
	stage = 'print';
	const before = printer.queue.receipts.length;
	await tryOften(() => kiosk.post('/kiosk/print', { id, of: 'invoice' }));
	await until(() => expect(printer.queue.receipts.length).toBeGreaterThan(before));
	stage = 'after';
	await until(() => expect(granted.at(-1)).toMatchObject({ at: 'after' }));
	ended = true;
	await asking;
	for (const one of granted) expect(one).toMatchObject({ note: null, enabled: false, notes: 0, sales: 0, prints: 0 });
	// No restart was granted between two notes, because the cash session was still open.
	for (const one of granted) expect(one).not.toMatchObject({ at: 'note' });
	for (const refusal of refusals) expect(refusal).toMatchObject({ message: expect.stringContaining('dimulai ulang') });
	expect(kiosk.edc.terminal.bank.captured).toBe(67_500);
	expect((await kiosk.lookUp(BUDI)).is_paid).toBe(true);
	expect((await kiosk.health()).outbox.count).toBe(0);
});
