/**
 * Plays a short day with the daemon of this source tree and packs the journal of that day. Run it
 * once for each release: `node tests/integration/releases/make-sample.ts FILE`. FILE is
 * `samples/VERSION.json.gz` beside this file.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Kiosk, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import type { Sample } from './samples.ts';

const [PAID, DOUBT, CARD, UNKNOWN, PARTIAL] = ['081234567890', '081200000008', '081200000003', '081200000005', '081200000006'] as const;

const is = (good: boolean, what: string): void => {
	if (!good) throw new Error(what);
};

async function feed(kiosk: Kiosk, nominal: number): Promise<void> {
	const before = kiosk.acceptor.device.stacked.length;
	await until(() => {
		if (kiosk.acceptor.device.note === null && kiosk.acceptor.device.stacked.length === before) kiosk.acceptor.device.insert({ nominal });
		is(kiosk.acceptor.device.stacked.length > before, `the acceptor takes no ${nominal}`);
	});
}

async function card(kiosk: Kiosk, screen: Screen, hp: string, phase: string): Promise<void> {
	const { id, odoo_id, noinvoice, total: amount } = await kiosk.lookUp(hp);
	screen.send({ message: { type: 'payment_edc_bca_notification', event: 'start_transaction', data: { amount, id, odoo_id, noinvoice } } });
	await until(() => {
		kiosk.edc.terminal.tap({ respCode: '00' });
		const last = screen.of('kiosk_edc_sale').at(-1);
		is(last?.phase === phase, `the sale is ${JSON.stringify(last)}`);
	});
}

const [file = ''] = process.argv.slice(2);
const kiosk = await startKiosk({ edc: { lines: 'ack_ms = 500\nanswer_ms = 1500\n' } });
try {
	const close = async (hp: string) => kiosk.post('/kiosk/cash/close', { id: (await kiosk.lookUp(hp)).id });
	const settled = () => until(async () => is((await kiosk.health()).outbox.count === 0, 'notes still wait in the outbox'));
	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
	await kiosk.openCash(PAID);
	await feed(kiosk, 100_000);
	await feed(kiosk, 50_000);
	await settled();
	await close(PAID);
	await kiosk.ctl('cash', 'collected', '--by', 'Sari', '--counted', '150000', '--yes');
	await kiosk.openCash(PARTIAL);
	await feed(kiosk, 10_000);
	await settled();
	await close(PARTIAL);
	await kiosk.openCash(DOUBT);
	await until(() => is(kiosk.acceptor.device.insert({ nominal: 2_000 }).taken, 'the acceptor takes no note'));
	await kiosk.crashWhileStacking();
	const screen = await kiosk.screen();
	await until(() => is(screen.of('kiosk_edc').at(-1)?.state === 'ready', 'the terminal is not ready'));
	await card(kiosk, screen, CARD, 'approved');
	kiosk.edc.terminal.setMode('silent_after_ack');
	await card(kiosk, screen, UNKNOWN, 'unknown');
	await kiosk.daemon.stop();
	const read = (name: string): Buffer => readFileSync(join(kiosk.directory, 'journal', name));
	// Version 0.1.0 did not seal its journal, so it has no key.
	const key = existsSync(join(kiosk.directory, 'journal', 'journal.key')) ? read('journal.key').toString() : null;
	const sample: Sample = { sqlite: read('journal.sqlite').toString('base64'), head: read('journal.head').toString(), key };
	writeFileSync(file, gzipSync(JSON.stringify(sample), { level: 9 }));
	process.stdout.write(`${file}: ${sample.head.trim()}\n`);
} finally {
	await kiosk.stop();
}
process.exit(0);
