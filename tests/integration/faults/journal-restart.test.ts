// @module-tag deep
/**
 * Tests `kioskctl journal restart`: money that devices reported while no journal could record it,
 * interrupted commands, and the open items of the old journal.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeSeal } from '../../../daemon/src/journal/seal.ts';
import { setAside } from '../../../daemon/src/journal/set-aside.ts';
import { openStore } from '../../../daemon/src/journal/store.ts';
import { staffSocketPath } from '../../../daemon/src/staff/staff-socket.ts';
import { startCardFor, tapCard, terminalReady } from '../../support/card.ts';
import { feedNote } from '../../support/feed-note.ts';
import { changeRecord, stateBeside } from '../../support/journal-file.ts';
import { type Kiosk, partText } from '../../support/kiosk.ts';
import { kioskForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';
import { addPrints } from './long-journal.ts';

/** Rp 137.500. */
const BUDI = '081234567890';
/** Rp 137.500. */
const AHMAD = '081200000013';
/** Other invoices. */
const RINA = '081200000009';
const EKO = '081200000006';
const STACKED = 0x10;
const TIME = '2026-11-21T14:31:08+07:00';

test('a note, a removed cashbox and a charge that no journal could record are listed for staff', async () => {
	const kiosk = await kioskForTest({ edc: {}, environment: stateBeside });
	const { acceptor, edc } = kiosk;
	const states = () => kiosk.daemon.events('acceptor.state').map(({ state }) => state);
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(1));
	const screen = await kiosk.screen();
	await terminalReady(screen);
	startCardFor(screen, await kiosk.lookUp(AHMAD));
	await until(() => expect(edc.terminal.waiting).not.toBeNull());

	await kiosk.crash(() => changeRecord(join(kiosk.directory, 'journal')));
	await until(async () => expect(partText(await kiosk.health(), 'journal')).toContain('does not match its hash'));
	await until(() => expect(states().at(-1)).toBe('inhibited'));
	await until(() => expect(edc.terminal.tap({ respCode: '00' })).toBe(true));
	acceptor.line.send([STACKED]);
	await until(() => expect(kiosk.daemon.events('cash.note_unexplained')).toHaveLength(1));
	acceptor.device.removeCashbox();
	await until(() => expect(states().at(-1)).toBe('cashbox_open'));
	acceptor.device.returnCashbox();
	await until(() => expect(states().at(-1)).toBe('inhibited'));

	const { out } = await kiosk.ctl('journal', 'restart', '--by', 'Teknisi', '--why', 'disk exchanged', '--yes');
	const listed = out.slice(out.indexOf('missing in both journals:'));
	expect(listed).toMatch(/kind cash_unexplained, note_id [0-9a-f-]{36}, time /);
	expect(listed).toMatch(/kind cashbox_removed, /);
	expect(listed).toMatch(/kind card_answer, type sale, code 00, amount 137500, /);
	const [folder = ''] = /\S+set-aside-\w+/.exec(out) ?? [];
	const kept = JSON.parse(readFileSync(join(folder, 'open.json'), 'utf8')) as { unwritten: { kind: string }[] };
	expect(kept.unwritten.map(({ kind }) => kind).sort()).toEqual(['card_answer', 'cash_unexplained', 'cashbox_removed', 'cashbox_returned']);
	expect(await kiosk.daemon.ended).toBe(0);
});

/**
 * Starts a kiosk whose damaged journal contains a note of 50,000 that the back office does not
 * know.
 */
async function damagedKiosk(receipts = 0): Promise<Kiosk> {
	const kiosk = await kioskForTest({ environment: stateBeside });
	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
	await kiosk.openCash(BUDI);
	kiosk.backOffice.change('payment-cash', (answer) => ({ ...answer, status: 503 }));
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(1));
	await kiosk.crash(() => {
		const directory = join(kiosk.directory, 'journal');
		addPrints(directory, join(kiosk.directory, 'state', 'journal.key'), receipts);
		changeRecord(directory);
	});
	await until(async () => expect(partText(await kiosk.health(), 'journal')).toMatch(/does not match its hash|differs from record/));
	return kiosk;
}

