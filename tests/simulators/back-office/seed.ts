import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Invoice, METHODS, newInvoice, openPayment, type ProductLine } from './invoice.ts';
import { qrisPayload } from './qris.ts';
import { jakartaIso } from './time.ts';

const HOUR_MS = 3_600_000;

const line = (produk_name: string, qty: number, harga: number): ProductLine => ({ produk_name, qty, harga });

/** A logo as a data URL, so that no other request is necessary. */
const LOGO = `data:image/png;base64,${readFileSync(join(import.meta.dirname, 'logo.png'), 'base64')}`;

interface Sample {
	hp: string;
	name: string;
	nopol: string;
	/** Description on the control panel. */
	shows: string;
	blocks: ProductLine[][];
	prepare?: (invoice: Invoice, now: Date, origin: string) => void;
}

const SMALL_SERVICE = [line('Servis ringan', 1, 75_000), line('Oli mesin 0,8 L', 1, 52_500), line('Ring gasket', 2, 5_000)];
const LARGE_REPAIR = [
	line('Turun mesin', 1, 850_000),
	line('Piston kit 0,25', 1, 485_000),
	line('Rantai kamprat', 1, 215_000),
	line('Kampas kopling set', 1, 320_000),
	line('Blok silinder', 1, 1_450_000),
	line('Oli mesin 1,0 L', 2, 65_000),
];
const LONG_NAMES = [
	'Servis lengkap injeksi termasuk pembersihan throttle body dan penyetelan katup',
	'Kampas rem depan asli (sepasang) untuk varian ABS tahun 2023 ke atas',
	'Filter udara tipe kertas basah',
	'Busi iridium',
	'Oli gardan 120 ml',
	'Cairan pendingin radiator 1 L siap pakai',
	'V-belt drive set dengan roller dan slide piece',
	'Ban luar tubeless 90/80-14 belakang',
];

const inHours = (now: Date, hours: number): string => jakartaIso(new Date(now.getTime() + hours * HOUR_MS));

const openVa =
	(bank: string, no_va: string, company_code = '') =>
	(invoice: Invoice, now: Date) =>
		openPayment(invoice, 'va', { expiry_time: inHours(now, 24), no_va, bank, company_code });

/** Sample invoices, one phone number for each state. The invoices get ids in this order, from 1. */
export const SAMPLES: readonly Sample[] = [
	{ hp: '081234567890', name: 'Budi Santoso', nopol: 'B 1234 XYZ', shows: 'unpaid, Rp 137.500', blocks: [SMALL_SERVICE] },
	{
		hp: '081200000001',
		name: 'Siti Rahmawati',
		nopol: 'B 4411 KLM',
		shows: 'already paid',
		blocks: [[line('Servis lengkap', 1, 185_000), line('Kampas rem belakang', 1, 65_000)]],
		prepare: (invoice) => Object.assign(invoice, { is_paid: true }, METHODS.qris),
	},
	{
		hp: '081200000002',
		name: 'Agus Wijaya',
		nopol: 'D 5821 AB',
		shows: 'partly paid in cash, Rp 50.000 of 185.000',
		blocks: [[line('Servis lengkap', 1, 185_000)]],
		prepare: (invoice, now) => {
			invoice.list_pembayaran = [{ nominal: 50_000, tanggal: inHours(now, -1) }];
			Object.assign(invoice, METHODS.cash);
		},
	},
	{
		hp: '081200000003',
		name: 'Dewi Lestari',
		nopol: 'F 2290 PQ',
		shows: 'a QRIS code is open',
		blocks: [[line('Ganti ban belakang', 1, 35_000), line('Ban tubeless 90/90-14', 1, 275_000)]],
		prepare: (invoice, now) =>
			openPayment(invoice, 'qris', { expiry_time: inHours(now, 0.5), qr_url: qrisPayload(invoice.total, `KIOS-${invoice.id}`) }),
	},
	{
		hp: '081200000004',
		name: 'Rudi Hartono',
		nopol: 'B 6677 TVC',
		shows: 'a BCA virtual account is in use',
		blocks: [LARGE_REPAIR],
		prepare: openVa('bca', '3910700000000004'),
	},
	{
		hp: '081200000005',
		name: 'Maria Simanjuntak',
		nopol: 'BK 3108 AX',
		shows: 'Rp 3.450.000: virtual account instead of QRIS',
		blocks: [LARGE_REPAIR],
	},
	{
		hp: '081200000006',
		name: 'PT Antar Cepat Nusantara',
		nopol: 'B 9001 UJK',
		shows: 'hutang_lain, virtual account',
		blocks: [[line('Servis armada bulan Oktober', 12, 245_000)]],
		prepare: (invoice) => {
			invoice.transaction_type = 'hutang_lain';
		},
	},
	{
		hp: '081200000007',
		name: 'Raden Mas Soerjodiningrat Kusumawardhana Prawirodirdjo',
		nopol: 'AB 4507 QWE',
		shows: 'very long: 5 invoices, 40 lines, long names',
		blocks: [1, 2, 3, 4, 5].map((block) => LONG_NAMES.map((name, at) => line(name, (at % 3) + 1, 7_500 * (at + block)))),
	},
	{ hp: '081200000008', name: 'Joko Susilo', nopol: 'AG 2045 VR', shows: 'only Rp 5.000', blocks: [[line('Tambal ban', 1, 5_000)]] },
	{
		hp: '081200000009',
		name: 'Nur Hidayah',
		nopol: 'L 3390 GH',
		shows: 'a Mandiri virtual account is in use',
		blocks: [LARGE_REPAIR],
		prepare: openVa('mandiri', '88608000000000009', '88608'),
	},
	{
		hp: '081200000010',
		name: 'Kadek Ayu Pratiwi',
		nopol: 'DK 7712 FA',
		shows: 'a BNI virtual account is in use',
		blocks: [LARGE_REPAIR],
		prepare: openVa('bni', '9880000000000010'),
	},
	{
		hp: '081200000011',
		name: 'Hendra Gunawan',
		nopol: 'B 3320 NMO',
		shows: 'the QRIS code is an http address of a picture',
		blocks: [[line('Cuci motor', 1, 25_000)]],
		prepare: (invoice, now, origin) =>
			openPayment(invoice, 'qris', { expiry_time: inHours(now, 0.5), qr_url: `${origin}/static/qris/${invoice.id}.svg` }),
	},
	{
		hp: '081200000012',
		name: 'Putri Wulandari',
		nopol: 'H 6081 BD',
		shows: 'the QRIS code has expired',
		blocks: [[line('Aki kering', 1, 265_000)]],
		prepare: (invoice, now) =>
			openPayment(invoice, 'qris', { expiry_time: inHours(now, -2), qr_url: qrisPayload(invoice.total, `KIOS-${invoice.id}`) }),
	},
	{
		hp: '081200000013',
		name: 'Ahmad Fauzi',
		nopol: 'BE 2217 CK',
		shows: 'the answer has the dealer’s own logo',
		blocks: [SMALL_SERVICE],
		prepare: (invoice) => {
			invoice.logo = LOGO;
		},
	},
];

