import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { EventId } from '../../../daemon/src/log/events.ts';
import { type LyingOffice, startLyingOffice, type ToldInvoice, toldInvoice } from '../../simulators/back-office/lying-office.ts';
import { type Printer, startPrinter } from '../../simulators/printer/start.ts';
import { startCardFor, tapCard, terminalReady } from '../../support/card.ts';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, type KioskOptions, printerSection, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

// Starts one kiosk for all tests of a file. Its back office gives the answers that a test chooses.

const PRINT = '/kiosk/print';
const OPEN = '/payment/api/v1/open-machine/';

export let kiosk: Kiosk;
export let office: LyingOffice;
let printer: Printer;
export let screen: Screen;
let customers = 0;

export async function start(options: KioskOptions = {}): Promise<void> {
	office = await startLyingOffice();
	printer = await startPrinter({ port: 0, printMs: 50 });
	kiosk = await startKiosk({
		movableClock: true,
		edc: { lines: 'ack_ms = 2000\nanswer_ms = 10000\n' },
		url: office.url,
		socketUrl: office.socketUrl,
		// The limit of prints per minute is high, because refused prints count, too.
		settings: `${printerSection(printer.uri)}per_minute = 600\n`,
		...options,
	});
	await newScreen();
}

/**
 * Connects a new screen and closes the previous screen. Otherwise more than 20 open screens of one
 * session could answer a ping of the daemon at once, which would count as a flood.
 */
export async function openScreen(): Promise<void> {
	const previous = screen as Screen | undefined;
	screen = await kiosk.screen();
	previous?.close();
}

/**
 * Holds the server's answer to the next look-up.
 * @param status of the held answer
 * @returns `asked` waits until the server is asked; `answer` sends the held answer
 */
export function holdLookUp(status = 200): { asked: () => Promise<void>; answer: () => void } {
	const before = lookUps();
	let answer = () => {};
	office.onLookUp = (found) => {
		office.onLookUp = answered;
		return new Promise((resolve) => (answer = () => resolve(status === 200 ? answered(found) : { status })));
	};
	return { asked: () => until(() => expect(lookUps()).toBeGreaterThan(before)), answer: () => answer() };
}

/** Connects a new screen and waits until the terminal is shown as ready. */
export async function newScreen(): Promise<void> {
	await openScreen();
	await terminalReady(screen);
}

export async function stop(): Promise<void> {
	await kiosk?.stop();
	await office?.stop();
	await printer?.stop();
}

/**
 * Adds an invoice at the back office.
 * @returns the customer's phone number, and the invoice as the server reports it
 */
export function customer(total: number, more: object = {}): { hp: string; invoice: ToldInvoice } {
	customers += 1;
	const hp = `0812${String(customers).padStart(8, '0')}`;
	const invoice = toldInvoice(customers, total, more);
	office.invoices.set(hp, invoice);
	return { hp, invoice };
}

export const answered = (invoice: ToldInvoice) => ({ status: 200, body: { results: invoice, ahass_name: 'AHASS', logo: '' } });
export const lookUps = () => office.asked.filter(({ path }) => path.endsWith('/get-invoice-info/')).length;

/**
 * Inserts notes one after the other and waits until each is credited; a returned note is inserted
 * again.
 */
export async function pay(...nominals: number[]): Promise<void> {
	for (const nominal of nominals) {
		const credited = kiosk.daemon.events('cash.note_credited').length;
		await feedNote(kiosk, nominal);
		await until(() => expect(kiosk.daemon.events('cash.note_credited').length).toBeGreaterThan(credited));
	}
}

/** Waits until the back office has confirmed every credited note. */
export const told = () => until(async () => expect((await kiosk.health()).outbox.count).toBe(0));

export const paidTexts = ({ id }: ToldInvoice) => screen.of('payment_notification').filter((text) => String(text.id) === String(id));
export const lookUp = (hp: string) => kiosk.call('/payment/api/v1/get-invoice-info/', { noinvoice: hp });
export const open = (hp: string, invoice: ToldInvoice) => kiosk.call(OPEN, { ...invoice, hp });
export const close = ({ id }: ToldInvoice) => kiosk.post('/kiosk/cash/close', { id });
export const print = ({ id }: ToldInvoice) => kiosk.post(PRINT, { of: 'invoice', id });
export const sell = (invoice: ToldInvoice, amount: number) => startCardFor(screen, invoice, { amount });
export const phases = () => screen.of('kiosk_edc_sale').map((sale) => sale.reason ?? sale.phase);
export const tap = () => tapCard(kiosk);
export async function payByCard(invoice: ToldInvoice, amount: number): Promise<void> {
	const before = phases().filter((phase) => phase === 'approved').length;
	sell(invoice, amount);
	await tap();
	await until(() => expect(phases().filter((phase) => phase === 'approved').length).toBeGreaterThan(before));
}
export const of = (event: EventId, { noinvoice }: ToldInvoice) => kiosk.daemon.events(event).filter(({ invoice }) => invoice === noinvoice);
/** @returns the beginning of the attempt id of the invoice's newest sale; `kioskctl` accepts it */
export const saleOf = (invoice: ToldInvoice): string => String(of('card.sent', invoice).at(-1)?.attempt_id).slice(0, 8);
export const approvalsTold = () => until(async () => expect((await kiosk.health()).card.approvals_waiting).toBe(0));
export const listed = (nominal: unknown, note_id?: string) => ({
	nominal,
	tanggal: '2026-11-23T10:00:00+07:00',
	...(note_id && { note_id }),
});

/** After this time, ms, a server must list a note that it has confirmed. */
export const LISTED_BY_NOW_MS = 21_000;

/**
 * Starts the kiosk before the tests of a file and restores the back office's usual answers before
 * each test.
 */
export function aroundLyingOffice(): void {
	beforeAll(() => start());
	afterAll(stop);
	beforeEach(() => {
		office.onNote = () => ({ status: 200 });
		office.onLookUp = answered;
		office.answersPings = true;
	});
}