const RESTART = ['journal', 'restart', '--by', 'Teknisi', '--why', 'disk exchanged', '--yes'];

test('after a power cut during kioskctl journal restart, the next start saves the list of open items, and health names the file of the list', async () => {
	const kiosk = await damagedKiosk();
	const { out } = await kiosk.ctl(...RESTART);
	const [folder = ''] = /\S+set-aside-\w+/.exec(out) ?? [];
	const file = join(folder, 'open.json');
	// Simulates a power cut before the list was saved and the command answered.
	await kiosk.crash(() => rmSync(file));
	await until(() => expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ in_cashbox: 50_000, notes: [{ nominal: 50_000 }] }));
	expect(partText(await kiosk.health(), 'journal')).toContain(`${file} lists the open items of the previous journal`);
	expect(await kiosk.ctl(...RESTART)).toMatchObject({ code: 1, out: expect.stringContaining(`is listed in ${file}`) });
});

test('if kioskctl ends before the answer, the kiosk begins the new journal nevertheless', async () => {
	// The journal is long, so that the call can break off before the daemon has read the staff names.
	const kiosk = await damagedKiosk(5_000);
	const { by, why } = { by: 'Teknisi', why: 'disk exchanged' };
	const call = request({ socketPath: staffSocketPath(join(kiosk.directory, 'state')), path: '/journal/restart', method: 'POST' });
	call.on('error', () => {});
	call.end(JSON.stringify({ by, why }), () => call.destroy());
	expect(await kiosk.daemon.ended).toBe(0);
	await kiosk.crash();
	expect(partText(await kiosk.health(), 'journal')).toContain('open and writable');
});

test('an unlock that the damaged journal cannot record is refused, and the acceptor stays locked', async () => {
	const kiosk = await damagedKiosk();
	kiosk.acceptor.device.break('fish');
	await until(() => expect(kiosk.daemon.events('acceptor.state').at(-1)?.state).toBe('bill_fish'));
	kiosk.acceptor.device.clear();
	const unlocked = await kiosk.ctl('acceptor', 'unlock', '--by', 'Sari', '--why', 'inspected');
	expect(unlocked).toMatchObject({ code: 1, out: expect.stringContaining('nothing was done') });
	expect((await kiosk.ctl(...RESTART)).out).toContain('The bill acceptor stays locked');
});

test.each([
	['nothing of the new journal is on disk', false],
	['the new journal has its key and its first record', true],
])('if a power cut interrupts the command and %s, the command can be completed with the old journal', async (_when, isBegun) => {
	const kiosk = await damagedKiosk();
	const [directory, key] = [join(kiosk.directory, 'journal'), join(kiosk.directory, 'state', 'journal.key')];
	const name = 'set-aside-20260101T000000';
	await kiosk.crash(() => {
		setAside(directory, name);
		if (!isBegun) return;
		renameSync(key, `${key}.${name}`);
		const opened = openStore(directory, false, makeSeal(key, 1, ''));
		if (!opened.ok) throw new Error(opened.error.message);
		const before = { seq: 3, hash: '', folder: join(directory, name), found: '' };
		const restarted = { kind: 'journal_restarted', restart_id: randomUUID(), by: 'Teknisi', why: '', time: TIME, before } as const;
		opened.value.append(restarted, new Date());
		opened.value.close();
	});
	await until(async () => expect(partText(await kiosk.health(), 'journal')).toMatch(/the journal (is gone|ends before record)/));
	const { out } = await kiosk.ctl(...RESTART);
	expect(out).toContain(`The old journal is in ${join(directory, name)}; keep it.`);
	expect(out).toContain('In the cashbox since the last count: Rp 50000');
	expect(out).toMatch(/Notes in doubt, or unknown to the back office.*:\n {2}note_id [0-9a-f-]+, .*nominal 50000/);
	expect(out).toContain('Sari, supervisor');
	expect(existsSync(`${key}.${name}`)).toBe(true);
	expect(await kiosk.daemon.ended).toBe(0);
	await kiosk.crash();
	expect(partText(await kiosk.health(), 'journal')).toContain('open and writable');
});

