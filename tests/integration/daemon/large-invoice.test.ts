/** The back office sends an invoice with megabytes of display data. */
import { shortenDetail } from '@kiosk/contract/shorten-detail';
import { afterEach, expect, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const OPEN = '/payment/api/v1/open-machine/';
const PICTURE = `data:image/png;base64,${'A'.repeat(600_000)}`;

let kiosk: Kiosk;
afterEach(() => kiosk.stop());

const asked = (name: string) => kiosk.backOffice.asked.filter(({ call }) => call === name).map(({ fields }) => fields);

test('a note is credited to an invoice with a large logo and 8,000 lines, and the kiosk sends neither back to the server', async () => {
	kiosk = await startKiosk();
	const lines = Array.from({ length: 8_000 }, () => ({ produk_name: 'Ganti oli dan servis ringan', qty: 1, harga: 10 }));
	const block = { noinvoice_odoo: 'INV/1', nowo_odoo: 'WO/1', total: 80_000, detail: lines };
	const budi = kiosk.backOffice.books.find(BUDI);
	if (budi) Object.assign(budi, { logo: PICTURE, list_invoice: [block], poster: PICTURE });
	const invoice = await kiosk.lookUp(BUDI);
	expect(JSON.stringify(invoice).length).toBeGreaterThan(1_500_000);
	expect(await kiosk.call(OPEN, { ...shortenDetail(invoice), hp: BUDI })).toMatchObject({ status: 200 });
	const { id, noinvoice, total } = invoice;
	const expected = {
		id,
		noinvoice,
		total,
		is_paid: false,
		transaction_type: 'service',
		logo: '',
		ahass_name: expect.any(String),
		hp: BUDI,
	};
	expect(asked('open_machine')).toMatchObject([expected]);
	expect(JSON.stringify(asked('open_machine')).length).toBeLessThan(10_000);
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.backOffice.books.notes.map(({ nominal }) => nominal)).toEqual([50_000]));
});

test('a request over the size limit is refused with a reason, and few of these refusals are logged', async () => {
	kiosk = await startKiosk();
	const invoice = await kiosk.lookUp(BUDI);
	for (let times = 0; times < 30; times += 1)
		expect(await kiosk.call(OPEN, { ...invoice, logo: PICTURE, hp: BUDI })).toMatchObject({ status: 413, body: { code: 'too_large' } });
	const refused = kiosk.daemon.events('screen.refused');
	expect(refused[0]).toMatchObject({ reason: 'too_large: open_machine' });
	expect(refused.length).toBeLessThanOrEqual(10);
	expect(await kiosk.call(OPEN, { ...invoice, hp: BUDI })).toMatchObject({ status: 200 });
});
