import type { StaffHome } from '@kiosk/contract/staff-home';
import { afterEach, expect, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { staffCall } from '../../support/staff-call.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const OTHER = '081200000009';
const NUMBER = 'INV/2026/11/0042';
const BY = ['--by', 'Sari', '--why', 'compared both books', '--yes'];
const NOTES_PATH = '/payment/api/v1/payment-cash/';
const OPEN_MACHINE = '/payment/api/v1/open-machine/';

let kiosk: Kiosk;
afterEach(() => kiosk?.stop());
const start = async () => {
	kiosk = await startKiosk();
};

const ctl = (...parameters: string[]) => kiosk.ctl('cash', ...parameters);
const part = async (name: string) => (await kiosk.health()).parts.find((one) => one.part === name);
const booked = () => kiosk.backOffice.books.notes.map(({ noinvoice, nominal }) => ({ noinvoice, nominal }));
const refuseNotes = (status: number) => kiosk.backOffice.setNetwork({ mode: 'error', path: NOTES_PATH, status });

/**
 * Waits until this many notes are parked. Logs in repeatedly, because each log-in makes the kiosk
 * retry at once.
 */
const parked = (count: number) =>
	until(async () => {
		if (kiosk.daemon.events('outbox.parked').length >= count) return;
		await kiosk.login();
		throw new Error('the notes are not parked yet');
	});

async function insert(nominal: number): Promise<void> {
	const before = kiosk.daemon.events('cash.note_credited').length;
	await feedNote(kiosk, nominal);
	await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(before + 1));
}

/** Plays a customer who inserts one note and leaves. */
async function payOne(hp: string, nominal: number): Promise<Record<string, unknown>> {
	const invoice = await kiosk.openCash(hp);
	await insert(nominal);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	return invoice;
}

test('the staff home shows how many notes, paid invoices and open cases there are, but no amount of the cashbox', async () => {
	await start();
	await payOne(BUDI, 50_000);
	await kiosk.staff();
	const home = async () => (await (await fetch(`${kiosk.daemon.url}/kiosk/staff/home`, { headers: kiosk.session() })).json()) as StaffHome;
	expect(await home()).toMatchObject({
		today: { paid: 0, notes: 1, card: { count: 0, total: 0 } },
		cases: { partial: 1 },
		parts: expect.arrayContaining([{ part: 'cash', state: 'ok' }]),
	});
	// The customer leaves before the back office has confirmed the note.
	await refuseNotes(503);
	await payOne(BUDI, 100_000);
	await kiosk.staff();
	await until(async () => expect(await home()).toMatchObject({ today: { paid: 1, notes: 2 }, cases: { change: 1 } }));
	expect(JSON.stringify(await home())).not.toContain('150000');
});

test('staff can give back only money that the kiosk holds, and the money is then due again', {
	tags: 'deep',
}, async () => {
	await start();
	const invoice = await kiosk.openCash(BUDI);
	await insert(50_000);
	const giveBack = (amount: string, ...more: string[]) => ctl('give-back', NUMBER, '--amount', amount, ...more);
	expect(await giveBack('50.000', ...BY)).toMatchObject({ code: 1, out: expect.stringContaining('a customer is paying') });
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await until(() => expect(booked()).toHaveLength(1));
	expect((await ctl('attention')).out).toMatch(/1 invoice.*INV\/2026\/11\/0042 {2}partial: Rp 50\.000 of Rp 137\.500.*give-back/s);
	expect(await giveBack('70.000', ...BY)).toMatchObject({ code: 1, out: expect.stringContaining('holds Rp 50.000') });
	expect(await giveBack('50.000')).toMatchObject({
		code: 1,
		out: 'Give the name of the person who decides, and the reason: --by NAME --why TEXT\n',
	});
	expect(await ctl('give-back', 'INV/0', '--amount', '1000', ...BY)).toMatchObject({
		code: 1,
		out: expect.stringContaining('no money for'),
	});
	expect(await giveBack('50.000', ...BY)).toMatchObject({ code: 0, out: expect.stringContaining('Rp 137.500 is due') });
	expect(await giveBack('1', ...BY)).toMatchObject({ code: 1, out: expect.stringContaining('holds Rp 0') });
	expect(kiosk.daemon.events('cash.given_back')).toMatchObject([{ amount: 50_000 }]);
	expect((await ctl('attention')).out).toBe('No invoice needs attention.\n');
	const next = await kiosk.call(OPEN_MACHINE, { ...(await kiosk.lookUp(BUDI)), hp: BUDI });
	expect(next.body).toMatchObject({ entries: [], is_paid: false });
});

