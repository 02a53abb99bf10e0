// @module-tag deep
/** Tests that `kioskctl status` names cause and remedy of the faults that a technician meets. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startAcceptor } from '../../simulators/acceptor/start.ts';
import { startEdc } from '../../simulators/edc/start.ts';
import { type Printer, startPrinter } from '../../simulators/printer/start.ts';
import { plugCable } from '../../support/cable.ts';
import { startCard } from '../../support/card.ts';
import { type Kiosk, printerSection, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import { EXPIRED, GOOD, startTlsOffice } from './tls-office.ts';

const BUDI = '081234567890';
const OTHER = '081200000013';
const PAID = '081200000001';
/** Longer than 63 letters, so that the name is refused without a DNS query. */
const NO_SUCH_NAME = `${'kantor'.repeat(11)}.example`;
const NOTES = '[acceptor.notes]\n"0x40" = 1000\n"0x45" = 50000\n';
const QUICK = { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: 400, returnMs: 20 };

/** @returns the output of `kioskctl status`; lines that were folded are joined again */
async function status(kiosk: Kiosk): Promise<{ code: number; out: string }> {
	const { code, out } = await kiosk.ctl('status');
	return { code, out: out.replace(/\n {20,}(?!since)/g, ' ') };
}

/** Waits until `kioskctl status` shows these texts for a part, cause before remedy. */
async function says(kiosk: Kiosk, part: string, ...words: (string | RegExp)[]): Promise<void> {
	let shown = '';
	await until(async () => {
		const { code, out } = await status(kiosk);
		shown = out;
		const line = out.split('\n').find((one) => one.slice(6, 20).trim() === part) ?? '';
		let rest = line;
		for (const word of words) {
			const at = typeof word === 'string' ? rest.indexOf(word) : rest.search(word);
			if (at < 0) throw new Error(`"${word}" is not in this order in\n${line}\nof\n${out}`);
			rest = rest.slice(at);
		}
		expect(line).toMatch(/^(FAIL|LOOK) /);
		expect(line).toContain(' -> ');
		expect(code).toBe(line.startsWith('FAIL') ? 2 : out.includes('\nFAIL') ? 2 : 1);
	});
	expect(shown).not.toContain('undefined');
}

