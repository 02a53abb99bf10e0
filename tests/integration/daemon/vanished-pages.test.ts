// @module-tag deep
/** Pages that vanish during a cash payment, or before it. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, partText } from '../../support/kiosk.ts';
import { kioskForTest } from '../../support/kiosk-for-test.ts';
import { as, logInElsewhere, postForm, postJson } from '../../support/raw-page.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const JOKO = '081200000008';
const OPEN = '/payment/api/v1/open-machine/';

/** A page of a technician's computer. */
async function otherPage(kiosk: Kiosk) {
	const key = await logInElsewhere(kiosk);
	const socket = new WebSocket(`${kiosk.daemon.url.replace('http', 'ws')}/ws/${key}`, 'echo-protocol', { origin: kiosk.daemon.url });
	await new Promise((resolve) => socket.on('open', resolve));
	return {
		vanish: () => socket.terminate(),
		lookUp: async (hp: string) =>
			JSON.parse((await postForm(kiosk, '/payment/api/v1/get-invoice-info/', { noinvoice: hp }, as(key))).body).results as { id: unknown },
		open: (invoice: object, hp: string) => postForm(kiosk, OPEN, { ...invoice, hp }, as(key)),
		draw: ({ id }: { id: unknown }) => postJson(kiosk, '/kiosk/rendered', { screen: '/cash-payment', visit: '', id }, as(key)),
	};
}

test('the loss of one page does not end the cash payment of another page', async () => {
	const kiosk = await kioskForTest();
	const other = await otherPage(kiosk);
	await kiosk.screen();
	const joko = await other.lookUp(JOKO);
	expect(await other.open(joko, JOKO)).toMatchObject({ status: 200 });
	await other.draw(joko);
	await until(async () => expect(partText(await kiosk.health(), 'cash')).toBe('takes notes'));
	other.vanish();
	await delay(1_000);
	const budi = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	for (let times = 0; times < 9; times += 1) {
		await delay(2_000);
		await kiosk.draw(budi);
	}
	expect(kiosk.daemon.events('screen.lost')).toEqual([]);
	expect(partText(await kiosk.health(), 'cash')).toBe('takes notes');
});

test('a cash payment ends if its page has vanished before the acceptor opens', async () => {
	const kiosk = await kioskForTest();
	const { id } = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	await kiosk.post('/kiosk/cash/close', { id });
	await until(() => expect(kiosk.daemon.events('cash.closed')).toHaveLength(1));
	const other = await otherPage(kiosk);
	const found = await other.lookUp(BUDI);
	other.vanish();
	expect(await other.open(found, BUDI)).toMatchObject({ status: 200 });
	// Without a drawn frame the payment ends after the time of a frozen screen.
	await until(() => expect(kiosk.daemon.events('cash.closed')).toHaveLength(2), 90_000);
	await kiosk.staff();
	const cases = await (await fetch(`${kiosk.daemon.url}/kiosk/staff/cases`, { headers: kiosk.session() })).json();
	const count = await kiosk.ctl('cash', 'collected', '--by', 'Sari', '--counted', '50000', '--yes');
	expect(count.out).not.toContain('a customer is paying');
	expect(cases).toMatchObject({ cases: [{ kind: 'partial', amount: 50_000 }] });
});