const onStaffSocket = async (wish: object) => (await staffCall(kiosk, 'POST', '/money', wish)).status;

/** A customer pays 137,500 with 150,000. */
async function overpay(): Promise<void> {
	await start();
	const invoice = await kiosk.openCash(BUDI);
	await insert(100_000);
	await insert(50_000);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await until(() => expect(booked()).toHaveLength(2));
}

const giveBack = (amount: string) => ctl('give-back', NUMBER, '--amount', amount, ...BY);

test('after staff have given the change, they can give back only the whole payment', async () => {
	await overpay();
	expect(await giveBack('12.500')).toMatchObject({ code: 0 });
	expect(await giveBack('12.500')).toMatchObject({ code: 1, out: expect.stringMatching(/gave Rp 12\.?500 back .*no more is owed/) });
	expect(kiosk.daemon.events('cash.given_back')).toHaveLength(1);
	expect(await giveBack('137.500')).toMatchObject({ code: 1, out: expect.stringContaining('--all') });
	expect(await ctl('give-back', NUMBER, '--all', ...BY)).toMatchObject({ code: 0, out: expect.stringContaining('holds Rp 0 now') });
});

test('after staff have given a part of the change, they can give only the rest of the change', { tags: 'deep' }, async () => {
	await overpay();
	expect(await giveBack('4.500')).toMatchObject({ code: 0 });
	expect(await giveBack('12.500')).toMatchObject({ code: 1, out: expect.stringMatching(/gave Rp 4\.?500 back .*Rp 8\.?000 more is owed/) });
	await kiosk.crash();
	expect(await giveBack('8.001')).toMatchObject({ code: 1 });
	expect(await giveBack('8.000')).toMatchObject({ code: 0 });
	expect(await giveBack('8.000')).toMatchObject({ code: 1, out: expect.stringContaining('no more is owed') });
});

test('change that is as large as the invoice is given once, even if a second request states an outdated amount', {
	tags: 'deep',
}, async () => {
	await start();
	Object.assign(kiosk.backOffice.books.find(BUDI) ?? {}, { total: 50_000 });
	const invoice = await kiosk.openCash(BUDI);
	await insert(100_000);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await until(() => expect(booked()).toHaveLength(1));
	const giveBack = (held: number) =>
		onStaffSocket({ action: 'give_back', invoice: NUMBER, amount: 50_000, held, whole: false, by: 'Sari', why: 'change' });
	expect(await giveBack(100_000)).toBe(200);
	expect(await giveBack(100_000)).toBe(409);
	expect(await giveBack(50_000)).toBe(409);
	expect(await ctl('give-back', NUMBER, '--amount', '50.000', ...BY)).toMatchObject({
		code: 1,
		out: expect.stringContaining('no more is owed'),
	});
	expect(kiosk.daemon.events('cash.given_back')).toHaveLength(1);
});

test('a note that the back office refuses is parked, does not delay the next note, and can be sent again by staff', {
	tags: 'deep',
}, async () => {
	await start();
	await refuseNotes(422);
	await payOne(BUDI, 50_000);
	await parked(1);
	expect(await part('parked notes')).toMatchObject({ state: 'warn', text: expect.stringContaining('1 note(s), Rp 50000') });
	await kiosk.backOffice.setNetwork({ mode: 'normal', path: '' });
	await payOne(OTHER, 20_000);
	await until(() => expect(booked()).toMatchObject([{ nominal: 20_000 }]));
	const { out } = await ctl('parked');
	expect(out).toMatch(/1 note\(s\) wait for staff, Rp 50\.000\n.*INV\/2026\/11\/0042.*answered 422/);
	expect((await ctl('resend', 'zzzz', ...BY)).out).toContain('kioskctl cash parked lists them');
	expect(await ctl('resend', 'all', ...BY)).toMatchObject({ code: 0, out: expect.stringContaining('1 note(s) are sent again') });
	await until(() => expect(booked()).toMatchObject([{ nominal: 20_000 }, { noinvoice: NUMBER, nominal: 50_000 }]));
	await until(async () => expect(await part('parked notes')).toBeUndefined());
});

