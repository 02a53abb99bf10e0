/** Texts of the QRIS and virtual account screens. */
const indonesian = {
	otherMethod: 'Pilih Metode Pembayaran Lain',
	again: 'Coba lagi',
	waiting: 'Menunggu pembayaran…',
	offline: 'Sambungan terputus. Pembayaran Anda sedang diperiksa, tunggu di layar ini.',

	banks: {
		title: 'Pilih Virtual Account',
		loading: 'Memuat daftar bank…',
		failed: 'Unable to fetch Data',
		failedHint: 'Belum ada pembayaran yang dibuat. Coba lagi, atau pilih cara bayar lain.',
		none: 'Belum ada bank yang tersedia',
		noneHint: 'Belum ada pembayaran yang dibuat. Coba lagi, atau pilih cara bayar lain.',
	},

	qris: {
		method: 'QRIS',
		title: 'Gunakan Mbanking anda, dan scan QR dibawah ini',
		picture: 'Kode QR pembayaran',
		preparing: 'Kode QR sedang disiapkan…',
		preparingHint: 'Jika terlalu lama, buat kode baru.',
		expired: 'Kode QR sudah kedaluwarsa',
		expiredHint: 'Jika Anda sudah membayar, tunggu di layar ini. Pembayaran tetap diperiksa.',
		broken: 'Gambar QR tidak dapat dimuat',
		brokenHint: 'Belum ada yang dibayar dari layar ini. Muat gambar sekali lagi.',
		renew: 'Buat kode baru',
	},

	va: {
		title: 'Virtual Account',
		method: (bank: string) => `Virtual Account ${bank}`.trim(),
		total: 'Total',
		before: 'Bayar Sebelum',
		bank: 'Bank',
		company: 'Kode Perusahaan',
		number: 'Nomor Virtual Account',
		steps: 'Cara Pembayaran',
		expired: 'Batas waktu sudah lewat',
		expiredHint: 'Jangan membayar ke nomor ini lagi. Jika Anda sudah membayar, tunggu di layar ini.',
		renew: 'Buat nomor baru',
		leave: 'Selesai',
		slip: {
			print: 'Cetak nomor VA',
			printing: 'Nomor sedang dicetak…',
			done: 'Silakan ambil kertasnya.',
			failed: 'Gagal dicetak, catat nomor di atas.',
		},
	},
};

export let nonCashText = indonesian;
export type NonCashTexts = typeof indonesian;

/** Replaces these texts by those of another language; only `catalogue.ts` calls it. */
export function setNonCashText(texts: NonCashTexts): void {
	nonCashText = texts;
}