test('after a reseal the journal records the events that it could not record before', async () => {
	const kiosk = await kioskForTest({ environment: stateBeside });
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(1));
	await kiosk.crash(() => rmSync(join(kiosk.directory, 'state', 'journal.key')));
	const states = () => kiosk.daemon.events('acceptor.state').map(({ state }) => state);
	await until(() => expect(states().at(-1)).toBe('inhibited'));
	kiosk.acceptor.line.send([STACKED]);
	await until(() => expect(kiosk.daemon.events('cash.note_unexplained')).toHaveLength(1));
	kiosk.acceptor.device.removeCashbox();
	await until(() => expect(states().at(-1)).toBe('cashbox_open'));
	kiosk.acceptor.device.returnCashbox();
	await until(() => expect(states().at(-1)).toBe('inhibited'));
	const { code } = await kiosk.ctl('journal', 'reseal', '--by', 'Sari', '--why', 'factory reset', '--yes');
	expect(code).toBe(0);
	await until(async () => {
		const health = await kiosk.health();
		expect(health.in_doubt).toHaveLength(1);
		expect(partText(health, 'cashbox')).toContain('and not counted; a cashbox was back at');
	});
});

test('a reseal is refused while the acceptor takes a note', async () => {
	const kiosk = await kioskForTest({ environment: stateBeside, acceptor: { timing: { startMs: 20, recogniseMs: 20, stackMs: 4_000 } } });
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000, 'accepted');
	const refused = { code: 1, out: expect.stringContaining('the acceptor is taking a note') };
	expect(await kiosk.ctl('journal', 'reseal', '--by', 'Sari', '--why', 'key lost', '--yes')).toMatchObject(refused);
	await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(1));
});

