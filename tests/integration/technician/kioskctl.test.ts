/**
 * Tests the parts of kioskctl that do not concern money: help, completion, man page, status for
 * scripts, logs, devices, network.
 */
import { execFileSync, execFile as execFileWithCallback, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../daemon/src/cli/commands.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const KIOSKCTL = join(import.meta.dirname, '..', '..', '..', 'daemon', 'kioskctl');
const execFile = promisify(execFileWithCallback);
const run = (...words: string[]) => spawnSync(KIOSKCTL, words, { encoding: 'utf8' });

describe('without a running daemon', () => {
	const folder = mkdtempSync(join(tmpdir(), 'ctl-'));
	afterAll(() => rmSync(folder, { recursive: true }));

	test('the help lists every command, all but one within 100 columns, and a command’s help shows its options and an example', () => {
		const { stdout, status } = run('--help');
		expect(status).toBe(0);
		for (const { name } of COMMANDS) expect(stdout).toContain(`kioskctl ${name}`);
		// `kioskctl cash settle` has too many arguments for 100 columns.
		for (const line of stdout.split('\n')) if (!line.includes('--outcome')) expect(line.length, line).toBeLessThanOrEqual(100);
		for (const { name, examples, options } of COMMANDS.filter((_, index) => index % 5 === 0)) {
			const help = run(...name.split(' '), '--help');
			expect(help.status).toBe(0);
			for (const option of options) expect(help.stdout).toContain(`--${option}`);
			expect(help.stdout).toContain(examples[0]);
		}
		for (const { name, examples } of COMMANDS) expect(examples.join('\n')).toContain(`kioskctl ${name}`);
	});

	test('after a wrong option kioskctl names --help; after wrong arguments it shows the usage of the command', () => {
		expect(run('status', '--colour')).toMatchObject({ status: 2, stderr: expect.stringMatching(/--colour.*\n.*--help/s) });
		expect(run('cash', 'settle', 'a', 'b')).toMatchObject({ status: 2, stdout: expect.stringContaining('kioskctl cash settle NOTE') });
	});

	test('bash completes areas, verbs and the options of a command', { tags: 'deep' }, () => {
		const completed = (...words: string[]): string[] => {
			const script = `eval "$("${KIOSKCTL}" completion)"; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _kioskctl; echo "\${COMPREPLY[@]}"`;
			return execFileSync('bash', ['-euc', script], { encoding: 'utf8' }).trim().split(/\s+/);
		};
		expect(completed('kioskctl', 'stat')).toEqual(['status']);
		expect(completed('kioskctl', 'staff', '')).toEqual(['names', 'history', 'call', 'answer', 'clear']);
		expect(completed('kioskctl', 'acceptor', '')).toEqual(['test', 'commission', 'unlock']);
		expect(completed('kioskctl', 'logs', '--p')).toEqual(['--part', '--payment']);
		expect(completed('kioskctl', 'cash', 'settle', '1b4e', '--ou')).toEqual(['--outcome']);
	});

	test('the man page is valid', () => {
		const page = join(folder, 'kioskctl.1');
		writeFileSync(page, run('man').stdout);
		const shown = spawnSync('man', ['--warnings', '-l', page], {
			encoding: 'utf8',
			env: { ...process.env, MANPAGER: 'cat', LC_ALL: 'C.UTF-8' },
		});
		// Without `man` on this computer, only the start of the page is checked.
		if (shown.error) return expect(run('man').stdout).toMatch(/^\.TH KIOSKCTL 1/);
		expect(shown.stderr).toBe('');
		for (const { name } of COMMANDS) expect(shown.stdout.replaceAll('‐', '-').replace(/ +/g, ' ')).toContain(name);
	});

	test('if the daemon does not answer, kioskctl status ends with code 3 and the reason', () => {
		const file = join(folder, 'kiosk.toml');
		writeFileSync(file, `[journal]\ndirectory = "${folder}"\n`);
		expect(run('status', '--config', file)).toMatchObject({
			status: 3,
			stdout: expect.stringMatching(/daemon does not answer.*systemctl status kioskd/s),
		});
		writeFileSync(file, `[journal]\ndirectory = "${folder}"\n[screen]\nrotation = 45\n`);
		expect(run('status', '--config', file)).toMatchObject({
			status: 3,
			stdout: expect.stringMatching(/line 4: screen.rotation = 45: expected .*Correct the settings/s),
		});
		expect(JSON.parse(run('status', '--json', '--config', file).stdout)).toMatchObject({ state: 'silent' });
		expect(run('config', 'check', '--config', file)).toMatchObject({ status: 1, stderr: expect.stringContaining('line 4') });
	});

	test('if no screen is running, kioskctl screen screenshot ends with the reason', () => {
		const file = join(folder, 'kiosk.toml');
		writeFileSync(file, `[journal]\ndirectory = "${folder}"\n`);
		expect(run('screen', 'screenshot', '--out', join(folder, 'x.png'), '--config', file)).toMatchObject({
			status: 1,
			stderr: expect.stringMatching(/^No picture: .*\. The screen has not reported/),
		});
	});
});

describe('beside a running daemon', () => {
	let kiosk: Kiosk;
	beforeAll(async () => {
		kiosk = await startKiosk({ edc: {} });
		const screen = await kiosk.screen();
		await until(() => expect(screen.of('kiosk_health').at(-1)).toMatchObject({ state: 'ok' }));
	});
	afterAll(() => kiosk?.stop());

	test('without a fault, kioskctl status ends with code 0 and prints at most 24 lines of 80 columns, with colours only on a terminal', async () => {
		const { code, out } = await kiosk.ctl('status');
		expect(code).toBe(0);
		for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
		expect(out.split('\n').length).toBeLessThanOrEqual(24);
		expect(out).not.toContain('\x1b');
		const config = join(kiosk.directory, 'kiosk.toml');
		// Runs asynchronously, because the simulated devices in this process must keep answering.
		const onTerminal = async (environment: object) => {
			const env = { ...process.env, ...environment };
			return (await execFile('script', ['-qec', `${KIOSKCTL} status --config ${config}`, '/dev/null'], { env })).stdout;
		};
		expect(await onTerminal({ NO_COLOR: '' })).toContain('\x1b[32mOK\x1b[0m');
		expect(await onTerminal({ NO_COLOR: '1' })).not.toContain('\x1b[32m');
		const report = JSON.parse((await kiosk.ctl('status', '--json')).out);
		expect(report).toMatchObject({ state: 'ok', site: 'Bengkel', time: expect.stringMatching(/\+07:00$/) });
		for (const part of report.parts) expect(part.since).toMatch(/^\d{4}-\d\d-\d\dT.*\+07:00$/);
	});

	test('health keeps the start time of a part’s state until the state changes', async () => {
		const since = async (name: string) =>
			(await kiosk.health()).parts.find(({ part }) => part === name) as unknown as { since: string; state: string };
		const before = await since('cash');
		const other = await since('journal');
		kiosk.acceptor.device.break('jam');
		await until(async () => expect(await since('cash')).toMatchObject({ state: 'fail' }));
		const jammed = await since('cash');
		expect(Date.parse(jammed.since)).toBeGreaterThanOrEqual(Date.parse(before.since));
		expect(await since('cash')).toEqual(jammed);
		expect(await since('journal')).toEqual(other);
		kiosk.acceptor.device.clear();
		await until(async () => expect(await since('cash')).toMatchObject({ state: 'ok' }));
	});

	test('health lists the last payments with their outcome and without personal data', async () => {
		const invoice = await kiosk.openCash('081234567890');
		await until(() => expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: true }));
		await until(() => expect(kiosk.backOffice.books.notes).toHaveLength(1));
		await kiosk.post('/kiosk/cash/close', { id: invoice.id });
		const { last_payments } = (await kiosk.health()) as unknown as { last_payments: object[] };
		expect(last_payments).toEqual([
			{
				id: String(invoice.id),
				noinvoice: 'INV/2026/11/0042',
				method: 'cash',
				amount: 50_000,
				outcome: 'not covered',
				time: expect.stringMatching(/\+07:00$/),
			},
		]);
		const { out } = await kiosk.ctl('health');
		expect(out).toMatch(/cash +Rp 50\.000 +not covered +INV\/2026\/11\/0042 \(\d+\)/);
		expect(out).not.toContain(String(invoice.konsumen_name));
		for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
	});

	test('a browser gets a health page that reloads automatically and contains no scripts', async () => {
		const answer = await fetch(`${kiosk.daemon.service}/health`, { headers: { Accept: 'text/html' } });
		const page = await answer.text();
		expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
		expect(page).toMatch(/<meta name="viewport".*http-equiv="refresh" content="10"/s);
		expect(page).not.toMatch(/<script|href=|src=/);
		expect(page).toContain('INV/2026/11/0042');
	});

	test('kioskctl devices lists each line with its setting, state and last bytes', async () => {
		const { out } = await kiosk.ctl('devices');
		expect(out).toMatch(
			new RegExp(`Bill acceptor\n {2}setting +tcp:127.0.0.1:${kiosk.acceptor.port}\n {2}line +open since .*\n {2}last bytes +.*5e {2}at `),
		);
		expect(out).toMatch(/Card terminal\n.*\n.*\n {2}last bytes +\S.*/);
	});

	test('kioskctl network check tests the path to the back office step by step', async () => {
		const booked = kiosk.backOffice.books.notes.length;
		const { code, out } = await kiosk.ctl('network', 'check');
		expect({ code, out }).toMatchObject({
			code: 0,
			out: expect.stringMatching(/OK +back office .*can be reached.*OK +answer .*HTTP \d+.*OK +clock +\d+ s.*OK +notes +.*answered 400/s),
		});
		expect(kiosk.backOffice.books.notes).toHaveLength(booked);
		for (const [status, word, exit] of [
			[404, 'FAIL', 2],
			[405, 'FAIL', 2],
			[200, 'LOOK', 1],
		] as const) {
			await kiosk.backOffice.setNetwork({ mode: 'error', path: '/payment-cash/', status });
			const said = new RegExp(`${word} +notes +/payment/api/v1/payment-cash/ answered ${status}`);
			expect(await kiosk.ctl('network', 'check')).toMatchObject({ code: exit, out: expect.stringMatching(said) });
		}
		await kiosk.backOffice.setNetwork({ mode: 'normal', path: '' });
		await kiosk.backOffice.setNetwork({ up: false });
		expect(await kiosk.ctl('network', 'check')).toMatchObject({
			code: 2,
			out: expect.stringMatching(/FAIL +back office .*nothing listens/),
		});
		await kiosk.backOffice.setNetwork({ up: true });
	});

	test('kioskctl logs filters by part, payment and time, and explains an empty result', async () => {
		const file = join(kiosk.directory, 'kioskd.log');
		writeFileSync(file, kiosk.daemon.log.map((line) => `${JSON.stringify(line)}\n`).join(''));
		const { out } = await kiosk.ctl('logs', '--part', 'cash');
		expect(out).toContain('cash.note_credited');
		expect(out).not.toContain('acceptor.state');
		const ofInvoice = await kiosk.ctl('logs', '--payment', 'INV/2026/11/0042');
		expect(ofInvoice.out).toContain('cash.note_credited');
		const note = String(kiosk.backOffice.books.notes[0]?.note_id).slice(0, 8);
		expect((await kiosk.ctl('logs', '--payment', note)).out).toContain('outbox.uploaded');
		expect((await kiosk.ctl('logs', '--payment', 'INV/0', '--since', '2h')).out).toContain('No matching entries');
		expect(await kiosk.ctl('logs', '--since', 'yesterday-ish')).toMatchObject({ code: 1, out: expect.stringContaining('write 30m') });
		rmSync(file);
	});

	test('kioskctl acceptor test opens the acceptor, except during a payment, and gives the reason if the acceptor is off', {
		tags: 'deep',
	}, async () => {
		expect(await kiosk.ctl('acceptor', 'test')).toMatchObject({ code: 0, out: expect.stringContaining('The bill acceptor answers') });
		const invoice = await kiosk.openCash('081234567890');
		expect(await kiosk.ctl('acceptor', 'test')).toMatchObject({ code: 1, out: expect.stringContaining('a customer is paying') });
		await kiosk.post('/kiosk/cash/close', { id: invoice.id });
		kiosk.acceptor.device.switchOff();
		expect(await kiosk.ctl('acceptor', 'test')).toMatchObject({ code: 1, out: expect.stringMatching(/does not open: .*\n-> /) });
		kiosk.acceptor.device.switchOn();
	});
});
