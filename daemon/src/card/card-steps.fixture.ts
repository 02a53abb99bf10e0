/** The card desk of a test, and the steps of customers, staff and terminal. */
import { beforeEach, expect, vi } from 'vitest';
import type { CardSale } from '../journal/card-book.ts';
import { Bench, benchForTest, TERMINAL_ID } from './card-machine.fixture.ts';

/** The card desk of the running test. */
export let bench: Bench;

/** Gives each test of the file a card desk of its own. */
export function benchOfEachTest(): void {
	beforeEach(() => {
		bench = benchForTest();
	});
}

/** Replaces the card desk with one that has these settings. */
export function useBench(policy: ConstructorParameters<typeof Bench>[0]): void {
	bench.close();
	bench = new Bench(policy);
}

/** The response by which the terminal reports that it shows a QR code. */
export const QR = { type: 'qris', rrn: '600000000001' } as const;
/** The response by which the terminal reports that the code is paid. */
export const PAID_QR = { type: 'qris_inquiry', rrn: QR.rrn } as const;
/** The terminal's clock at the first byte of the sale. */
export const CLOCK = Date.parse('2026-11-21T14:31:08.000Z');

export const sale = (): CardSale => bench.sale() ?? expect.fail('there is no sale');
export const log = (id: string) => bench.logged.filter(([logged]) => logged === id).map(([, fields]) => fields);
/** The terminal's states that were sent to the screen. */
export const edcStates = () => bench.told.flatMap((text) => (text.type === 'kiosk_edc' ? [text.state] : []));
export const why = () => bench.journal.cards.unknown().map((one) => one.why);
/** The invoice and amount of every charge that staff must settle. */
export const listed = () => bench.journal.cards.unknown().map(({ payment, amount }) => [payment?.id ?? null, amount]);
/** The number of sales in each state that occurs. */
export const counts = () => bench.journal.cards.countByState().filter(({ count }) => count > 0);

export const ask = (action: 'echo' | 'settlement') => bench.desk.carryOut({ action, by: 'Sari', why: 'closing' });
export const staff = (action: 'void' | 'reprint', one = sale()) =>
	bench.desk.carryOut({ action, sale: one, by: 'Sari', why: 'wrong bike' });
export const settle = (outcome: 'charged' | 'not_charged', one = sale()) =>
	bench.desk.carryOut({ action: 'settle', sale: one, outcome, by: 'Sari', why: 'the slip says so' });
/** Settles the oldest unknown sale. */
export const settleUnknown = (outcome: 'charged' | 'not_charged') =>
	settle(outcome, bench.journal.cards.unknown()[0] ?? expect.fail('nothing is unknown'));
/** The first byte of the request leaves the kiosk. @param clock the terminal's clock */
export const begun = (clock: number | null = CLOCK, request_id = bench.id): void =>
	bench.report({ kind: 'begun', request_id, clock, terminal_id: TERMINAL_ID });
/** The disk works again, and the desk notices it. */
export const heal = async () => {
	bench.trouble = null;
	if (bench.journal.trouble()) bench.journal.reopen();
	await vi.advanceTimersByTimeAsync(10_000);
};
/** Waits until the desk inquires about an unknown sale. */
export const quiet = () => vi.advanceTimersByTimeAsync(61_000);

export function showQr(): void {
	bench.qris = true;
	bench.restart();
	bench.start({ method: 'qris' }).ack().answer(QR);
}

/** An unknown sale by a QR code, about which the kiosk has just inquired. */
export async function askAboutQr(): Promise<void> {
	showQr();
	bench.restart();
	await quiet();
	expect(bench.requests.at(-1)?.request).toMatchObject({ type: 'qris_inquiry', reference: QR.rrn });
}

/** An unknown card sale whose last slip the kiosk has just requested. */
export async function askForSlip(): Promise<void> {
	useBench({ inquiry: 'reprint' });
	bench.start();
	begun();
	bench.silent();
	await quiet();
	expect(bench.requests.at(-1)?.request).toMatchObject({ type: 'reprint' });
}