test('with the reference that kioskctl shows, staff can send a parked note again', async () => {
	await start();
	await refuseNotes(422);
	await payOne(BUDI, 50_000);
	await parked(1);
	await kiosk.backOffice.setNetwork({ mode: 'normal', path: '' });
	const reference = /\d{5}-\d{5}/.exec((await ctl('parked')).out)?.[0] ?? '';
	expect(await ctl('resend', reference, ...BY)).toMatchObject({ code: 0, out: expect.stringContaining('1 note(s) are sent again') });
	await until(() => expect(booked()).toMatchObject([{ noinvoice: NUMBER, nominal: 50_000 }]));
});

test('staff can move a parked note to another invoice or record it as booked by hand, but only once', { tags: 'deep' }, async () => {
	await start();
	await refuseNotes(422);
	const invoice = await kiosk.openCash(BUDI);
	await insert(50_000);
	await insert(20_000);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await parked(2);
	await kiosk.backOffice.setNetwork({ mode: 'normal', path: '' });
	const noteOf = async (nominal: string) => new RegExp(`(\\d{5}-\\d{5}) {2}Rp ${nominal} `).exec((await ctl('parked')).out)?.[1] ?? '';
	const [fifty, twenty] = [await noteOf('50\\.000'), await noteOf('20\\.000')];
	expect(await ctl('move', fifty, 'INV/0', ...BY)).toMatchObject({ code: 1, out: expect.stringContaining('no invoice INV/0') });
	const other = await kiosk.lookUp(OTHER);
	const before = await kiosk.lookUp(BUDI);
	expect(await ctl('move', fifty, String(other.noinvoice), ...BY)).toMatchObject({ code: 0, out: expect.stringContaining('counts for') });
	await until(() => expect(booked()).toEqual([{ noinvoice: other.noinvoice, nominal: 50_000 }]));
	// The look-up by staff must not replace the customer's invoice.
	expect(await kiosk.call(OPEN_MACHINE, { ...before, hp: 'forgotten' })).toMatchObject({ status: 200 });
	expect(await ctl('book', twenty, ...BY)).toMatchObject({ code: 1, out: expect.stringContaining('a customer is paying') });
	await kiosk.post('/kiosk/cash/close', { id: before.id });
	expect(await ctl('book', twenty, ...BY)).toMatchObject({ code: 0, out: expect.stringContaining('booked by hand') });
	expect(await ctl('book', twenty, ...BY)).toMatchObject({ code: 1, out: expect.stringContaining('0 of the notes') });
	expect((await ctl('parked')).out).toContain('0 note(s)');
	expect(booked()).toHaveLength(1);
	const goesOn = await kiosk.call(OPEN_MACHINE, { ...(await kiosk.lookUp(OTHER)), hp: OTHER });
	expect(goesOn.body.entries).toMatchObject([{ nominal: 50_000 }]);
});

test('a parked note whose money staff gave back cannot be moved, because it would pay another invoice', { tags: 'deep' }, async () => {
	await start();
	await refuseNotes(422);
	await payOne(BUDI, 50_000);
	await parked(1);
	await kiosk.backOffice.setNetwork({ mode: 'normal', path: '' });
	expect(await ctl('give-back', NUMBER, '--amount', '50000', ...BY)).toMatchObject({ code: 0 });
	const note = /(\d{5}-\d{5}) {2}Rp 50\.000 /.exec((await ctl('parked')).out)?.[1] ?? '';
	const other = await kiosk.lookUp(OTHER);
	const moved = await ctl('move', note, String(other.noinvoice), ...BY);
	expect(moved).toMatchObject({ code: 1, out: expect.stringContaining(`Rp 50000 was given back for ${NUMBER}`) });
	expect((await kiosk.lookUp(OTHER)).list_pembayaran).toEqual([]);
});

