// @module-tag deep
/**
 * After a technician has begun a new journal, staff unlock the bill acceptor and check a receipt
 * from before it.
 */
import { join } from 'node:path';
import { expect } from 'vitest';
import { escposText } from '../simulators/printer/escpos-text.ts';
import { logIn, touchButtons, typeNumber } from '../support/browser.ts';
import { feedNote } from '../support/feed-note.ts';
import { inspect, onEachPanel } from '../support/inspect.ts';
import { changeRecord, stateBeside } from '../support/journal-file.ts';
import { partText, printerSection } from '../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../support/kiosk-for-test.ts';
import { inspectedPage } from '../support/page-for-test.ts';
import { until } from '../support/until.ts';

/** Rp 137.500. */
const BUDI = '081234567890';

onEachPanel('with a new journal, staff unlock the acceptor, and an earlier receipt is shown as earlier', async (orientation, size) => {
	const printer = await printerForTest(10);
	const kiosk = await kioskForTest({ login: false, settings: printerSection(printer.uri), environment: stateBeside });
	const page = await inspectedPage(size);
	const touch = (...names: (string | RegExp)[]) => touchButtons(page, ...names);
	const seen = (words: string | RegExp) => page.getByText(words).first().waitFor();
	const toStaff = async () => {
		await typeNumber(page, '000000');
		await page.getByText('Masukan PIN').waitFor();
		await touch(...kiosk.backOffice.account.pin, 'Submit', 'Menu staf');
		await seen('Keadaan kiosk');
	};
	await logIn(page, kiosk);
	await typeNumber(page, BUDI);
	await touch(/Bayar Tunai/);
	for (const nominal of [100_000, 50_000]) await feedNote(kiosk, nominal);
	await seen('Lunas');
	const code = await until(() => {
		const [, found] = /Kode +(\S+)/.exec(printer.queue.receipts.map(({ data }) => escposText(data)).join('\n')) ?? [];
		if (found === undefined) throw new Error('no receipt');
		return found;
	});
	await seen('Masukan nomor HP anda');
	kiosk.acceptor.device.break('fish');
	await until(async () => expect(partText(await kiosk.health(), 'cash')).toContain('cash is locked'));
	await kiosk.crash(() => changeRecord(join(kiosk.directory, 'journal')));
	await until(async () => expect(partText(await kiosk.health(), 'journal')).toContain('does not match its hash'));
	expect(await kiosk.ctl('journal', 'restart', '--by', 'Teknisi', '--why', 'disk exchanged', '--yes')).toMatchObject({ code: 0 });
	expect(await kiosk.daemon.ended).toBe(0);
	await kiosk.crash();
	kiosk.acceptor.device.clear();

	await page.goto(kiosk.daemon.startAddress());
	await toStaff();
	await touch('Hitung kotak uang', 'Kelola nama', 'Tambah nama', ...'Sari', 'Simpan nama', 'Kembali', 'Kembali');
	await touch('Periksa struk', ...code.replaceAll('-', ''), 'Periksa');
	await page.getByRole('heading', { name: 'Dari sebelum jurnal baru' }).waitFor();
	expect(await page.getByRole('button', { name: 'Selesaikan uangnya' }).count()).toBe(0);
	await inspect(page, `${orientation}-old-paper`);
	await touch('Kembali', 'Selesaikan');
	await page.getByRole('button', { name: /Mesin uang terkunci/ }).waitFor();
	await inspect(page, `${orientation}-locked-list`);
	await touch(/Mesin uang terkunci/);
	await inspect(page, `${orientation}-locked-case`);
	await page.getByRole('button', { name: /Buka/ }).click();
	await inspect(page, `${orientation}-locked-question`);
	await touch('Ya, catat', /^Sari/);
	await seen(/Tercatat|Sudah dicatat/);
	await inspect(page, `${orientation}-unlocked`);
	await until(async () => expect(partText(await kiosk.health(), 'cash')).toContain('healthy'));
});
