import { referenceOf } from '@kiosk/contract/reference';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { type Edc, startEdc } from '../simulators/edc/start.ts';
import type { Printer } from '../simulators/printer/start.ts';
import { logIn, shot, typeNumber } from '../support/browser.ts';
import { tapCard } from '../support/card.ts';
import { feedNote } from '../support/feed-note.ts';
import { type Kiosk, printerSection } from '../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../support/kiosk-for-test.ts';
import { pageForTest } from '../support/page-for-test.ts';
import { until } from '../support/until.ts';

const BUDI = '081234567890';
const OTHER = '081200000007';
/** Short time limits, for tests in which the terminal does not answer. */
const QUICK = 'ack_ms = 500\nanswer_ms = 2000\n';

let kiosk: Kiosk;
let printer: Printer;
let page: Page;
/** A second terminal that replaces the unplugged terminal on the same port; null: none. */
let second: Edc | null = null;

afterEach(async () => {
	await second?.stop();
	second = null;
});

async function start(lines = ''): Promise<void> {
	printer = await printerForTest();
	kiosk = await kioskForTest({ login: false, settings: printerSection(printer.uri), edc: { lines } });
	page = await pageForTest();
	await logIn(page, kiosk);
}

/** Enters the number on the keypad and chooses the debit card. */
async function toCard(hp: string): Promise<void> {
	await typeNumber(page, hp);
	await page.getByRole('button', { name: /Bayar Non Tunai/ }).click();
	await page.getByRole('button', { name: /Kartu Debit BCA/ }).click();
}
const seen = (words: string) => page.getByText(words).first().waitFor();
const yourTurn = () => seen('Silakan bayar di mesin EDC');
const tap = (respCode: string) => tapCard(kiosk, respCode);
const approvals = () => kiosk.backOffice.books.approvals.map(({ no_invoice, repeats }) => ({ no_invoice, repeats }));

test('if the terminal charges a declined card while the customer pays in cash, the kiosk takes no more notes and says not to pay again', async () => {
	await start();
	await toCard(BUDI);
	await yourTurn();
	await tap('54');
	await page.getByRole('button', { name: 'Kembali' }).click();
	await typeNumber(page, BUDI);
	await page.getByRole('button', { name: /Bayar Tunai/ }).click();
	await feedNote(kiosk, 50_000);
	await seen('Terima 1');
	kiosk.edc.terminal.approveAfterAll();
	await seen('Jangan bayar lagi');
	await shot(page, 'card-charged-during-cash');
	expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: false });
	await until(() => expect(kiosk.daemon.events('cash.closed')).toMatchObject([{ received: 50_000, paid: false }]));
	await until(() => expect(printer.queue.receipts).toHaveLength(1));
	expect(await kiosk.ctl('edc', 'unknown')).toMatchObject({ out: expect.stringContaining('INV/2026/11/0042') });
});

test('a customer pays with Kartu Debit BCA at the terminal and gets a receipt, and the kiosk goes home', async () => {
	await start();
	await toCard(BUDI);
	await yourTurn();
	expect(await page.getByRole('button', { name: 'Kembali' }).isDisabled()).toBe(true);
	await shot(page, 'card-your-turn');
	await tap('00');
	await seen('Lunas');
	await shot(page, 'card-paid');
	await until(() => expect(printer.queue.receipts).toHaveLength(1));
	expect(printer.queue.receipts[0]?.data.toString('latin1')).toMatch(/Metode Pembayaran +Kartu Debit BCA/);
	await seen('Masukan nomor HP anda');
	expect(approvals()).toEqual([{ no_invoice: 'INV/2026/11/0042', repeats: 0 }]);
	expect(kiosk.edc.terminal.bank.captured).toBe(137_500);
	expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toMatch(/08123456|Budi/);
});

test('after a decline, the sale is retried, approved and charged once', { tags: 'deep' }, async () => {
	await start();
	await toCard(BUDI);
	await yourTurn();
	await tap('51');
	await seen('Transaksi ditolak, sedang mencoba lagi');
	await seen('Silahkan coba lagi');
	await yourTurn();
	await tap('00');
	await seen('Lunas');
	expect(kiosk.edc.terminal.bank.captured).toBe(137_500);
	await until(() => expect(approvals()).toHaveLength(1));
});