const NAMES = [
	'Andi Saputra',
	'Rina Marlina',
	'Bambang Setiawan',
	'Yulianti',
	'Eko Prasetyo',
	'Fitri Handayani',
	'Gilang Ramadhan',
	'Indah Permata',
];
const PAST_TRANSACTIONS = 37;

/**
 * @param origin origin of this server, for addresses of pictures
 * @returns the samples and 37 older transactions, so that the list has several pages
 */
export function seedInvoices(now: Date, origin: string): Invoice[] {
	const samples = SAMPLES.map((sample, index) => {
		const id = index + 1;
		// The numbers start with 42, the number in the pictures of the documentation.
		const number = 42 + index;
		const work = 417 + index * 10;
		const invoice = newInvoice({
			...sample,
			id,
			noinvoice: invoiceNumber(number),
			blocks: sample.blocks.map((lines, block) => ({
				noinvoice: sample.blocks.length === 1 ? invoiceNumber(number) : `${invoiceNumber(number)}-${block + 1}`,
				nowo: `WO/2026/11/${String(work + block).padStart(4, '0')}`,
				lines,
			})),
			at: new Date(now.getTime() - (index + 1) * 10 * 60_000),
		});
		sample.prepare?.(invoice, now, origin);
		return invoice;
	});
	return [...samples, ...Array.from({ length: PAST_TRANSACTIONS }, (_, index) => pastTransaction(index, now))];
}

export const invoiceNumber = (number: number): string => `INV/2026/11/${String(number).padStart(4, '0')}`;

function pastTransaction(index: number, now: Date): Invoice {
	const method = (['cash', 'qris', 'card', 'va'] as const)[index % 4] ?? 'cash';
	const number = 900 + index;
	const invoice = newInvoice({
		id: 101 + index,
		name: NAMES[index % NAMES.length] ?? '',
		hp: `0857${String(10_000_000 + index * 137)}`,
		nopol: `B ${2_000 + index * 31} ${'ABCDEFGH'[index % 8]}${'RSTUVW'[index % 6]}`,
		noinvoice: invoiceNumber(number),
		blocks: [
			{
				noinvoice: invoiceNumber(number),
				nowo: `WO/2026/11/${2_000 + index}`,
				lines: [line('Servis ringan', 1, 75_000), line('Oli mesin 0,8 L', 1, 52_500 + (index % 5) * 2_500)],
			},
		],
		at: new Date(now.getTime() - (index + 6) * 3 * HOUR_MS),
	});
	const isPaid = index % 6 !== 5;
	if (isPaid) Object.assign(invoice, { is_paid: true }, METHODS[method]);
	return invoice;
}
