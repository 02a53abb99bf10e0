import type { AcceptorState } from '@kiosk/contract/live';

/**
 * `status`: the state in a few words, shown at the top left. `advice`: what to do, and where the
 * money is.
 */
export type AcceptorText = { status: string; advice: string };

const SAFE = 'Uang yang sudah diterima tetap tercatat.';

/** One text for each state of the bill acceptor. Only `ready` invites money. */
const states: Record<AcceptorState, AcceptorText> = {
	ready: { status: 'Ready', advice: 'Silakan masukkan uang satu per satu.' },
	not_configured: {
		status: 'Tunai belum tersedia di kiosk ini',
		advice: `${SAFE} Silakan pilih cara bayar lain atau bayar di kasir.`,
	},
	disconnected: {
		status: 'Mesin uang tidak terhubung',
		advice: `Jangan masukkan uang dulu. ${SAFE} Tekan Reload Mesin atau hubungi staf.`,
	},
	starting: {
		status: 'Mesin uang sedang disiapkan',
		advice: `Jangan masukkan uang dulu. ${SAFE} Tunggu sampai muncul tulisan Ready.`,
	},
	silent: {
		status: 'Mesin uang tidak menjawab',
		advice: `Jangan masukkan uang dulu. ${SAFE} Tekan Reload Mesin atau hubungi staf.`,
	},
	garbled: {
		status: 'Sambungan mesin uang terganggu',
		advice: `Jangan masukkan uang dulu. ${SAFE} Tekan Reload Mesin atau hubungi staf.`,
	},
	inhibited: {
		status: 'Mesin uang belum dibuka',
		advice: `Jangan masukkan uang dulu. ${SAFE} Tekan Reload Mesin untuk mulai.`,
	},
	busy: {
		status: 'Mesin uang sedang memproses',
		advice: `Tunggu sebentar. ${SAFE} Masukkan uang lagi setelah muncul tulisan Ready.`,
	},
	motor_failure: {
		status: 'Motor mesin uang bermasalah',
		advice: `Jangan masukkan uang lagi. ${SAFE} Hubungi staf kami.`,
	},
	rom_checksum: {
		status: 'Mesin uang perlu diperiksa teknisi',
		advice: `Jangan masukkan uang lagi. ${SAFE} Hubungi staf kami.`,
	},
	bill_jam: {
		status: 'Uang tersangkut di mesin',
		advice: `Jangan menarik atau menambah uang. ${SAFE} Hubungi staf kami.`,
	},
	bill_removed: {
		status: 'Uang ditarik keluar dari mesin',
		advice: `Uang yang ditarik belum dihitung. ${SAFE} Tunggu tulisan Ready, lalu masukkan lagi.`,
	},
	cashbox_open: {
		status: 'Kotak uang terbuka',
		advice: `Jangan masukkan uang dulu. ${SAFE} Hubungi staf untuk menutup kotak uang.`,
	},
	sensor_problem: {
		status: 'Sensor mesin uang bermasalah',
		advice: `Jangan masukkan uang lagi. ${SAFE} Hubungi staf kami.`,
	},
	communication_failure: {
		status: 'Mesin uang mengalami gangguan',
		advice: `Jangan masukkan uang lagi. ${SAFE} Tekan Reload Mesin atau hubungi staf.`,
	},
	bill_fish: {
		status: 'Uang terdeteksi ditarik kembali',
		advice: `Mesin berhenti menerima uang. ${SAFE} Hubungi staf kami.`,
	},
	stacker_problem: {
		status: 'Tempat simpan uang bermasalah',
		advice: `Jangan masukkan uang lagi. ${SAFE} Hubungi staf kami.`,
	},
	note_in_doubt: {
		status: 'Satu lembar uang belum pasti',
		advice: 'Jangan masukkan uang lagi. Kejadian ini sudah tercatat. Hubungi staf kami.',
	},
	locked: {
		status: 'Mesin uang dikunci',
		advice: `Mesin tidak menerima uang untuk saat ini. ${SAFE} Hubungi staf kami.`,
	},
	journal_unhealthy: {
		status: 'Pencatatan uang terganggu',
		advice: `Mesin tidak menerima uang agar uang Anda aman. ${SAFE} Hubungi staf kami.`,
	},
	journal_newer: {
		status: 'Versi kiosk lebih lama dari catatannya',
		advice: `Mesin tidak menerima uang sampai kiosk diperbarui. ${SAFE} Hubungi staf kami.`,
	},
	disk_full: {
		status: 'Penyimpanan kiosk penuh',
		advice: `Mesin tidak menerima uang agar uang Anda aman. ${SAFE} Hubungi staf kami.`,
	},
	screen_frozen: {
		status: 'Layar sedang dipulihkan',
		advice: `Jangan masukkan uang dulu. ${SAFE} Tunggu sampai muncul tulisan Ready.`,
	},
	settings_unconfirmed: {
		status: 'Tunai ditutup sementara',
		advice: `Pengaturan kiosk sedang diperiksa, jangan masukkan uang. ${SAFE} Hubungi staf kami.`,
	},
	note_map_missing: {
		status: 'Pecahan uang belum diatur',
		advice: `Mesin belum bisa menerima uang. ${SAFE} Hubungi staf kami.`,
	},
};

/** Shown until the daemon has reported the acceptor's state. */
const unknown: AcceptorText = {
	status: 'Menyambung ke mesin uang…',
	advice: `Jangan masukkan uang dulu. ${SAFE} Tunggu sampai muncul tulisan Ready.`,
};

export let acceptorText = states;
export let acceptorUnknown = unknown;
export type AcceptorTexts = { states: typeof states; unknown: AcceptorText };

/** Replaces these texts by those of another language; only `catalogue.ts` calls it. */
export function setAcceptorText(texts: AcceptorTexts): void {
	acceptorText = texts.states;
	acceptorUnknown = texts.unknown;
}
