// @module-tag deep
/**
 * Tests decisions that need two names and their codes: on two pages, across restarts and on a wrong
 * clock.
 */
import type { StaffCase, StaffCases } from '@kiosk/contract/staff-cases';
import { beforeEach, expect, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
import type { Kiosk } from '../../support/kiosk.ts';
import { kioskForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const YEAR_MS = 365 * 86_400_000;
const DAY_MS = 86_400_000;

/** Sends a request from one page; each page has its own session. */
type Page = (path: string, value: object) => Promise<{ status: number; body: Record<string, unknown> }>;

let kiosk: Kiosk;
let first: Page;
beforeEach(async () => {
	kiosk = await kioskForTest({ settings: '[staff]\npersonal_codes = true\ntwo_names_above = 100000\n', movableClock: true });
	await kiosk.staff();
	first = kiosk.post;
	for (const [name, role, code] of [
		['Sari', 'supervisor', '111111'],
		['Budi', 'cashier', '222222'],
	] as const) {
		if (name !== 'Sari') await prove(first, 'Sari', '111111');
		const by = name === 'Sari' ? null : 'Sari';
		expect(await first('/kiosk/staff/names', { action: 'add', name, role, by, code })).toMatchObject({ status: 200 });
	}
});

const prove = (page: Page, name: string, code: string) => page('/kiosk/staff/proof', { name, code });
const GOOD = { status: 200 };
const refused = (code: string) => ({ status: 409, body: { code } });

/** @returns a second page with its own session, on which the PIN was typed */
async function secondPage(): Promise<Page> {
	const form = (value: object) => {
		const body = new FormData();
		body.set('formData', JSON.stringify(value));
		return body;
	};
	const { url } = kiosk.daemon;
	const { account } = kiosk.backOffice;
	const login = await fetch(`${url}/auth/login-outlet/`, { method: 'POST', body: form(account) });
	const { token } = (await login.json()) as { token: string };
	const headers = { Authorization: `Token ${token}` };
	const pin = await fetch(`${url}/payment/api/v1/login-pin-screen/`, { method: 'POST', headers, body: form({ pin: account.pin }) });
	expect(pin.status).toBe(200);
	return async (path, value) => {
		const answer = await fetch(url + path, {
			method: 'POST',
			headers: { ...headers, 'Content-Type': 'application/json' },
			body: JSON.stringify(value),
		});
		return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
	};
}

/** @returns the case of an invoice of which 120,000 was paid */
async function partlyPaid(): Promise<StaffCase> {
	const { id } = await kiosk.openCash(BUDI);
	for (const [count, nominal] of [100_000, 20_000].entries()) {
		await feedNote(kiosk, nominal);
		await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(count + 1));
	}
	await kiosk.post('/kiosk/cash/close', { id });
	await kiosk.staff();
	const answer = await fetch(`${kiosk.daemon.url}/kiosk/staff/cases`, { headers: kiosk.session() });
	const [one] = ((await answer.json()) as StaffCases).cases;
	return one ?? expect.fail('no case');
}
const give = (page: Page, { kind, id, amount }: StaffCase, second: string | null) =>
	page('/kiosk/staff/cases', { kind, id, amount, decision: 'given', nominal: null, by: 'Sari', second });
const givenBack = () => kiosk.daemon.events('cash.given_back').map(({ amount }) => amount);

test('a second name is accepted only if its present code was typed on the same page', async () => {
	const one = await partlyPaid();
	const second = await secondPage();
	for (const page of [first, second]) expect(await prove(page, 'Sari', '111111')).toMatchObject(GOOD);
	expect(await prove(second, 'Budi', '222222')).toMatchObject(GOOD);
	expect(await give(first, one, 'Budi')).toMatchObject(refused('need_code'));
	for (const same of [null, 'Sari', ' Sari ']) {
		expect(await prove(first, 'Sari', '111111')).toMatchObject(GOOD);
		expect(await give(first, one, same)).toMatchObject(refused('two_names'));
	}
	for (const spelling of ['SARI', 'sari', 'Sar i', 'Sarı']) expect(await give(first, one, spelling)).toMatchObject(refused('unknown_name'));
	const alike = { action: 'add', role: 'supervisor', by: 'Sari', code: '333333' };
	for (const name of ['SARI', 'Sar1', 'Sári', 'S ari']) {
		expect(await prove(first, 'Sari', '111111')).toMatchObject(GOOD);
		expect(await first('/kiosk/staff/names', { ...alike, name })).toMatchObject(refused('known_name'));
	}

	// Budi is retired after typing his code, and then added again with another code.
	for (const [name, code] of [
		['Sari', '111111'],
		['Budi', '222222'],
	] as const)
		expect(await prove(first, name, code)).toMatchObject(GOOD);
	expect(await second('/kiosk/staff/names', { action: 'retire', name: 'Budi', by: 'Sari' })).toMatchObject(GOOD);
	expect(await give(first, one, 'Budi')).toMatchObject(refused('unknown_name'));
	expect(await prove(second, 'Sari', '111111')).toMatchObject(GOOD);
	const again = { action: 'add', name: 'Budi', role: 'cashier', by: 'Sari', code: '444444' };
	expect(await second('/kiosk/staff/names', again)).toMatchObject(GOOD);
	expect(await give(first, one, 'Budi')).toMatchObject(refused('need_code'));

	// A restart discards the codes typed before it.
	expect(await prove(first, 'Budi', '444444')).toMatchObject(GOOD);
	await kiosk.crash();
	expect(await give(first, one, 'Budi')).toMatchObject({ status: 403 });
	await kiosk.staff();
	expect(await prove(first, 'Budi', '444444')).toMatchObject(GOOD);
	expect(await give(first, one, 'Budi')).toMatchObject(refused('need_code'));
	expect(givenBack()).toEqual([]);

	const other = await secondPage();
	for (const page of [first, other])
		for (const [name, code] of [
			['Sari', '111111'],
			['Budi', '444444'],
		] as const)
			expect(await prove(page, name, code)).toMatchObject(GOOD);
	const command = kiosk.ctl('cash', 'give-back', one.noinvoice, '--amount', '120000', '--by', 'Sari', '--why', 'test', '--yes');
	const answers = await Promise.all([give(first, one, 'Budi'), give(other, one, 'Budi')]);
	const { code } = await command;
	expect([answers.filter(({ status }) => status === 200).length + (code === 0 ? 1 : 0), givenBack()]).toEqual([1, [120_000]]);
});

test('wrong codes on two pages are counted together, and neither a restart nor a clock jump ends the delay before the next try', async () => {
	const second = await secondPage();
	const guesses = await Promise.all([first, second, first, second].map((page, at) => prove(page, 'Budi', `00000${at}`)));
	expect(guesses.filter(({ body }) => body.code === 'wrong_code')).toHaveLength(1);
	expect(guesses.filter(({ body }) => body.code === 'too_many_codes')).toHaveLength(3);
	for (const page of [first, second]) expect(await prove(page, 'Budi', '000009')).toMatchObject(refused('wrong_code'));
	const isLocked = async () => expect(await prove(first, 'Budi', '222222')).toMatchObject(refused('too_many_codes'));
	await isLocked();
	for (const jump of [YEAR_MS, -DAY_MS, 0]) {
		kiosk.shiftWall(jump);
		await isLocked();
	}
	for (const jump of [YEAR_MS, -DAY_MS]) {
		await kiosk.crash(() => kiosk.shiftWall(jump));
		await kiosk.staff();
		await isLocked();
	}
	// If a name is retired and added again, its count of wrong codes stays.
	expect(await prove(first, 'Sari', '111111')).toMatchObject(GOOD);
	expect(await first('/kiosk/staff/names', { action: 'retire', name: 'Budi', by: 'Sari' })).toMatchObject(GOOD);
	expect(await prove(first, 'Sari', '111111')).toMatchObject(GOOD);
	expect(await first('/kiosk/staff/names', { action: 'add', name: 'Budi', role: 'cashier', by: 'Sari', code: '222222' })).toMatchObject(
		GOOD,
	);
	await isLocked();
	await kiosk.pass(31_000);
	await kiosk.staff();
	expect(await prove(first, 'Budi', '222222')).toMatchObject(GOOD);
});

test('neither a restart nor a clock jump ends the delay after wrong PINs', async () => {
	const PIN = '/payment/api/v1/login-pin-screen/';
	for (const pin of ['000000', '000001', '000002']) expect((await kiosk.call(PIN, { pin })).status).toBe(400);
	const { pin } = kiosk.backOffice.account;
	const isLocked = async () => expect((await kiosk.call(PIN, { pin })).status).toBe(429);
	for (const jump of [YEAR_MS, -DAY_MS, 0]) {
		kiosk.shiftWall(jump);
		await isLocked();
	}
	for (const jump of [YEAR_MS, -DAY_MS]) {
		await kiosk.crash(() => kiosk.shiftWall(jump));
		await isLocked();
	}
	await kiosk.pass(31_000);
	expect((await kiosk.call(PIN, { pin })).status).toBe(200);
});
