import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { FREE_PORTS, startAll } from '../start-all.ts';
import { type Panel, startPanel } from './start.ts';

let simulators: Awaited<ReturnType<typeof startAll>>;
let panel: Panel;

beforeEach(async () => {
	simulators = await startAll({ ports: FREE_PORTS });
	panel = await startPanel(0, {
		...simulators,
		daemon: null,
		screenUrl: '/screen',
		startScreen: () => 'http://127.0.0.1:8080/kiosk/start?secret=x',
	});
});
afterEach(async () => {
	await panel.stop();
	await simulators.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: matchers inspect the panel's answer
type Answer = { status: number; body: any };

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
	const init = body === undefined ? {} : { body: JSON.stringify(body) };
	const response = await fetch(panel.url + path, { method, headers, ...init });
	return { status: response.status, body: await response.json() };
}

test('GET /screen redirects to the screen’s start address', async () => {
	const answer = await fetch(`${panel.url}/screen`, { redirect: 'manual' });
	expect([answer.status, answer.headers.get('location')]).toEqual([303, 'http://127.0.0.1:8080/kiosk/start?secret=x']);
});

test('the calls of the panel change the simulators', async () => {
	for (const [path, body] of [
		['/acceptor/insert', { nominal: 50_000 }],
		['/acceptor/fault', { code: 'jam' }],
		['/edc/next', { respCode: '00' }],
		['/edc/mode', { mode: 'silent' }],
		['/back-office/pay', { id: 1 }],
		['/back-office/network', { up: false }],
		['/back-office/network', { up: true, mode: 'slow', slowMs: 10 }],
		['/printer/paper', { out: true }],
		['/printer/server', { up: false }],
	] as const) {
		expect([path, (await call('POST', path, body)).status]).toEqual([path, 200]);
	}
	const { body: state } = await call('GET', '/state');
	expect(state).toMatchObject({
		acceptor: { fault: 'jam' },
		edc: { mode: 'silent', next: [{ respCode: '00' }] },
		backOffice: { network: { up: true, mode: 'slow' } },
		printer: { up: false, faults: { paperOut: true } },
		daemon: null,
	});
	expect(state.backOffice.invoices[0]).toMatchObject({ id: 1, is_paid: true });
	expect((await call('GET', '/printer/receipts')).body).toEqual([]);
});

test.each([
	['/acceptor/insert', { nominal: 75_000 }, '1000, 2000, 5000'],
	['/acceptor/fault', { code: 'explode' }, 'jam'],
	['/edc/next', { respCode: 'ABC' }, 'two letters or digits'],
	['/edc/mode', { mode: 'x' }, 'silent_after_ack'],
	['/back-office/pay', { id: 'nobody' }, 'GET /state'],
	['/back-office/network', {}, 'lost_answer'],
	['/printer/paper', { out: 'yes' }, 'true or false'],
	['/printer/fault', {}, 'coverOpen'],
	['/daemon/kill', {}, 'did not start the daemon'],
])('%s %o is refused with a message that names the reason or the allowed values', async (path, body, hint) => {
	const answer = await call('POST', path, body);
	expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(hint) } });
});

test('an invalid body, an unknown call and a call from another website are refused', async () => {
	expect((await call('POST', '/acceptor/insert', [1])).status).toBe(400);
	expect((await call('GET', '/nothing')).body.message).toContain('POST /acceptor/insert');
	expect((await call('POST', '/acceptor/insert', { nominal: 1_000 }, { Origin: 'http://evil.example' })).status).toBe(403);
});

test('a look-up by phone number finds the invoice that was added last', async () => {
	const { body: invoice } = await call('POST', '/back-office/invoice', { hp: '081234567890' });
	expect(invoice).toMatchObject({ konsumen_name: 'Budi Santoso', total: 137_500, is_paid: false });
	expect(simulators.backOffice.books.find('081234567890')?.id).toBe(invoice.id);
	const { body: other } = await call('POST', '/back-office/invoice', { hp: '08999', total: 12_000 });
	expect(other).toMatchObject({ total: 12_000 });
});

test('the page and its files are served', async () => {
	for (const path of ['/', '/page.css', '/devices.css', '/books.css', '/page.js', '/font.woff2'])
		expect((await fetch(panel.url + path)).status).toBe(200);
});

test('if a port is in use, the message names the environment variable that moves all ports', async () => {
	const ports = { ...FREE_PORTS, edc: simulators.edc.port ?? 0 };
	await expect(startAll({ ports })).rejects.toThrow(`Port ${ports.edc} (the card terminal simulator) is already in use`);
	await expect(startAll({ ports })).rejects.toThrow('KIOSK_PORT_OFFSET');
	await until(async () => expect((await call('GET', '/state')).status).toBe(200));
});
