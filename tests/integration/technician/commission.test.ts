import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const KIOSKCTL = join(import.meta.dirname, '..', '..', '..', 'daemon', 'kioskctl');
const QUICK = { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: 40, returnMs: 20 };

let kiosk: Kiosk;
let end = () => {};
afterEach(async () => {
	end();
	await kiosk?.stop();
});

/** Runs `kioskctl acceptor commission` as a technician. */
function teach(...more: string[]) {
	const child = spawn(KIOSKCTL, ['acceptor', 'commission', '--by', 'Sari', ...more, '--config', join(kiosk.directory, 'kiosk.toml')], {
		stdio: ['pipe', 'pipe', 'pipe'],
	});
	end = () => child.kill();
	let said = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
	const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
	return {
		said: () => said,
		heard: (text: string | RegExp) => until(() => expect(said).toMatch(text)),
		enter: (key = '') => child.stdin.write(`${key}\n`),
		ended,
	};
}

const insert = (nominal: number) => until(() => expect(kiosk.acceptor.device.insert({ nominal })).toMatchObject({ taken: true }));
const returned = () => kiosk.acceptor.device.returned.map((note) => note.nominal);

test('commissioning reads, returns and maps each note, and credits nothing', async () => {
	kiosk = await startKiosk({
		acceptor: { timing: QUICK },
		acceptorSection: (device) => `[acceptor]\n${device}\n[acceptor.notes]\n"0x42" = 1000\n`,
	});
	const out = join(kiosk.directory, 'notes.toml');
	const at = teach('--out', out);
	for (const [name, nominal, code] of [
		['1.000', 1_000, '0x40'],
		['2.000', 2_000, '0x41'],
		['5.000', 5_000, '0x42'],
	] as const) {
		await at.heard(`Rp ${name}: insert one note`);
		await insert(nominal);
		await at.heard(`received ${code}: Rp ${name}`);
		at.enter();
	}
	await at.heard('Rp 10.000: insert one');
	expect(await kiosk.ctl('health')).toMatchObject({ out: expect.stringContaining('the note codes are being learned') });
	// If the technician inserts a known note by mistake, nothing must change.
	await insert(5_000);
	await at.heard(/received 0x42, already learned as Rp 5\.000/);
	at.enter('q');
	expect(await at.ended).toBe(0);
	expect(readFileSync(out, 'utf8')).toBe('[acceptor.notes]\n"0x40" = 1000\n"0x41" = 2000\n"0x42" = 5000\n');
	expect(at.said()).toContain('WRONG IN THE SETTINGS: 0x42 is set to Rp 1.000, but the note is Rp 5.000.');
	expect(returned()).toEqual([1_000, 2_000, 5_000, 5_000]);
	expect(kiosk.acceptor.device.stacked).toEqual([]);
	expect(kiosk.backOffice.books.notes).toEqual([]);
	expect((await kiosk.ctl('journal', 'verify')).out).toMatch(/^0 records/);
	await until(() => expect(kiosk.acceptor.device.enabled).toBe(false));
});

test('commissioning ends when a customer begins a cash payment, and the customer’s note is credited', async () => {
	kiosk = await startKiosk({ acceptor: { timing: QUICK } });
	const at = teach();
	await at.heard('Rp 1.000: insert one');
	const invoice = await kiosk.openCash('081234567890');
	await at.heard('a customer has begun to pay');
	await insert(50_000);
	await until(() => expect(kiosk.backOffice.books.notes).toMatchObject([{ nominal: 50_000 }]));
	expect(await at.ended).toBe(1);
	expect(returned()).toEqual([]);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
});

test('commissioning is refused during a payment, while another commissioning runs, and without a name', async () => {
	kiosk = await startKiosk({ acceptor: { timing: QUICK } });
	expect(await kiosk.ctl('acceptor', 'commission')).toMatchObject({ code: 1, out: 'Name the technician: --by NAME\n' });
	const at = teach();
	await at.heard('Rp 1.000: insert one');
	expect(await kiosk.ctl('acceptor', 'commission', '--by', 'Budi')).toMatchObject({
		code: 1,
		out: expect.stringContaining('is being commissioned already'),
	});
	at.enter('q');
	expect(await at.ended).toBe(1);
	await kiosk.openCash('081234567890');
	expect(await kiosk.ctl('acceptor', 'commission', '--by', 'Budi')).toMatchObject({
		code: 1,
		out: expect.stringContaining('a customer is paying'),
	});
});
