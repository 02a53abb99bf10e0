import { createServer, type RequestListener } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listen } from '../../simulators/listen.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const PNG = Buffer.from('89504e470d0a1a0a0000000d', 'hex');

let kiosk: Kiosk;
/** Base address of the server's pictures. */
let origin: string;
/** Answers requests for pictures in the server's name. */
let answer: RequestListener;
let asked: { path: string; headers: Record<string, unknown> }[];

beforeEach(async () => {
	asked = [];
	answer = (_, response) => response.writeHead(200, { 'Content-Type': 'image/png' }).end(PNG);
	kiosk = await startKiosk();
	origin = `${kiosk.backOffice.url}/pictures`;
	kiosk.backOffice.pictures = (request, response) => {
		asked.push({ path: request.url ?? '', headers: request.headers });
		answer(request, response);
	};
});
afterEach(() => kiosk.stop());

const picture = (url: string) => fetch(`${kiosk.daemon.url}/kiosk/picture?url=${encodeURIComponent(url)}`, { headers: kiosk.session() });

/** Makes the back office name this address as the picture of the QRIS code of Budi's invoice. */
async function name(url: string): Promise<void> {
	const invoice = kiosk.backOffice.books.find(BUDI);
	if (invoice) invoice.qr_url = url;
	await kiosk.lookUp(BUDI);
}

test('the daemon fetches a picture only after the back office has named it, sends no token, and adds a content policy', async () => {
	const url = `${origin}/qr.png?order=1&size=300`;
	expect((await picture(url)).status).toBe(404);
	expect(asked).toEqual([]);
	await name(url);
	const response = await picture(url);
	expect([response.status, Buffer.from(await response.arrayBuffer())]).toEqual([200, PNG]);
	expect(Object.fromEntries(response.headers)).toMatchObject({
		'content-type': 'image/png',
		'cache-control': 'private, max-age=300',
		'x-content-type-options': 'nosniff',
		'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self';/),
	});
	expect(asked.map(({ path }) => path)).toEqual(['/pictures/qr.png?order=1&size=300']);
	expect(JSON.stringify(asked)).not.toContain(kiosk.token());
	expect([asked[0]?.headers.cookie, asked[0]?.headers.authorization]).toEqual([undefined, undefined]);
});

test('the daemon fetches no address that differs from the one that the back office named', async () => {
	await name(`${origin}/qr.png`);
	for (const other of [`${origin}/qr.png?`, `${origin}/`, origin, 'file:///etc/passwd', 'http://127.0.0.1:1/', ''])
		expect((await picture(other)).status).toBe(404);
	expect((await fetch(`${kiosk.daemon.url}/kiosk/picture`, { headers: kiosk.session() })).status).toBe(404);
	expect(asked).toEqual([]);
});

test('the daemon fetches logos that the staff list names, and code pictures that json_data names', async () => {
	const [first, second] = kiosk.backOffice.books.invoices;
	if (!first || !second) throw new Error('no invoices');
	first.logo = `${origin}/logo.png`;
	second.json_data = { expiry_time: '', qr_url: `${origin}/inside.png` };
	await kiosk.staff();
	await fetch(`${kiosk.daemon.url}/payment/api/v1/payment-group/?offset=0&limit=1000`, { headers: kiosk.session() });
	expect([(await picture(first.logo)).status, (await picture(`${origin}/inside.png`)).status]).toEqual([200, 200]);
});

test('only the newest 300 addresses that the back office named can be fetched', async () => {
	const invoice = kiosk.backOffice.books.find(BUDI);
	const urls = Array.from({ length: 301 }, (_, at) => `${origin}/${at}`);
	if (invoice) Object.assign(invoice, { json_data: { urls } });
	await kiosk.lookUp(BUDI);
	expect(await Promise.all([0, 1, 300].map(async (at) => (await picture(`${origin}/${at}`)).status))).toEqual([404, 200, 200]);
});

test('at most three redirects are followed, and only to web addresses', async () => {
	await name(`${origin}/3`);
	const passOn = answer;
	answer = (request, response) => {
		const left = Number(request.url?.split('/').at(-1));
		if (left > 0) response.writeHead(302, { Location: `${left - 1}` }).end();
		else passOn(request, response);
	};
	expect((await picture(`${origin}/3`)).status).toBe(200);
	await name(`${origin}/4`);
	expect((await picture(`${origin}/4`)).status).toBe(502);
	answer = (_, response) => response.writeHead(302, { Location: 'file:///etc/passwd' }).end();
	expect((await picture(`${origin}/4`)).status).toBe(502);
});

test('a picture on another port of the server’s loopback address is not fetched', async () => {
	const reached: string[] = [];
	const other = createServer((request, response) => {
		reached.push(request.url ?? '');
		response.writeHead(200, { 'Content-Type': 'image/png' }).end(PNG);
	});
	const { port, close } = await listen(other, 0);
	try {
		await name(`http://127.0.0.1:${port}/qr.png`);
		expect((await picture(`http://127.0.0.1:${port}/qr.png`)).status).toBe(502);
		await name(`${origin}/qr.png`);
		answer = (_, response) => response.writeHead(302, { Location: `http://127.0.0.1:${port}/qr.png` }).end();
		expect((await picture(`${origin}/qr.png`)).status).toBe(502);
		expect(reached).toEqual([]);
	} finally {
		await close();
	}
});

test.each<[string, RequestListener]>([
	['is a web page', (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<script>')],
	['has no content type', (_, response) => response.end(PNG)],
	['is larger than 2 MB', (_, response) => response.writeHead(200, { 'Content-Type': 'image/png' }).end(Buffer.alloc(3_000_000))],
	[
		'is cut off',
		(_, response) => response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 99 }).write(PNG, () => response.destroy()),
	],
	['is missing', (_, response) => response.writeHead(404, { 'Content-Type': 'image/png' }).end(PNG)],
])('a picture that %s is not forwarded, and the log names only its host', async (_what, broken) => {
	await name(`${origin}/qr.png?secret=1`);
	answer = broken;
	const response = await picture(`${origin}/qr.png?secret=1`);
	expect(response.status).toBe(502);
	expect(await response.json()).toMatchObject({ code: 'no_picture' });
	await until(() => expect(kiosk.daemon.events('screen.picture_failed')).toMatchObject([{ host: new URL(origin).host }]));
	expect(JSON.stringify(kiosk.daemon.log)).not.toContain('secret=1');
});
