import { afterEach, expect, test } from 'vitest';
import { saleShown, startCardFor, tapCard, terminalReady } from '../../support/card.ts';
import { type Kiosk, type KioskOptions, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';

let kiosk: Kiosk;
let screen: Screen;
afterEach(() => kiosk.stop());

/**
 * Stops the daemon while a customer is at the card terminal. The daemon waits and still serves
 * requests.
 * @returns a promise of the daemon's exit code
 */
async function stopping(options: KioskOptions = {}): Promise<{ ended: Promise<number | null> }> {
	kiosk = await startKiosk({ edc: {}, ...options });
	screen = await kiosk.screen();
	await terminalReady(screen);
	begin(await kiosk.lookUp(BUDI));
	await saleShown(screen, 'acked');
	const ended = kiosk.daemon.stop();
	await until(() => expect(kiosk.daemon.events('daemon.stopping')).toHaveLength(1));
	return { ended };
}

const begin = (invoice: object) => startCardFor(screen, invoice);

test('a stopping kiosk refuses new payments and waits until the sale at the terminal ends', async () => {
	const { ended } = await stopping();
	const other = kiosk.backOffice.books.addInvoice('0899', 50_000, new Date());
	const { id, odoo_id, noinvoice, total, hp } = other;
	expect(await kiosk.call('/payment/api/v1/open-machine/', { id, odoo_id, noinvoice, total, hp })).toMatchObject({
		status: 503,
		body: { code: 'stopping' },
	});
	expect(await kiosk.call('/payment/api/v1/get-invoice-info/', { noinvoice })).toMatchObject({ status: 503, body: { code: 'stopping' } });
	expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: false });
	begin(other);
	await until(() => expect(screen.of('kiosk_edc_sale').at(-1)).toMatchObject({ id, phase: 'declined' }));
	const health = await kiosk.health();
	expect(health.parts.length).toBeGreaterThan(0);
	await tapCard(kiosk);
	expect(await ended).toBe(0);
	expect(kiosk.edc.terminal.bank.transactions.map(({ amount }) => amount)).toEqual([137_500]);
	await kiosk.crash();
	await until(() => expect(kiosk.backOffice.books.approvals).toMatchObject([{ no_invoice: 'INV/2026/11/0042', repeats: 0 }]));
	expect(kiosk.daemon.events('card.unknown')).toEqual([]);
});

test('a stopping kiosk refuses staff requests to the terminal', async () => {
	const { ended } = await stopping();
	const settlement = await kiosk.ctl('edc', 'settlement', '--by', 'Sari', '--why', 'end of day', '--yes');
	expect(settlement).toMatchObject({ code: 1, out: expect.stringContaining('shutting down') });
	await tapCard(kiosk);
	expect(await ended).toBe(0);
});

test('if the kiosk stops before the back office has answered the request to open the acceptor, the acceptor stays closed', async () => {
	kiosk = await startKiosk({ edc: {} });
	screen = await kiosk.screen();
	await terminalReady(screen);
	const invoice = await kiosk.lookUp(BUDI);
	begin(invoice);
	await saleShown(screen, 'acked');
	const other = kiosk.backOffice.books.addInvoice('0899', 50_000, new Date());
	await kiosk.backOffice.setNetwork({ mode: 'silent', path: 'open-machine' });
	const { id, odoo_id, noinvoice, total, hp } = other;
	const opening = kiosk.call('/payment/api/v1/open-machine/', { id, odoo_id, noinvoice, total, hp });
	await until(() => expect(kiosk.backOffice.calls.some(({ path }) => path.includes('open-machine'))).toBe(true));
	const ended = kiosk.daemon.stop();
	expect(await opening).toMatchObject({ status: 503, body: { code: 'stopping' } });
	expect(kiosk.daemon.events('cash.opened')).toEqual([]);
	await tapCard(kiosk);
	expect(await ended).toBe(0);
});
