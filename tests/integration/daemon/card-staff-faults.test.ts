// @module-tag deep
import { referenceOf } from '@kiosk/contract/reference';
import { afterEach, expect, test } from 'vitest';
import { type Edc, startEdc } from '../../simulators/edc/start.ts';
import { saleShown, startCard, tapCard, terminalReady } from '../../support/card.ts';
import { type Kiosk, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

// Faults during requests of staff and during sales: a second request, an exchanged terminal, a bank
// that does not answer, a clock that is set back, and a daemon that ends.

const TOTAL = 137_500;
const DECIDED = ['--by', 'Sari', '--why', 'test', '--yes'];

let kiosk: Kiosk;
let screen: Screen;
let other: Edc | null = null;
let customers = 0;
afterEach(async () => {
	await kiosk?.stop();
	await other?.stop();
	other = null;
});

async function start(lines = 'answer_ms = 2000\n'): Promise<void> {
	kiosk = await startKiosk({ movableClock: true, edc: { lines: `ack_ms = 500\n${lines}` } });
	screen = await kiosk.screen();
	await ready();
}

const ready = () => terminalReady(screen);
const phase = (wanted: string) => saleShown(screen, wanted);
const paid = () => screen.of('payment_notification').map(({ noinvoice }) => noinvoice);
const unknown = async () => (await kiosk.health()).card.unknown;
const attempt = () => referenceOf(String(screen.of('kiosk_edc_sale').at(-1)?.attempt_id));
const requests = () => kiosk.edc.trace.filter(({ from, what }) => from === 'kiosk' && what === '155 bytes').length;
const edc = (...words: string[]) => kiosk.ctl('edc', ...words, ...DECIDED);

/**
 * A new customer asks to pay an invoice of the usual amount by card.
 * @returns the invoice number
 */
async function begin(): Promise<string> {
	customers += 1;
	const hp = `0812${String(customers).padStart(8, '0')}`;
	kiosk.backOffice.books.addInvoice(hp, TOTAL, new Date());
	const { id, total, noinvoice } = await kiosk.lookUp(hp);
	startCard(screen, { amount: total, id });
	return String(noinvoice);
}

async function sell(terminal = kiosk.edc.terminal): Promise<{ noinvoice: string; reference: string }> {
	const noinvoice = await begin();
	await until(() => expect(terminal.tap({ respCode: '00' })).toBe(true));
	await saleShown(screen, 'approved', { noinvoice });
	return { noinvoice, reference: attempt() };
}

test('if the terminal was exchanged and a void returns another customer’s charge, staff must settle both sales', async () => {
	await start();
	const first = await sell();
	const port = kiosk.edc.port ?? expect.fail('no port');
	await kiosk.edc.stop();
	await until(() => expect(screen.of('kiosk_edc').at(-1)).toMatchObject({ state: 'disconnected' }));
	other = await startEdc({ port, timing: { ackMs: 20, customerMs: 20 } });
	await ready();
	const second = await sell(other.terminal);
	await edc('void', first.reference);
	expect(other.terminal.bank.captured).toBe(0);
	await phase('unknown');
	expect((await unknown()).map(({ noinvoice }: { noinvoice: string }) => noinvoice).sort()).toEqual(
		[first.noinvoice, second.noinvoice].sort(),
	);
	expect((await kiosk.health()).parts).toContainEqual(expect.objectContaining({ part: 'card money', state: 'warn' }));
	expect(await edc('settle', first.reference, '--outcome', 'charged')).toMatchObject({ code: 0 });
	expect(await edc('settle', second.reference, '--outcome', 'not-charged')).toMatchObject({ code: 0 });
	await ready();
});

test('a sale of the same amount at an exchanged terminal does not pay an unknown sale', { timeout: 120_000 }, async () => {
	await start('answer_ms = 2000\ninquiry = "reprint"\n');
	kiosk.edc.terminal.setMode('silent_after_ack');
	await begin();
	await phase('unknown');
	const port = kiosk.edc.port ?? expect.fail('no port');
	await kiosk.edc.stop();
	other = await startEdc({ port, timing: { ackMs: 20, customerMs: 20 } });
	other.terminal.bank.terminalId = 'ECR00999';
	// Simulates a sale of the same amount, entered by hand at the terminal.
	other.terminal.bank.capture('01', TOTAL);
	// The kiosk asks the terminal about an unknown sale once a minute.
	await until(() => expect(kiosk.daemon.events('card.inquiry')).toHaveLength(1), 90_000);
	await until(() => expect(kiosk.daemon.events('card.evidence')).toHaveLength(1));
	expect(kiosk.daemon.events('card.approved')).toEqual([]);
	expect(await unknown()).toMatchObject([{ why: expect.stringContaining('reprint 00, Rp 137500') }]);
});

test('if the bank does not answer a void, the sale is unknown', async () => {
	await start('unknown_codes = ["TO"]\n');
	const { reference, noinvoice } = await sell();
	kiosk.edc.terminal.next.push({ respCode: 'TO' });
	expect(await edc('void', reference)).toMatchObject({ code: 1 });
	expect(await unknown()).toMatchObject([{ noinvoice, why: expect.stringContaining('TO') }]);
});

test('a sale cannot be settled as charged while it is being voided', async () => {
	await start('answer_ms = 8000\nprobe = "none"\n');
	const { reference } = await sell();
	kiosk.edc.terminal.setMode('silent_after_ack');
	expect(await edc('void', reference)).toMatchObject({ code: 1 });
	kiosk.edc.terminal.setMode('late', { ms: 6_000 });
	const [told, before] = [paid().length, requests()];
	const again = edc('void', reference);
	await until(() => expect(requests()).toBeGreaterThan(before));
	expect(await edc('settle', reference, '--outcome', 'charged')).toMatchObject({ code: 1, out: expect.stringContaining('being voided') });
	await again;
	expect(paid()).toHaveLength(told);
});

test('a sale is approved and later sales work although the clock is set back before the answer', async () => {
	await start();
	const noinvoice = await begin();
	await phase('acked');
	kiosk.shiftWall(-3 * 3_600_000);
	await tapCard(kiosk);
	await saleShown(screen, 'approved', { noinvoice, paid: true });
	await sell();
	await kiosk.crash();
	screen = await kiosk.screen();
	await ready();
	await sell();
	expect(await unknown()).toEqual([]);
	expect(kiosk.edc.terminal.bank.captured).toBe(3 * TOTAL);
});

test('if the daemon ends before it answers kioskctl, kioskctl reports that the void may have been done', async () => {
	await start();
	const { reference } = await sell();
	kiosk.edc.terminal.setMode('silent_after_ack');
	const voiding = edc('void', reference);
	await until(() => expect(kiosk.daemon.events('card.staff_asked')).toHaveLength(1));
	await kiosk.crash();
	expect(await voiding).toMatchObject({ code: 1, out: expect.stringContaining('The command may have taken effect') });
	expect(await unknown()).toHaveLength(1);
});
