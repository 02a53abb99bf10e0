/** The daemon's own sentences for customers. All other wording is the screen's. */
export const customerText = {
	tooManyLookups: (seconds: number): string => `Terlalu banyak percobaan. Coba lagi dalam ${seconds} detik.`,
	tooManyPins: (seconds: number): string => `Terlalu banyak PIN yang salah. PIN dapat dicoba lagi dalam ${seconds} detik.`,
	paidByCard: 'Invoice ini sedang dibayar dengan kartu. Jangan bayar lagi, hubungi staf.',
	/** Names of payment methods on a receipt if the back office sends none. */
	method: {
		cash: 'Tunai',
		card: 'Kartu Debit BCA',
		qris: 'QRIS',
		va: (bank: string): string => `Virtual Account ${BANKS[bank] ?? bank.toUpperCase()}`.trim(),
		other: '-',
	},
	dispute: 'Pembayaran invoice ini perlu diperiksa. Jangan bayar lagi, hubungi kasir.',
	noInvoice: 'Invoice tidak dapat dibaca. Kembali ke awal dan masukkan nomor lagi.',
	cashNotTold: 'Pembayaran tunai belum tersedia. Pilih cara bayar lain atau hubungi kasir.',
	superseded: 'Pembayaran lain sedang dibuka. Coba lagi.',
	notLoggedIn: 'Kios belum masuk ke akun outlet. Hubungi kasir.',
	/** For staff, about changed settings. */
	technicianConfirms: 'Alamat server berubah. Perubahan ini hanya dapat dikonfirmasi oleh teknisi.',
	otherSettings: 'Pengaturan kiosk berubah lagi. Periksa daftar yang baru, lalu konfirmasi sekali lagi.',
	/** At log-in, before another account takes over. */
	moneyWaits: (count: number, amount: string): string =>
		`${count} uang tunai (${amount}) milik akun lain belum terkirim dan menunggu sampai akun itu masuk lagi. Tekan Submit sekali lagi untuk tetap masuk.`,
};

const BANKS: Record<string, string> = { bca: 'BCA', mandiri: 'Mandiri', bni: 'BNI' };
