import { afterEach, expect, test } from 'vitest';
import { type Kiosk, startKiosk } from '../harness/kiosk.ts';

const PATH = '/payment/api/v1/get-invoice-info/';

let kiosk: Kiosk;
afterEach(() => kiosk.stop());

test('whoever tries numbers through is slowed down by the kiosk itself; a customer who finds an invoice is not', async () => {
	kiosk = await startKiosk();
	const lookUp = (noinvoice: string) => kiosk.call(PATH, { noinvoice });
	const asked = () => kiosk.backOffice.calls.filter(({ path }) => path === PATH).length;
	for (let number = 0; number < 4; number += 1) expect((await lookUp(`08999999990${number}`)).status).toBe(400);
	expect((await lookUp('081234567890')).status).toBe(200);
	for (let number = 0; number < 5; number += 1) expect((await lookUp(`08999999990${number}`)).status).toBe(400);
	const before = asked();
	const refused = await lookUp('081234567890');
	expect(refused).toMatchObject({
		status: 429,
		body: { message: expect.stringMatching(/^Terlalu banyak percobaan\. Coba lagi dalam \d+ detik\.$/) },
	});
	expect(asked()).toBe(before);
	expect(kiosk.daemon.events('screen.lookups_paused')).toMatchObject([{ misses: 5, pause_ms: 30_000 }]);
});
