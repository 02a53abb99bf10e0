import { rupiah } from '@kiosk/contract/money';
import { type Receipt, splitVat } from '@kiosk/contract/receipt';

/** The customer paid Rp 150.000, so the change is Rp 12.500. */
export const RECEIPT: Receipt = {
	logo: '',
	ahass: 'AHASS 01234 Bengkel Maju Motor',
	tanggal: '21-11-2026 14:32',
	nomor: 'INV/2026/11/0042',
	nama: 'Budi Santoso',
	nopol: 'B 1234 XYZ',
	is_paid: true,
	metode: 'Tunai',
	lines: [
		{ name: 'Servis ringan', qty: 1, price: rupiah(75_000), subtotal: rupiah(75_000) },
		{ name: 'Oli mesin MPX2 0,8 L', qty: 1, price: rupiah(52_500), subtotal: rupiah(52_500) },
		{ name: 'Ring gasket', qty: 2, price: rupiah(5_000), subtotal: rupiah(10_000) },
	],
	...splitVat(rupiah(137_500)),
	total: rupiah(137_500),
	received: rupiah(150_000),
};

/** A receipt with the required fields only. */
export const BARE_RECEIPT: Receipt = {
	logo: '',
	ahass: 'AHASS',
	tanggal: '',
	nomor: '1',
	nama: '',
	nopol: '',
	is_paid: true,
	metode: 'Tunai',
	lines: [],
	untaxed: rupiah(0),
	taxed: rupiah(0),
	total: rupiah(0),
	received: null,
};
