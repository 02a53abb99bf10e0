// @module-tag deep
/**
 * A restart is requested at several points of a payment; the daemon names the reasons for a delay.
 */
import { afterEach, expect, test } from 'vitest';
import { startPrinter } from '../../simulators/printer/start.ts';
import { saleShown, startCardFor, terminalReady } from '../../support/card.ts';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, type KioskOptions, printerSection, startKiosk } from '../../support/kiosk.ts';
import { staffCall } from '../../support/staff-call.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const OPEN = '/payment/api/v1/open-machine/';
const QUICK = { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: 40, returnMs: 20 };
/** Timing of a slow acceptor, so that the test can request a restart while a note moves. */
const SLOW = { ...QUICK, recogniseMs: 1_000, stackMs: 2_000 };

let kiosk: Kiosk;
let after = async (): Promise<void> => {};
afterEach(async () => {
	await kiosk?.stop();
	await after();
	after = async () => {};
});
const start = async (options: KioskOptions = {}): Promise<void> => {
	kiosk = await startKiosk(options);
};

interface Answer {
	granted: boolean;
	until?: string;
	reasons?: { code: string; text: string }[];
}
const call = (method: string, body: object | null = null) => staffCall<Answer>(kiosk, method, '/restart/lease', body);
const ask = async (by: 'update' | 'person' = 'person', seconds = 120) => (await call('POST', { by, seconds })).body;
const reasons = async () => (await ask()).reasons?.map(({ code }) => code) ?? [];
const waitsFor = (...codes: string[]) => until(async () => expect(await reasons()).toEqual(codes));
const granted = () => until(async () => expect(await ask()).toMatchObject({ granted: true }));

test('an idle kiosk grants a person a restart at once, but makes the updater wait for ten idle minutes', async () => {
	await start();
	expect(await ask('update')).toEqual({ granted: false, reasons: [{ code: 'screen', text: expect.stringContaining('ten minutes') }] });
	expect(await ask('person', 60)).toEqual({ granted: true, until: expect.stringMatching(/^2\d{3}-.*\+07:00$/) });
	await until(() => expect(kiosk.daemon.events('update.restart_granted')).toMatchObject([{ by: 'person', seconds: 60 }]));
});

test('a request that tries to force a restart or asks for more than two minutes is invalid', async () => {
	await start();
	await kiosk.openCash(BUDI);
	for (const more of [{ force: true }, { deadline: 0 }, { seconds: 121 }, { seconds: 0 }, { by: 'root' }])
		expect((await call('POST', { by: 'person', seconds: 60, ...more })).status).toBe(400);
	expect(await reasons()).toEqual(['session']);
});

test('a cash session, a note in escrow and a moving note each delay a restart', async () => {
	await start({ acceptor: { timing: SLOW } });
	await kiosk.openCash(BUDI);
	expect(await reasons()).toEqual(['session']);
	// A unit that receives no ACCEPT keeps the note in escrow and returns it after some seconds.
	kiosk.acceptor.line.faults.deaf = true;
	kiosk.acceptor.device.insert({ nominal: 50_000 });
	await until(() => expect(kiosk.acceptor.device.note?.place).toBe('escrow'));
	await waitsFor('session', 'note');
	expect(kiosk.acceptor.device.note?.place).toBe('escrow');
	kiosk.acceptor.line.faults.deaf = false;
	await waitsFor('session');
	expect(kiosk.acceptor.device.returned).toMatchObject([{ nominal: 50_000 }]);

	kiosk.acceptor.device.insert({ nominal: 20_000 });
	await until(() => expect(kiosk.acceptor.device.note?.place).toBe('stacking'));
	await waitsFor('session', 'note');
	await until(async () => expect(kiosk.backOffice.books.notes).toHaveLength(1));
	const invoice = await kiosk.lookUp(BUDI);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await granted();
});

test('a note in doubt delays a restart only while the acceptor may still report its outcome', async () => {
	await start({ acceptor: { timing: SLOW }, movableClock: true });
	await kiosk.openCash(BUDI);
	kiosk.acceptor.device.insert({ nominal: 20_000 });
	await kiosk.crashWhileStacking();
	expect((await kiosk.health()).in_doubt).toHaveLength(1);
	await waitsFor('doubt');
	// The acceptor can no longer report the outcome of an old note in doubt, so the note does not
	// delay a restart.
	await kiosk.crash(() => kiosk.shiftWall(60_000));
	await granted();
	expect((await kiosk.health()).in_doubt).toHaveLength(1);
});

