/** Texts for staff: log-in, PIN, list of transactions and the 404 page. */
export const staffText = {
	notFound: { title: 'Halaman tidak ditemukan', body: 'Alamat yang dibuka tidak ada di kiosk ini.' },

	login: {
		title: 'Masuk ke kiosk',
		hint: 'Gunakan akun outlet bengkel ini.',
		username: 'Username',
		password: 'Password',
		show: 'Lihat',
		hide: 'Sembunyikan',
		submit: 'Submit',
		usernameEmpty: 'Username wajib diisi',
		passwordEmpty: 'Password wajib diisi',
		refused: 'wrong username or password',
	},

	keyboard: {
		label: 'Papan ketik',
		shift: 'Huruf besar',
		backspace: 'Hapus satu huruf',
		symbols: '#+=',
		letters: 'abc',
		space: 'spasi',
	},

	pin: {
		title: 'Masukan PIN',
		hint: 'Daftar transaksi hanya untuk staf bengkel.',
		empty: 'PIN wajib diisi',
		checking: 'Memeriksa PIN…',
		submit: 'Submit',
		locked: 'Terlalu banyak PIN yang salah',
		lockedHint: 'PIN dapat dicoba lagi dalam',
	},

	logOut: {
		button: 'Keluar akun',
		title: 'Keluarkan akun outlet?',
		body: 'Pelanggan tidak dapat membayar di kiosk ini sampai staf masuk lagi dengan akun outlet.',
		go: 'Ya, keluar',
		stay: 'Batal',
	},

	settings: {
		button: 'Pengaturan berubah',
		title: 'Pengaturan kiosk berubah',
		body: 'Tunai ditutup. Konfirmasi hanya bila pemilik atau teknisi memang mengubah pengaturan ini:',
		go: 'Ya, konfirmasi',
		stay: 'Batal',
	},

	list: {
		/** Also used for the PIN; elsewhere the specification writes "mengalami". */
		gangguan: 'Kami sedang alami gangguan',
		title: 'Daftar transaksi',
		search: 'Cari transaksi',
		searchHint: 'HP, NOPOL, nama',
		clear: 'Hapus pencarian',
		columns: ['#', 'HP', 'NOPOL', 'Konsumen Name', 'Tanggal', 'IS Paid', 'Total', 'Action'],
		paid: 'Paid',
		unpaid: 'UnPaid',
		detail: 'Detail',
		loading: 'Memuat transaksi…',
		none: 'Belum ada transaksi.',
		noneFound: (search: string) => `Tidak ada transaksi yang cocok dengan “${search}”.`,
		failed: 'Daftar transaksi belum bisa dimuat',
		failedHint: 'Coba lagi sebentar lagi. Bila tetap gagal, periksa sambungan internet kiosk.',
		again: 'Coba lagi',
		pages: 'Halaman',
		page: (page: number) => `Halaman ${page}`,
		first: 'Halaman pertama',
		last: 'Halaman terakhir',
	},

	detail: {
		title: 'Detail transaksi',
		name: 'Nama Konsumen',
		hp: 'HP',
		total: 'Total',
		columns: ['Produk', 'Qty', 'Harga'],
		noLines: 'Transaksi ini tidak memiliki rincian.',
		resend: 'Resend',
		cancel: 'Cancel',
		printFailedHint: 'Periksa printer, lalu tekan Cetak lagi.',
		unpaidHint: 'Belum dibayar: Cetak dan Resend tersedia setelah lunas.',
		resending: 'Mengirim ulang…',
		resent: 'Resend berhasil!',
		resendRefused: (message: string) => `Gagal: ${message}`,
		resendFailed: 'Terjadi kesalahan saat mencoba mengirim permintaan.',
	},
} as const;
