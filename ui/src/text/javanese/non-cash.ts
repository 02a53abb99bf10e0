import type { NonCashTexts } from '../non-cash.ts';

export const nonCash: NonCashTexts = {
	otherMethod: 'Pilih cara mbayar sanes',
	again: 'Cobi malih',
	waiting: 'Ngentosi pambayaran…',
	offline: 'Sambungan pedhot. Pambayaran panjenengan saweg dipunpriksa, mangga dipunentosi wonten layar punika.',

	banks: {
		title: 'Pilih Virtual Account',
		loading: 'Madosi daftar bank…',
		failed: 'Daftar bank dereng saged dipunpundhut',
		failedHint: 'Dereng wonten pambayaran ingkang dipundamel. Cobi malih, utawi pilih cara mbayar sanes.',
		none: 'Dereng wonten bank ingkang cumawis',
		noneHint: 'Dereng wonten pambayaran ingkang dipundamel. Cobi malih, utawi pilih cara mbayar sanes.',
	},

	qris: {
		method: 'QRIS',
		title: 'Bikak Mbanking panjenengan, lajeng scan QR ing ngandhap punika',
		picture: 'Kode QR pambayaran',
		preparing: 'Kode QR saweg dipuncawisaken…',
		preparingHint: 'Menawi kedangon, damel kode enggal.',
		expired: 'Kode QR sampun kedaluwarsa',
		expiredHint: 'Menawi panjenengan sampun mbayar, entosi wonten layar punika. Pambayaran tetep dipunpriksa.',
		broken: 'Gambar QR mboten saged katingal',
		brokenHint: 'Dereng wonten ingkang kabayar saking layar punika. Pundhut gambar sepisan malih.',
		renew: 'Damel kode enggal',
	},

	va: {
		title: 'Virtual Account',
		method: (bank) => `Virtual Account ${bank}`.trim(),
		total: 'Gunggung',
		before: 'Bayar saderengipun',
		bank: 'Bank',
		company: 'Kode Perusahaan',
		number: 'Nomer Virtual Account',
		steps: 'Cara mbayar',
		expired: 'Wekdalipun sampun telas',
		expiredHint: 'Mboten sah mbayar dhateng nomer punika malih. Menawi sampun mbayar, entosi wonten layar punika.',
		renew: 'Damel nomer enggal',
		leave: 'Rampung',
		slip: {
			print: 'Cithak nomer VA',
			printing: 'Nomer nembe dipuncithak…',
			done: 'Mangga pundhut kertasipun.',
			failed: 'Mboten saged dipuncithak, mangga dipunserat nomer ing nginggil.',
		},
	},
};
