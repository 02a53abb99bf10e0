/**
 * The steps to pay a virtual account, by bank. If a bank changes its menus, change this file and
 * its translations.
 */

type Channel = { name: string; steps: readonly string[] };
export type BankGuide = { name: string; channels: readonly [Channel, ...Channel[]] };

/** By the bank's `script_kode`. */
const banks: Record<'bca' | 'mandiri' | 'bni', BankGuide> = {
	bca: {
		name: 'BCA',
		channels: [
			{
				name: 'Klik BCA',
				steps: [
					'Masuk ke KlikBCA dengan User ID dan PIN Anda',
					'Pilih Transfer Dana, lalu Transfer ke BCA Virtual Account',
					'Ketik Nomor Virtual Account, lalu pilih Lanjutkan',
					'Periksa nama dan jumlah, lalu pilih Lanjutkan',
					'Masukkan respon KeyBCA Appli 1, lalu pilih Kirim',
				],
			},
			{
				name: 'm-BCA',
				steps: [
					'Buka BCA mobile, lalu pilih m-BCA',
					'Pilih m-Transfer, lalu BCA Virtual Account',
					'Ketik Nomor Virtual Account, lalu pilih Send',
					'Periksa nama dan jumlah, lalu pilih OK',
					'Masukkan PIN m-BCA Anda',
				],
			},
		],
	},
	mandiri: {
		name: 'Mandiri',
		channels: [
			{
				name: 'Internet Banking',
				steps: [
					'Masuk ke Internet Banking Mandiri',
					'Pilih Bayar, lalu Multi Payment',
					'Pilih penyedia jasa dengan Kode Perusahaan di atas',
					'Ketik Nomor Virtual Account, lalu pilih Lanjutkan',
					'Periksa nama dan jumlah, lalu konfirmasi dengan token',
				],
			},
		],
	},
	bni: {
		name: 'BNI',
		channels: [
			{
				name: 'iBank Personal',
				steps: [
					'Masuk ke ibank.bni.co.id',
					'Pilih Transfer, lalu Virtual Account Billing',
					'Ketik Nomor Virtual Account dan pilih rekening Anda',
					'Periksa nama dan jumlah tagihan',
					'Masukkan kode token, lalu pilih Proses',
				],
			},
			{
				name: 'Mobile Banking',
				steps: [
					'Masuk ke BNI Mobile Banking',
					'Pilih Transfer, lalu Virtual Account Billing',
					'Pilih rekening Anda, lalu ketik Nomor Virtual Account',
					'Periksa nama dan jumlah tagihan',
					'Masukkan Password Transaksi Anda',
				],
			},
		],
	},
};

const anyBank: BankGuide = {
	name: '',
	channels: [
		{
			name: 'Mobile Banking atau ATM',
			steps: [
				'Buka aplikasi bank Anda, atau datang ke ATM',
				'Pilih Transfer atau Bayar, lalu Virtual Account',
				'Ketik Nomor Virtual Account',
				'Periksa nama dan jumlah tagihan',
				'Masukkan PIN Anda',
			],
		},
	],
};

export type GuideTexts = { banks: typeof banks; anyBank: BankGuide };

export let guideTexts: GuideTexts = { banks, anyBank };

/** Replaces these texts by those of another language; only `catalogue.ts` calls it. */
export function setGuides(texts: GuideTexts): void {
	guideTexts = texts;
}

const guideOf = (bank: string): BankGuide | undefined => (guideTexts.banks as Record<string, BankGuide>)[bank];

/**
 * @param bank the bank's `script_kode` in lower case
 * @returns the bank's steps; for a bank without a guide, general steps
 */
export const vaGuide = (bank: string): BankGuide => guideOf(bank) ?? guideTexts.anyBank;

/** @returns the bank's name as people usually write it */
export const bankName = (bank: string): string => guideOf(bank)?.name ?? bank.toUpperCase();
