import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { afterEach, beforeEach } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { type Journal, openJournal } from './journal.ts';
import { paymentOf } from './payment.fixture.ts';
import { openStore } from './store.ts';

/** The folder and the journal of the running test. */
export let directory: string;
export let journal: Journal;

let wallOf: () => Date;

/**
 * Opens an empty journal before each test of the calling file and closes it afterwards.
 * @param wall the journal's wall clock
 */
export function journalOfEachTest(wall: () => Date = systemClock.wall): void {
	beforeEach(() => {
		wallOf = wall;
		directory = temporaryFolder('journal');
		openAgain();
	});
	afterEach(() => journal.close());
}

/**
 * Opens the same files again, as after a restart.
 * @param open opens the store; may fail like a broken disk
 */
export function openAgain(minFreeBytes = 0, open = openStore): void {
	journal = openJournal({ directory, minFreeBytes }, { ...systemClock, wall: () => wallOf() }, open);
}

export const TIME = '2026-11-21T14:31:08+07:00';

/**
 * Records the intent to accept a note of this value.
 * @param id the payment's id
 * @returns note id
 */
export function begin(nominal: number, id: number | string = 7, time = TIME): string {
	const note_id = randomUUID();
	journal.append({ kind: 'cash_intent', note_id, payment: paymentOf(id), nominal: rupiah(nominal), code: '0x45', time });
	return note_id;
}

/** Records that a note is in the cashbox. @returns its id */
export function take(...note: Parameters<typeof begin>): string {
	const note_id = begin(...note);
	journal.append({ kind: 'cash_credit', note_id, late: false });
	return note_id;
}
