/** Checks the money of a rehearsal: compares the technician's answers with the journal. */
import type { RehearsalVerdict } from '@kiosk/contract/rehearsal';
import type { JournalRecord } from '../journal/records.ts';
import type { Progress } from './progress.ts';

export type NoteEnd = 'moving' | 'credited' | 'in_doubt' | 'returned' | 'not_ours' | 'unexplained';
export type SaleEnd = 'open' | 'approved' | 'declined' | 'not_begun' | 'unknown' | 'unexplained';

/**
 * Money in the journal records of a rehearsal, in rupiah. Ids are left out, so that two rehearsals
 * can be compared.
 */
export interface RecordedMoney {
	/**
	 * The notes in the order of their records. `nominal`: null if the acceptor did not report the
	 * value.
	 */
	notes: { nominal: number | null; end: NoteEnd }[];
	sales: { amount: number | null; end: SaleEnd }[];
	/** How each printout ended. */
	prints: string[];
}

/** @param records oldest first */
export function moneyOf(records: readonly JournalRecord[]): RecordedMoney {
	const notes = new Map<string, RecordedMoney['notes'][number]>();
	const sales = new Map<string, RecordedMoney['sales'][number]>();
	const prints: string[] = [];
	const endNote = (id: string, end: NoteEnd): void => void Object.assign(notes.get(id) ?? {}, { end });
	const endSale = (id: string, end: SaleEnd): void => void Object.assign(sales.get(id) ?? {}, { end });
	for (const record of records) {
		switch (record.kind) {
			case 'cash_intent':
				notes.set(record.note_id, { nominal: record.nominal, end: 'moving' });
				break;
			case 'cash_credit':
				endNote(record.note_id, 'credited');
				break;
			case 'cash_returned':
				endNote(record.note_id, 'returned');
				break;
			case 'cash_in_doubt':
				endNote(record.note_id, 'in_doubt');
				break;
			case 'cash_unexplained':
				notes.set(record.note_id, { nominal: record.nominal, end: 'unexplained' });
				break;
			case 'cash_settled':
				endNote(record.note_id, record.outcome === 'in_box' ? 'credited' : record.outcome);
				break;
			case 'card_sale':
				sales.set(record.attempt_id, { amount: record.amount, end: 'open' });
				break;
			case 'card_outcome':
				endSale(record.attempt_id, record.outcome);
				break;
			case 'card_unknown':
				endSale(record.attempt_id, 'unknown');
				break;
			case 'card_unexplained':
				sales.set(record.attempt_id, { amount: record.response.amount, end: 'unexplained' });
				break;
			case 'card_settled':
				endSale(record.attempt_id, record.outcome === 'charged' ? 'approved' : 'declined');
				break;
			case 'print_ended':
				prints.push(record.state);
				break;
			default:
		}
	}
	return { notes: [...notes.values()], sales: [...sales.values()], prints };
}

/** @returns whether a note or sale has no outcome yet; the verdict waits for it */
export const isMoving = ({ notes, sales }: RecordedMoney): boolean =>
	notes.some(({ end }) => end === 'moving') || sales.some(({ end }) => end === 'open');

/**
 * The verdict, with texts in Indonesian. `missed`: the money is right, but the moment to be tested
 * was missed.
 */
export interface Judgement {
	verdict: RehearsalVerdict;
	text: string;
	remedy: string;
}

/** @param money every note and sale in it should have an outcome, see `isMoving` */
export function judge(progress: Progress, money: RecordedMoney): Judgement {
	const wrong = cashFault(progress, money) ?? cardFault(progress, money) ?? paperFault(progress, money);
	if (wrong !== null)
		return { verdict: 'failed', text: wrong, remedy: 'Jangan pakai cara bayar ini. Kirim file rekaman kepada pengembang.' };
	if (progress.missed)
		return {
			verdict: 'missed',
			text: 'Uangnya benar, tetapi saat yang diuji terlewat.',
			remedy: 'Ulangi, dan cabut lebih cepat.',
		};
	const waiting = [...money.notes, ...money.sales].some(({ end }) => end === 'in_doubt' || end === 'unknown' || end === 'unexplained');
	return {
		verdict: 'passed',
		text: 'Semua uang ada tepat satu kali di jurnal.',
		remedy: waiting ? 'Putuskan yang belum pasti: kioskctl status menyebut caranya.' : '',
	};
}

function cashFault({ answers }: Progress, { notes }: RecordedMoney): string | null {
	const { inserted, in_hand, in_box } = answers;
	if (inserted === undefined || in_hand === undefined || in_box === undefined) return null;
	if (in_hand + in_box < inserted) return `Rp ${inserted - in_hand - in_box} tidak ada di tangan maupun di kotak uang.`;
	if (in_hand + in_box > inserted) return `Di tangan dan di kotak ada Rp ${in_hand + in_box - inserted} lebih dari yang dimasukkan.`;
	const credited = notes.filter(({ end }) => end === 'credited').map(({ nominal }) => nominal ?? 0);
	const open = notes.filter(({ end }) => end === 'in_doubt' || end === 'unexplained').map(({ nominal }) => nominal);
	const surely = credited.reduce((sum, nominal) => sum + nominal, 0);
	if (surely > in_box) return `Jurnal mengkredit Rp ${surely}, tetapi di kotak hanya ada Rp ${in_box}.`;
	// A note whose value the acceptor did not report may have any value.
	if (surely < in_box && open.includes(null)) return null;
	if (!sumsOf(open.map((nominal) => nominal ?? 0)).has(in_box - surely))
		return `Di kotak ada Rp ${in_box}, tetapi jurnal hanya mengenal Rp ${surely} dan tidak mencatat sisanya sebagai belum pasti.`;
	return null;
}

/**
 * @returns every possible sum of these amounts, rupiah. The set stays small, because a rehearsal
 * has few notes.
 */
function sumsOf(amounts: readonly number[]): Set<number> {
	const sums = new Set([0]);
	for (const amount of amounts) for (const sum of [...sums]) sums.add(sum + amount);
	return sums;
}

function cardFault({ answers }: Progress, { sales }: RecordedMoney): string | null {
	const { charges } = answers;
	if (charges === undefined) return null;
	const approved = sales.filter(({ end }) => end === 'approved').length;
	const unknown = sales.filter(({ end }) => end === 'unknown' || end === 'unexplained').length;
	if (approved > charges) return `Jurnal mencatat ${approved} penjualan disetujui, tetapi kartu ditagih ${charges} kali.`;
	if (charges > approved + unknown) return `Kartu ditagih ${charges} kali, tetapi jurnal hanya mengenal ${approved + unknown}.`;
	return null;
}

function paperFault({ answers }: Progress, { prints }: RecordedMoney): string | null {
	const { sheets } = answers;
	if (sheets === undefined) return null;
	const done = prints.filter((state) => state === 'done').length;
	return sheets === done ? null : `Kiosk mencatat ${done} struk tercetak, tetapi yang keluar ${sheets} lembar.`;
}
