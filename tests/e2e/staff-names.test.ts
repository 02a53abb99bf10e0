// @module-tag deep
/** Staff manage names, roles and personal codes by touch. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { logIn, touchButtons, typeNumber } from '../support/browser.ts';
import { inspect as inspectPage, onEachPanel } from '../support/inspect.ts';
import type { Kiosk } from '../support/kiosk.ts';
import { kioskForTest } from '../support/kiosk-for-test.ts';
import { inspectedPage } from '../support/page-for-test.ts';
import { until } from '../support/until.ts';

let kiosk: Kiosk;
let page: Page;

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const touch = (...names: (string | RegExp)[]) => touchButtons(page, ...names);
const digits = (code: string) => touch(...code, 'Lanjut');

onEachPanel('staff add supervisor and cashier; each acts with a personal code; lost codes block every name', async (orientation, size) => {
	const inspect = (name: string) => inspectPage(page, `${orientation}-staff-names-${name}`);
	kiosk = await kioskForTest({ login: false, settings: '[staff]\npersonal_codes = true\n' });
	page = await inspectedPage(size);
	await logIn(page, kiosk);
	await typeNumber(page, '000000');
	await page.getByText('Masukan PIN').waitFor();
	await touch(...kiosk.backOffice.account.pin, 'Submit');
	await touch('Menu staf', 'Hitung kotak uang', 'Kelola nama', 'Tambah nama', 'S', 'a', 'r', 'i', 'Simpan nama');
	await page.getByText('Kode baru untuk Sari').waitFor();
	await touch('1', '1');
	await inspect('new-code');
	await digits('1111');
	await page.getByText('sekali lagi').waitFor();
	await digits('111112');
	await page.getByText('Kedua kode tidak sama').waitFor();
	await digits('111111');
	await digits('111111');

	// From now on a supervisor approves each change with their own code.
	await button(/^Sari/).waitFor();
	await touch('Tambah nama', 'B', 'u', 'd', 'i', 'Simpan nama');
	await page.getByText('Peran Budi').waitFor();
	await inspect('role');
	await touch(/^Kasir/);
	await digits('222222');
	await digits('222222');
	await page.getByText('Siapa supervisornya?').waitFor();
	await inspect('approval');
	await touch(/^Sari/);
	await page.getByText('Kode Sari').waitFor();
	await digits('111111');
	await button(/^Budi/).waitFor();
	await inspect('list');
	await touch(/^Sari/);
	await inspect('person');
	await touch('Hapus nama', 'Ya, hapus');
	await page.getByText('Siapa supervisornya?').waitFor();
	await touch(/^Sari/);
	await page.getByText('Kode Sari').waitFor();
	await digits('111111');
	await page.getByText('Ini supervisor terakhir').waitFor();
	await page.getByText('Nama staf').waitFor();
	await touch('Kembali');

	await page.getByText('Siapa yang menghitung?').waitFor();
	await touch(/^Budi/);
	await digits('222221');
	await page.getByText('Kode salah').waitFor();
	await digits('222222');
	await page.getByText('Total dihitung').waitFor();
	await touch('Selesai hitung');
	await page.getByText('Hasil hitungan').waitFor();
	await until(() => expect(kiosk.daemon.events('cash.counted')).toHaveLength(1));
	expect(kiosk.daemon.events('staff.names_changed').map(({ action, staff_name, by }) => ({ action, staff_name, by }))).toEqual([
		{ action: 'add', staff_name: 'Sari', by: '' },
		{ action: 'add', staff_name: 'Budi', by: 'Sari' },
	]);

	// The file with the personal codes is lost. The staff menu and the cashbox screen report the
	// loss, and no name can be chosen.
	await kiosk.crash(() => rmSync(join(kiosk.directory, 'journal', 'staff-codes.json')));
	await logIn(page, kiosk);
	await typeNumber(page, '000000');
	await page.getByText('Masukan PIN').waitFor();
	await touch(...kiosk.backOffice.account.pin, 'Submit');
	await touch('Menu staf');
	await page.getByText('Nama dan kode staf').waitFor();
	await inspect('home-lost');
	await touch('Hitung kotak uang');
	await page.getByText('kode pribadi yang hilang').waitFor();
	expect(await button(/^Sari/).isDisabled()).toBe(true);
	await inspect('codes-lost');
});
