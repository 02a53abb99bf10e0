// @module-tag deep
/** The staff screen guides a rehearsal of a hardware fault by touch. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { logIn, touchButtons, typeNumber } from '../support/browser.ts';
import { feedNote } from '../support/feed-note.ts';
import { inspect as inspectPage, onEachPanel } from '../support/inspect.ts';
import type { Kiosk } from '../support/kiosk.ts';
import { kioskForTest } from '../support/kiosk-for-test.ts';
import { inspectedPage } from '../support/page-for-test.ts';

let kiosk: Kiosk;
let page: Page;

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const touch = (...names: (string | RegExp)[]) => touchButtons(page, ...names);
async function openRehearsals(): Promise<void> {
	await typeNumber(page, '000000');
	await page.getByText('Masukan PIN').waitFor();
	await touch(...kiosk.backOffice.account.pin, 'Submit');
	await touch('Menu staf', 'Uji perangkat');
}

onEachPanel('a supervisor rehearses the removal of the cashbox by touch', async (orientation, size) => {
	const inspect = (name: string) => inspectPage(page, `${orientation}-rehearsal-${name}`);
	kiosk = await kioskForTest({ login: false });
	page = await inspectedPage(size);
	await logIn(page, kiosk);
	await openRehearsals();
	await button(/^Kotak uang dicabut/).waitFor();
	await inspect('list');

	await touch(/^Kotak uang dicabut/, 'Kelola nama', 'Tambah nama', 'S', 'a', 'r', 'i', 'Simpan nama', 'Kembali', /^Sari/);
	const now = (sentence: string | RegExp) => page.locator('[aria-current=step]', { hasText: sentence }).waitFor();
	await now('Cabut kotak uang.');
	kiosk.acceptor.device.removeCashbox();
	await now('Pasang lagi kotak uang.');
	kiosk.acceptor.device.returnCashbox();
	await now('Bayar Tunai');
	await inspect('steps');

	// Staff leave the rehearsal, pay with a note on the customer's screens and return to the
	// rehearsal.
	await touch('Layar awal');
	await typeNumber(page, '081234567890');
	await touch(/Bayar Tunai/);
	await page.getByText('Ready', { exact: true }).waitFor();
	await feedNote(kiosk, 20_000);
	await page.getByText('Rp 20.000').first().waitFor();
	await touch('Kembali', 'Ya, kembali');
	await openRehearsals();
	await now('Berapa rupiah yang Anda masukkan');
	await touch('2', '0', '0', '0', '0');
	await inspect('question');
	await touch('Jawab');
	await now('kembali ke tangan');
	await touch('0', 'Jawab');
	await now('Buka kotak uang');
	await touch('2', '0', '0', '0', '0', 'Jawab');
	await page.getByText('Lulus: Kotak uang dicabut').waitFor();
	await inspect('verdict');
	expect((await kiosk.ctl('rehearse')).out).toMatch(/box-out +LULUS/);
});
