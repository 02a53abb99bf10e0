import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { referenceOf } from '@kiosk/contract/reference';
import { afterEach, expect, test } from 'vitest';
import { escposText } from '../../simulators/printer/escpos-text.ts';
import { type Printer, startPrinter } from '../../simulators/printer/start.ts';
import { type Kiosk, type KioskOptions, partText, printerSection, startKiosk } from '../../support/kiosk.ts';
import { staffCall } from '../../support/staff-call.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const OTHER = '081200000009';
const BY = ['--by', 'Sari', '--why', 'looked into the box', '--yes'];

let kiosk: Kiosk;
let printer: Printer;
afterEach(() => Promise.all([kiosk?.stop(), printer?.stop()]));

async function start(options: KioskOptions = {}): Promise<void> {
	printer = await startPrinter({ port: 0, printMs: 10 });
	kiosk = await startKiosk({ ...options, settings: printerSection(printer.uri) });
}

/**
 * Inserts a note until `taken` returns true; a kiosk on a busy computer may reject the note several
 * times.
 */
const insert = (nominal: number, taken: () => boolean): Promise<void> =>
	until(() => {
		if (taken()) return;
		kiosk.acceptor.device.insert({ nominal });
		throw new Error(`the note of ${nominal} is not taken yet`);
	});

/** Inserts a note and waits until it is stacked and the back office has booked it. */
async function pay(nominal: number): Promise<void> {
	const before = kiosk.acceptor.device.stacked.length;
	const booked = kiosk.backOffice.books.notes.length;
	await insert(nominal, () => kiosk.acceptor.device.stacked.length > before);
	await until(() => expect(kiosk.backOffice.books.notes).toHaveLength(booked + 1));
}

/** Kills the daemon while the acceptor stacks a note. @returns the note's reference */
async function dieWhileStacking(nominal: number): Promise<string> {
	await insert(nominal, () => kiosk.acceptor.device.note?.place === 'stacking');
	await kiosk.crashWhileStacking();
	expect(kiosk.acceptor.device.stacked.at(-1)).toMatchObject({ nominal });
	const [note] = (await kiosk.health()).in_doubt;
	return referenceOf(String(note?.note_id));
}
const SLOW_STACKER: KioskOptions = { acceptor: { timing: { startMs: 20, recogniseMs: 20, stackMs: 400 } }, movableClock: true };

const ctl = (...parameters: string[]) => kiosk.ctl(...parameters);
const papers = () => printer.queue.receipts.map((paper) => escposText(paper.data));
const booked = () => kiosk.backOffice.books.notes.map((note) => note.nominal);
const partial = async () => (await kiosk.health()).parts.find((part) => part.part === 'partial cash');
const report = async (...more: string[]) => JSON.parse((await ctl('cash', 'report', '--json', ...more)).out);

const overSocket = async (path: string) => (await staffCall(kiosk, 'GET', path)).body;

test('if a customer leaves after a note, a slip is printed, staff see the money, and the customer can continue later', async () => {
	await start();
	const invoice = await kiosk.openCash(BUDI);
	await pay(50_000);
	expect(await partial()).toBeUndefined();
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await until(() => expect(papers()).toHaveLength(1));
	const [slip] = papers();
	expect(slip).toMatch(/BELUM LUNAS.*INV\/2026\/11\/0042.*Sudah diterima +Rp 50\.000.*Sisa +Rp 87\.500/s);
	expect(slip).toContain(referenceOf(String(kiosk.backOffice.books.notes[0]?.note_id)));
	expect(await partial()).toMatchObject({ state: 'warn', text: expect.stringContaining('INV/2026/11/0042') });
	expect((await ctl('cash', 'partials')).out).toMatch(/1 invoice.*Rp 50\.000\n.*INV\/2026\/11\/0042 {2}Rp 50\.000 of Rp 137\.500/);

	const next = await kiosk.lookUp(OTHER);
	const opened = await kiosk.call('/payment/api/v1/open-machine/', { ...next, hp: OTHER });
	expect(opened.body).toMatchObject({ entries: [], is_paid: false });
	expect(await kiosk.post('/kiosk/cash/close', { id: next.id })).toMatchObject({ body: { received: 0 } });

	const again = await kiosk.lookUp(BUDI);
	const goesOn = await kiosk.call('/payment/api/v1/open-machine/', { ...again, hp: BUDI });
	expect(goesOn.body.entries).toMatchObject([{ nominal: 50_000 }]);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await kiosk.openCash(BUDI);
	await pay(100_000);
	await until(() => expect(kiosk.daemon.events('cash.paid')).toHaveLength(1));
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	expect(await partial()).toBeUndefined();
	// Only the first visit printed a slip, because each later visit added no note or paid the whole
	// remaining amount.
	const { prints } = JSON.parse((await ctl('journal', 'export', '--invoice', 'INV/2026/11/0042')).out);
	expect(prints).toMatchObject([{ state: 'done' }]);
	expect(papers()).toHaveLength(1);
});

