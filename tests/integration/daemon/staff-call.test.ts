import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Kiosk, partText, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

// A customer calls staff. The tests send the requests that the page would send.

const BUDI = '081234567890';
const HOME = '/kiosk/staff/home';

let kiosk: Kiosk;
let screen: Screen;
beforeEach(async () => {
	kiosk = await startKiosk();
	screen = await kiosk.screen();
});
afterEach(() => kiosk.stop());

const call = (body: object) => kiosk.post('/kiosk/call-staff', body);
const home = async () => (await fetch(kiosk.daemon.url + HOME, { headers: kiosk.session() })).json();
const metric = async (series: string): Promise<string | undefined> =>
	(await (await fetch(`${kiosk.daemon.service}/metrics`)).text()).split('\n').find((line) => line.startsWith(series));

test('a customer’s call for staff is shown in health, in the metrics and on the screens until staff open their home screen', async () => {
	const { id } = await kiosk.lookUp(BUDI);
	const called = await call({ screen: '/payment-method', id });
	expect(called).toMatchObject({ status: 200, body: { since: expect.any(String) } });
	for (let press = 0; press < 100; press += 1) expect((await call({ screen: '/' })).body).toEqual(called.body);
	const { since } = called.body;
	expect(partText(await kiosk.health(), 'customer')).toContain(`since ${since}`);
	expect((await kiosk.health()).parts.find(({ part }) => part === 'customer')).toMatchObject({
		state: 'warn',
		why: 'on /payment-method, invoice INV/2026/11/0042',
	});
	expect(kiosk.daemon.events('staff.called')).toMatchObject([{ screen: '/payment-method', invoice: 'INV/2026/11/0042' }]);
	expect(screen.of('kiosk_staff_call')).toEqual([
		{ type: 'kiosk_staff_call', since: null },
		{ type: 'kiosk_staff_call', since },
	]);
	expect(await metric('kiosk_staff_calls_total{outcome="called"}')).toMatch(/ 1$/);
	expect(await metric('kiosk_staff_call_seconds')).not.toMatch(/ 0$/);
	// A reloaded page is told of the open call.
	expect((await kiosk.screen()).of('kiosk_staff_call')).toEqual([{ type: 'kiosk_staff_call', since }]);

	// Without the PIN the call stays open.
	expect(await home()).toMatchObject({ code: 'staff_only' });
	expect(await kiosk.ctl('staff', 'call')).toMatchObject({ code: 0, out: expect.stringContaining('INV/2026/11/0042') });
	await kiosk.staff();
	expect(await home()).toMatchObject({ call: { since, screen: '/payment-method', invoice: 'INV/2026/11/0042' } });
	expect(await home()).toMatchObject({ call: { since } });
	await until(() => expect(screen.of('kiosk_staff_call').at(-1)).toMatchObject({ since: null }));
	expect(partText(await kiosk.health(), 'customer')).toBe('');
	expect(kiosk.daemon.events('staff.call_answered')).toMatchObject([{ by: 'staff screen' }]);
	expect(await metric('kiosk_staff_call_seconds')).toMatch(/ 0$/);
});

test('kioskctl records a customer’s call for staff as answered only if the command names a person', { tags: 'deep' }, async () => {
	await call({ screen: '/' });
	expect(await kiosk.ctl('staff', 'answer')).toMatchObject({ code: 1, out: expect.stringContaining('--by NAME') });
	expect(await kiosk.ctl('staff', 'answer', '--by', 'Sari')).toMatchObject({ code: 0, out: 'The call is answered.\n' });
	expect(kiosk.daemon.events('staff.call_answered')).toMatchObject([{ by: 'Sari' }]);
	expect(await kiosk.ctl('staff', 'call')).toMatchObject({ out: 'No customer has called.\n' });
});

test('a call for staff needs the page’s session and a known screen, and can name only an invoice that was looked up', async () => {
	const stranger = await fetch(`${kiosk.daemon.url}/kiosk/call-staff`, { method: 'POST', body: '{"screen":"/"}' });
	expect(stranger.status).toBe(401);
	expect(await call({ screen: '/staf' })).toMatchObject({ status: 400 });
	expect(await call({ screen: '/', invoice: 'INV/PALSU' })).toMatchObject({ status: 400 });
	await kiosk.lookUp(BUDI);
	await call({ screen: '/cash-payment', id: 4711 });
	expect(kiosk.daemon.events('staff.called')).toMatchObject([{ screen: '/cash-payment' }]);
	expect(JSON.stringify(kiosk.daemon.events('staff.called'))).not.toContain('INV');
});

test('when the page reports a touch, the time without a touch starts again at 0', async () => {
	await kiosk.post('/kiosk/rendered', { screen: '/', touched: true });
	expect(await metric('kiosk_screen_untouched_seconds')).toMatch(/ 0\.\d+$/);
});