test('kioskctl journal restart lists owed change, uncounted cash, open notes, an unknown sale and a lock of the old journal', async () => {
	const kiosk = await kioskForTest({ edc: { lines: 'ack_ms = 2000\nanswer_ms = 3000\n' }, environment: stateBeside, movableClock: true });
	const { acceptor, backOffice } = kiosk;
	const screen = await kiosk.screen();
	await terminalReady(screen);
	async function pays(hp: string, ...nominals: number[]): Promise<void> {
		const { id } = await kiosk.openCash(hp);
		for (const nominal of nominals) {
			const before = kiosk.daemon.events('cash.note_credited').length;
			await feedNote(kiosk, nominal);
			await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(before + 1));
		}
		await kiosk.post('/kiosk/cash/close', { id });
	}
	// The following steps leave one item of each of these kinds: owed change, an uncounted cashbox, a
	// parked note, a waiting note, an unknown sale, a note in doubt and a lock.
	await pays(BUDI, 100_000, 50_000);
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(0));
	acceptor.device.removeCashbox();
	await until(() => expect(kiosk.daemon.events('acceptor.state').at(-1)?.state).toBe('cashbox_open'));
	acceptor.device.returnCashbox();
	await backOffice.setNetwork({ mode: 'error', path: '/payment/api/v1/payment-cash/', status: 422 });
	await pays(RINA, 20_000);
	await until(async () => {
		if (kiosk.daemon.events('outbox.parked').length > 0) return;
		await kiosk.login();
		throw new Error('not parked yet');
	});
	await backOffice.setNetwork({ mode: 'error', path: '/payment/api/v1/payment-cash/', status: 503 });
	await pays(RINA, 10_000);
	const later = await kiosk.screen();
	startCardFor(later, await kiosk.lookUp(AHMAD));
	await until(() => expect(later.of('kiosk_edc_sale').at(-1)).toMatchObject({ phase: 'unknown' }), 20_000);
	await kiosk.openCash(EKO);
	await feedNote(kiosk, 5_000, 'accepted');
	await kiosk.crashWhileStacking();
	await kiosk.afterDoubt();
	acceptor.device.break('fish');
	await until(() => expect(kiosk.daemon.events('acceptor.locked')).toHaveLength(1));

	await kiosk.crash(() => changeRecord(join(kiosk.directory, 'journal')));
	await until(async () => expect(partText(await kiosk.health(), 'journal')).toContain('does not match its hash'));
	const sent = backOffice.books.notes.length;
	await backOffice.setNetwork({ mode: 'normal' });
	// Makes the note in doubt old, because the kiosk refuses the command while a note in doubt is
	// recent.
	kiosk.shiftWall(60_000);
	const { out } = await kiosk.ctl(...RESTART);
	expect(out).toContain('In the cashbox since the last count: Rp 180000, of which part is in removed cashboxes that are not counted (1)');
	for (const nominal of [20_000, 10_000, 5_000]) expect(out).toMatch(new RegExp(`\\n {2}note_id [0-9a-f-]+, .*nominal ${nominal}, `));
	expect(out).toMatch(/Card sales with unknown outcome.*:\n {2}attempt_id .*state unknown/);
	expect(out).toMatch(/Change that was not given.*:\n {2}noinvoice .*, change 12500/);
	expect(out).toContain('The bill acceptor stays locked');
	expect(await kiosk.daemon.ended).toBe(0);
	await kiosk.crash();
	await until(async () => expect(partText(await kiosk.health(), 'cash')).toContain('cash is locked'));
	expect(backOffice.books.notes).toHaveLength(sent);
});

test('no new journal begins while the acceptor may still report a note in doubt', async () => {
	const timing = { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: 3_000, returnMs: 20 };
	const kiosk = await kioskForTest({ acceptor: { timing }, environment: stateBeside, movableClock: true });
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 20_000);
	await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(1));
	kiosk.acceptor.device.nextMishaps.add('lost_stacked');
	await feedNote(kiosk, 50_000, 'accepted');
	await kiosk.crashWhileStacking(() => changeRecord(join(kiosk.directory, 'journal')));
	await until(async () => expect(partText(await kiosk.health(), 'journal')).toContain('does not match its hash'));
	expect(await kiosk.ctl(...RESTART)).toMatchObject({ code: 1, out: expect.stringContaining('may still report a note') });
	kiosk.shiftWall(60_000);
	expect(await kiosk.ctl(...RESTART)).toMatchObject({ code: 0, out: expect.stringContaining('nominal 50000') });
	expect(await kiosk.daemon.ended).toBe(0);
});

test('no new journal begins while a customer is at the card terminal', async () => {
	const kiosk = await kioskForTest({ edc: {}, environment: stateBeside });
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(1));
	const screen = await kiosk.screen();
	await terminalReady(screen);
	startCardFor(screen, await kiosk.lookUp(AHMAD));
	await until(() => expect(kiosk.edc.terminal.waiting).not.toBeNull());
	changeRecord(join(kiosk.directory, 'journal'));
	await until(async () => expect(partText(await kiosk.health(), 'journal')).toContain('does not match its hash'), 20_000);
	expect(await kiosk.ctl(...RESTART)).toMatchObject({ code: 1, out: expect.stringContaining('The card terminal has not answered yet') });
	await tapCard(kiosk);
	await until(async () =>
		expect(await kiosk.ctl(...RESTART)).toMatchObject({ code: 0, out: expect.stringMatching(/kind card_answer, type sale, code 00/) }),
	);
	expect(await kiosk.daemon.ended).toBe(0);
});
