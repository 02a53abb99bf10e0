import type { EdcState, SaleMethod } from '@kiosk/contract/live';
import type { DeclineCode, Refusal } from '../lib/card-decline.ts';

/** `status`: the state or refusal in a few words. `advice`: what to do. */
export type TerminalText = { status: string; advice: string };

const ELSEWHERE = 'Silakan pilih cara bayar lain atau bayar di kasir.';
const ASK_STAFF = 'Hubungi staf kami, atau pilih cara bayar lain.';

/** One text for each state of the card terminal. Only in state `ready` can a payment start. */
const terminal: Record<EdcState, TerminalText> = {
	ready: { status: 'Mesin EDC siap', advice: 'Ikuti petunjuk di layar ini.' },
	not_configured: { status: 'Belum tersedia di kiosk ini', advice: ELSEWHERE },
	disconnected: { status: 'Mesin EDC tidak terhubung', advice: `Layar ini lanjut sendiri bila mesin tersambung lagi. ${ASK_STAFF}` },
	silent: { status: 'Mesin EDC tidak menjawab', advice: `Layar ini lanjut sendiri bila mesin menyala lagi. ${ASK_STAFF}` },
	starting: { status: 'Mesin EDC sedang disiapkan', advice: 'Mohon tunggu sebentar.' },
	busy: { status: 'Mesin EDC sedang dipakai', advice: `Tunggu sampai mesin selesai, layar ini lanjut sendiri. ${ASK_STAFF}` },
	unresolved: {
		status: 'Mesin EDC menunggu diperiksa staf',
		advice: `Satu pembayaran sebelumnya di mesin EDC belum pasti hasilnya. ${ASK_STAFF}`,
	},
	journal_unhealthy: { status: 'Pencatatan kiosk terganggu', advice: `Mesin EDC tidak dipakai agar uang Anda aman. ${ASK_STAFF}` },
	journal_newer: {
		status: 'Versi kiosk lebih lama dari catatannya',
		advice: `Mesin EDC tidak dipakai sampai kiosk diperbarui. ${ASK_STAFF}`,
	},
	disk_full: { status: 'Penyimpanan kiosk penuh', advice: `Mesin EDC tidak dipakai agar uang Anda aman. ${ASK_STAFF}` },
};

/** One text for each reason why the terminal got no request. */
const refusals: Record<Refusal, TerminalText> = {
	not_ready: { status: 'Mesin EDC belum siap', advice: `Tekan Coba lagi sebentar lagi. ${ASK_STAFF}` },
	restarting: { status: 'Kiosk akan dimulai ulang', advice: 'Belum ada yang dibayar. Coba lagi beberapa menit lagi, atau bayar di kasir.' },
	bad_amount: { status: 'Jumlah tagihan tidak bisa dibayar di mesin EDC', advice: ELSEWHERE },
	no_invoice: { status: 'Tagihan tidak ditemukan', advice: 'Kembali, lalu masukkan nomor Anda sekali lagi.' },
	cash_inside: {
		status: 'Invoice ini sudah mulai dibayar tunai',
		advice: 'Kembali, lalu masukkan nomor yang sama untuk melunasi sisanya dengan tunai, atau bayar di kasir.',
	},
	unresolved: terminal.unresolved,
	journal: terminal.journal_unhealthy,
};

const ASK_SERVICE = 'silahkan hubungi customer service';

/**
 * For codes after which the bank may have charged the card, although the terminal got no answer
 * from it.
 */
const UNSURE = 'Bila struk EDC tetap keluar, jangan bayar lagi dan hubungi staf.';

type DeclineText = {
	cause: string;
	/**
	 * The text before an automatic retry. If missing, the screen shows the cause and says that it
	 * retries.
	 */
	retrying?: string;
	/** Where the money is. If missing, the screen says that the terminal reports no charge. */
	money?: string;
};

