/**
 * Indonesian texts that the daemon sends to the screen. The screen's own texts are in ui/src/text.
 */
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
	restarting: 'Kiosk akan dimulai ulang sebentar lagi. Belum ada yang dibayar; coba lagi beberapa menit lagi atau bayar di kasir.',
	superseded: 'Pembayaran lain sedang dibuka. Coba lagi.',
	notLoggedIn: 'Kios belum masuk ke akun outlet. Hubungi kasir.',
	/** For staff who confirm changed settings. */
	technicianConfirms: 'Alamat server berubah. Perubahan ini hanya dapat dikonfirmasi oleh teknisi.',
	otherSettings: 'Pengaturan kiosk berubah lagi. Periksa daftar yang baru, lalu konfirmasi sekali lagi.',
	/** For staff whose action on the staff screen was refused and changed nothing. */
	staff: {
		names_lost: 'Daftar nama rusak. Hubungi teknisi: kioskctl staff clear.',
		unknown_name: 'Pilih nama dari daftar.',
		known_name: 'Nama ini sudah ada di daftar.',
		last_supervisor: 'Ini supervisor terakhir. Tambahkan supervisor lain dulu.',
		need_supervisor: 'Perlu persetujuan supervisor.',
		need_code: 'Ketik kode pribadi dulu.',
		no_code: 'Nama ini belum punya kode. Minta supervisor membuatkannya.',
		wrong_code: 'Kode salah. Coba lagi.',
		too_many_codes: 'Terlalu banyak kode yang salah. Tunggu sebentar, lalu coba lagi.',
		too_many_names: 'Daftar nama penuh. Hapus nama yang tidak dipakai.',
		journal_closed: 'Catatan uang kiosk belum dapat dibaca. Coba lagi, lalu hubungi teknisi.',
		names_not_kept: 'Nama belum dapat disimpan. Coba lagi, lalu hubungi teknisi.',
		no_such_period: 'Tidak ada isi kotak yang perlu dihitung.',
		busy: 'Pelanggan sedang membayar tunai. Tunggu sampai selesai.',
		changed: 'Ada uang masuk setelah hitungan terakhir. Hitung sekali lagi.',
		not_written: 'Hitungan belum dapat disimpan. Coba lagi, lalu hubungi teknisi.',
		other_notes: 'Isi jumlah lembar untuk setiap pecahan.',
		too_often: 'Kotak sudah terlalu sering dihitung. Simpan hitungan terakhir.',
		not_counted: 'Kotak belum dihitung.',
		other_count: 'Ada hitungan lain yang lebih baru. Periksa hasilnya, lalu simpan lagi.',
		not_open: 'Kasus ini sudah selesai atau masih bergerak. Muat ulang daftar.',
		two_names: 'Jumlah ini memerlukan dua nama yang berbeda.',
		need_nominal: 'Pilih pecahan uang kertas ini.',
		other_decision: 'Keputusan ini tidak berlaku untuk kasus ini.',
		other_amount: 'Mesin EDC mendebet jumlah lain. Batalkan transaksi itu di mesin EDC, lalu pilih Kartu tidak didebet.',
		rehearsing: 'Uji lain sedang berjalan. Selesaikan atau hentikan dulu.',
		no_rehearsal: 'Uji ini tidak ada.',
		no_device: 'Perangkat untuk uji ini tidak dipasang.',
		no_key: 'Kunci kiosk belum dapat dibaca, jadi hasil uji tidak dapat ditandatangani. Hubungi teknisi.',
		not_asked: 'Tidak ada pertanyaan sekarang. Ikuti langkah di layar.',
		cannot_check: 'Catatan kiosk tidak dapat dibaca, jadi struk belum dapat diperiksa. Hubungi teknisi.',
	},
	/** For staff: the name of a cashbox count in the list of open cases. */
	boxPeriod: (number: number): string => `Kotak uang, periode ${number}`,
	/** For staff, in an open case: the device's report about the money. */
	heard: {
		silent: 'Mesin uang tidak menyebut apa yang terjadi dengan uang ini.',
		otherCameBack: 'Ada uang yang keluar lagi, mungkin bukan yang ini.',
		stackedLater: 'Kemudian mesin uang menyebut satu uang masuk kotak.',
		kioskStopped: 'Kiosk mati saat uang ini bergerak.',
		lineLost: 'Kabel mesin uang terputus saat uang ini bergerak.',
		fault: 'Mesin uang bermasalah saat uang ini bergerak.',
		noteUnknown: 'Mesin uang tidak memberi kepastian tentang uang ini.',
		terminalAnswered: (code: string): string => `Mesin EDC menjawab dengan kode ${code}.`,
		terminalVoided: 'Mesin EDC menjawab bahwa transaksi ini sudah dibatalkan.',
		terminalSilent: 'Mesin EDC tidak menjawab.',
		otherAmount: 'Mesin EDC menyetujui jumlah lain.',
		saleUnknown: 'Mesin EDC tidak memberi kepastian.',
	},
	/** At log-in, if another outlet account still has unsent payments. */
	moneyWaits: (count: number, amount: string): string =>
		`${count} pembayaran (${amount}) milik akun lain belum terkirim dan menunggu sampai akun itu masuk lagi. Tekan Submit sekali lagi untuk tetap masuk.`,
};

const BANKS: Record<string, string> = { bca: 'BCA', mandiri: 'Mandiri', bni: 'BNI' };
