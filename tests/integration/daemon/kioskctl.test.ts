import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Printer, startPrinter } from '../../simulators/printer/start.ts';
import { type Kiosk, partText, printerSection, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

let kiosk: Kiosk;
let printer: Printer;
beforeEach(async () => {
	printer = await startPrinter({ port: 0, printMs: 10 });
	kiosk = await startKiosk({ settings: printerSection(printer.uri) });
});
afterEach(() => Promise.all([kiosk.stop(), printer.stop()]));

const ctl = (...parameters: string[]) => kiosk.ctl(...parameters);

test('kioskctl reads health over the staff socket', { tags: 'deep' }, async () => {
	expect((await ctl('health')).out).toMatch(/^kiosk \d+\.\d+\.\d+ /);
	expect(JSON.parse((await ctl('health', '--json')).out).parts).toBeInstanceOf(Array);
});

test('fishing at the acceptor locks cash, even after a restart, until a named person unlocks it', async () => {
	kiosk.acceptor.device.break('fish');
	await until(() => expect(kiosk.daemon.events('acceptor.locked')).toHaveLength(1));
	kiosk.acceptor.device.clear();
	await kiosk.crash();
	await until(async () => expect(partText(await kiosk.health(), 'cash')).toContain('cash is locked'));
	expect(await ctl('acceptor', 'unlock')).toEqual({
		code: 1,
		out: 'Give the name of the person who decides, and the reason: --by NAME --why TEXT\n',
	});
	expect((await ctl('acceptor', 'unlock', '--by', 'Sari', '--why', 'looked inside')).code).toBe(0);
	await kiosk.openCash('081234567890');
});

test('kioskctl printer test prints a sample that cannot be mistaken for a receipt', async () => {
	expect((await ctl('printer', 'test')).out).toContain('Check width, edges and cut of the paper');
	await until(() => expect(printer.queue.receipts).toHaveLength(1));
	expect(printer.queue.receipts[0]?.data.toString('latin1')).toContain('bukan bukti bayar');
});

test('if no daemon runs, kioskctl reports that the daemon does not answer; it still shows the help for an unknown command and checks the settings', {
	tags: 'deep',
}, async () => {
	await kiosk.daemon.stop();
	expect(await ctl('health')).toMatchObject({ code: 1, out: expect.stringContaining('Check that it runs') });
	expect(await ctl('fly')).toEqual({ code: 2, out: (await ctl('--help')).out });
	expect((await ctl('config', 'check')).out).toContain('all settings are valid');
});