/** The texts for the terminal's response codes. */
const declines: Record<DeclineCode, DeclineText> = {
	S2: { cause: 'Transaksi gagal di mesin EDC', retrying: 'Gagal, Mohonn tunggu, Sedang mencoba lagi' },
	S4: { cause: 'Waktu transaksi habis' },
	CE: { cause: 'Sambungan mesin EDC ke bank terganggu', money: UNSURE },
	TO: { cause: 'Bank terlalu lama menjawab', money: UNSURE },
	'54': { cause: 'Masa berlaku kartu sudah habis' },
	'55': { cause: 'PIN ditolak' },
	P2: { cause: 'Kartu tidak terbaca' },
	Z3: { cause: 'Chip kartu ditolak' },
	PT: { cause: `Mesin EDC bermasalah, ${ASK_SERVICE}` },
	PS: { cause: `Settlement mesin EDC gagal, ${ASK_SERVICE}` },
	aa: { cause: 'Transaksi ditolak' },
	S3: { cause: 'Scan QR gagal' },
	TN: { cause: `Top up tidak tersedia, ${ASK_SERVICE}` },
	P3: { cause: 'Pembayaran dibatalkan di mesin EDC' },
	unknown: { cause: 'Kode respons tidak dikenal' },
};

type SaleText = {
	steps: readonly [string, string, string, string, string];
	yourTurn: string;
	cancelThere: string;
	/**
	 * Where the money is, in four cases: not charged; not charged, as the terminal says; not
	 * requested; unknown.
	 */
	notCharged: string;
	terminalSays: string;
	notAsked: string;
	notKnown: string;
	declined: string;
	unknown: { body: string; locked: string };
};

/** Texts that differ between a card and a QRIS code on the terminal. */
const sales: Record<SaleMethod, SaleText> = {
	card: {
		steps: [
			'Tekan tombol kuning di mesin EDC',
			'Masukkan atau gesek kartu Anda',
			'Masukkan PIN, lalu tekan tombol hijau',
			'Tunggu sampai struk EDC keluar',
			'Transaksi selesai',
		],
		yourTurn: 'Silakan bayar di mesin EDC',
		cancelThere: 'Batalkan lewat tombol merah di mesin EDC',
		notCharged: 'Kartu Anda tidak didebit.',
		terminalSays: 'Menurut mesin EDC, kartu Anda tidak didebit.',
		notAsked: 'Kali ini belum ada yang diminta dari kartu Anda.',
		notKnown: 'Belum diketahui apakah kartu Anda sudah didebit.',
		declined: 'Pembayaran kartu tidak terjadi',
		unknown: {
			body: 'Mesin EDC sudah menerima tagihan ini, tetapi jawabannya tidak sampai. Kartu Anda mungkin sudah didebit.',
			locked: 'Invoice ini dikunci untuk kartu sampai staf memastikannya. Layar ini berubah sendiri bila jawabannya datang.',
		},
	},
	qris: {
		steps: [
			'Tunggu kode QRIS muncul di mesin EDC',
			'Scan kode itu dengan Mbanking atau e-wallet',
			'Periksa jumlahnya, lalu setujui di HP Anda',
			'Tunggu sampai layar ini berubah',
			'Transaksi selesai',
		],
		yourTurn: 'Silakan scan QRIS di mesin EDC',
		cancelThere: 'Sudah membayar? Tunggu, layar ini berubah sendiri.',
		notCharged: 'QRIS ini belum dibayar.',
		terminalSays: 'Menurut mesin EDC, QRIS ini belum dibayar.',
		notAsked: 'Kali ini belum ada kode QRIS yang diminta.',
		notKnown: 'Belum diketahui apakah QRIS ini sudah dibayar.',
		declined: 'Pembayaran QRIS tidak terjadi',
		unknown: {
			body: 'Mesin EDC sudah menerima tagihan ini, tetapi belum memastikan hasilnya. QRIS ini mungkin sudah dibayar.',
			locked: 'Invoice ini dikunci sampai mesin EDC atau staf memastikannya. Layar ini berubah sendiri bila jawabannya datang.',
		},
	},
};