test('after a reload during a sale, the screen resumes the same sale, which is charged once', { tags: 'deep' }, async () => {
	await start();
	await toCard(BUDI);
	await yourTurn();
	await page.reload();
	await yourTurn();
	await tap('00');
	await seen('Lunas');
	expect(kiosk.edc.terminal.bank.captured).toBe(137_500);
	await until(() => expect(approvals()).toHaveLength(1));
});

test('[spec 4.21] if the terminal does not answer, the sale is unknown, and its invoice takes no money until staff settle the sale', {
	tags: 'deep',
}, async () => {
	await start(QUICK);
	kiosk.edc.terminal.setMode('silent_after_ack');
	await toCard(BUDI);
	await seen('Jangan bayar lagi, hubungi staf');
	await shot(page, 'card-unknown');
	const [unknown] = (await kiosk.health()).card.unknown;
	const reference = referenceOf(unknown?.attempt_id ?? '');
	await seen(reference);
	await page.getByRole('button', { name: 'Kembali' }).click();
	await page.getByRole('button', { name: 'Ya, kembali' }).click();
	await typeNumber(page, OTHER);
	await page.getByRole('button', { name: /Bayar Non Tunai/ }).click();
	await seen('Mesin EDC menunggu diperiksa staf');
	await page.goto(kiosk.daemon.url);
	await typeNumber(page, BUDI);
	await seen(reference);
	expect(await page.getByText('Bayar Tunai').count()).toBe(0);
	await kiosk.ctl('edc', 'settle', reference, '--outcome', 'charged', '--by', 'Sari', '--why', 'slip');
	await seen('Lunas');
	await until(() => expect(approvals()).toHaveLength(1));
});

test('if the daemon is killed during a sale, the sale is unknown and no second sale starts', { tags: 'deep' }, async () => {
	await start();
	await toCard(BUDI);
	await yourTurn();
	await kiosk.crash(async () => {
		await seen('Sambungan ke kiosk terputus');
		await seen('Jangan bayar lagi');
	});
	await seen('Jangan bayar lagi, hubungi staf');
	expect((await kiosk.health()).card.unknown).toHaveLength(1);
	expect(kiosk.edc.terminal.bank.transactions).toHaveLength(0);
});

test('if the customer presses the terminal’s cancel key, nothing is charged or retried, and the kiosk goes home', {
	tags: 'deep',
}, async () => {
	await start();
	await toCard(BUDI);
	await yourTurn();
	await tap('P3');
	await seen('Pembayaran dibatalkan di mesin EDC');
	await seen('Masukan nomor HP anda');
	expect(kiosk.edc.terminal.bank.captured).toBe(0);
	expect(approvals()).toEqual([]);
});

test('if the terminal is unplugged during a sale, the sale is unknown, and the next customer sees why cards are refused', {
	tags: 'deep',
}, async () => {
	await start();
	await toCard(BUDI);
	await yourTurn();
	await kiosk.edc.stop();
	await seen('Jangan bayar lagi, hubungi staf');
	const [unknown] = (await kiosk.health()).card.unknown;
	await kiosk.ctl('edc', 'settle', unknown?.attempt_id ?? '', '--outcome', 'not-charged', '--by', 'Sari', '--why', 'slip');
	await seen('Pembayaran kartu tidak terjadi');
	await page.getByRole('button', { name: 'Kembali' }).click();
	await typeNumber(page, OTHER);
	await page.getByRole('button', { name: /Bayar Non Tunai/ }).click();
	await seen('Mesin EDC tidak terhubung');
});

/** Starts another terminal on the same port. Its bank has no sales yet. */
async function plugIn(): Promise<Edc> {
	const { port } = kiosk.edc;
	second = await startEdc({ ...(port !== null && { port }), timing: { customerMs: 50 } });
	return second;
}

test('after four declines the screen names customer service, and nothing is charged', { tags: 'deep' }, async () => {
	await start();
	await toCard(BUDI);
	for (const words of ['PIN ditolak, sedang mencoba lagi', 'PIN ditolak, sedang', 'PIN ditolak, sedang', '3x Percobaan gagal']) {
		await yourTurn();
		await tap('55');
		await seen(words);
	}
	await seen('3x Percobaan gagal, harap hubungi customer service');
	await shot(page, 'card-given-up');
	await seen('Masukan nomor HP anda');
	expect(kiosk.edc.terminal.bank.captured).toBe(0);
	expect(approvals()).toEqual([]);
});

