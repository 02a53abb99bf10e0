import { afterEach, expect, test } from 'vitest';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { rawRequest } from '../../support/raw-request.ts';

const PATH = '/payment/api/v1/get-invoice-info/';

let kiosk: Kiosk;
afterEach(() => kiosk.stop());

test('after five unknown numbers the kiosk refuses look-ups, even if known numbers were looked up in between', async () => {
	kiosk = await startKiosk();
	const lookUp = (noinvoice: string) => kiosk.call(PATH, { noinvoice });
	const asked = () => kiosk.backOffice.calls.filter(({ path }) => path === PATH).length;
	for (let number = 0; number < 5; number += 1) {
		expect((await lookUp(`08999999990${number}`)).status).toBe(400);
		if (number < 4) expect((await lookUp('081234567890')).status).toBe(200);
	}
	const before = asked();
	const refused = await lookUp('081234567890');
	expect(refused).toMatchObject({
		status: 429,
		body: { message: expect.stringMatching(/^Terlalu banyak percobaan\. Coba lagi dalam \d+ detik\.$/) },
	});
	expect(asked()).toBe(before);
	expect(kiosk.daemon.events('screen.lookups_paused')).toMatchObject([{ misses: 5, pause_ms: expect.any(Number) }]);
});

test('of a hundred parallel look-ups of unknown numbers, at most five are answered with "unknown number"', async () => {
	kiosk = await startKiosk();
	const answers = await Promise.all(Array.from({ length: 100 }, (_, number) => kiosk.call(PATH, { noinvoice: `0899999${number}` })));
	expect(answers.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(5);
});

const refusesResend = async (id: string): Promise<void> => {
	kiosk = await startKiosk();
	await kiosk.staff();
	const { status } = await rawRequest(kiosk.daemon.url, 'POST', `/payment/api/v1/resend-callback/${id}`, kiosk.session());
	expect(status).toBe(404);
	expect(kiosk.backOffice.calls.filter(({ path }) => path.includes('resend') || path === '/payment/api/v1/')).toEqual([]);
};
test.each(['..'])('a resend request for the invoice id "%s" is not forwarded', refusesResend);
test.each(['.', '%2e%2e', '%2E', '..%2f..', '.%2e'])(
	'a resend request for the invoice id "%s" is not forwarded',
	{ tags: 'deep' },
	refusesResend,
);