/** Texts of the card screen. */
const screen = {
	title: 'PETUNJUK PEMBAYARAN',
	total: 'Total',
	contacting: 'Menghubungi mesin EDC…',
	sending: 'Mengirim tagihan ke mesin EDC…',
	wait: 'Mohon tunggu sebentar.',
	noAnswerYet: 'Menunggu jawaban mesin EDC',
	noAnswerHint: 'Mesin EDC mati atau tidak menjawab? Jangan bayar lagi, layar ini segera memberi tahu hasilnya.',
	waited: 'Sudah menunggu',
	offline: 'Sambungan ke kiosk terputus',
	offlineOpen: 'Pembayaran mungkin masih berjalan. Jangan bayar lagi, mohon tunggu.',
	offlineNone: 'Belum ada yang diminta dari mesin EDC. Layar ini lanjut sendiri.',

	code: (code: string, invoice: string) => `Kode EDC ${code} · ${invoice}`,
	invoice: (invoice: string) => `Invoice ${invoice}`,
	reference: 'Nomor rujukan',
	retrying: (cause: string) => `${cause}, sedang mencoba lagi`,
	retry: 'Silahkan coba lagi',
	retryIn: (seconds: number) => `Mulai lagi dalam ${seconds} detik`,
	givenUp: '3x Percobaan gagal, harap hubungi customer service',
	home: (seconds: number) => `Layar kembali ke awal dalam ${seconds} detik`,
	again: 'Coba lagi',
	declinedHint: 'Anda boleh mencoba lagi, atau kembali dan memilih cara bayar lain.',

	lost: {
		status: 'Hasil pembayaran belum diterima layar ini',
		advice:
			'Bila struk EDC sudah keluar atau mesin EDC menulis disetujui, jangan bayar lagi dan hubungi staf. Bila tidak, Anda boleh mencoba lagi.',
	},

	/** For a sale that was approved but does not cover the invoice, which has grown. */
	short: {
		status: 'Pembayaran di mesin EDC berhasil, tetapi tagihan berubah',
		advice: 'Simpan struk EDC. Kembali dan masukkan nomor yang sama untuk melunasi sisanya, atau bayar sisanya di kasir.',
	},
	shortBy: (left: string) => `Pembayaran Anda sudah tercatat. Sisa tagihan ${left}.`,
	shortUnclear: 'Pembayaran Anda sudah tercatat. Tagihan ini perlu diperiksa staf.',

	unknown: {
		title: 'Jangan bayar lagi, hubungi staf',
		amount: 'Jumlah',
		leave: {
			title: 'Tinggalkan layar ini?',
			body: (reference: string) =>
				`Hasil pembayaran belum pasti. Jangan bayar lagi dengan cara apa pun sebelum staf memeriksanya. Catat nomor rujukan ${reference}.`,
			stay: 'Tetap di sini',
			go: 'Ya, kembali',
		},
	},

	/** Asked when the customer leaves, because the code on the terminal may already be paid. */
	leaveCode: {
		title: 'Tinggalkan kode QRIS ini?',
		body: 'Sudah membayar? Tunggu di sini sampai layar berubah. Kode di mesin EDC masih bisa dibayar, dan invoice ini ditahan sampai kode itu kedaluwarsa.',
		stay: 'Tetap di sini',
		go: 'Ya, kembali',
	},

	/** Reasons in a few words, for the tile of the method. */
	tile: { noSocket: 'Kiosk sedang tidak terhubung', unheard: 'Menyambung ke mesin EDC…' },
};

export let terminalText = terminal;
export let refusalText = refusals;
export let declineText = declines;
export let saleText = sales;
export let edcText = screen;

export type EdcTexts = {
	terminal: typeof terminal;
	refusals: typeof refusals;
	declines: typeof declines;
	sales: typeof sales;
	screen: typeof screen;
};

/** Replaces these texts by those of another language; only `catalogue.ts` calls it. */
export function setEdcText(texts: EdcTexts): void {
	terminalText = texts.terminal;
	refusalText = texts.refusals;
	declineText = texts.declines;
	saleText = texts.sales;
	edcText = texts.screen;
}
