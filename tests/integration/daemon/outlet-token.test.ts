/** The outlet's back-office token reaches no page, no log and no session file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCard } from '../../support/card.ts';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { ask, cookiesOf, postForm, postJson } from '../../support/raw-page.ts';
import type { RawAnswer } from '../../support/raw-request.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const LOOK_UP = '/payment/api/v1/get-invoice-info/';
const OPEN = '/payment/api/v1/open-machine/';
const LIST = '/payment/api/v1/payment-group/?offset=0&limit=10';

let kiosk: Kiosk;
beforeEach(async () => {
	kiosk = await startKiosk();
});
afterEach(() => kiosk.stop());

const stored = (name: string): string => readFileSync(join(kiosk.directory, 'journal', name), 'utf8');
const outletToken = (): string => (JSON.parse(stored('outlet-token.json')) as { token: string }).token;
const get = (path: string) => ask(kiosk, 'GET', path, kiosk.session());

test('[spec 6.6] the outlet token appears in no answer, cookie, log line, socket message or session file', async () => {
	const token = outletToken();
	const seen: string[] = [];
	const keep = (answer: RawAnswer) =>
		seen.push(JSON.stringify(answer.headers) + cookiesOf({ ...answer, headers: { 'set-cookie': [], ...answer.headers } }) + answer.body);
	const screen = await kiosk.screen();
	const invoice = await kiosk.lookUp(BUDI);
	seen.push(JSON.stringify(invoice));
	await kiosk.staff();
	for (const path of ['/', '/kiosk/visit', '/kiosk/staff', '/kiosk/settings', LIST, '/health', '/metrics', '/payment/api/v1/master-va/'])
		keep(await get(path));
	keep(await ask(kiosk, 'GET', '/', { Cookie: `kiosk_screen=${kiosk.token()}` }));
	startCard(screen, { amount: 'x', id: 1 });
	kiosk.backOffice.live.say({ type: 'payment_notification', id: 7, is_paid: false, extra: token });
	await until(() => expect(screen.of('payment_notification')).toHaveLength(1));
	// From here on, the server's error page repeats the headers of the request.
	await kiosk.backOffice.setNetwork({ mode: 'echo' });
	keep(await postJson(kiosk, LOOK_UP, {}, kiosk.session()));
	await kiosk.backOffice.setNetwork({ mode: 'normal' });
	seen.push(JSON.stringify(screen.messages), JSON.stringify(kiosk.daemon.log));
	for (const name of ['screen-sessions.json', 'pin-tries.json']) seen.push(stored(name));
	for (const text of seen) expect(text).not.toContain(token);
	expect(kiosk.token()).not.toBe(token);
	// The key of the page's session must not be in any file.
	const files = readdirSync(join(kiosk.directory, 'journal'), { withFileTypes: true }).filter((entry) => entry.isFile());
	for (const { name } of files) expect(readFileSync(join(kiosk.directory, 'journal', name), 'latin1')).not.toContain(kiosk.token());
	expect(JSON.stringify(kiosk.daemon.log)).not.toContain(kiosk.token());
});

test('if the server repeats the outlet token in answers and messages, no page, log or command shows the token', {
	tags: 'deep',
}, async () => {
	const hostile = outletToken();
	const seen: [string, string][] = [];
	const keep = (from: string, answer: RawAnswer) => seen.push([from, decodeURIComponent(JSON.stringify(answer.headers)) + answer.body]);
	const repeat = {
		'set-cookie': [`csrftoken=${hostile}; Path=/`, `fww_client=${hostile}`],
		'x-token': hostile,
		location: `/${hostile}`,
		'content-type': `application/json; token=${hostile}`,
	};
	const texts: Record<string, (body: string) => string> = {
		fields: (body) =>
			body.replace(
				/"(konsumen_name|nopol|ahass_name|nowo_odoo|produk_name|logo|payment_type_display|odoo_id)":"[^"]*"/g,
				`"$1":"x ${hostile}"`,
			),
		odd: (body) => body.replace(/"(is_paid|total)":[^,}]*/g, `"$1":"${hostile}"`),
		message: () => JSON.stringify({ message: `x ${hostile}`, detail: hostile }),
		text: () => `<pre>${hostile}</pre>`,
	};
	const paths = [LOOK_UP, OPEN, '/payment/api/v1/login-pin-screen/', '/payment/api/v1/payment/', '/payment/api/v1/cancel-payment/'];
	for (const [name, change] of Object.entries(texts))
		for (const status of [200, 302, 400, 500]) {
			kiosk.backOffice.change('/payment/', (answer) => ({ status, headers: repeat, body: change(answer.body) }));
			for (const path of paths)
				keep(
					`${name} ${status} ${path}`,
					await postForm(kiosk, path, { noinvoice: BUDI, id: 1, hp: BUDI, pin: '123456' }, kiosk.session()),
				);
			for (const path of ['/payment/api/v1/payment-group/?offset=0&limit=10', '/payment/api/v1/master-va/'])
				keep(`${name} ${status} ${path}`, await get(path));
		}
	kiosk.backOffice.change('/payment/', null);
	kiosk.backOffice.change(LOOK_UP, (answer) => ({ ...answer, body: texts.fields?.(answer.body) ?? '' }));
	await kiosk.crash();
	const screen = await kiosk.screen();
	const invoice = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 100_000);
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.backOffice.books.notes).toHaveLength(2));
	keep('print', await postJson(kiosk, '/kiosk/print', { id: invoice.id }, kiosk.session()));
	for (const text of [
		{ type: 'payment_notification', id: hostile, odoo_id: hostile, is_paid: hostile },
		{ type: 'payment_notification', id: hostile, odoo_id: hostile },
		{ type: hostile, id: hostile },
		hostile,
		{ type: 'payment_notification', id: 99, is_paid: false },
	])
		kiosk.backOffice.live.say(text as { type: string });
	await until(() => expect(screen.of('payment_notification').at(-1)).toMatchObject({ id: 99 }));
	for (const path of ['/health', '/metrics', '/kiosk/visit', '/kiosk/settings', '/']) keep(path, await get(path));
	seen.push(['socket', JSON.stringify(screen.messages)], ['log', JSON.stringify(kiosk.daemon.log)]);
	seen.push(['kioskctl', (await kiosk.ctl('journal', 'show')).out + (await kiosk.ctl('health')).out]);
	expect(
		seen
			.filter(([, text]) => text.includes(hostile))
			.map(([from, text]) => [from, text.slice(Math.max(0, text.indexOf(hostile) - 120), text.indexOf(hostile) + 20)]),
	).toEqual([]);
	expect(kiosk.token()).not.toBe(hostile);
});
