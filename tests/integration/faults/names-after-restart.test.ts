// @module-tag deep
/**
 * Tests staff names after `kioskctl journal restart`. The new journal takes over the last list of
 * names whose record in the old journal is intact.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StaffNames } from '@kiosk/contract/staff-names';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeRecord, stateBeside } from '../../support/journal-file.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const SARI = { name: 'Sari', role: 'supervisor', code: 'none' };
const BUDI = { name: 'Budi', role: 'cashier', code: 'none' };

let kiosk: Kiosk;
beforeEach(async () => {
	kiosk = await startKiosk({ environment: stateBeside });
	await kiosk.openCash('081234567890');
	await until(() => expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: true }));
	await until(() => expect(kiosk.backOffice.books.notes).toHaveLength(1));
	await kiosk.staff();
	for (const { name, role } of [SARI, BUDI]) {
		const by = name === 'Sari' ? null : 'Sari';
		expect(await kiosk.post('/kiosk/staff/names', { action: 'add', name, role, by, code: null })).toMatchObject({ status: 200 });
	}
});
afterEach(() => kiosk.stop());

const file = () => join(kiosk.directory, 'journal', 'journal.sqlite');

function onFile<T>(act: (db: DatabaseSync) => T): T {
	const db = new DatabaseSync(file());
	try {
		return act(db);
	} finally {
		db.close();
	}
}

/**
 * Damages the journal while the kiosk is off. Then a technician starts a new journal.
 * @returns the output of the command
 */
async function restartAfter(damage: () => void): Promise<string> {
	await kiosk.crash(damage);
	await until(async () => expect((await kiosk.health()).parts.find(({ part }) => part === 'journal')).toMatchObject({ state: 'fail' }));
	const { code, out } = await kiosk.ctl('journal', 'restart', '--by', 'Teknisi', '--why', 'disk exchanged', '--yes');
	expect([code, out]).toEqual([0, expect.stringContaining('The old journal is in')]);
	expect(await kiosk.daemon.ended).toBe(0);
	await kiosk.crash();
	return out;
}

async function names(): Promise<StaffNames> {
	await kiosk.staff();
	return (await fetch(`${kiosk.daemon.url}/kiosk/staff/names`, { headers: kiosk.session() })).json() as Promise<StaffNames>;
}

test('if the record of a payment is damaged, the new journal takes over all staff names and records from where they come', async () => {
	const out = await restartAfter(() => changeRecord(join(kiosk.directory, 'journal')));
	expect(out).toMatch(
		/Staff names, taken over from record \d+ of the old journal, its last list:\n {2}Budi, cashier\n {2}Sari, supervisor\n/,
	);
	expect(await names()).toMatchObject({ people: [BUDI, SARI], needs_supervisor: true });
	const [record] = onFile((db) => db.prepare(`SELECT seq, body FROM records WHERE kind = 'staff_names_changed'`).all());
	expect([record?.seq, JSON.parse(String(record?.body))]).toEqual([
		2,
		expect.objectContaining({
			action: 'carry_over',
			by: 'Teknisi',
			before: { seq: expect.any(Number), hash: expect.any(String), is_last: true },
		}),
	]);
	expect((await kiosk.ctl('staff', 'history')).out).toMatch(
		/record 2, .*: all names taken over from record \d+ of the previous journal, by Teknisi/,
	);
	expect(await kiosk.ctl('journal', 'verify')).toMatchObject({ code: 0 });
});

test('if the last list of names was forged, the previous list is taken over and kioskctl warns that changes may be missing', async () => {
	const out = await restartAfter(() =>
		onFile((db) =>
			db.exec(`UPDATE records SET body = replace(body, 'cashier', 'supervisor') WHERE kind = 'staff_names_changed' AND body LIKE '%Budi%'`),
		),
	);
	expect(out).toMatch(/Staff names, taken over from record \d+ of the old journal:\n {2}Sari, supervisor\n/);
	expect(out).toContain('later changes of the list may be missing');
	expect((await names()).people).toEqual([SARI]);
	expect((await kiosk.ctl('staff', 'history')).out).toContain('later changes may be missing');
});

test('if the journal is missing, kioskctl explains how to enter the names again', async () => {
	const out = await restartAfter(() => {
		for (const end of ['', '-wal', '-shm']) rmSync(`${file()}${end}`, { force: true });
	});
	expect(out).toContain('The staff names must be entered again');
	expect(out).toContain('the first person added becomes the supervisor');
	expect(await names()).toMatchObject({ people: [], needs_supervisor: false });
});