test('a log-out ends the visit with a slip, and a payment at the cashier removes the invoice from the list of partial payments', {
	tags: 'deep',
}, async () => {
	await start();
	const invoice = await kiosk.openCash(BUDI);
	await pay(20_000);
	await kiosk.staff();
	await kiosk.post('/kiosk/logout', {});
	await until(() => expect(papers()).toHaveLength(1));
	await kiosk.login();
	expect((await partial())?.text).toContain('Rp 20000');
	const known = kiosk.backOffice.books.byId(invoice.id as number);
	if (!known) throw new Error('the back office does not know its own invoice');
	kiosk.backOffice.tellPaid(known);
	await until(async () => expect(await partial()).toBeUndefined());
});

test('staff can remove a partial payment from the list once, with a name', { tags: 'deep' }, async () => {
	await start();
	const invoice = await kiosk.openCash(BUDI);
	await pay(20_000);
	const done = ['cash', 'done', 'INV/2026/11/0042'];
	expect(await ctl(...done, ...BY)).toMatchObject({ code: 1, out: expect.stringContaining('a customer is paying') });
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	expect(await ctl(...done)).toMatchObject({
		code: 1,
		out: 'Give the name of the person who decides, and the reason: --by NAME --why TEXT\n',
	});
	expect(await ctl(...done, ...BY)).toMatchObject({ code: 0, out: expect.stringContaining('no longer listed') });
	expect(await ctl(...done, ...BY)).toMatchObject({ code: 1, out: expect.stringContaining('not among') });
	expect(await partial()).toBeUndefined();
});

test('a note in doubt that staff find in the cashbox is credited once, under their name, and uploaded', { tags: 'deep' }, async () => {
	await start(SLOW_STACKER);
	await kiosk.openCash(BUDI);
	const note = await dieWhileStacking(50_000);
	expect((await ctl('cash', 'report')).out).toMatch(new RegExp(`In doubt.*${note} {2}Rp 50\\.000 {2}INV/2026/11/0042`, 's'));
	const doubts = async () => ((await kiosk.lookUp(BUDI)) as { kiosk_doubts?: unknown[] }).kiosk_doubts ?? [];
	expect(await doubts()).toMatchObject([{ nominal: 50_000 }]);
	const settle = ['cash', 'settle', note, '--outcome', 'in-box'];
	expect(await ctl(...settle, ...BY.slice(0, 4))).toMatchObject({ code: 1, out: expect.stringContaining('--yes') });
	expect(await ctl(...settle, '--nominal', '100000', ...BY)).toMatchObject({ code: 1, out: expect.stringContaining('Rp 50000') });
	expect(booked()).toEqual([]);
	expect(await ctl(...settle, ...BY)).toMatchObject({ code: 0, out: expect.stringContaining('settled as in-box') });
	await until(() => expect(booked()).toEqual([50_000]));
	expect(await doubts()).toEqual([]);
	expect(await ctl(...settle, ...BY)).toMatchObject({ code: 1, out: expect.stringContaining('it is credited') });
	await kiosk.crash();
	expect((await kiosk.health()).in_doubt).toEqual([]);
	expect(await report()).toMatchObject({ expected: 50_000, uploaded: { count: 1 }, settled: [{ outcome: 'in_box', by: 'Sari' }] });
	const { body } = await kiosk.call('/payment/api/v1/open-machine/', { ...(await kiosk.lookUp(BUDI)), hp: BUDI });
	expect(body.entries).toMatchObject([{ nominal: 50_000 }]);
	expect(booked()).toEqual([50_000]);
});

test('a slip lists a note in doubt, and after staff have found the note, the payment continues with it', {
	tags: 'deep',
}, async () => {
	await start(SLOW_STACKER);
	await kiosk.openCash(BUDI);
	const note = await dieWhileStacking(50_000);
	await kiosk.afterDoubt();
	const screen = await kiosk.screen();
	const invoice = await kiosk.openCash(BUDI);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await until(() => expect(papers()).toHaveLength(1));
	expect(papers()[0]).toMatch(/Sudah diterima +Rp 0\n.*diperiksa petugas +Rp 50\.000/);
	await kiosk.openCash(BUDI);
	await ctl('cash', 'settle', note, '--outcome', 'in-box', ...BY);
	await until(() => expect(screen.of('payment_cash_notification')).toMatchObject([{ id: invoice.id, nominal: 50_000 }]));
	await pay(100_000);
	await until(() => expect(screen.of('payment_notification').at(-1)).toMatchObject({ id: invoice.id, is_paid: true }));
	expect(booked()).toEqual([50_000, 100_000]);
});