test('if staff move a parked note to an invoice that is paid elsewhere, health shows the invoice as paid twice', {
	tags: 'deep',
}, async () => {
	await start();
	await refuseNotes(422);
	await payOne(BUDI, 50_000);
	await parked(1);
	await kiosk.backOffice.setNetwork({ mode: 'normal', path: '' });
	const note = /(\d{5}-\d{5}) {2}Rp 50\.000 /.exec((await ctl('parked')).out)?.[1] ?? '';
	const other = kiosk.backOffice.books.find(OTHER);
	if (!other) throw new Error('the back office does not know its own invoice');
	// The server now lists payments without note ids, and has lost the note.
	Object.assign(other, { is_paid: true, list_pembayaran: [{ nominal: other.total, tanggal: '' }] });
	kiosk.backOffice.next('cash_notification', { status: 200, type: 'application/json', body: '{}' });
	expect(await ctl('move', note, other.noinvoice, ...BY)).toMatchObject({ code: 0 });
	await until(async () => expect(await part('paid twice')).toMatchObject({ text: expect.stringContaining(other.noinvoice) }));
});

test('after the back office withdraws "paid", no money is taken until staff review the dispute', async () => {
	await start();
	await payOne(BUDI, 50_000);
	await until(() => expect(booked()).toHaveLength(1));
	const invoice = kiosk.backOffice.books.find(BUDI);
	if (!invoice) throw new Error('the back office does not know its own invoice');
	Object.assign(invoice, { is_paid: true });
	await kiosk.lookUp(BUDI);
	Object.assign(invoice, { is_paid: false });
	await kiosk.lookUp(BUDI);
	const open = () => kiosk.call(OPEN_MACHINE, { ...invoice, hp: BUDI });
	expect(await open()).toMatchObject({ status: 409 });
	expect(await part('dispute')).toMatchObject({ state: 'warn', text: expect.stringContaining(NUMBER) });
	expect((await ctl('attention')).out).toMatch(/dispute.*cash review/s);
	expect((await ctl('review', NUMBER, ...BY)).out).toMatch(/no longer in dispute: Rp 87\.500 is due/);
	expect(await part('dispute')).toBeUndefined();
	expect((await ctl('review', NUMBER, ...BY)).code).toBe(1);
	await kiosk.lookUp(BUDI);
	expect((await open()).body).toMatchObject({ entries: [{ nominal: 50_000 }] });
});

test('if the server lacks the notes call, the note waits, cash closes, and health names the path', async () => {
	await start();
	await refuseNotes(404);
	await payOne(BUDI, 50_000);
	await until(async () =>
		expect(await part('cash')).toMatchObject({
			state: 'fail',
			text: expect.stringContaining(`does not know the call for notes, ${NOTES_PATH}`),
		}),
	);
	expect((await part('outbox'))?.remedy).not.toContain('automatically');
	const other = await kiosk.lookUp(OTHER);
	expect(await kiosk.call(OPEN_MACHINE, { ...other, hp: OTHER })).toMatchObject({ status: 409 });
	await kiosk.backOffice.setNetwork({ mode: 'normal', path: '' });
	await kiosk.login();
	await until(() => expect(booked()).toHaveLength(1));
	await until(async () => expect(await part('cash')).toMatchObject({ state: 'ok' }));
});

test('before kioskctl records a give-back, it names the last give-back of the invoice', async () => {
	await start();
	await payOne(BUDI, 50_000);
	const giveBack = (...more: string[]) => ctl('give-back', NUMBER, '--amount', '20.000', ...BY.slice(0, 4), ...more);
	expect((await giveBack()).out).not.toContain('Sari gave');
	expect(await giveBack('--yes')).toMatchObject({ code: 0 });
	expect((await giveBack()).out).toContain('Sari gave Rp 20.000 back at');
});

test('if a give-back with --yes is repeated after a restart, it is not recorded again', async () => {
	await start();
	await payOne(BUDI, 100_000);
	expect(await giveBack('20.000')).toMatchObject({ code: 0 });
	await kiosk.crash();
	expect(await giveBack('20.000')).toMatchObject({
		code: 1,
		out: expect.stringMatching(/Sari gave Rp 20\.?000 back .*run this without --yes/),
	});
	expect(await giveBack('30.000')).toMatchObject({ code: 0, out: expect.stringContaining('holds Rp 50.000 now') });
});
