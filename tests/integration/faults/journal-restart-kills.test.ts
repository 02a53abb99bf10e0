// @module-tag deep
/**
 * The power is cut at each step of `kioskctl journal restart`. Before the command, acceptor and
 * terminal reported money that no journal could record.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCardFor, tapCard, terminalReady } from '../../support/card.ts';
import { feedNote } from '../../support/feed-note.ts';
import { changeRecord, stateBeside } from '../../support/journal-file.ts';
import { type Kiosk, partText } from '../../support/kiosk.ts';
import { kioskForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';

const PRELOAD = import.meta.resolve('../../support/preloaded-kill.ts');
/** Rp 137.500. */
const BUDI = '081234567890';
const AHMAD = '081200000013';
const STACKED = 0x10;
const RESTART = ['journal', 'restart', '--by', 'Teknisi', '--why', 'disk exchanged', '--yes'];
/** More steps than the command has. */
const MOST_STEPS = 40;

const killAt = ({ directory }: { directory: string }) => join(directory, 'kill-at');
const environment = (directory: string) => ({
	...stateBeside(directory),
	NODE_OPTIONS: `--import=${PRELOAD}`,
	KIOSK_TEST_KILL: killAt({ directory }),
});

/**
 * Starts a kiosk whose damaged journal contains a note of 50,000. After the damage, the devices
 * reported a note and a charge.
 */
async function damagedKiosk(): Promise<Kiosk> {
	const kiosk = await kioskForTest({ edc: {}, environment });
	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
	await kiosk.openCash(BUDI);
	await kiosk.backOffice.setNetwork({ mode: 'error', path: '/payment/api/v1/payment-cash/', status: 503 });
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(1));
	const screen = await kiosk.screen();
	await terminalReady(screen);
	startCardFor(screen, await kiosk.lookUp(AHMAD));
	await until(() => expect(kiosk.edc.terminal.waiting).not.toBeNull());
	await kiosk.crash(() => changeRecord(join(kiosk.directory, 'journal')));
	await until(async () => expect(partText(await kiosk.health(), 'journal')).toContain('does not match its hash'));
	await until(() => expect(kiosk.daemon.events('acceptor.state').at(-1)?.state).toBe('inhibited'));
	await tapCard(kiosk);
	kiosk.acceptor.line.send([STACKED]);
	return kiosk;
}

/** @returns the saved lists of open money */
function listsOf({ directory }: Kiosk): unknown[] {
	const journal = join(directory, 'journal');
	const files = readdirSync(journal).map((name) => join(journal, name, 'open.json'));
	return files.filter(existsSync).map((file) => JSON.parse(readFileSync(file, 'utf8')));
}

/**
 * Cuts the power at this step, repeats the command if no new journal has begun, and checks that the
 * old journal's money and names are kept.
 * @returns whether the daemon was killed; false if the command has fewer steps
 */
async function cutAt(step: number): Promise<boolean> {
	const kiosk = await damagedKiosk();
	await until(() => expect(kiosk.daemon.events('cash.note_unexplained')).toHaveLength(1));
	await until(() => expect(kiosk.daemon.events('edc.answer')).toContainEqual(expect.objectContaining({ code: '00', amount: 137_500 })));
	writeFileSync(killAt(kiosk), String(step));
	await kiosk.ctl(...RESTART);
	const wasKilled = (await kiosk.daemon.ended) !== 0;
	await kiosk.crash(() => rmSync(killAt(kiosk)));
	if (!partText(await kiosk.health(), 'journal').includes('open and writable')) {
		// Retries, because the set-aside folder is named after the current second and must not exist
		// yet.
		const again = await until(async () => {
			const done = await kiosk.ctl(...RESTART);
			expect(done.code, done.out).toBe(0);
			return done;
		});
		expect(again.out).toMatch(/nominal 50000/);
		expect(again.out).toMatch(/Card sales with unknown outcome.*:\n {2}attempt_id .*amount 137500/);
		expect(again.out).toContain('Sari, supervisor');
		expect(await kiosk.daemon.ended).toBe(0);
		await kiosk.crash();
	}
	expect(partText(await kiosk.health(), 'journal')).toContain('open and writable');
	expect(listsOf(kiosk)).toContainEqual(
		expect.objectContaining({
			in_cashbox: 50_000,
			notes: [expect.objectContaining({ nominal: 50_000 })],
			card_sales: [expect.objectContaining({ amount: 137_500 })],
		}),
	);
	await kiosk.staff();
	const names = await fetch(`${kiosk.daemon.url}/kiosk/staff/names`, { headers: kiosk.session() });
	expect(await names.json()).toMatchObject({ people: [{ name: 'Sari' }] });
	return wasKilled;
}

test('after a power cut at any step of kioskctl journal restart, the old journal’s money and staff names are kept', {
	timeout: 600_000,
}, async () => {
	let step = 0;
	while (step < MOST_STEPS && (await cutAt(step))) step += 1;
	expect(step).toBeGreaterThan(5);
});