test('a note in doubt that staff settle as returned is not credited and cannot be settled again', { tags: 'deep' }, async () => {
	await start(SLOW_STACKER);
	await kiosk.openCash(BUDI);
	const note = await dieWhileStacking(50_000);
	expect((await ctl('cash', 'settle', note, '--outcome', 'returned', ...BY)).code).toBe(0);
	expect((await ctl('cash', 'settle', note, '--outcome', 'in-box', ...BY)).out).toContain('it is returned');
	expect(await report()).toMatchObject({ expected: 0, in_doubt: [], settled: [{ outcome: 'returned' }] });
	expect(booked()).toEqual([]);
});

test('a count of the cashbox prints a slip with the difference and starts a new period', async () => {
	await start();
	const invoice = await kiosk.openCash(BUDI);
	await pay(100_000);
	await kiosk.backOffice.setNetwork({ up: false });
	await insert(50_000, () => kiosk.acceptor.device.stacked.length > 1);
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(1));
	expect(await ctl('cash', 'collected', '--by', 'Sari', '--yes')).toMatchObject({ code: 1, out: expect.stringContaining('paying') });
	await until(() => expect(kiosk.daemon.events('cash.paid')).toHaveLength(1));
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	expect((await ctl('cash', 'report')).out).toMatch(
		/period 1.*1 x Rp 100\.000.*1 x Rp 50\.000.*expected in the box +Rp 150\.000.*has +1 note\(s\), Rp 100\.000.*waiting to be sent +1 note\(s\), Rp 50\.000/s,
	);
	expect(await ctl('cash', 'collected', '--yes')).toMatchObject({ code: 1, out: 'Name the person who emptied the cashbox: --by NAME\n' });
	expect((await ctl('cash', 'collected', '--by', 'Sari', '--counted', '1,5', '--yes')).out).toContain('whole amount of rupiah');
	const done = await ctl('cash', 'collected', '--by', 'Sari', '--counted', '145.000', '--yes');
	expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/Rp 5\.000 less than expected.*Period 1 is closed; a slip prints/s) });
	// Staff repeat the command, e.g. after a broken connection.
	const again = await ctl('cash', 'collected', '--by', 'Sari', '--counted', '145.000', '--yes');
	expect(again).toMatchObject({ code: 1, out: expect.stringContaining('No money is left to count.') });
	await until(() => expect(papers()).toHaveLength(1));
	expect(papers()[0]).toMatch(/PENGAMBILAN KOTAK UANG.*Sari.*Seharusnya +Rp 150\.000.*Selisih kurang +Rp 5\.000/s);
	expect(await report()).toMatchObject({ number: 2, expected: 0, notes: [] });
	expect(await report('--period', '1')).toMatchObject({ expected: 150_000, collected: { by: 'Sari', counted: 145_000 } });
	expect((await ctl('cash', 'report', '--period', '9')).out).toContain('no period 9');
	await kiosk.crash(() => kiosk.backOffice.setNetwork({ up: true }));
	await until(async () => expect(await report('--period', '1')).toMatchObject({ uploaded: { count: 2 }, waiting: { count: 0 } }));
});

test('kioskctl verifies the hash chain, with or without a running daemon, and names a changed record', async () => {
	await start();
	const invoice = await kiosk.openCash(BUDI);
	await pay(50_000);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await until(() => expect(kiosk.daemon.events('print.done')).toHaveLength(1));
	const verified = await ctl('journal', 'verify');
	expect(verified).toMatchObject({
		code: 0,
		out: expect.stringMatching(/^\d+ records; each follows .*\nEach record from 1 on has the seal/),
	});
	// The daemon gives the same result to a kioskctl that may not read the journal's file.
	expect(await overSocket('/journal/verify')).toEqual({
		records: Number.parseInt(verified.out, 10),
		bad: null,
		fault: null,
		sealed_from: 1,
	});
	await kiosk.daemon.stop();
	expect((await ctl('journal', 'verify')).code).toBe(0);
	const db = new DatabaseSync(join(kiosk.directory, 'journal', 'journal.sqlite'));
	db.exec(`UPDATE records SET body = replace(body, '50000', '20000') WHERE kind = 'cash_intent'`);
	db.close();
	expect(await ctl('journal', 'verify')).toMatchObject({ code: 1, out: expect.stringMatching(/record 2 does not match its hash/) });
});

