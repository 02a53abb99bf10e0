/**
 * Texts of the layout and the home screen, in Indonesian. The specification's wordings are kept
 * letter for letter.
 */
const indonesian = {
	gangguan: 'Kami sedang mengalami gangguan',
	kembali: 'Kembali',
	cetak: 'Cetak',
	waiting: 'Waiting..',
	tutup: 'Tutup',
	online: 'Online',
	offline: 'Offline',
	healthOk: 'Kiosk baik',
	healthLook: 'Kiosk perlu dilihat petugas',
	development: 'Development',

	callStaff: {
		button: 'Panggil staf',
		called: (time: string) => `Staf dipanggil ${time}`,
		phone: (number: string) => `Telp. ${number}`,
		failed: 'Panggilan gagal, coba lagi',
	},

	reference: (invoice: string) => `Nomor rujukan ${invoice}.`,

	boot: {
		title: 'Menyambung ke mesin…',
		hint: 'Mohon tunggu, kiosk sedang disiapkan.',
		slow: 'Kiosk masih belum siap. Uang yang sudah diterima tetap tercatat. Hubungi staf kami.',
	},

	setup: {
		title: 'Pengaturan kiosk salah',
		hint: 'Pengaturan lama tetap dipakai. Hubungi teknisi.',
		more: (count: number) => `dan ${count} lagi`,
	},
	/** The notice about changed settings that keep cash closed. */
	unconfirmed: {
		title: 'Pengaturan kiosk berubah',
		hint: 'Tunai ditutup sampai staf atau teknisi mengonfirmasi perubahan ini.',
		server: 'Server berubah. Tunai ditutup dan tidak ada yang dikirim sampai teknisi mengonfirmasi perubahan ini.',
		held: (count: number, amount: string) => `${count} pembayaran (${amount}) belum terkirim.`,
	},

	promo: { tagline: 'Bayar servis cepat, tanpa antre.', label: 'Promo' },

	attract: { touch: 'Sentuh untuk bayar' },

	ways: { title: 'Cara bayar', cash: 'Tunai', card: 'Kartu Debit BCA', qris: 'QRIS', va: 'Virtual Account' },

	guide: {
		label: 'Langkah pembayaran',
		steps: ['Masukkan nomor HP', 'Cek tagihan, pilih cara bayar', 'Bayar', 'Ambil struk'],
		done: 'selesai',
	},

	cashGuide: {
		label: 'Cara bayar tunai',
		steps: [
			'Tunggu Ready',
			'Masukkan uang Rupiah satu per satu',
			'Masukkan lebih dari nilai invoice sampai Lunas',
			'Ambil struk, tukar kembalian di kasir',
		],
		/**
		 * Follows the first step and says where a landscape panel shows the acceptor's status. A
		 * portrait panel hides it.
		 */
		readyPlace: 'di kiri atas',
		notes: 'Pecahan diterima',
	},

	transferGuide: {
		label: 'Cara bayar non tunai',
		qris: ['Buka Mbanking atau e-wallet', 'Scan kode QR di layar ini', 'Periksa jumlah, lalu bayar', 'Tunggu Lunas, ambil struk'],
		va: ['Pilih bank Anda', 'Bayar ke nomor VA', 'Tunggu Lunas di layar ini', 'Ambil struk'],
	},

	paidTwice: (amount: string) => `Invoice ini terbayar lebih dari sekali. Hubungi kasir untuk pengembalian ${amount}.`,

	note: {
		returned: 'Uang dikembalikan, ambil uang Anda.',
		inDoubt: (amount: string, reference: string) => `Uang ${amount} belum pasti, hubungi staf. Nomor rujukan ${reference}.`,
	},

	home: {
		title: 'Masukan nomor HP anda',
		hint: 'Nomor yang didaftarkan saat servis',
		clear: 'Hapus semua',
		backspace: 'Hapus satu angka',
		confirm: 'Lanjut',
		keypad: 'Papan angka',
	},

	language: 'Bahasa',

	/** The dialog with the display aids. */
	aids: {
		title: 'Bantuan tampilan',
		hint: 'Berlaku sampai Anda selesai.',
		largeText: 'Teks besar',
		contrast: 'Kontras tinggi',
		lowReach: 'Posisi rendah',
		volume: { normal: 'Suara panduan: biasa', loud: 'Suara panduan: keras', off: 'Suara panduan: mati' },
		close: 'Tutup',
	},

	invoice: {
		title: 'Invoice',
		pelanggan: 'Pelanggan',
		noInvoice: 'No Invoice',
		total: 'Total Invoice',
		status: 'Status',
		paid: 'Sudah dibayar',
		unpaid: 'Belum dibayar',
		empty: 'Tagihan Anda akan tampil di sini',
		details: 'Lihat rincian',
		detailsOf: (number: string) => `Rincian ${number}`.trim(),
		more: (count: number) => `dan ${count} baris lagi`,
		close: 'Tutup rincian',
		before: 'Sebelumnya',
		next: 'Berikutnya',
		page: (page: number, pages: number) => `Bagian ${page} dari ${pages}`,
	},

	idle: {
		title: 'Masih di sana?',
		body: 'Layar akan kembali ke awal dalam',
		seconds: (_left: number) => 'detik',
		stay: 'Lanjutkan',
		leave: 'Selesai',
	},

	crash: {
		title: 'Unexpected Application Error!',
		body: 'Layar mengalami gangguan. Uang yang sudah diterima tetap tercatat. Ulangi dengan nomor Anda, atau hubungi staf.',
		reference: (code: string, invoice: string) => `Nomor rujukan ${[code, invoice].filter((part) => part !== '').join(' · ')}`,
		restart: 'Mulai ulang',
		auto: (seconds: number) => `Layar dimulai ulang dalam ${seconds} detik`,
	},
};

export let text = indonesian;
export type ScreenTexts = typeof indonesian;

/** Replaces these texts by those of another language; only `catalogue.ts` calls it. */
export function setScreenText(texts: ScreenTexts): void {
	text = texts;
}