describe('status on a working kiosk', () => {
	let kiosk: Kiosk;
	let printer: Printer;
	let screen: Screen;
	beforeAll(async () => {
		printer = await startPrinter({ port: 0, printMs: 10 });
		kiosk = await startKiosk({
			settings: `${printerSection(printer.uri)}limit_ms = 4000\nper_minute = 600\n`,
			acceptor: { timing: QUICK },
			acceptorSection: (device) => `[acceptor]\n${device}\n${NOTES}`,
			edc: { lines: 'ack_ms = 500\nanswer_ms = 1000\nprobe = "echo"\n' },
			movableClock: true,
		});
		screen = await kiosk.screen();
	});
	afterAll(() => Promise.all([kiosk?.stop(), printer?.stop()]));

	const part = async (name: string) => (await kiosk.health()).parts.find((one) => one.part === name);
	const well = (name: string) => until(async () => expect(await part(name)).toMatchObject({ state: 'ok' }));

	test('status shows OK if there is no fault', async () => {
		for (const name of ['cash', 'card', 'journal', 'back office', 'printer', 'screen', 'outbox']) await well(name);
		expect(await status(kiosk)).toMatchObject({ code: 0, out: expect.stringMatching(/^kiosk \S+ {2}OK {2}Bengkel/) });
	});

	test('status names cause and remedy if the cashbox is out', async () => {
		kiosk.acceptor.device.removeCashbox();
		await says(kiosk, 'cash', 'the cashbox is open or missing', 'Push the cashbox in');
		kiosk.acceptor.device.returnCashbox();
		await well('cash');
	});

	test('status names cause and remedy if a note is jammed', async () => {
		kiosk.acceptor.device.break('jam');
		await says(kiosk, 'cash', 'a note is jammed', 'take the note out');
		kiosk.acceptor.device.clear();
		await well('cash');
	});

	test('status names cause and remedy if the cashbox is full or the stacker is stuck', async () => {
		kiosk.acceptor.device.break('stacker');
		await says(kiosk, 'cash', 'cashbox is full or the stacker is stuck', 'Empty the cashbox');
		kiosk.acceptor.device.clear();
		await well('cash');
	});

	/**
	 * Connects a new screen. @returns a function that waits until this screen gets this printer fault
	 */
	async function paperScreen() {
		const late = await kiosk.screen();
		return (trouble: string | null) => until(() => expect(late.of('kiosk_printer').at(-1)).toMatchObject({ trouble }));
	}

	test('status names cause and remedy if the printer has no paper', async () => {
		printer.queue.set({ paperOut: true });
		await print();
		await says(kiosk, 'printer', 'paper_out', 'has no paper', 'Put a new roll in');
		const heard = await paperScreen();
		await heard('paper_out');
		printer.queue.set({ paperOut: false });
		await print();
		await well('printer');
		await heard(null);
	});

	test('status names cause and remedy if CUPS is stopped', async () => {
		await printer.setUp(false);
		await print();
		await says(kiosk, 'printer', 'CUPS, the print service, does not answer', 'systemctl status cups');
		const heard = await paperScreen();
		await heard('queue_unreachable');
		await printer.setUp(true);
		await well('printer');
		await heard(null);
	});

	test('status names cause and remedy if the back office answers with errors', async () => {
		await kiosk.backOffice.setNetwork({ mode: 'error', path: '/payment' });
		// Ignores the error, because this server's error page is not JSON.
		await kiosk.lookUp(BUDI).catch(() => null);
		await says(kiosk, 'back office', 'internal error (500)', 'Tell the owner’s server team');
		await kiosk.backOffice.setNetwork({ mode: 'normal', path: '' });
		await kiosk.lookUp(BUDI);
		await well('back office');
	});

	test('status names cause and remedy if only the live socket is refused', async () => {
		await kiosk.backOffice.setNetwork({ up: false, mode: 'error', path: '/ws' });
		await kiosk.backOffice.setNetwork({ up: true });
		await says(kiosk, 'back office', 'live socket closed', /internal error \(500\)/, 'Cash still works');
		await kiosk.backOffice.setNetwork({ mode: 'normal', path: '' });
		await well('back office');
	});

	test('status names cause and remedy if the server is down', async () => {
		await kiosk.backOffice.setNetwork({ up: false });
		await says(kiosk, 'back office', 'nothing listens at the server’s address', 'Check address and port in [back_office]');
		await kiosk.backOffice.setNetwork({ up: true });
		await well('back office');
	});

	test('status names cause and remedy if the outlet’s token has expired', async () => {
		kiosk.backOffice.books.revokeTokens();
		await kiosk.call('/payment/api/v1/get-invoice-info/', { noinvoice: BUDI });
		await says(kiosk, 'back office', 'token is refused (401)', 'expired', 'Log in again on the screen');
		screen.close();
		await kiosk.login();
		screen = await kiosk.screen();
		await well('back office');
	});

	test('status names cause and remedy if the code of a note is not in the map', async () => {
		const invoice = await kiosk.openCash(BUDI);
		await until(() => expect(kiosk.acceptor.device.insert({ nominal: 20_000 })).toMatchObject({ taken: true }));
		await says(kiosk, 'cash', '"0x44" went back', 'no line of [acceptor.notes] names it', 'kioskctl acceptor commission');
		await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	});

	test('status names cause and remedy if a card sale is unknown', async () => {
		kiosk.edc.terminal.setMode('silent_after_ack');
		const { id, total } = await kiosk.lookUp(OTHER);
		startCard(screen, { amount: total, id });
		await says(kiosk, 'card money', '1 card sale(s) with unknown outcome', 'kioskctl edc unknown');
		await says(kiosk, 'card', 'the outcome of a sale is unknown', 'kioskctl edc settle');
	});

	test('status names cause and remedy if a note is in doubt and settings on the setup partition are invalid', async () => {
		await kiosk.openCash(BUDI);
		await until(() => expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: true }));
		await kiosk.crashWhileStacking(() =>
			writeFileSync(join(kiosk.directory, 'setup-problems.txt'), 'kiosk.toml, line 5: screen.rotation = 45: expected 0, 90, 180 or 270\n'),
		);
		await says(kiosk, 'in doubt', '1 note(s), Rp 50000', 'kioskctl cash report');
		await says(kiosk, 'setup', 'the last valid settings stay active', 'line 5: screen.rotation = 45', 'Correct this line');
		expect((await status(kiosk)).out).toMatch(/Notes in doubt:\n .*Rp 50000 {2}INV\/2026\/11\/0042/);
	});

	test('status names cause and remedy if the clock is wrong', async () => {
		kiosk.shiftWall(Date.UTC(2000, 0, 1) - Date.now());
		await says(kiosk, 'clock', 'it shows 2000-01-01', 'battery', 'time server');
		kiosk.shiftWall(3_600_000);
		await kiosk.lookUp(BUDI);
		await says(kiosk, 'clock', '60 min ahead of the back office', 'time server');
		kiosk.shiftWall(0);
	});

	test('status names cause and remedy if the card terminal is off', async () => {
		await kiosk.edc.stop();
		// Settles the unknown sale, because otherwise it would hide the state of the line.
		const [sale] = (await kiosk.health()).card.unknown;
		await kiosk.ctl('edc', 'settle', String(sale?.attempt_id).slice(0, 8), '--outcome', 'not-charged', '--by', 'Sari', '--why', 'no slip');
		await says(kiosk, 'card', 'the line to the card terminal cannot be opened', 'ECONNREFUSED', 'Check that the terminal is on');
	});

	test('status names cause and remedy if bytes fail their parity check', async () => {
		kiosk.acceptor.line.faults.parity = 'replaces';
		kiosk.acceptor.line.send([0x3f, 0x3f], 'noise');
		await says(kiosk, 'cash', 'failed parity checks', 'even parity');
		kiosk.acceptor.line.faults.parity = 'right';
	});

	test('status names cause and remedy if the bill acceptor is off', async () => {
		await kiosk.acceptor.stop();
		await says(kiosk, 'cash', 'the line to the bill acceptor cannot be opened', 'ECONNREFUSED', 'Check cable, power');
	});

	/** Prints a receipt and waits until the print has ended. */
	const print = async () => {
		const ended = kiosk.daemon.events('print.done').length + kiosk.daemon.events('print.failed').length;
		const { id } = await kiosk.lookUp(PAID);
		const { status, body } = await kiosk.post('/kiosk/print', { id });
		expect({ status, body }).toMatchObject({ status: 202 });
		await until(() => {
			const now = kiosk.daemon.events('print.done').length + kiosk.daemon.events('print.failed').length;
			expect(now).toBeGreaterThan(ended);
		});
	};
});

