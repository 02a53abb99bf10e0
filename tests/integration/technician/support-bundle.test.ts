import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

/**
 * Secrets that the test places in settings, log and journal, from which they could get into the
 * bundle.
 */
const SECRETS = {
	password: 'p4ssw0rd-in-url',
	key: 'hunter2hunter2',
	card: '5426 8812 3456 7890',
	cardPlain: '5426881234567890',
	cardMasked: '542688******7890',
	phone: '081298765432',
	phoneAbroad: '+62 812-9876-5432',
	name: 'Siti Rahmawati',
	staff: 'Hartono',
	listed: 'Lestari Dewi',
	story: 'gave it to her cousin',
	token: 'a3f9'.repeat(10),
	bearer: 'abcdefGHIJKL123',
};

let kiosk: Kiosk;
const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
beforeAll(async () => {
	kiosk = await startKiosk({ acceptor: { timing: { startMs: 20, recogniseMs: 20, stackMs: 400 } } });
	await kiosk.openCash('081234567890');
	await until(() => expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: true }));
	await kiosk.crashWhileStacking();
	const [note] = (await kiosk.health()).in_doubt;
	const settled = await kiosk.ctl(
		'cash',
		'settle',
		String(note?.note_id),
		'--outcome',
		'returned',
		'--by',
		SECRETS.staff,
		'--why',
		SECRETS.story,
		'--yes',
	);
	expect(settled.code).toBe(0);

	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: SECRETS.listed, role: 'supervisor', by: null, code: null });

	const lines = [
		{ event: 'socket.lost', reason: `wss://office/ws/${SECRETS.token}/ closed` },
		{ event: 'back_office.odd_answer', reason: `konsumen_name: "${SECRETS.name}", hp: ${SECRETS.phone}` },
		{ event: 'back_office.odd_answer', konsumen_name: SECRETS.name, detail: `call ${SECRETS.phoneAbroad}` },
		{ event: 'screen.fault', detail: `card ${SECRETS.card} and ${SECRETS.cardPlain} and ${SECRETS.cardMasked}`, token: SECRETS.token },
		{ event: 'screen.fault', detail: `Authorization: Bearer ${SECRETS.bearer}` },
		{ event: 'acceptor.unlocked', why: `${SECRETS.staff}: ${SECRETS.story}` },
		{ event: 'journal.set_aside', folder: '/x', by: SECRETS.staff, why: SECRETS.story },
		{ event: 'cash.paid', by: 'kiosk', invoice: 'INV/2026/11/0042', total: 137_500 },
	];
	const log = [...kiosk.daemon.log, ...lines.map((line) => ({ level: 'info', time: '2026-11-21T13:00:00.000Z', ...line, msg: '' }))];
	writeFileSync(join(kiosk.directory, 'kioskd.log'), log.map((line) => `${JSON.stringify(line)}\n`).join(''));
	appendFileSync(
		join(kiosk.directory, 'kiosk.toml'),
		`# [network]\n# password = "${SECRETS.key}"\n# old server: https://kiosk:${SECRETS.password}@office.example/\n# ask ${SECRETS.phone}\n`,
	);
	const made = await kiosk.ctl('support-bundle', '--out', join(folder, 'bundle.tar.gz'));
	expect(made).toMatchObject({ code: 0, out: expect.stringContaining('written') });
	execFileSync('tar', ['-xzf', 'bundle.tar.gz'], { cwd: folder });
});
afterAll(async () => {
	await kiosk?.stop();
	rmSync(folder, { recursive: true });
});

const inside = (name: string): string => readFileSync(join(folder, 'kiosk-support', name), 'utf8');

test('the support bundle is a tar archive with the files that support needs', () => {
	const names = execFileSync('tar', ['-tzf', join(folder, 'bundle.tar.gz')], { encoding: 'utf8' })
		.trim()
		.split('\n');
	for (const name of [
		'README.txt',
		'health.txt',
		'health.json',
		'settings.toml',
		'log.txt',
		'journal.json',
		'devices.txt',
		'network.txt',
		'system.txt',
	])
		expect(names).toContain(`kiosk-support/${name}`);
	expect(names).toContain('kiosk-support/traces/acceptor-now.txt');
	expect(inside('traces/acceptor-now.txt')).toMatch(/kiosk +0c/);
	expect(inside('log.txt')).toContain('"event":"cash.paid","by":"kiosk","invoice":"INV/2026/11/0042","total":137500');
	expect(inside('settings.toml')).toContain('[acceptor.notes]');
	const { records } = JSON.parse(inside('journal.json'));
	expect(records.map(({ kind }: { kind: string }) => kind)).toEqual([
		'invoice_seen',
		'cash_intent',
		'cash_in_doubt',
		'cash_settled',
		'staff_names_changed',
	]);
	expect(records[4].record).toMatchObject({ action: 'add', staff_name: '***', people: [{ staff_name: '***', role: 'supervisor' }] });
	expect(records[3].record).toMatchObject({ outcome: 'returned', by: '***', why: '***' });
	expect(records[2].record.why).toContain('could not be recorded');
});

test.each(Object.entries(SECRETS))('the secret "%s" is not in the bundle', (_name, secret) => {
	const found = execFileSync('sh', ['-c', `grep -rlF -- "$1" kiosk-support || true`, 'sh', secret], { cwd: folder, encoding: 'utf8' });
	expect(found).toBe('');
});

test('the support bundle contains no outlet token and no customer name from the back office', () => {
	const all = execFileSync('sh', ['-c', 'cat $(find kiosk-support -type f)'], { cwd: folder, encoding: 'utf8' });
	const outlet = JSON.parse(readFileSync(join(kiosk.directory, 'journal', 'outlet-token.json'), 'utf8')) as { token: string };
	for (const secret of [outlet.token, kiosk.token()]) expect(all).not.toContain(secret);
	expect(all).not.toContain('Budi');
	expect(all).not.toContain('081234567890');
});
