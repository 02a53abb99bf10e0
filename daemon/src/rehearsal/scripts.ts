/**
 * The steps of each rehearsal: actions of the technician, signs that the daemon must observe, and
 * questions.
 */

/** The signs that the daemon observes during a rehearsal. */
export type Sign =
	| 'cash_open'
	| 'escrow'
	| 'accepted'
	| 'note_over'
	| 'acceptor_gone'
	| 'acceptor_back'
	| 'box_out'
	| 'box_back'
	| 'restarted'
	| 'card_sent'
	| 'card_over'
	| 'edc_gone'
	| 'edc_back'
	| 'paper_trouble'
	| 'print_over';

/** The questions. Answers to `charges` and `sheets` are counts; the others are rupiah. */
export type Question = 'inserted' | 'in_hand' | 'in_box' | 'charges' | 'sheets';

export type Step =
	/**
	 * `missed`: the sign which shows that the device was faster than the technician. The rehearsal
	 * must then be repeated.
	 */
	{ say: string; until: Sign; missed?: Sign; pauseEscrow?: true } | { say: string; ask: Question };

/** Names of the rehearsals. They never change, because they are part of file names and commands. */
export const REHEARSALS = [
	'power-cut-escrow',
	'power-cut-stacking',
	'cable-idle',
	'cable-escrow',
	'box-out',
	'paper-out',
	'terminal-off',
	'terminal-off-sale',
	'lost-answer',
] as const;
export type RehearsalName = (typeof REHEARSALS)[number];

export const isRehearsal = (name: string): name is RehearsalName => (REHEARSALS as readonly string[]).includes(name);

/** One rehearsal. `needs`: the device that the rehearsal requires. */
export interface Script {
	title: string;
	needs: 'acceptor' | 'edc' | 'printer';
	steps: readonly Step[];
}

const OPEN_CASH: Step = { say: 'Di layar kiosk: buka invoice uji, lalu pilih Bayar Tunai.', until: 'cash_open' };
const COUNT_CASH: readonly Step[] = [
	{ say: 'Berapa rupiah yang Anda masukkan seluruhnya?', ask: 'inserted' },
	{ say: 'Berapa rupiah dari uang itu kembali ke tangan Anda?', ask: 'in_hand' },
	{ say: 'Buka kotak uang. Berapa rupiah dari uang itu ada di dalamnya?', ask: 'in_box' },
];
const countCharges = (first: string): Step => ({
	say: `${first}Menurut struk dan laporan mesin EDC, berapa kali kartu ditagih (0, 1, 2)?`,
	ask: 'charges',
});
const WAIT_FOR_ACCEPTOR: Step = { say: 'Tunggu sampai mesin uang siap lagi.', until: 'acceptor_back' };

export const SCRIPTS: Readonly<Record<RehearsalName, Script>> = {
	'power-cut-escrow': {
		title: 'Listrik padam saat uang ditahan (escrow)',
		needs: 'acceptor',
		steps: [
			OPEN_CASH,
			{ say: 'Pegang steker listrik kiosk. Masukkan satu lembar uang; kiosk menahannya 3 detik.', until: 'escrow', pauseEscrow: true },
			{
				say: 'CABUT LISTRIK SEKARANG. Pasang lagi setelah 10 detik, lalu lanjutkan uji ini.',
				until: 'restarted',
				missed: 'accepted',
				pauseEscrow: true,
			},
			WAIT_FOR_ACCEPTOR,
			...COUNT_CASH,
		],
	},
	'power-cut-stacking': {
		title: 'Listrik padam saat uang masuk ke kotak',
		needs: 'acceptor',
		steps: [
			OPEN_CASH,
			{ say: 'Pegang steker listrik kiosk. Masukkan satu lembar uang; cabut begitu uang ditarik ke dalam.', until: 'accepted' },
			{
				say: 'CABUT LISTRIK SEKARANG. Pasang lagi setelah 10 detik, lalu lanjutkan uji ini.',
				until: 'restarted',
				missed: 'note_over',
			},
			WAIT_FOR_ACCEPTOR,
			...COUNT_CASH,
		],
	},
	'cable-idle': {
		title: 'Kabel mesin uang dicabut tanpa pembayaran',
		needs: 'acceptor',
		steps: [
			{ say: 'Biarkan layar awal kiosk terbuka. Cabut kabel mesin uang.', until: 'acceptor_gone' },
			{ say: 'Pasang lagi kabelnya.', until: 'acceptor_back' },
			OPEN_CASH,
			{ say: 'Masukkan satu lembar uang.', until: 'note_over' },
			...COUNT_CASH,
		],
	},
	'cable-escrow': {
		title: 'Kabel mesin uang dicabut saat uang ditahan (escrow)',
		needs: 'acceptor',
		steps: [
			OPEN_CASH,
			{ say: 'Pegang kabel mesin uang. Masukkan satu lembar uang; kiosk menahannya 3 detik.', until: 'escrow', pauseEscrow: true },
			{ say: 'CABUT KABEL MESIN UANG SEKARANG.', until: 'acceptor_gone', missed: 'accepted', pauseEscrow: true },
			{ say: 'Pasang lagi kabelnya.', until: 'acceptor_back' },
			...COUNT_CASH,
		],
	},
	'box-out': {
		title: 'Kotak uang dicabut',
		needs: 'acceptor',
		steps: [
			{ say: 'Cabut kotak uang.', until: 'box_out' },
			{ say: 'Pasang lagi kotak uang.', until: 'box_back' },
			OPEN_CASH,
			{ say: 'Masukkan satu lembar uang.', until: 'note_over' },
			...COUNT_CASH,
		],
	},
	'paper-out': {
		title: 'Kertas struk habis',
		needs: 'printer',
		steps: [
			{ say: 'Keluarkan kertas printer. Bayar satu invoice uji dengan tunai sampai lunas, lalu tekan Cetak.', until: 'paper_trouble' },
			{ say: 'Pasang lagi kertasnya dan tunggu.', until: 'print_over' },
			...COUNT_CASH,
			{ say: 'Berapa lembar struk yang keluar utuh?', ask: 'sheets' },
		],
	},
	'terminal-off': {
		title: 'Mesin EDC mati sebelum penjualan',
		needs: 'edc',
		steps: [
			{ say: 'Matikan mesin EDC. Tunggu tanpa menjual, paling lama satu menit.', until: 'edc_gone' },
			{ say: 'Nyalakan lagi mesin EDC dan tunggu.', until: 'edc_back' },
			{ say: 'Buka invoice uji, pilih Kartu Debit BCA, dan bayar sampai selesai.', until: 'card_over' },
			countCharges(''),
		],
	},
	'terminal-off-sale': {
		title: 'Mesin EDC mati saat penjualan',
		needs: 'edc',
		steps: [
			{ say: 'Buka invoice uji dan pilih Kartu Debit BCA. Jangan tempelkan kartu.', until: 'card_sent' },
			{ say: 'Matikan mesin EDC saat kartu atau PIN diminta. Kiosk menunggu sampai dua menit.', until: 'card_over' },
			countCharges('Nyalakan lagi mesin EDC. '),
		],
	},
	'lost-answer': {
		title: 'Jawaban mesin EDC hilang',
		needs: 'edc',
		steps: [
			{ say: 'Buka invoice uji dan pilih Kartu Debit BCA.', until: 'card_sent' },
			{ say: 'Bayar dengan kartu; cabut kabel mesin EDC begitu PIN selesai. Kiosk menunggu sampai dua menit.', until: 'card_over' },
			countCharges('Pasang lagi kabelnya. '),
		],
	},
};