describe('status after the first start', () => {
	let kiosk: Kiosk | null = null;
	const more: { stop(): unknown }[] = [];
	afterEach(async () => {
		await kiosk?.stop();
		kiosk = null;
		for (const one of more.splice(0)) await one.stop();
	});

	test('status names cause and remedy if the ports have no device, and the host name and the queue are unknown', async () => {
		const printer = await startPrinter({ port: 0 });
		more.push(printer);
		kiosk = await startKiosk({
			login: false,
			acceptorSection: () => `[acceptor]\nport = "/dev/kiosk-nothing"\n${NOTES}[edc]\nport = "/dev/kiosk-neither"\n`,
			settings: printerSection(printer.uri.replace('receipt', 'recipt')),
			url: `http://${NO_SUCH_NAME}`,
		});
		await says(kiosk, 'cash', 'cannot be opened', /\/dev\/kiosk-nothing.*No such file/, '[acceptor] port', 'kioskctl devices');
		await says(kiosk, 'card', 'cannot be opened', '/dev/kiosk-neither', '[edc] port');
		await says(kiosk, 'back office', 'cannot be resolved (DNS)', 'Check the spelling', 'kioskctl network check');
		await says(kiosk, 'printer', 'printers/recipt', '->');
		expect(await kiosk.ctl('network', 'check')).toMatchObject({ code: 2, out: expect.stringMatching(/FAIL {2}DNS .*cannot be resolved/) });
	});

	test('status names cause and remedy if there is no note map and the disk is full', async () => {
		kiosk = await startKiosk({ login: false, acceptorSection: (device) => `[acceptor]\n${device}\n`, journal: 'min_free_mb = 1000000000' });
		await says(kiosk, 'cash', '[acceptor.notes] is empty', 'kioskctl acceptor commission');
		await says(kiosk, 'journal', /bytes free in .*needed to take payments/, 'Free disk space');
		await says(kiosk, 'disk', 'no money is taken', 'Free disk space in');
	});

	test('status names cause and remedy if the journal is not a database', async () => {
		kiosk = await startKiosk({
			login: false,
			environment: (directory) => {
				mkdirSync(join(directory, 'journal'));
				writeFileSync(join(directory, 'journal', 'journal.sqlite'), 'this is no journal'.repeat(500));
				return {};
			},
		});
		await says(kiosk, 'journal', 'not a database', 'no money is taken', 'kioskctl journal restart', 'docs/technician/panduan-teknisi.md');
		await says(kiosk, 'cash', 'cash is off: the journal cannot be written', 'See the part "journal"');
	});

	test('status names cause and remedy if the cables of acceptor and terminal are swapped', async () => {
		const unit = await startAcceptor({ port: 0, timing: QUICK });
		const terminal = await startEdc({ port: 0 });
		more.push(unit, terminal);
		const ports = `[acceptor]\nport = "tcp:127.0.0.1:${terminal.port}"\n${NOTES}[edc]\nport = "tcp:127.0.0.1:${unit.port}"\n`;
		kiosk = await startKiosk({ login: false, acceptorSection: () => ports });
		await says(kiosk, 'cash', /their cables may be swapped/, 'Swap the two cables');
	});

	test('status names cause and remedy if the parity of a serial line is wrong', async () => {
		const cable = await plugCable();
		const unit = await startAcceptor({ serialPath: cable.device, timing: QUICK });
		more.push(unit, cable);
		kiosk = await startKiosk({ login: false, acceptorSection: () => `[acceptor]\nport = "${cable.host}"\nparity = "none"\n${NOTES}` });
		await says(kiosk, 'cash', 'parity is "none"', 'ICT units send even parity', 'Set [acceptor] parity = "even"');
	});

	test('status names cause and remedy if a connected acceptor sends nothing', async () => {
		const cable = await plugCable();
		more.push(cable);
		kiosk = await startKiosk({ login: false, acceptorSection: () => `[acceptor]\nport = "${cable.host}"\n${NOTES}` });
		await says(kiosk, 'cash', 'does not answer polls', 'nothing received since the daemon started', 'power', 'RS-232');
	});

	test('status names cause and remedy if the certificate has expired', async () => {
		const office = await startTlsOffice(EXPIRED);
		more.push(office);
		kiosk = await startKiosk({
			login: false,
			url: office.url,
			backOffice: `ca_file = "${office.caFile}"`,
		});
		await says(kiosk, 'certificate', 'valid until 2021-01-01', 'has expired', 'Check the kiosk’s clock');
		await says(kiosk, 'back office', 'TLS certificate has expired', '->');
		expect(await kiosk.ctl('network', 'check')).toMatchObject({ code: 2, out: expect.stringMatching(/FAIL {2}TLS .*2021-01-01.*expired/) });
	});

	test('status names cause and remedy if the certificate is not trusted; once it is trusted, the connection works', async () => {
		const office = await startTlsOffice(GOOD);
		more.push(office);
		kiosk = await startKiosk({ login: false, url: office.url });
		await says(
			kiosk,
			'certificate',
			'valid until 2120-01-01',
			'signed by an authority that this kiosk does not trust',
			'[back_office] ca_file',
		);
		expect((await kiosk.ctl('network', 'check')).out).toMatch(/FAIL {2}TLS /);
		const logIn = () => kiosk?.call('/auth/login-outlet/', { username: 'outlet', password: 'rahasia' });
		expect(await logIn()).toMatchObject({ status: 502 });
		await kiosk.crash(undefined, (settings) => settings.replace('[back_office]', `[back_office]\nca_file = "${office.caFile}"`));
		const trusted = expect.objectContaining({ part: 'certificate', state: 'ok' });
		await until(async () => expect((await kiosk?.health())?.parts).toContainEqual(trusted));
		expect((await kiosk.ctl('network', 'check')).out).toMatch(/OK +TLS .*\n.*answer .*HTTP 404/s);
		// After a change of the settings the daemon makes no calls until a person confirms the change.
		expect(await kiosk.ctl('setup', 'confirm', '--by', 'Sari', '--yes')).toMatchObject({ code: 0 });
		// The server of the test answers every call with 404.
		expect(await logIn()).toMatchObject({ status: 404 });
	});
});
