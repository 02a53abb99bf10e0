/** Texts of the payment screens, from the choice of the method to the receipt. */
const indonesian = {
	method: {
		title: 'Pilih cara bayar',
		titleNonCash: 'Bayar Non Tunai',
		hint: 'Periksa dulu tagihan Anda di layar ini',
		looking: 'Mencari tagihan Anda…',
		stillLooking: 'Masih mencari, mohon tunggu sebentar…',
		cash: 'Bayar Tunai',
		cashHint: (smallest: string, largest: string) => `Uang kertas ${smallest} sampai ${largest}`,
		cashHintNone: 'Uang kertas Rupiah',
		nonCash: 'Bayar Non Tunai',
		debit: 'Kartu Debit BCA',
		debitHint: 'Kartu dimasukkan di mesin EDC',
		va: 'Virtual Account',
		vaHint: 'Lewat BCA, Mandiri, atau BNI',
		vaAgain: 'Lanjutkan nomor yang sudah dibuat',
		qris: 'QRIS',
		qrisHint: 'Scan dengan Mbanking atau e-wallet',
		terminalQris: 'QRIS di mesin EDC',
		terminalQrisHint: 'Scan kode yang tampil di mesin EDC',
		qrisAgain: 'Lanjutkan kode yang sudah dibuat',
		open: (method: string) => `${method} masih terbuka.`,
		openHint: 'Cara lain akan membatalkannya.',
		cancel: (method: string) => `Batalkan ${method}`,
		cancelQuestion: {
			title: (method: string) => `Batalkan ${method} ini?`,
			body: 'Jangan batalkan jika Anda sudah membayar. Setelah dibatalkan, pembayaran ini tidak bisa dilanjutkan.',
			go: 'Ya, batalkan',
			stay: 'Tidak',
		},
		unavailable: 'Pembayaran belum bisa dilakukan',
		/** Shown after a failed look-up: whether the number is wrong, and what to do. */
		failed: {
			not_found: 'Periksa kembali nomor Anda, atau tanyakan kepada staf kami.',
			offline: 'Kiosk tidak tersambung ke jaringan, nomor Anda tidak salah. Layar ini mencoba lagi sendiri, atau bayar di kasir.',
			trouble: 'Sistem tagihan sedang tidak menjawab, nomor Anda tidak salah. Coba lagi sebentar lagi, atau bayar di kasir.',
			throttled: 'Periksa dulu angkanya, atau tanyakan kepada staf kami.',
			refused: 'Tanyakan kepada staf kami, atau bayar di kasir.',
			tooMany: (seconds: number) =>
				seconds > 0 ? `Terlalu banyak percobaan. Coba lagi dalam ${seconds} detik.` : 'Sekarang Anda dapat mencoba lagi.',
			number: 'Nomor yang dimasukkan',
			fix: 'Perbaiki nomor',
			again: 'Coba lagi',
		},
	},

	cash: {
		title: 'Bayar Tunai',
		reload: 'Reload Mesin',
		reloadFailed: 'Error reload bill acceptor',
		terima: (number: number) => `Terima ${number}`,
		received: 'Total diterima',
		totalInvoice: 'Total Invoice',
		under: 'Kurang Bayar',
		over: 'Lebih Bayar',
		columns: ['#', 'Penerimaan', 'Waktu', 'Jumlah'],
		covered: {
			status: 'Uang sudah cukup',
			advice: 'Jangan masukkan uang lagi. Pembayaran sedang dicatat, mohon tunggu sebentar.',
		},
		noneYet: 'Belum ada uang yang diterima',
		earlier: (count: number) => `${count} penerimaan sebelumnya sudah dihitung`,
		moving: 'Sedang diproses…',
		movingStopped: 'Belum pasti',
		insert: 'Masukkan uang',
		processing: 'Memproses…',
		insertAgain: 'Masukkan lagi setelah tulisan Ready.',
		asked: { status: 'Menunggu jawaban Anda', advice: 'Jangan masukkan uang dulu. Jawab dulu pertanyaan di layar ini.' },
		closing: { status: 'Pembayaran sedang ditutup', advice: 'Jangan masukkan uang. Mohon tunggu sebentar.' },
		safe: 'Uang yang sudah diterima tetap tercatat.',
		doubt: {
			title: 'Jangan masukkan uang lagi, hubungi staf',
			body: (amount: string) => `Satu lembar ${amount} masuk ke mesin, tetapi hasilnya belum pasti. Kejadian ini sudah tercatat.`,
			reference: 'Nomor rujukan',
		},
		leave: {
			title: 'Tinggalkan pembayaran ini?',
			body: (received: string, invoice: string) =>
				`${received} yang sudah diterima tetap tercatat di invoice ${invoice}. Untuk melanjutkan nanti, masukkan nomor yang sama, atau lunasi sisanya di kasir.`,
			slip: 'Struk bukti uang diterima akan dicetak. Ambil sebelum pergi.',
			mayHold: 'Bila uang Anda masih di dalam mesin, hubungi staf sebelum pergi.',
			stayInDoubt: 'Tetap di sini',
			stay: 'Lanjut bayar',
			go: 'Ya, kembali',
		},
		abandoned: {
			title: 'Masih melanjutkan pembayaran?',
			cause: (minutes: number) => `Sudah ${minutes} menit layar tidak disentuh dan tidak ada uang baru.`,
			money: (received: string, invoice: string) => `Masih ada uang ${received} yang tercatat untuk invoice ${invoice}.`,
			doubt: (amount: string, reference: string) => `Satu lembar ${amount} belum pasti dan sudah dicatat, nomor rujukan ${reference}.`,
			next: 'Bila perlu bantuan, panggil staf kami dan tunjukkan nomor invoice ini.',
			countdown: 'Tanpa jawaban, layar kembali ke awal dalam',
			seconds: (_left: number) => 'detik',
			stay: 'Lanjut bayar',
			leave: 'Selesai',
		},
	},

	/** If no receipt can be expected, this question is asked before the kiosk takes money. */
	paper: {
		title: 'Struk tidak tersedia',
		body: (reason: string) =>
			`Kiosk tidak bisa mencetak struk sekarang: ${reason}. Pembayaran tetap tercatat. Setelah lunas, sentuh kode QR di layar untuk struk di ponsel. Untuk kembalian, tunjukkan nomor invoice dan layar Lunas kepada kasir.`,
		goOn: 'Lanjut',
		cancel: 'Batal',
	},
	/** About a note of this invoice that came in doubt in an earlier visit or before a restart. */
	earlierDoubt: {
		title: 'Ada uang yang masih diperiksa',
		body: (amount: string, reference: string) =>
			`Satu lembar ${amount} untuk invoice ini belum pasti dan belum dihitung. Nomor rujukan ${reference}.`,
		short: (amount: string, reference: string) => `${amount} belum dihitung, nomor rujukan ${reference}.`,
		ask: 'Hubungi staf dulu.',
		hint: 'Sebaiknya hubungi staf dulu. Bila lanjut, lembar itu tetap tercatat untuk diperiksa.',
	},
	/** The daemon's refusals, by code. Messages of the back office are shown unchanged. */
	refusals: {
		paid_by_card: 'Invoice ini sedang dibayar dengan kartu. Jangan bayar lagi, hubungi staf.',
		dispute: 'Pembayaran invoice ini perlu diperiksa. Jangan bayar lagi, hubungi kasir.',
		no_invoice: 'Invoice tidak dapat dibaca. Kembali ke awal dan masukkan nomor lagi.',
		cash_not_told: 'Pembayaran tunai belum tersedia. Pilih cara bayar lain atau hubungi kasir.',
		restarting: 'Kiosk akan dimulai ulang sebentar lagi. Belum ada yang dibayar; coba lagi beberapa menit lagi atau bayar di kasir.',
		superseded: 'Pembayaran lain sedang dibuka. Coba lagi.',
		not_logged_in: 'Kios belum masuk ke akun outlet. Hubungi kasir.',
	},

	paid: {
		lunas: 'Lunas',
		thanks: 'Terima kasih, pembayaran Anda sudah kami terima.',
		already: 'Invoice ini sudah dibayar.',
		total: 'Total',
		over: 'Lebih Bayar',
		overHint: 'tukarkan di kasir dengan struk',
		/** Replaces `overHint` if the receipt did not come out. */
		overWithoutPaper: 'tukarkan di kasir dengan nomor invoice',
		willPrint: 'Struk akan dicetak.',
		/** Replaces `willPrint` if the invoice was paid before this visit. */
		onRequest: 'Tekan Cetak untuk mencetak struk.',
		home: (seconds: number) => `Layar kembali ke awal dalam ${seconds} detik`,
	},

	take: {
		noPaper: 'Pembayaran Anda tetap tercatat lunas. Sentuh kode QR untuk struk di ponsel.',
		button: 'Struk di ponsel',
		title: 'Struk di ponsel Anda',
		photo: 'Foto kode ini sebagai struk. Staf dapat memeriksanya di kiosk ini.',
		whatsapp: 'Pindai untuk mengirim struk ke WhatsApp bengkel',
	},

	print: {
		printing: 'Struk sedang dicetak…',
		done: 'Struk sudah dicetak. Silakan ambil.',
		failed: (reason: string) => `Struk gagal dicetak: ${reason}.`,
		trouble: (reason: string) => `Struk belum keluar: ${reason}.`,
		failedHint: (invoice: string) => `Pembayaran Anda tetap tercatat lunas. Tunjukkan invoice ${invoice} kepada staf.`,
		unpaidHint: 'Tanyakan kepada staf kami sebelum membayar lagi.',
		reasons: {
			paper_out: 'kertas habis',
			cover_open: 'tutup printer terbuka',
			offline: 'printer tidak terhubung',
			timeout: 'printer tidak menjawab',
			refused: 'printer menolak',
			paper_jam: 'kertas tersangkut',
			paused: 'printer dihentikan sementara',
			held: 'printer dihentikan sementara',
			stopping: 'printer sedang dimatikan',
			aborted: 'printer membatalkan',
			canceled: 'pencetakan dibatalkan',
			lost: 'printer tidak menjawab',
			queue_unreachable: 'printer tidak terhubung',
			queue_missing: 'printer belum diatur',
			journal_unhealthy: 'pencatatan terganggu',
			journal_newer: 'versi kiosk lebih lama dari catatannya',
			disk_full: 'penyimpanan kiosk penuh',
			too_many_prints: 'terlalu banyak struk dalam satu menit, coba lagi sebentar',
			restarting: 'kiosk akan dimulai ulang, coba lagi beberapa menit lagi',
			not_paid: 'invoice ini belum tercatat lunas',
			unknown_payment: 'invoice ini perlu dicari lagi',
		},
		otherReason: 'printer bermasalah',
	},
};

export let paymentText = indonesian;
export type PaymentTexts = typeof indonesian;

/** Replaces these texts by those of another language; only `catalogue.ts` calls it. */
export function setPaymentText(texts: PaymentTexts): void {
	paymentText = texts;
}
