// @module-tag deep
/**
 * The line stays open, but the terminal is off, receives nothing, sends nothing, recovers or
 * answers late.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { startCardFor } from '../../support/card.ts';
import { type Kiosk, type KioskOptions, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const NOTE = 'payment_edc_bca_notification';
const QUICK = 'ack_ms = 500\nanswer_ms = 1500\n';
const NO_PROBE = `${QUICK}probe = "none"\n`;

let kiosk: Kiosk;
let screen: Screen;
let invoice: Record<string, unknown>;
afterEach(() => kiosk?.stop());

async function start(edc: NonNullable<KioskOptions['edc']>): Promise<void> {
	kiosk = await startKiosk({ edc, movableClock: true });
	screen = await kiosk.screen();
	invoice = await kiosk.lookUp(BUDI);
}

const edcState = (state: string) => until(() => expect(screen.of('kiosk_edc').at(-1)).toMatchObject({ state }));
const begin = () => startCardFor(screen, invoice);
const phases = () => screen.of('kiosk_edc_sale').map((sale) => sale.reason ?? sale.phase);
const phase = (wanted: string) => until(() => expect(phases().at(-1)).toBe(wanted));
const unknown = async () => (await kiosk.health()).card.unknown;
const part = async () => (await kiosk.health()).parts.find((one) => one.part === 'card');
const openCash = () => kiosk.call('/payment/api/v1/open-machine/', { ...invoice, hp: BUDI });
const requests = () => kiosk.edc.trace.filter(({ from, what }) => from === 'kiosk' && what === '155 bytes').length;
const terminal = () => kiosk.edc.terminal;

describe('with echo tests, the default', () => {
	test('a terminal that is off at the start takes no sale, shows a fault in health and becomes ready once switched on', async () => {
		await start({ lines: QUICK, powered: false });
		await edcState('silent');
		expect(await part()).toMatchObject({ state: 'fail', code: 'silent', text: expect.stringContaining('does not answer') });
		begin();
		await phase('not_ready');
		expect(await unknown()).toEqual([]);
		expect(await openCash()).toMatchObject({ status: 200 });
		terminal().switchOn();
		await edcState('ready');
		expect(await part()).toMatchObject({ state: 'ok' });
	});

	test('if a ready terminal is switched off, the next customer’s sale is not begun and cash stays possible', async () => {
		await start({ lines: QUICK });
		await edcState('ready');
		terminal().switchOff(false);
		await kiosk.pass(60_000);
		await edcState('silent');
		begin();
		await phase('not_ready');
		expect([await unknown(), (await openCash()).status]).toEqual([[], 200]);
	});

	test('if a terminal is switched off after its last echo test, the echo test before the sale detects this, and no sale begins', async () => {
		await start({ lines: QUICK });
		await edcState('ready');
		await kiosk.pass(15_000);
		terminal().switchOff(false);
		begin();
		await phase('not_ready');
		expect(await unknown()).toEqual([]);
		terminal().switchOn();
		await edcState('ready');
		terminal().next.push({ respCode: '00' });
		begin();
		await phase('approved');
		expect(terminal().bank.captured).toBe(137_500);
	});

	test.each(['refuses', 'acks'] as const)('a terminal that %s echo tests takes sales', async (echo) => {
		await start({ lines: QUICK, echo });
		await edcState('ready');
		terminal().next.push({ respCode: '00' });
		begin();
		await phase('approved');
	});

	test('a terminal that answers every request with NAK takes no sale and does not stay ready', async () => {
		await start({ lines: QUICK });
		await edcState('ready');
		terminal().setMode('nak', { times: 1_000 });
		begin();
		await phase('not_ready');
		await edcState('silent');
		expect(await unknown()).toEqual([]);
		terminal().setMode('normal');
		await kiosk.pass(60_000);
		await edcState('ready');
	});
});

describe('without echo tests', () => {
	test('if the terminal is off from the start, the sale is not begun and the customer can pay cash, or later by card', async () => {
		await start({ lines: NO_PROBE, powered: false });
		await edcState('ready');
		begin();
		await phase('not_ready');
		expect(phases()).toEqual(['sent', 'not_ready']);
		await edcState('silent');
		expect([await unknown(), requests(), (await openCash()).status]).toEqual([[], 1, 200]);
		expect(await part()).toMatchObject({ state: 'fail' });
		terminal().switchOn();
		await kiosk.pass(61_000);
		await edcState('ready');
		terminal().next.push({ respCode: '00' });
		begin();
		await phase('approved');
	});

	test('if the line delivers a request late, the sale is unknown, cash is refused and the approval is kept for staff', async () => {
		await start({ lines: NO_PROBE });
		await edcState('ready');
		terminal().setMode('held_up');
		begin();
		await phase('not_ready');
		terminal().setMode('normal');
		await phase('unknown');
		expect((await openCash()).status).toBe(409);
		await until(() => expect(terminal().tap({ respCode: '00' })).toBe(true));
		await until(async () =>
			expect(await unknown()).toMatchObject([{ amount: 137_500, why: expect.stringContaining('sale 00, Rp 137500') }]),
		);
		await until(() => expect(terminal().acknowledged).toBe(1));
		await kiosk.crash();
		expect(await unknown()).toMatchObject([{ amount: 137_500 }]);
	});

	test('if a terminal that sends no ACK approves a sale that counts as not begun, the sale is unknown and staff settle it', async () => {
		await start({ lines: NO_PROBE });
		await edcState('ready');
		terminal().setMode('no_ack');
		begin();
		await phase('not_ready');
		terminal().tap({ respCode: '00' });
		await phase('unknown');
		expect(await unknown()).toMatchObject([{ amount: 137_500, why: expect.stringContaining('sale 00, Rp 137500') }]);
		const attempt = String((await unknown())[0]?.attempt_id).slice(0, 8);
		await kiosk.ctl('edc', 'settle', attempt, '--outcome', 'charged', '--by', 'Sari', '--why', 'slip');
		await phase('approved');
		await until(() => expect(kiosk.backOffice.books.approvals).toHaveLength(1));
	});

	test('three equal declines from a terminal that sends no ACK are taken as the answers to three sales', async () => {
		await start({ lines: NO_PROBE.replace('ack_ms = 500', 'ack_ms = 5000') });
		await edcState('ready');
		terminal().setMode('no_ack');
		for (const count of [1, 2, 3]) {
			terminal().next.push({ respCode: 'P3' });
			begin();
			await until(() => expect(screen.of(NOTE)).toHaveLength(count));
			expect(screen.of(NOTE).at(-1)?.data).toMatchObject({ respCode: 'P3' });
		}
		expect(await unknown()).toEqual([]);
	});
});
