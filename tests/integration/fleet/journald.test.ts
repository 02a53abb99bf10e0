/**
 * Runs the journalctl commands of docs/reference/log-events.md on a real journald. Checks that a
 * visit leaves no private data in the log.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENTS } from '../../../daemon/src/log/events.ts';
import { type Printer, startPrinter } from '../../simulators/printer/start.ts';
import { saleShown, startCardFor, tapCard, terminalReady } from '../../support/card.ts';
import { type Kiosk, printerSection, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import { canStartJournald, type Journald, startJournald } from './journald.ts';

const BUDI = '081234567890';
const INVOICE = 'INV/2026/11/0042';

describe.skipIf(!canStartJournald)('a real journald', () => {
	let journald: Journald;
	let kiosk: Kiosk;
	let printer: Printer;
	let screen: Screen;
	beforeAll(async () => {
		journald = await startJournald();
		printer = await startPrinter({ port: 0, printMs: 10 });
		kiosk = await startKiosk({
			settings: `${printerSection(printer.uri)}\n[log]\nlevel = "debug"\n`,
			edc: { lines: 'ack_ms = 500\nanswer_ms = 1500\nqris = true\nqris_first_ms = 1000\nqris_every_ms = 1000\n' },
			startedBy: journald.startedBy,
		});
		screen = await kiosk.screen();
	});
	afterAll(async () => {
		await Promise.all([kiosk?.stop(), printer.stop()]);
		await journald.stop();
	});

	const events = async (...filters: string[]) => (await journald.entries(...filters)).map((entry) => entry.KIOSK_EVENT);

	test('a filter by invoice shows all events of the visit, from the opening of cash to the last upload', async () => {
		const { id, noinvoice } = await kiosk.openCash(BUDI);
		kiosk.acceptor.device.insert({ nominal: 100_000 });
		await until(() => expect(screen.of('payment_cash_notification')).toHaveLength(1));
		await until(() => expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toEqual({ taken: true }));
		await until(() => expect(screen.of('payment_notification').length).toBeGreaterThan(0));
		await kiosk.post('/kiosk/cash/close', { id });
		await until(async () => expect(await events(`KIOSK_INVOICE=${noinvoice}`, 'KIOSK_EVENT=outbox.uploaded')).toHaveLength(2));
		const told = await events(`KIOSK_INVOICE=${noinvoice}`);
		expect(told[0]).toBe('cash.opened');
		expect(told.filter((event) => event === 'cash.note_accepted')).toHaveLength(2);
		expect(told.filter((event) => event === 'cash.note_credited')).toHaveLength(2);
		expect(told).toContain('cash.paid');
		expect(told).toContain('cash.closed');
		expect(await events(`KIOSK_PAYMENT_ID=${id}`)).toEqual(told);
		const [credited] = await journald.entries('KIOSK_EVENT=cash.note_credited');
		expect(credited).toMatchObject({ PRIORITY: '6', SYSLOG_IDENTIFIER: 'kioskd', KIOSK_NOMINAL: '100000', _TRANSPORT: 'journal' });
		expect(Number(credited?._PID)).toBe(kiosk.daemon.pid);
		expect(await events(`KIOSK_NOTE_ID=${credited?.KIOSK_NOTE_ID}`)).toEqual([
			'cash.note_accepted',
			'cash.note_credited',
			'outbox.uploaded',
		]);
	});

	test('the log can be filtered by one part, by several parts, by level and by event', async () => {
		expect(new Set(await events('KIOSK_PART=cash'))).not.toContain('outbox.uploaded');
		const both = await events('KIOSK_PART=cash', '+', 'KIOSK_PART=outbox');
		expect(both).toContain('outbox.uploaded');
		expect(both).toContain('cash.paid');
		kiosk.acceptor.device.break('jam');
		await until(async () => expect(await events('KIOSK_EVENT=trace.kept')).toHaveLength(1));
		kiosk.acceptor.device.clear();
		await fetch(`${kiosk.daemon.url}/`, { headers: { Origin: 'http://elsewhere' } });
		await until(async () => expect(await events('--priority', 'warning')).toEqual(['screen.refused']));
	});

	test('repeated refusals are logged only a few times, but every credited and uploaded note is logged', async () => {
		for (let time = 0; time < 40; time += 1) await fetch(`${kiosk.daemon.url}/`, { headers: { Origin: 'http://elsewhere' } });
		expect((await events('KIOSK_EVENT=screen.refused')).length).toBeLessThanOrEqual(11);
		const hp = '081299990002';
		kiosk.backOffice.books.addInvoice(hp, 20_000, new Date());
		const { id, noinvoice } = await kiosk.openCash(hp);
		for (let note = 0; note < 15; note += 1)
			await until(() => expect(kiosk.acceptor.device.insert({ nominal: 1_000 })).toEqual({ taken: true }));
		for (const event of ['cash.note_accepted', 'cash.note_credited', 'outbox.uploaded'])
			await until(async () => expect(await events(`KIOSK_INVOICE=${noinvoice}`, `KIOSK_EVENT=${event}`)).toHaveLength(15));
		await kiosk.post('/kiosk/cash/close', { id });
	});

	test('no entry or trace contains names, phone numbers, cards, tokens or passwords, even at debug level', async () => {
		const invoice = await kiosk.lookUp('081200000007');
		const begin = (method: string) => startCardFor(screen, invoice, { method });
		await terminalReady(screen);
		begin('card');
		await tapCard(kiosk, '51');
		await saleShown(screen, 'declined');
		begin('qris');
		await saleShown(screen, 'acked');
		// Puts private data where a faulty page or an attacker could put them.
		await kiosk.post('/kiosk/report', { what: 'render', detail: `Budi? hp ${BUDI}, card 4111 1111 1111 1111, Token ${kiosk.token()}` });
		await fetch(`${kiosk.daemon.url}/payment/api/v1/nobody/${BUDI}/`, { headers: { Authorization: `Token ${kiosk.token()}` } });
		await kiosk.lookUp('089999999999');
		await kiosk.backOffice.setNetwork({ up: false });
		await kiosk.call('/payment/api/v1/get-invoice-info/', { noinvoice: BUDI });
		await kiosk.backOffice.setNetwork({ up: true });
		await until(async () => expect(await events('KIOSK_EVENT=socket.lost')).not.toEqual([]));
		await kiosk.daemon.kill();
		const [trace] = await journald.entries('KIOSK_EVENT=trace.kept');
		const traces = dirname(String(trace?.KIOSK_FILE));
		const kept = readdirSync(traces).map((name) => readFileSync(join(traces, name), 'latin1'));
		const whole = (await journald.journalctl('--output', 'export')) + kept.join('');
		expect(whole).toContain(INVOICE);
		const { username, password } = kiosk.backOffice.account;
		const outlet = JSON.parse(readFileSync(join(kiosk.directory, 'journal', 'outlet-token.json'), 'utf8')) as { token: string };
		const people = kiosk.backOffice.books.invoices.flatMap((one) => [one.konsumen_name, one.hp, one.nopol]);
		expect(people).toContain(BUDI);
		const secrets = [outlet.token, kiosk.token(), password, `"${username}"`];
		for (const secret of [...people, '089999999999', '4111 1111', '936000140000', ...secrets])
			expect(whole.includes(secret), secret).toBe(false);
	});

	test('the journald catalogue shows the remedy of a log entry', async () => {
		const root = join(kiosk.directory, 'root');
		mkdirSync(join(root, 'usr/lib/systemd/catalog'), { recursive: true });
		mkdirSync(join(root, 'var/lib/systemd/catalog'), { recursive: true });
		copyFileSync(new URL('../../../config/journal/kiosk.catalog', import.meta.url), join(root, 'usr/lib/systemd/catalog/kiosk.catalog'));
		const [refused] = await journald.entries('KIOSK_EVENT=screen.refused');
		const journalctl = async (...parameters: string[]) => (await promisify(execFile)('journalctl', ['--root', root, ...parameters])).stdout;
		await journalctl('--update-catalog');
		const [, , remedy] = EVENTS['screen.refused'];
		expect(await journalctl('--dump-catalog', String(refused?.MESSAGE_ID))).toContain(`What to do: ${remedy}`);
	});

	test('if journald stops, the kiosk continues and logs JSON lines', async () => {
		await kiosk.crash();
		await journald.stop();
		kiosk.backOffice.books.addInvoice('081299990001', 20_000, new Date());
		await kiosk.openCash('081299990001');
		await until(() => expect(kiosk.daemon.events('cash.opened')).toHaveLength(1));
	});
});