test('the export of a payment contains its records with verifiable hashes, but no other payment and no secret', {
	tags: 'deep',
}, async () => {
	await start();
	await kiosk.openCash(BUDI);
	await pay(50_000);
	const other = await kiosk.openCash(OTHER);
	await pay(1_000);
	await kiosk.post('/kiosk/cash/close', { id: other.id });
	await until(() => expect(kiosk.daemon.events('print.done')).toHaveLength(2));
	expect((await ctl('journal', 'export')).out).toContain('--payment ID or --invoice NUMBER');
	expect(await ctl('journal', 'export', '--invoice', 'INV/0')).toMatchObject({
		code: 1,
		out: expect.stringContaining('has no money'),
	});
	const out = join(kiosk.directory, 'budi.json');
	expect((await ctl('journal', 'export', '--invoice', 'INV/2026/11/0042', '--out', out)).out).toContain('written');
	const text = readFileSync(out, 'utf8');
	const { records, notes, prints } = JSON.parse(text);
	const kinds = ['invoice_seen', 'cash_intent', 'cash_credit', 'note_uploaded', 'print_requested', 'print_ended'];
	// A later look-up may add more records of these kinds, so the kinds are compared as a set.
	expect(new Set(records.map((record: { kind: string }) => record.kind))).toEqual(new Set(kinds));
	for (const { seq, at, kind, subject, before, hash, record } of records)
		expect(
			createHash('sha256')
				.update(Buffer.from(before, 'hex'))
				.update(JSON.stringify([seq, at, kind, subject, JSON.stringify(record)]))
				.digest('hex'),
		).toBe(hash);
	expect(notes).toMatchObject([{ nominal: 50_000, state: 'credited' }]);
	expect(prints).toHaveLength(1);
	expect(text).not.toContain(kiosk.token());
	expect(text).not.toContain(String(other.noinvoice));
	const payment = String(JSON.parse(notes[0].id));
	expect(JSON.parse((await ctl('journal', 'export', '--payment', payment)).out).records).toEqual(records);
	expect(await overSocket(`/journal/invoice/${encodeURIComponent('INV/2026/11/0042')}`)).toEqual(JSON.parse(text));
	expect(await overSocket('/journal/invoice/%')).toMatchObject({ code: 'journal_unreadable' });
});

test('a removed cashbox is recorded and shown in health until staff count it', {
	tags: 'deep',
}, async () => {
	await start();
	await kiosk.openCash(BUDI);
	await pay(50_000);
	const { device } = kiosk.acceptor;
	device.removeCashbox();
	await until(() => expect(kiosk.daemon.events('acceptor.box_removed')).toHaveLength(1));
	expect(device.insert({ nominal: 20_000 })).toMatchObject({ taken: false });
	await until(async () =>
		expect(partText(await kiosk.health(), 'cashbox')).toMatch(/^the cashbox was removed at .* and not counted; no cashbox is back$/),
	);
	await kiosk.crash();
	expect(records()).toEqual(['cashbox_removed']);
	device.returnCashbox();
	await until(() => expect(records()).toEqual(['cashbox_removed', 'cashbox_returned']));
	await kiosk.openCash(BUDI);
	await pay(10_000);
	expect((await ctl('cash', 'report')).out).toMatch(
		/period 2.*1 x Rp 10\.000.*expected in the box +Rp 10\.000.*Not counted yet.*taken out at .*, and a cashbox was back at /s,
	);
	expect(partText(await kiosk.health(), 'cashbox')).toMatch(/not counted; a cashbox was back at /);
	const done = await ctl('cash', 'collected', '--by', 'Sari', '--counted', '50.000', '--yes');
	expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/period 1.*exactly what is expected.*Period 1 is closed/s) });
	expect(partText(await kiosk.health(), 'cashbox')).toBe('');
	expect((await ctl('cash', 'report', '--period', '1')).out).toMatch(/taken out at .*; counted/);
	expect(await ctl('journal', 'verify')).toMatchObject({ code: 0 });
});

/** @returns the kinds of the journal's records about the cashbox, in order */
function records(): string[] {
	const db = new DatabaseSync(join(kiosk.directory, 'journal', 'journal.sqlite'), { readOnly: true });
	try {
		return db
			.prepare(`SELECT kind FROM records WHERE kind LIKE 'cashbox%' ORDER BY seq`)
			.all()
			.map(({ kind }) => String(kind));
	} finally {
		db.close();
	}
}

test('if staff repeat a count whose answer was lost, the count is not recorded again, even after more notes', async () => {
	await start();
	const invoice = await kiosk.openCash(BUDI);
	await pay(50_000);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	const counted = (amount: string) => ctl('cash', 'collected', '--by', 'Sari', '--counted', amount, '--yes');
	expect(await counted('50.000')).toMatchObject({ code: 0 });
	await kiosk.crash();
	const other = await kiosk.openCash(OTHER);
	await pay(20_000);
	await kiosk.post('/kiosk/cash/close', { id: other.id });
	expect(await counted('50.000')).toMatchObject({ code: 1, out: expect.stringContaining('Sari counted the same amount the last time.') });
	expect(await counted('20.000')).toMatchObject({ code: 0, out: expect.stringContaining('exactly what is expected') });
});
