import type { ReturnReason } from '@kiosk/contract/live';

/** For these reasons, the acceptor would return every further note, too. */
const FORBIDDING: readonly ReturnReason[] = [
	'no_session',
	'journal_unhealthy',
	'journal_newer',
	'disk_full',
	'settings_unconfirmed',
	'closing',
];

/** For each reason: why the note was returned, and what the customer can try. */
const indonesian: Record<ReturnReason, string> = {
	no_session: 'Belum ada pembayaran tunai yang dibuka. Masukkan nomor HP Anda lebih dulu.',
	unmapped_note: 'Pecahan ini tidak dikenal mesin. Gunakan pecahan lain.',
	note_switched_off: 'Pecahan ini tidak diterima di kiosk ini. Gunakan pecahan lain.',
	too_large: 'Nilainya terlalu besar untuk sisa tagihan. Gunakan pecahan yang lebih kecil.',
	journal_unhealthy: 'Pencatatan uang sedang terganggu. Jangan masukkan uang lagi, hubungi staf.',
	journal_newer: 'Kiosk perlu diperbarui dulu. Jangan masukkan uang lagi, hubungi staf.',
	disk_full: 'Penyimpanan kiosk penuh. Jangan masukkan uang lagi, hubungi staf.',
	unreadable: 'Uang tidak terbaca. Rapikan uang, lalu masukkan lagi setelah tulisan Ready.',
	rejected_by_machine: 'Mesin menolak uang ini. Coba lagi atau gunakan lembar lain.',
	decided_too_late: 'Pemeriksaan terlalu lama. Masukkan lagi setelah tulisan Ready.',
	screen_frozen: 'Layar sempat berhenti, uang ini tidak dihitung. Masukkan lagi setelah tulisan Ready.',
	settings_unconfirmed: 'Tunai sedang ditutup, uang ini tidak dihitung. Hubungi staf kami.',
	closing: 'Pembayaran ini sedang ditutup, uang ini tidak dihitung. Masukkan nomor Anda lagi untuk membayar.',
};

/** @returns whether, for this reason, the acceptor takes no more notes for now */
export const forbidsMore = (reason: ReturnReason): boolean => FORBIDDING.includes(reason);

export let returnText = indonesian;
export type ReturnTexts = typeof indonesian;

/** Replaces these texts by those of another language; only `catalogue.ts` calls it. */
export function setReturnText(texts: ReturnTexts): void {
	returnText = texts;
}
