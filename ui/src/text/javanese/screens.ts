import type { ScreenTexts } from '../screens.ts';

export const screens: ScreenTexts = {
	gangguan: 'Nyuwun pangapunten, saweg wonten alangan',
	kembali: 'Wangsul',
	cetak: 'Cithak',
	waiting: 'Entosi..',
	tutup: 'Tutup',
	online: 'Online',
	offline: 'Offline',
	healthOk: 'Kiosk sae',
	healthLook: 'Kiosk perlu dipunpriksa petugas',
	development: 'Development',

	callStaff: {
		button: 'Nimbali staf',
		called: (time) => `Dipuntimbali ${time}`,
		phone: (number) => `Telp. ${number}`,
		failed: 'Mboten kasil, cobi malih',
	},

	reference: (invoice) => `Nomer rujukan ${invoice}.`,

	boot: {
		title: 'Nyambung dhateng mesin…',
		hint: 'Mangga dipunentosi, kiosk saweg dipuncawisaken.',
		slow: 'Kiosk dereng cumawis. Arta ingkang sampun dipuntampi tetep kacathet. Mangga nimbali staf.',
	},

	setup: {
		title: 'Setelan kiosk klentu',
		hint: 'Setelan lami tetep dipunginakaken. Mangga nimbali teknisi.',
		more: (count) => `lan ${count} malih`,
	},
	unconfirmed: {
		title: 'Setelan kiosk ewah',
		hint: 'Tunai dipuntutup ngantos staf utawi teknisi mesthekaken ewahan punika.',
		server: 'Server ewah. Tunai dipuntutup lan mboten wonten ingkang dipunkirim ngantos teknisi mesthekaken ewahan punika.',
		held: (count, amount) => `${count} pambayaran (${amount}) dereng kakirim.`,
	},

	promo: { tagline: 'Mbayar servis enggal, tanpa antri.', label: 'Promo' },

	attract: { touch: 'Pencet kangge mbayar' },

	ways: { title: 'Cara mbayar', cash: 'Tunai', card: 'Kertu Debit BCA', qris: 'QRIS', va: 'Virtual Account' },

	guide: {
		label: 'Urutan mbayar',
		steps: ['Lebetaken nomer HP', 'Priksani tagihan, pilih cara mbayar', 'Mbayar', 'Pundhut struk'],
		done: 'rampung',
	},

	cashGuide: {
		label: 'Cara mbayar tunai',
		steps: ['Entosi seratan Ready', 'Lebetaken arta Rupiah gentosan', 'Langkungi tagihan ngantos Lunas', 'Pundhut struk, jujul ing kasir'],
		readyPlace: '',
		notes: 'Pecahan arta',
	},

	transferGuide: {
		label: 'Cara mbayar non tunai',
		qris: [
			'Bikak Mbanking utawi e-wallet',
			'Scan kode QR wonten layar punika',
			'Priksani gunggungipun, lajeng bayar',
			'Entosi Lunas, pundhut struk',
		],
		va: ['Pilih bank panjenengan', 'Bayar dhateng nomer VA', 'Entosi Lunas wonten layar punika', 'Pundhut struk'],
	},

	paidTwice: (amount) => `Invoice punika kabayar langkung saking sepisan. Mangga dhateng kasir kangge wangsulipun ${amount}.`,

	note: {
		returned: 'Arta dipunwangsulaken, mangga dipunpundhut.',
		inDoubt: (amount, reference) => `Arta ${amount} dereng mesthi, mangga nimbali staf. Nomer rujukan ${reference}.`,
	},

	home: {
		title: 'Lebetaken nomer HP panjenengan',
		hint: 'Nomer ingkang dipundhaftaraken nalika servis',
		clear: 'Busak sedaya',
		backspace: 'Busak setunggal angka',
		confirm: 'Lajeng',
		keypad: 'Papan angka',
	},

	language: 'Basa',

	aids: {
		title: 'Pitulungan',
		hint: 'Lumampah ngantos panjenengan rampung.',
		largeText: 'Seratan ageng',
		contrast: 'Kontras inggil',
		lowReach: 'Papan andhap',
		volume: { normal: 'Swara pandhuan: biyasa', loud: 'Swara pandhuan: banter', off: 'Swara pandhuan: mati' },
		close: 'Tutup',
	},

	invoice: {
		title: 'Invoice',
		pelanggan: 'Pelanggan',
		noInvoice: 'No. invoice',
		total: 'Tagihan',
		status: 'Status',
		paid: 'Sampun lunas',
		unpaid: 'Dereng lunas',
		empty: 'Tagihan panjenengan badhe katingal wonten ngriki',
		details: 'Priksani rincian',
		detailsOf: (number: string) => `Rincian ${number}`.trim(),
		more: (count: number) => `lan ${count} larik malih`,
		close: 'Tutup rincian',
		before: 'Saderengipun',
		next: 'Lajeng',
		page: (page, pages) => `Kaca ${page} saking ${pages}`,
	},

	idle: {
		title: 'Taksih wonten ngriki?',
		body: 'Layar badhe wangsul dhateng wiwitan ing salebetipun',
		seconds: (_left) => 'detik',
		stay: 'Lajengaken',
		leave: 'Rampung',
	},

	crash: {
		title: 'Unexpected Application Error!',
		body: 'Layar wonten alangan. Arta ingkang sampun dipuntampi tetep kacathet. Mangga dipunbaleni mawi nomer panjenengan, utawi nimbali staf.',
		reference: (code, invoice) => `Nomer rujukan ${[code, invoice].filter((part) => part !== '').join(' · ')}`,
		restart: 'Wiwiti malih',
		auto: (seconds) => `Layar dipunwiwiti malih, kirang ${seconds} detik`,
	},
};
