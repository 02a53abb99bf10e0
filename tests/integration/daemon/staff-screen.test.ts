/** Staff manage names, the cashbox and open cases at the kiosk's screen. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StaffCase } from '@kiosk/contract/staff-cases';
import type { StaffNames, StaffRole } from '@kiosk/contract/staff-names';
import { afterEach, expect, test } from 'vitest';
import { saleShown, startCardFor, terminalReady } from '../../support/card.ts';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, type KioskOptions, startKiosk } from '../../support/kiosk.ts';
import { decideCase, staffCase, staffCases } from '../../support/staff-cases.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const LIMIT = '[staff]\ntwo_names_above = 100000\n';

let kiosk: Kiosk;
afterEach(() => kiosk?.stop());

async function start(options: KioskOptions = {}): Promise<void> {
	kiosk = await startKiosk({ settings: LIMIT, ...options });
	await kiosk.staff();
	expect(await addName('Sari', 'supervisor', null)).toMatchObject({ status: 200 });
	for (const name of ['Budi', 'Rina']) expect(await addName(name, 'cashier', 'Sari')).toMatchObject({ status: 200 });
}

const addName = (name: string, role: StaffRole, by: string | null, code: string | null = null) =>
	kiosk.post('/kiosk/staff/names', { action: 'add', name, role, by, code });

const cases = () => staffCases(kiosk);
const firstCase = () => staffCase(kiosk);
async function decide(one: StaffCase, decision: string, names?: Parameters<typeof decideCase>[3]) {
	await kiosk.staff();
	return decideCase(kiosk, one, decision, names);
}

test('after staff settle a note in doubt as found in the cashbox, they cannot settle it again, and the journal records their name', async () => {
	await start();
	const invoice = await kiosk.openCash(BUDI);
	kiosk.acceptor.device.insert({ nominal: 50_000 });
	await kiosk.crashWhileStacking();
	const note = await firstCase();
	expect(note).toMatchObject({ kind: 'note', noinvoice: invoice.noinvoice, amount: 50_000, heard: expect.stringContaining('Kiosk mati') });
	expect(await decide(note, 'in_box', { by: 'Dewi' })).toMatchObject({ status: 409, body: { code: 'unknown_name' } });
	expect(await decide(note, 'charged')).toMatchObject({ status: 409, body: { code: 'other_decision' } });
	expect(await decide(note, 'in_box')).toMatchObject({ status: 200, body: { cases: [{ kind: 'partial', amount: 50_000 }] } });
	expect(await decide(note, 'in_box')).toMatchObject({ status: 409, body: { code: 'not_open' } });
	expect((await kiosk.ctl('cash', 'report')).out).toContain('Sari');
});

test('staff can give the change of an overpaid invoice only once, and the invoice stays paid', async () => {
	await start();
	const invoice = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 100_000);
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.daemon.events('cash.paid')).toHaveLength(1));
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	const change = await firstCase();
	expect(change).toMatchObject({ kind: 'change', amount: 12_500, noinvoice: invoice.noinvoice });
	expect(await decide(change, 'given')).toMatchObject({ status: 200, body: { cases: [] } });
	expect(await decide(change, 'given')).toMatchObject({ status: 409, body: { code: 'not_open' } });
	expect(kiosk.daemon.events('cash.given_back')).toMatchObject([{ amount: 12_500 }]);
	expect(await kiosk.lookUp(BUDI)).toMatchObject({ is_paid: true });
	expect((await kiosk.health()).parts.find(({ part }) => part === 'dispute')).toBeUndefined();
});

test('an unknown card sale above the limit can be settled only under two different names', async () => {
	await start({ edc: { lines: 'ack_ms = 500\nanswer_ms = 1500\n' } });
	const screen = await kiosk.screen();
	await terminalReady(screen);
	const invoice = await kiosk.lookUp(BUDI);
	kiosk.edc.terminal.setMode('silent_after_ack');
	kiosk.edc.terminal.next.push({ respCode: '00' });
	startCardFor(screen, invoice);
	await saleShown(screen, 'unknown');
	const sale = await firstCase();
	expect(sale).toMatchObject({ kind: 'sale', amount: 137_500, noinvoice: invoice.noinvoice });
	expect(await decide(sale, 'charged')).toMatchObject({ status: 409, body: { code: 'two_names' } });
	expect(await decide(sale, 'charged', { second: 'Sari' })).toMatchObject({ status: 409, body: { code: 'two_names' } });
	expect(sale.heard).toBe('Mesin EDC tidak menjawab.');
	expect(await decide(sale, 'charged', { second: 'Budi', approval: '5-4469' })).toMatchObject({ status: 400 });
	expect(await decide(sale, 'charged', { second: 'Budi', approval: 'R54469' })).toMatchObject({ status: 200, body: { cases: [] } });
	const exported = JSON.parse((await kiosk.ctl('journal', 'export', '--invoice', String(invoice.noinvoice))).out);
	expect(JSON.stringify(exported)).toContain('with Budi, approval code R54469');
	expect((await kiosk.health()).card.unknown).toEqual([]);
});

test('staff give back exactly the money that the kiosk now holds for a partly paid invoice, and the invoice is due again', async () => {
	await start();
	const invoice = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	const partial = await firstCase();
	expect(partial).toMatchObject({ kind: 'partial', amount: 50_000, noinvoice: invoice.noinvoice });
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 20_000);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	// The daemon refuses the decision, because the decision names an outdated amount.
	expect(await decide(partial, 'given')).toMatchObject({ status: 409, body: { code: 'not_open' } });
	const grown = await firstCase();
	expect(await decide(grown, 'given')).toMatchObject({ status: 200, body: { cases: [] } });
	expect(await decide(grown, 'rest_elsewhere')).toMatchObject({ status: 409, body: { code: 'not_open' } });
	expect(kiosk.daemon.events('cash.given_back')).toMatchObject([{ amount: 70_000 }]);
	await kiosk.openCash(BUDI);
	expect(await cases()).toEqual([]);
	const reopened = await kiosk.call('/payment/api/v1/open-machine/', { ...invoice, hp: BUDI });
	expect(reopened.body).toMatchObject({ is_paid: false, entries: [] });
	// The 70.000 that staff gave back must not count towards the total.
	await feedNote(kiosk, 20_000);
	expect(await kiosk.post('/kiosk/cash/close', { id: invoice.id })).toMatchObject({ body: { received: 20_000, is_paid: false } });
	expect(await firstCase()).toMatchObject({ kind: 'partial', amount: 20_000 });
});

test('after a count of the cashbox the kiosk sends the hash of the journal’s newest record to the back office', async () => {
	await start({ settings: '[back_office.paths]\nanchor = "/payment/api/v1/journal-anchor/"\n' });
	const invoice = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	await kiosk.staff();
	const notes = [{ nominal: 50_000, count: 1 }];
	await until(async () => expect(await kiosk.post('/kiosk/staff/box/count', { by: 'Budi', notes })).toMatchObject({ status: 200 }));
	expect(await kiosk.post('/kiosk/staff/box/save', { by: 'Budi', period: 1, expected: 50_000, counted: 50_000 })).toMatchObject({
		status: 200,
	});
	const told = await until(() => {
		const call = kiosk.backOffice.asked.find(({ call }) => call === 'anchor');
		if (!call) throw new Error('no anchor was told');
		return JSON.stringify(call);
	});
	const [anchor] = kiosk.daemon.events('journal.anchor');
	expect(told).toContain(String(anchor?.hash));
	expect(anchor).toMatchObject({ period: 2, notes: 0, expected: 0 });
	const metrics = await (await fetch(`${kiosk.daemon.service}/metrics`)).text();
	expect(metrics).toContain(`kiosk_journal_anchor_record ${anchor?.record}`);
});

test('names and cases are refused without a staff session', async () => {
	kiosk = await startKiosk();
	expect(await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null })).toMatchObject({
		status: 403,
	});
	expect(await kiosk.post('/kiosk/staff/box/count', { by: 'Sari', notes: [] })).toMatchObject({ status: 403 });
	expect(await kiosk.post('/kiosk/staff/cases', {})).toMatchObject({ status: 403 });
});

const names = async (): Promise<StaffNames> => {
	await kiosk.staff();
	return (await fetch(`${kiosk.daemon.url}/kiosk/staff/names`, { headers: kiosk.session() })).json() as Promise<StaffNames>;
};

test('the first name must be a supervisor’s, a supervisor must approve later changes, and the last supervisor cannot be removed', {
	tags: 'deep',
}, async () => {
	kiosk = await startKiosk();
	await kiosk.staff();
	expect(await addName('Budi', 'cashier', null)).toMatchObject({ status: 409, body: { code: 'need_supervisor' } });
	expect(await addName('Sari', 'supervisor', null)).toMatchObject({ status: 200 });
	expect(await addName('Budi', 'cashier', null)).toMatchObject({ status: 409, body: { code: 'need_supervisor' } });
	expect(await addName('Budi', 'cashier', 'Sari')).toMatchObject({ status: 200 });
	expect(await addName('Dewi', 'supervisor', 'Budi')).toMatchObject({ status: 409, body: { code: 'need_supervisor' } });
	expect(await addName('budi', 'supervisor', 'Sari')).toMatchObject({ status: 409, body: { code: 'known_name' } });
	const retire = (name: string) => kiosk.post('/kiosk/staff/names', { action: 'retire', name, by: 'Sari' });
	expect(await retire('Sari')).toMatchObject({ status: 409, body: { code: 'last_supervisor' } });
	expect(await retire('Budi')).toMatchObject({ status: 200 });
	await kiosk.crash();
	expect((await names()).people).toEqual([{ name: 'Sari', role: 'supervisor', code: 'none' }]);

	expect((await kiosk.ctl('staff', 'names')).out).toContain('Sari, supervisor');
	expect(await kiosk.ctl('staff', 'clear', '--by', 'Teknisi', '--yes')).toMatchObject({ code: 0, out: expect.stringContaining('1 name') });
	expect((await names()).needs_supervisor).toBe(false);
	expect(kiosk.daemon.events('staff.names_cleared')).toMatchObject([{ by: 'Teknisi' }]);
	const history = (await kiosk.ctl('staff', 'history')).out.trim().split('\n');
	expect(history.map((line) => line.replace(/^.*\+07:00: /, ''))).toEqual([
		'added Sari, with the staff PIN alone',
		'added Budi, by Sari',
		'retired Budi, by Sari',
		'all names removed, by Teknisi',
	]);
	const metrics = await (await fetch(`${kiosk.daemon.service}/metrics`)).text();
	expect(metrics).toContain('kiosk_staff_name_changes_total{action="clear"} 1');
});

const CODE = { salt: 'c2FsdA==', hash: 'aGFzaA==' };

test('names that an older version saved are taken over; if names or codes are lost, a technician must clear them', {
	tags: 'deep',
}, async () => {
	kiosk = await startKiosk({ settings: '[staff]\npersonal_codes = true\n' });
	const file = join(kiosk.directory, 'journal', 'staff-names.json');
	await kiosk.crash(() => writeFileSync(file, '{"people":[{"name":"Sa'));
	expect(await names()).toMatchObject({ people: [], needs_supervisor: true, lost: 'names' });
	expect(await addName('Rina', 'supervisor', null, '111111')).toMatchObject({ status: 409, body: { code: 'names_lost' } });
	const staffPart = async () => (await kiosk.health()).parts.find(({ part }) => part === 'staff');
	expect(await staffPart()).toMatchObject({ state: 'fail', remedy: expect.stringContaining('kioskctl staff clear') });
	expect((await kiosk.ctl('staff', 'names')).out).toContain('damaged');

	await kiosk.crash(() => writeFileSync(file, JSON.stringify({ people: [{ name: 'Sari', role: 'supervisor', code: CODE }] })));
	expect(await names()).toMatchObject({ people: [{ name: 'Sari', role: 'supervisor', code: 'set' }], lost: null });
	expect(kiosk.daemon.events('staff.names_taken_over')).toMatchObject([{ count: 1 }]);
	expect([await staffPart(), existsSync(file)]).toEqual([undefined, false]);

	// Simulates a factory reset, which keeps the journal but deletes the file with the codes.
	await kiosk.crash(() => rmSync(join(kiosk.directory, 'journal', 'staff-codes.json')));
	expect(await names()).toMatchObject({ people: [{ name: 'Sari', code: 'lost' }], needs_supervisor: true, lost: 'codes' });
	expect(await addName('Rina', 'supervisor', null, '111111')).toMatchObject({ status: 409, body: { code: 'need_supervisor' } });
	expect(await staffPart()).toMatchObject({ state: 'warn', remedy: expect.stringContaining('kioskctl staff clear') });
	expect(await kiosk.ctl('staff', 'clear', '--by', 'Teknisi', '--yes')).toMatchObject({ code: 0 });
	expect(await addName('Rina', 'supervisor', null, '111111')).toMatchObject({ status: 200 });
});

test('a cashier can give change alone, but needs a supervisor to settle a note in doubt', { tags: 'deep' }, async () => {
	await start({ movableClock: true });
	await kiosk.openCash(BUDI);
	kiosk.acceptor.device.insert({ nominal: 50_000 });
	await kiosk.crashWhileStacking();
	const note = await firstCase();
	expect(await decide(note, 'in_box', { by: 'Budi' })).toMatchObject({ status: 409, body: { code: 'need_supervisor' } });
	expect(await decide(note, 'in_box', { by: 'Budi', second: 'Rina' })).toMatchObject({ status: 409, body: { code: 'need_supervisor' } });
	expect(await decide(note, 'in_box', { by: 'Budi', second: 'Sari' })).toMatchObject({ status: 200 });
	await kiosk.afterDoubt();
	const invoice = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 100_000);
	await until(() => expect(kiosk.daemon.events('cash.paid')).toHaveLength(1));
	await kiosk.post('/kiosk/cash/close', { id: invoice.id });
	const change = (await cases()).find(({ kind }) => kind === 'change');
	if (!change) throw new Error('no change is open');
	expect(await decide(change, 'given', { by: 'Budi' })).toMatchObject({ status: 200 });
});

test('if staff have personal codes, a decision needs the code of the deciding person, and wrong codes delay the next try, even after a restart', {
	tags: 'deep',
}, async () => {
	kiosk = await startKiosk({ settings: '[staff]\npersonal_codes = true\n', movableClock: true });
	await kiosk.staff();
	const prove = (name: string, code: string) => kiosk.post('/kiosk/staff/proof', { name, code });
	expect(await addName('Sari', 'supervisor', null)).toMatchObject({ status: 409, body: { code: 'need_code' } });
	expect(await addName('Sari', 'supervisor', null, '111111')).toMatchObject({ status: 200 });
	expect(await addName('Budi', 'cashier', 'Sari', '222222')).toMatchObject({ status: 409, body: { code: 'need_code' } });
	expect(await prove('Sari', '111112')).toMatchObject({ status: 409, body: { code: 'wrong_code' } });
	expect(await prove('Sari', '111111')).toMatchObject({ status: 200 });
	expect(await addName('Budi', 'cashier', 'Sari', '222222')).toMatchObject({ status: 200 });
	expect(await addName('Rina', 'cashier', 'Sari', '333333')).toMatchObject({ status: 409, body: { code: 'need_code' } });

	await kiosk.openCash(BUDI);
	kiosk.acceptor.device.insert({ nominal: 50_000 });
	await kiosk.crashWhileStacking();
	const note = await firstCase();
	// The code must be typed again, because the restart ended the staff session.
	expect(await decide(note, 'in_box')).toMatchObject({ status: 409, body: { code: 'need_code' } });
	await kiosk.staff();
	expect(await prove('Sari', '111111')).toMatchObject({ status: 200 });
	const wish = { kind: note.kind, id: note.id, amount: note.amount, decision: 'in_box', nominal: null, by: 'Sari', second: null };
	expect(await kiosk.post('/kiosk/staff/cases', wish)).toMatchObject({ status: 200 });
	expect(await kiosk.post('/kiosk/staff/cases', wish)).toMatchObject({ status: 409, body: { code: 'need_code' } });

	// Another person's right code must not reset the count of wrong codes.
	for (const guess of ['000000', '000001', '000002']) {
		expect(await prove('Budi', guess)).toMatchObject({ body: { code: 'wrong_code' } });
		expect(await prove('Sari', '111111')).toMatchObject({ status: 200 });
	}
	expect(await prove('Budi', '222222')).toMatchObject({ body: { code: 'too_many_codes' } });
	expect(kiosk.daemon.events('staff.code_refused').at(-1)).toMatchObject({ staff_name: 'Budi', in_a_row: 3, wait_ms: 30_000 });
	await kiosk.crash();
	await kiosk.staff();
	expect(await prove('Budi', '222222')).toMatchObject({ body: { code: 'too_many_codes' } });
	await kiosk.pass(31_000);
	expect(await prove('Budi', '222222')).toMatchObject({ status: 200 });
});
