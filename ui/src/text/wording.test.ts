import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acceptorText } from './acceptor.ts';
import { declineText, edcText } from './edc.ts';
import { nonCashText } from './non-cash.ts';
import { paymentText } from './payment.ts';
import { receiptText } from './receipt.ts';
import { text } from './screens.ts';
import { staffText } from './staff.ts';
import { vaGuide } from './va-guides.ts';

/**
 * For every wording of the specification, letter for letter: the kiosk's text, and its module and
 * keys. A placeholder is filled with the name that the specification gives it.
 */
const GIVEN: readonly [said: string, written: string, at: string][] = [
	// login
	['wrong username or password', staffText.login.refused, 'staffText.login.refused'],
	['Submit', staffText.login.submit, 'staffText.login.submit'],

	// home
	['Masukan nomor HP anda', text.home.title, 'text.home.title'],
	['Development', text.development, 'text.development'],

	// the staff's list
	['Masukan PIN', staffText.pin.title, 'staffText.pin.title'],
	['Submit', staffText.pin.submit, 'staffText.pin.submit'],
	['Kembali', text.kembali, 'text.kembali'],
	['# HP NOPOL Konsumen Name Tanggal IS Paid Total Action', staffText.list.columns.join(' '), 'staffText.list.columns'],
	['Paid', staffText.list.paid, 'staffText.list.paid'],
	['UnPaid', staffText.list.unpaid, 'staffText.list.unpaid'],
	['Nama Konsumen', staffText.detail.name, 'staffText.detail.name'],
	['HP', staffText.detail.hp, 'staffText.detail.hp'],
	['Total', staffText.detail.total, 'staffText.detail.total'],
	['Qty Harga', staffText.detail.columns.slice(1).join(' '), 'staffText.detail.columns'],
	['Cetak', text.cetak, 'text.cetak'],
	['Resend', staffText.detail.resend, 'staffText.detail.resend'],
	['Cancel', staffText.detail.cancel, 'staffText.detail.cancel'],

	// the choice of the method
	['Bayar Tunai', paymentText.method.cash, 'paymentText.method.cash'],
	['Bayar Non Tunai', paymentText.method.nonCash, 'paymentText.method.nonCash'],
	['Kartu Debit BCA', paymentText.method.debit, 'paymentText.method.debit'],
	['Virtual Account', paymentText.method.va, 'paymentText.method.va'],
	['QRIS', paymentText.method.qris, 'paymentText.method.qris'],

	// cash
	['Ready', acceptorText.ready.status, 'acceptorText.ready'],
	['Reload Mesin', paymentText.cash.reload, 'paymentText.cash.reload'],
	['Waiting..', text.waiting, 'text.waiting'],
	['Terima N', paymentText.cash.terima('N' as never), 'paymentText.cash.terima'],
	['Total diterima', paymentText.cash.received, 'paymentText.cash.received'],
	['Total Invoice', paymentText.cash.totalInvoice, 'paymentText.cash.totalInvoice'],
	['Kurang Bayar', paymentText.cash.under, 'paymentText.cash.under'],
	['Lebih Bayar', paymentText.cash.over, 'paymentText.cash.over'],
	['Lunas', paymentText.paid.lunas, 'paymentText.paid.lunas'],

	// QRIS and virtual accounts
	['Pilih Virtual Account', nonCashText.banks.title, 'nonCashText.banks.title'],
	['Gunakan Mbanking anda, dan scan QR dibawah ini', nonCashText.qris.title, 'nonCashText.qris.title'],
	['Pilih Metode Pembayaran Lain', nonCashText.otherMethod, 'nonCashText.otherMethod'],
	['Bayar Sebelum', nonCashText.va.before, 'nonCashText.va.before'],
	['Kode Perusahaan', nonCashText.va.company, 'nonCashText.va.company'],
	['Nomor Virtual Account', nonCashText.va.number, 'nonCashText.va.number'],
	['Cara Pembayaran', nonCashText.va.steps, 'nonCashText.va.steps'],
	['Klik BCA, m-BCA', waysOf('bca'), 'BankGuide.channels.name'],
	['Internet Banking', waysOf('mandiri'), 'BankGuide.channels.name'],
	['iBank Personal, Mobile Banking', waysOf('bni'), 'BankGuide.channels.name'],

	// the card terminal
	['PETUNJUK PEMBAYARAN', edcText.title, 'edcText.title'],
	['Silahkan coba lagi', edcText.retry, 'edcText.retry'],
	['3x Percobaan gagal, harap hubungi customer service', edcText.givenUp, 'edcText.givenUp'],
	['Gagal, Mohonn tunggu, Sedang mencoba lagi', declineText.S2.retrying ?? '', 'declineText.retrying'],
	['Mesin EDC bermasalah, silahkan hubungi customer service', declineText.PT.cause, 'declineText.cause'],
	['Top up tidak tersedia, silahkan hubungi customer service', declineText.TN.cause, 'declineText.cause'],
	['Kode respons tidak dikenal', declineText.unknown.cause, 'declineText.cause'],

	// the invoice and the receipt
	['Pelanggan', text.invoice.pelanggan, 'text.invoice.pelanggan'],
	['No Invoice', text.invoice.noInvoice, 'text.invoice.noInvoice'],
	['Total Invoice', text.invoice.total, 'text.invoice.total'],
	['Status', text.invoice.status, 'text.invoice.status'],
	['Sudah dibayar', text.invoice.paid, 'text.invoice.paid'],
	['Belum dibayar', text.invoice.unpaid, 'text.invoice.unpaid'],
	['Lunas', receiptText.watermark, 'receiptText.watermark'],
	['Tanggal', receiptText.tanggal, 'receiptText.tanggal'],
	['AHASS', receiptText.ahass, 'receiptText.ahass'],
	['Nomor', receiptText.nomor, 'receiptText.nomor'],
	['Nama', receiptText.nama, 'receiptText.nama'],
	['Status', receiptText.status, 'receiptText.status'],
	['Metode Pembayaran', receiptText.metode, 'receiptText.metode'],
	['NOPOL', receiptText.nopol, 'receiptText.nopol'],
	['Untaxed Amount', receiptText.untaxed, 'receiptText.untaxed'],
	['Taxed', receiptText.taxed, 'receiptText.taxed'],
	['Total', receiptText.total, 'receiptText.total'],

	// errors
	['Kami sedang mengalami gangguan', text.gangguan, 'text.gangguan'],
	['Kami sedang alami gangguan', staffText.list.gangguan, 'staffText.list.gangguan'],
	['Resend berhasil!', staffText.detail.resent, 'staffText.detail.resent'],
	['Gagal: {message}', staffText.detail.resendRefused('{message}'), 'staffText.detail.resendRefused'],
	['Terjadi kesalahan saat mencoba mengirim permintaan.', staffText.detail.resendFailed, 'staffText.detail.resendFailed'],
	['Error reload bill acceptor', paymentText.cash.reloadFailed, 'paymentText.cash.reloadFailed'],
	['Unable to fetch Data', nonCashText.banks.failed, 'nonCashText.banks.failed'],
	['Unexpected Application Error!', text.crash.title, 'text.crash.title'],
];

function waysOf(bank: string): string {
	return vaGuide(bank)
		.channels.map(({ name }) => name)
		.join(', ');
}

const SOURCE = join(import.meta.dirname, '..');
const sources = globSync('{app,features,kiosk,components,state,lib}/**/*.{ts,tsx}', { cwd: SOURCE })
	.filter((file) => !/\.test\.|\/test-/.test(file))
	.map((file) => readFileSync(join(SOURCE, file), 'utf8'));

test.each(GIVEN)('[spec 8.18] the wording "%s" is the specification’s and is used by a screen', (said, written, at) => {
	expect(written).toBe(said);
	// A screen must use these keys; a text that no screen uses would prove nothing.
	const [module = '', ...keys] = at.split('.');
	const shows = (source: string) => source.includes(module) && keys.every((key) => new RegExp(`\\b${key}\\b`).test(source));
	expect(sources.filter(shows), at).not.toEqual([]);
});