test('if the terminal reports a fault (PT), the screen shows the fault and goes home without a retry', { tags: 'deep' }, async () => {
	await start();
	await toCard(BUDI);
	await yourTurn();
	await tap('PT');
	await seen('Mesin EDC bermasalah, silahkan hubungi customer service');
	await seen('Masukan nomor HP anda');
	expect((await kiosk.health()).card.unknown).toEqual([]);
});

test('if the approval of an unknown sale arrives late, the kiosk shows the invoice as paid, prints one receipt and sends one report', {
	tags: 'deep',
}, async () => {
	await start(QUICK);
	kiosk.edc.terminal.setMode('late', { ms: 6_000 });
	await toCard(BUDI);
	await yourTurn();
	await tap('00');
	await seen('Jangan bayar lagi, hubungi staf');
	await seen('Lunas');
	await until(() => expect(printer.queue.receipts).toHaveLength(1));
	await until(() => expect(approvals()).toEqual([{ no_invoice: 'INV/2026/11/0042', repeats: 0 }]));
	expect(kiosk.edc.terminal.bank.captured).toBe(137_500);
});

describe('an unplugged terminal', { tags: 'deep' }, () => {
	test('if the terminal is unplugged before a sale is requested, the card tile is disabled with the reason, and is enabled again after the terminal is plugged in', async () => {
		await start();
		await typeNumber(page, BUDI);
		await page.getByRole('button', { name: /Bayar Non Tunai/ }).click();
		const tile = page.getByRole('button', { name: /Kartu Debit BCA/ });
		await kiosk.edc.stop();
		await seen('Mesin EDC tidak terhubung');
		expect(await tile.isDisabled()).toBe(true);
		const terminal = await plugIn();
		await tile.click();
		await yourTurn();
		terminal.terminal.tap({ respCode: '00' });
		await seen('Lunas');
	});

	test('if the terminal is unplugged before it acknowledges the sale, the sale becomes unknown', async () => {
		await start('ack_ms = 60000\n');
		kiosk.edc.terminal.setMode('no_ack');
		await toCard(BUDI);
		await seen('Mengirim tagihan');
		// Waits until the log shows the sale, because the daemon may send an echo test first.
		await until(() => expect(kiosk.daemon.events('edc.sent')).toHaveLength(1));
		await kiosk.edc.stop();
		await seen('Jangan bayar lagi, hubungi staf');
		expect((await kiosk.health()).card.unknown).toHaveLength(1);
	});

	test('if the terminal is unplugged between two attempts, nothing is charged, and the next attempt starts by itself after the terminal is plugged in again', async () => {
		await start();
		await toCard(BUDI);
		await yourTurn();
		await tap('51');
		await seen('Transaksi ditolak, sedang mencoba lagi');
		await kiosk.edc.stop();
		await seen('Mesin EDC tidak terhubung');
		await seen('Kali ini belum ada yang diminta dari kartu Anda.');
		const { terminal } = await plugIn();
		await yourTurn();
		terminal.tap({ respCode: '00' });
		await seen('Lunas');
		await until(() => expect(approvals()).toHaveLength(1));
	});

	test('if the terminal is unplugged while a sale is unknown, the sale stays unknown after the terminal is plugged in again', async () => {
		await start(QUICK);
		kiosk.edc.terminal.setMode('silent_after_ack');
		await toCard(BUDI);
		await seen('Jangan bayar lagi, hubungi staf');
		await kiosk.edc.stop();
		const { terminal, connected } = await plugIn();
		await until(() => expect(connected()).toBe(true));
		expect((await kiosk.health()).card.unknown).toHaveLength(1);
		await seen('Jangan bayar lagi, hubungi staf');
		expect(terminal.bank.transactions).toEqual([]);
	});

	test('if the terminal is unplugged right after the approval, the sale is paid', async () => {
		await start();
		await toCard(BUDI);
		await yourTurn();
		await tap('00');
		await seen('Lunas');
		await kiosk.edc.stop();
		await until(() => expect(printer.queue.receipts).toHaveLength(1));
		await seen('Masukan nomor HP anda');
		await until(() => expect(approvals()).toHaveLength(1));
	});
});
