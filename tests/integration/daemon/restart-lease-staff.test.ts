// @module-tag deep
/** A restart is requested, or the kiosk restarts, while staff work. */
import type { StaffCase } from '@kiosk/contract/staff-cases';
import { beforeEach, expect, test } from 'vitest';
import type { Printer } from '../../simulators/printer/start.ts';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, printerSection } from '../../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../../support/kiosk-for-test.ts';
import { staffCall } from '../../support/staff-call.ts';
import { decideCase, staffCases } from '../../support/staff-cases.ts';
import { until } from '../../support/until.ts';

/** Rp 137.500. */
const BUDI = '081234567890';
const PIN = '/payment/api/v1/login-pin-screen/';

let kiosk: Kiosk;
let printer: Printer;
beforeEach(async () => {
	// The printer is slow, so that the test can request a restart during a print.
	printer = await printerForTest(1_500);
	kiosk = await kioskForTest({ settings: printerSection(printer.uri) });
	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
});

interface Lease {
	granted: boolean;
	reasons?: { code: string }[];
}
async function lease(): Promise<string[] | 'granted'> {
	const { body } = await staffCall<Lease>(kiosk, 'POST', '/restart/lease', { by: 'person', seconds: 60 });
	return body.granted ? 'granted' : (body.reasons ?? []).map(({ code }) => code);
}
const granted = () => until(async () => expect(await lease()).toBe('granted'));

const casesOf = async (kind: StaffCase['kind']) => (await staffCases(kiosk)).filter((one) => one.kind === kind);
const decide = (one: StaffCase, decision: string) => decideCase(kiosk, one, decision);

/** Plays a customer who overpays by 12,500 and leaves. */
async function overpays(): Promise<void> {
	const { id } = await kiosk.openCash(BUDI);
	for (const nominal of [100_000, 50_000]) await feedNote(kiosk, nominal);
	await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(2));
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(0));
	await kiosk.post('/kiosk/cash/close', { id });
}

test('a slow PIN check delays a restart, and counts as a wrong PIN if the kiosk restarts nevertheless', async () => {
	let letGo = () => {};
	kiosk.backOffice.change(PIN, (answer) => new Promise((resolve) => (letGo = () => resolve(answer))));
	const { length } = kiosk.backOffice.asked;
	const slow = kiosk.call(PIN, { pin: '000000' }).catch(() => null);
	await until(() => expect(kiosk.backOffice.asked.length).toBeGreaterThan(length));
	expect(await lease()).toEqual(['call']);
	await kiosk.crash();
	letGo();
	await slow;
	kiosk.backOffice.change(PIN, null);
	for (const status of [400, 400, 429]) expect((await kiosk.call(PIN, { pin: '000000' })).status).toBe(status);
});

test('while the slip about given change prints, a restart is delayed; if the kiosk restarts anyway, staff can print the slip afterwards', async () => {
	await overpays();
	await granted();
	const [change] = await until(async () => {
		const found = await casesOf('change');
		expect(found).toMatchObject([{ amount: 12_500 }]);
		return found;
	});
	if (!change) throw new Error('no change');
	// While a restart is granted, no payment begins, but staff can work.
	expect((await decide(change, 'given')).status).toBe(200);
	expect(await lease()).toEqual(['printing']);
	await kiosk.crash();
	expect(await casesOf('change')).toEqual([]);
	const slip = (await casesOf('slip')).at(0);
	expect(slip).toMatchObject({ amount: 12_500 });
	if (slip) expect((await decide(slip, 'print')).status).toBe(200);
	await granted();
	expect(await casesOf('slip')).toEqual([]);
});

test('a count of the cashbox can be saved even if the kiosk restarts before the save, and is saved once', async () => {
	await overpays();
	await granted();
	await kiosk.staff();
	const notes = [
		{ nominal: 100_000, count: 1 },
		{ nominal: 50_000, count: 1 },
	];
	expect((await kiosk.post('/kiosk/staff/box/count', { by: 'Sari', notes })).status).toBe(200);
	await granted();
	await kiosk.crash();
	await kiosk.staff();
	const save = { by: 'Sari', period: 1, expected: 150_000, counted: 150_000 };
	const saved = await Promise.all([1, 2].map(() => kiosk.post('/kiosk/staff/box/save', save)));
	// The daemon must answer both requests alike, because the first answer could have been lost.
	expect(saved).toMatchObject([1, 2].map(() => ({ status: 200, body: { period: 1 } })));
	expect(await lease()).toEqual(['printing']);
	await kiosk.crash();
	expect(await casesOf('slip')).toMatchObject([{ amount: 150_000 }]);
	expect((await kiosk.ctl('cash', 'report', '--json')).out).toContain('"number": 2');
});
