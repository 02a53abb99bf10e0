/** The card desk of a test, and the steps of customers, staff and terminal. */
import { beforeEach, expect, vi } from 'vitest';
import type { CardSale } from '../journal/card-book.ts';
import { CardFixture, cardFixtureForTest, TERMINAL_ID } from './card-machine.fixture.ts';

/** The card desk of the running test. */
export let fixture: CardFixture;

/** Gives each test of the file a new card desk. */
export function cardFixtureOfEachTest(): void {
	beforeEach(() => {
		fixture = cardFixtureForTest();
	});
}

/** Replaces the card desk with one that has these settings. */
export function useCardFixture(policy: ConstructorParameters<typeof CardFixture>[0]): void {
	fixture.close();
	fixture = new CardFixture(policy);
}

/** The response by which the terminal reports that it shows a QR code. */
export const QR = { type: 'qris', rrn: '600000000001' } as const;
/** The response by which the terminal reports that the code is paid. */
export const PAID_QR = { type: 'qris_inquiry', rrn: QR.rrn } as const;
/** The terminal's clock at the first byte of the sale. */
export const CLOCK = Date.parse('2026-11-21T14:31:08.000Z');

export const sale = (): CardSale => fixture.sale() ?? expect.fail('there is no sale');
export const log = (id: string) => fixture.logged.filter(([logged]) => logged === id).map(([, fields]) => fields);
/** The terminal's states that were sent to the screen. */
export const edcStates = () => fixture.told.flatMap((text) => (text.type === 'kiosk_edc' ? [text.state] : []));
export const why = () => fixture.journal.cards.unknown().map((one) => one.why);
/** The invoice and amount of every charge that staff must settle. */
export const listed = () => fixture.journal.cards.unknown().map(({ payment, amount }) => [payment?.id ?? null, amount]);
/** The number of sales in each state, without the states that no sale has. */
export const counts = () => fixture.journal.cards.countByState().filter(({ count }) => count > 0);

export const ask = (action: 'echo' | 'settlement') => fixture.desk.carryOut({ action, by: 'Sari', why: 'closing' });
export const staff = (action: 'void' | 'reprint', one = sale()) =>
	fixture.desk.carryOut({ action, sale: one, by: 'Sari', why: 'wrong bike' });
export const settle = (outcome: 'charged' | 'not_charged', one = sale()) =>
	fixture.desk.carryOut({ action: 'settle', sale: one, outcome, by: 'Sari', why: 'the slip says so' });
/** Settles the oldest unknown sale. */
export const settleUnknown = (outcome: 'charged' | 'not_charged') =>
	settle(outcome, fixture.journal.cards.unknown()[0] ?? expect.fail('nothing is unknown'));
/**
 * Reports that the first byte of the request has left the kiosk.
 * @param clock the terminal's clock
 */
export const begun = (clock: number | null = CLOCK, request_id = fixture.id): void =>
	fixture.report({ kind: 'begun', request_id, clock, terminal_id: TERMINAL_ID });
/** Makes the disk work again, and waits until the desk notices. */
export const heal = async () => {
	fixture.trouble = null;
	if (fixture.journal.trouble()) fixture.journal.reopen();
	await vi.advanceTimersByTimeAsync(10_000);
};
/** Waits until the desk inquires about an unknown sale. */
export const quiet = () => vi.advanceTimersByTimeAsync(61_000);

export function showQr(): void {
	fixture.qris = true;
	fixture.restart();
	fixture.start({ method: 'qris' }).ack().answer(QR);
}

/** Makes a QR sale unknown, and waits until the kiosk inquires about its code. */
export async function askAboutQr(): Promise<void> {
	showQr();
	fixture.restart();
	await quiet();
	expect(fixture.requests.at(-1)?.request).toMatchObject({ type: 'qris_inquiry', reference: QR.rrn });
}

/** Makes a card sale unknown, and waits until the kiosk requests the terminal's last slip. */
export async function askForSlip(): Promise<void> {
	useCardFixture({ inquiry: 'reprint' });
	fixture.start();
	begun();
	fixture.silent();
	await quiet();
	expect(fixture.requests.at(-1)?.request).toMatchObject({ type: 'reprint' });
}