test('a card sale delays a restart, but an unknown sale from before the last start does not', async () => {
	await start({ edc: { lines: 'ack_ms = 500\nanswer_ms = 1500\n' } });
	const screen = await kiosk.screen();
	await terminalReady(screen);
	kiosk.edc.terminal.setMode('silent_after_ack');
	startCardFor(screen, await kiosk.lookUp(BUDI));
	await waitsFor('card');
	await waitsFor('card_unknown');
	await kiosk.crash();
	await granted();
	expect((await kiosk.health()).card.unknown).toHaveLength(1);
});

test('a code on the screen, an upload to the back office and a print each delay a restart', async () => {
	const printer = await startPrinter({ port: 0, printMs: 1_500 });
	after = () => printer.stop();
	await start({ settings: printerSection(printer.uri) });
	const invoice = await kiosk.lookUp(BUDI);
	await kiosk.post('/kiosk/rendered', { screen: '/non-cash-payment', visit: BUDI, id: invoice.id });
	expect(await reasons()).toEqual(['code']);
	await kiosk.post('/kiosk/rendered', { screen: '/', visit: '' });
	await granted();
	await call('DELETE');

	await kiosk.backOffice.setNetwork({ mode: 'slow', slowMs: 1_500, path: '/payment/api/v1/' });
	await kiosk.openCash(BUDI);
	kiosk.acceptor.device.insert({ nominal: 100_000 });
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(1));
	await waitsFor('session', 'sending');
	await kiosk.backOffice.setNetwork({ mode: 'normal' });
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(0));
	// The customer leaves a partly paid invoice, so the kiosk prints a slip.
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await waitsFor('printing');
	await granted();
});

test('a removed cashbox and a payment that is being opened each delay a restart', async () => {
	await start();
	kiosk.acceptor.device.removeCashbox();
	await waitsFor('cashbox');
	kiosk.acceptor.device.returnCashbox();
	await granted();
	await call('DELETE');
	const invoice = await kiosk.lookUp(BUDI);
	await kiosk.backOffice.setNetwork({ mode: 'slow', slowMs: 1_500, path: OPEN });
	const opening = kiosk.call(OPEN, { ...invoice, hp: BUDI });
	await until(() => expect(kiosk.backOffice.calls.at(-1)).toMatchObject({ path: OPEN }));
	expect(await reasons()).toEqual(['call']);
	expect(await opening).toMatchObject({ status: 200 });
	expect(await reasons()).toEqual(['session']);
});

test('while a restart is granted, new payments are refused with the reason', async () => {
	await start({ edc: {} });
	const screen = await kiosk.screen();
	await terminalReady(screen);
	const invoice = await kiosk.lookUp(BUDI);
	await granted();
	const refused = { status: 409, body: { code: 'restarting', message: expect.stringContaining('dimulai ulang') } };
	expect(await kiosk.call(OPEN, { ...invoice, hp: BUDI })).toMatchObject(refused);
	expect(kiosk.acceptor.device.insert({ nominal: 20_000 })).toMatchObject({ taken: false });
	for (const path of ['payment', 'create-va-kiosbank', 'create-va-xendit'])
		expect(await kiosk.call(`/payment/api/v1/${path}/`, { payment_id: invoice.id, id: invoice.id })).toMatchObject(refused);
	startCardFor(screen, invoice);
	await saleShown(screen, 'declined', { reason: 'restarting' });
	expect(kiosk.edc.terminal.bank.captured).toBe(0);
	const settled = await kiosk.ctl('edc', 'settlement', '--by', 'Sari', '--why', 'end of the day', '--yes');
	expect(settled.out).toContain('about to restart');
	expect(await kiosk.call('/payment/api/v1/get-invoice-info/', { noinvoice: BUDI })).toMatchObject({ status: 200 });

	expect((await call('DELETE')).status).toBe(204);
	expect(kiosk.daemon.events('update.restart_given_back')).toHaveLength(1);
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 20_000);
});

test('if a granted restart does not happen, the grant expires and payments can begin again', async () => {
	await start();
	expect(await ask('person', 1)).toMatchObject({ granted: true });
	await until(() => expect(kiosk.daemon.events('update.restart_lapsed')).toMatchObject([{ level: 'warn', by: 'person' }]));
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 20_000);
});
