import type { EdcTexts, TerminalText } from '../edc.ts';

const ELSEWHERE = 'Mangga pilih cara mbayar sanes utawi mbayar wonten kasir.';
const ASK_STAFF = 'Mangga nimbali staf, utawi pilih cara mbayar sanes.';
const ASK_SERVICE = 'mangga sesambetan kaliyan customer service';
const UNSURE = 'Menawi struk EDC tetep medal, mboten sah mbayar malih lan nimbali staf.';

const unresolved: TerminalText = {
	status: 'Mesin EDC ngentosi dipunpriksa staf',
	advice: `Setunggal pambayaran saderengipun wonten mesin EDC dereng mesthi. ${ASK_STAFF}`,
};
const journal: TerminalText = {
	status: 'Cathetan kiosk wonten alangan',
	advice: `Mesin EDC mboten dipunginakaken supados arta panjenengan aman. ${ASK_STAFF}`,
};

export const edc: EdcTexts = {
	terminal: {
		ready: { status: 'Mesin EDC cumawis', advice: 'Tindakaken pitedah wonten layar punika.' },
		not_configured: { status: 'Dereng wonten ing kiosk punika', advice: ELSEWHERE },
		disconnected: {
			status: 'Mesin EDC mboten kasambung',
			advice: `Layar punika lajeng piyambak menawi mesin kasambung malih. ${ASK_STAFF}`,
		},
		silent: { status: 'Mesin EDC mboten mangsuli', advice: `Layar punika lajeng piyambak menawi mesin murub malih. ${ASK_STAFF}` },
		starting: { status: 'Mesin EDC saweg dipuncawisaken', advice: 'Mangga dipunentosi sekedhap.' },
		busy: { status: 'Mesin EDC saweg dipunagem', advice: `Entosi ngantos mesin rampung, layar punika lajeng piyambak. ${ASK_STAFF}` },
		unresolved,
		journal_unhealthy: journal,
		journal_newer: {
			status: 'Versi kiosk langkung lami tinimbang cathetanipun',
			advice: `Mesin EDC mboten dipunginakaken ngantos kiosk dipunenggalaken. ${ASK_STAFF}`,
		},
		disk_full: {
			status: 'Panyimpenan kiosk kebak',
			advice: `Mesin EDC mboten dipunginakaken supados arta panjenengan aman. ${ASK_STAFF}`,
		},
	},
	refusals: {
		not_ready: { status: 'Mesin EDC dereng cumawis', advice: `Pencet Cobi malih sekedhap malih. ${ASK_STAFF}` },
		restarting: {
			status: 'Kiosk badhe dipunwiwiti malih',
			advice: 'Dereng wonten ingkang kabayar. Cobi malih sawetawis menit malih, utawi mbayar wonten kasir.',
		},
		bad_amount: { status: 'Gunggung tagihan mboten saged dipunbayar ing mesin EDC', advice: ELSEWHERE },
		no_invoice: { status: 'Tagihan mboten kepanggih', advice: 'Wangsul, lajeng lebetaken nomer panjenengan sepisan malih.' },
		cash_inside: {
			status: 'Invoice punika sampun wiwit dipunbayar tunai',
			advice: 'Wangsul, lajeng lebetaken nomer ingkang sami kangge nglunasi kanthi tunai, utawi mbayar wonten kasir.',
		},
		unresolved,
		journal,
	},
	declines: {
		S2: { cause: 'Transaksi gagal wonten mesin EDC', retrying: 'Gagal, mangga dipunentosi, saweg nyobi malih' },
		S4: { cause: 'Wekdal transaksi telas' },
		CE: { cause: 'Sambungan mesin EDC dhateng bank wonten alangan', money: UNSURE },
		TO: { cause: 'Bank kedangon mangsuli', money: UNSURE },
		'54': { cause: 'Kertu sampun kedaluwarsa' },
		'55': { cause: 'PIN dipuntampik' },
		P2: { cause: 'Kertu mboten kawaos' },
		Z3: { cause: 'Chip kertu dipuntampik' },
		PT: { cause: `Mesin EDC wonten alangan, ${ASK_SERVICE}` },
		PS: { cause: `Settlement mesin EDC gagal, ${ASK_SERVICE}` },
		aa: { cause: 'Transaksi dipuntampik' },
		S3: { cause: 'Scan QR gagal' },
		TN: { cause: `Top up mboten cumawis, ${ASK_SERVICE}` },
		P3: { cause: 'Pambayaran dipunbatalaken wonten mesin EDC' },
		unknown: { cause: 'Kode wangsulan mboten dipuntepangi' },
	},
	sales: {
		card: {
			steps: [
				'Pencet tombol jene (kuning) ing EDC',
				'Lebetaken utawi gesek kertu',
				'Lebetaken PIN, pencet tombol ijem (hijau)',
				'Entosi struk EDC medal',
				'Transaksi rampung',
			],
			yourTurn: 'Mangga mbayar wonten mesin EDC',
			cancelThere: 'Batalaken: tombol abrit (merah) ing EDC',
			notCharged: 'Kertu panjenengan mboten dipundebit.',
			terminalSays: 'Miturut mesin EDC, kertu panjenengan mboten dipundebit.',
			notAsked: 'Sapunika dereng wonten ingkang dipunsuwun saking kertu panjenengan.',
			notKnown: 'Dereng dipunmangertosi menapa kertu panjenengan sampun dipundebit.',
			declined: 'Pambayaran kertu mboten kelampahan',
			unknown: {
				body: 'Mesin EDC sampun nampi tagihan punika, nanging wangsulanipun mboten dumugi. Kertu panjenengan saged ugi sampun dipundebit.',
				locked: 'Invoice punika dipunkunci kangge kertu ngantos staf mesthekaken. Layar punika ewah piyambak menawi wangsulanipun dumugi.',
			},
		},
		qris: {
			steps: [
				'Entosi kode QRIS katingal wonten mesin EDC',
				'Scan kode punika mawi Mbanking utawi e-wallet',
				'Priksani gunggungipun, lajeng setujoni wonten HP',
				'Entosi ngantos layar punika ewah',
				'Transaksi rampung',
			],
			yourTurn: 'Mangga scan QRIS wonten mesin EDC',
			cancelThere: 'Sampun mbayar? Entosi, layar punika ewah piyambak.',
			notCharged: 'QRIS punika dereng kabayar.',
			terminalSays: 'Miturut mesin EDC, QRIS punika dereng kabayar.',
			notAsked: 'Sapunika dereng wonten kode QRIS ingkang dipunsuwun.',
			notKnown: 'Dereng dipunmangertosi menapa QRIS punika sampun kabayar.',
			declined: 'Pambayaran QRIS mboten kelampahan',
			unknown: {
				body: 'Mesin EDC sampun nampi tagihan punika, nanging dereng mesthekaken asilipun. QRIS punika saged ugi sampun kabayar.',
				locked:
					'Invoice punika dipunkunci ngantos mesin EDC utawi staf mesthekaken. Layar punika ewah piyambak menawi wangsulanipun dumugi.',
			},
		},
	},
	screen: {
		title: 'PITEDAH MBAYAR',
		total: 'Gunggung',
		contacting: 'Nyambung dhateng mesin EDC…',
		sending: 'Ngintun tagihan dhateng mesin EDC…',
		wait: 'Mangga dipunentosi sekedhap.',
		noAnswerYet: 'Ngentosi wangsulan mesin EDC',
		noAnswerHint: 'Mesin EDC pejah utawi mboten mangsuli? Mboten sah mbayar malih, layar punika enggal paring pirsa asilipun.',
		waited: 'Sampun ngentosi',
		offline: 'Sambungan dhateng kiosk pedhot',
		offlineOpen: 'Pambayaran saged ugi taksih mlampah. Mboten sah mbayar malih, mangga dipunentosi.',
		offlineNone: 'Dereng wonten ingkang dipunsuwun saking mesin EDC. Layar punika lajeng piyambak.',

		code: (code, invoice) => `Kode EDC ${code} · ${invoice}`,
		invoice: (invoice) => `Invoice ${invoice}`,
		reference: 'Nomer rujukan',
		retrying: (cause) => `${cause}, saweg nyobi malih`,
		retry: 'Mangga dipuncobi malih',
		retryIn: (seconds) => `Dipunwiwiti malih, kirang ${seconds} detik`,
		givenUp: 'Sampun kaping 3 gagal, mangga sesambetan kaliyan customer service',
		home: (seconds) => `Layar wangsul dhateng wiwitan ${seconds} detik malih`,
		again: 'Cobi malih',
		declinedHint: 'Panjenengan saged nyobi malih, utawi wangsul lan milih cara mbayar sanes.',

		lost: {
			status: 'Asil pambayaran dereng dumugi layar punika',
			advice:
				'Menawi struk EDC sampun medal utawi mesin EDC nyerat disetujui, mboten sah mbayar malih lan nimbali staf. Menawi mboten, panjenengan saged nyobi malih.',
		},

		short: {
			status: 'Pambayaran wonten mesin EDC kasil, nanging tagihanipun ewah',
			advice:
				'Simpen struk EDC. Wangsul lan lebetaken nomer ingkang sami kangge nglunasi kekiranganipun, utawi mbayar kekiranganipun wonten kasir.',
		},
		shortBy: (left) => `Pambayaran panjenengan sampun kacathet. Kirang ${left}.`,
		shortUnclear: 'Pambayaran panjenengan sampun kacathet. Tagihan punika kedah dipunpriksa staf.',

		unknown: {
			title: 'Mboten sah mbayar malih, nimbali staf',
			amount: 'Gunggung',
			leave: {
				title: 'Badhe nilar layar punika?',
				body: (reference) =>
					`Asil pambayaran dereng mesthi. Mboten sah mbayar malih kanthi cara menapa kemawon saderengipun staf mriksa. Cathet nomer rujukan ${reference}.`,
				stay: 'Tetep wonten ngriki',
				go: 'Inggih, wangsul',
			},
		},

		leaveCode: {
			title: 'Badhe nilar kode QRIS punika?',
			body: 'Sampun mbayar? Entosi wonten ngriki ngantos layar ewah. Kode wonten mesin EDC taksih saged kabayar, lan invoice punika dipuntahan ngantos kode punika kedaluwarsa.',
			stay: 'Tetep wonten ngriki',
			go: 'Inggih, wangsul',
		},

		tile: { noSocket: 'Kiosk saweg mboten kasambung', unheard: 'Nyambung dhateng mesin EDC…' },
	},
};
