import { CLOCK_DOUBT, CODE, COPY, EXCHANGE } from '@kiosk/contract/receipt';

/**
 * Words on a receipt. Printouts stay Indonesian whatever the language of the screen, because
 * cashier, staff and owner read them, too.
 */
export const receiptText = {
	watermark: 'Lunas',
	brand: 'Struk Pembayaran',
	tanggal: 'Tanggal',
	ahass: 'AHASS',
	nomor: 'Nomor',
	nama: 'Nama',
	status: 'Status',
	paid: 'Sudah dibayar',
	unpaid: 'Belum dibayar',
	metode: 'Metode Pembayaran',
	nopol: 'NOPOL',
	untaxed: 'Untaxed Amount',
	taxed: 'Taxed',
	total: 'Total',
	received: 'Total diterima',
	over: 'Lebih Bayar',
	exchange: EXCHANGE.original,
	exchangeCopy: EXCHANGE.copy,
	copy: COPY,
	clockDoubt: CLOCK_DOUBT,
	code: CODE,
} as const;
