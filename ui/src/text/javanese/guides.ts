import type { GuideTexts } from '../va-guides.ts';

/** The names of menus are not translated, because customers see them as the banks write them. */
export const guides: GuideTexts = {
	banks: {
		bca: {
			name: 'BCA',
			channels: [
				{
					name: 'Klik BCA',
					steps: [
						'Mlebet dhateng KlikBCA mawi User ID lan PIN panjenengan',
						'Pilih Transfer Dana, lajeng Transfer ke BCA Virtual Account',
						'Ketik nomer Virtual Account, lajeng pilih Lanjutkan',
						'Priksani asma lan gunggungipun, lajeng pilih Lanjutkan',
						'Lebetaken respon KeyBCA Appli 1, lajeng pilih Kirim',
					],
				},
				{
					name: 'm-BCA',
					steps: [
						'Bikak BCA mobile, lajeng pilih m-BCA',
						'Pilih m-Transfer, lajeng BCA Virtual Account',
						'Ketik nomer Virtual Account, lajeng pilih Send',
						'Priksani asma lan gunggungipun, lajeng pilih OK',
						'Lebetaken PIN m-BCA panjenengan',
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
						'Mlebet dhateng Internet Banking Mandiri',
						'Pilih Bayar, lajeng Multi Payment',
						'Pilih penyedia jasa mawi Kode Perusahaan ing nginggil',
						'Ketik nomer Virtual Account, lajeng pilih Lanjutkan',
						'Priksani asma lan gunggungipun, lajeng pesthekaken mawi token',
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
						'Mlebet dhateng ibank.bni.co.id',
						'Pilih Transfer, lajeng Virtual Account Billing',
						'Ketik nomer Virtual Account lan pilih rekening panjenengan',
						'Priksani asma lan gunggung tagihan',
						'Lebetaken kode token, lajeng pilih Proses',
					],
				},
				{
					name: 'Mobile Banking',
					steps: [
						'Mlebet dhateng BNI Mobile Banking',
						'Pilih Transfer, lajeng Virtual Account Billing',
						'Pilih rekening panjenengan, lajeng ketik nomer Virtual Account',
						'Priksani asma lan gunggung tagihan',
						'Lebetaken Password Transaksi panjenengan',
					],
				},
			],
		},
	},
	anyBank: {
		name: '',
		channels: [
			{
				name: 'Mobile Banking utawi ATM',
				steps: [
					'Bikak aplikasi bank panjenengan, utawi dhateng ATM',
					'Pilih Transfer utawi Bayar, lajeng Virtual Account',
					'Ketik nomer Virtual Account',
					'Priksani asma lan gunggung tagihan',
					'Lebetaken PIN panjenengan',
				],
			},
		],
	},
};
