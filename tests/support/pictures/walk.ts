import { referenceOf } from '@kiosk/contract/reference';
import type { Page, WebSocketRoute } from 'playwright-core';
import type { Catalogue } from '../../../ui/src/text/catalogue.ts';
import { logIn } from '../browser.ts';
import { feedNote } from '../feed-note.ts';
import type { Kiosk } from '../kiosk.ts';
import { fillPanel } from '../ruler.ts';

const BUDI = '081234567890';
const QRIS_OPEN = '081200000003';
const VA_OPEN = '081200000004';
const LARGE = '081200000005';
const LONG = '081200000007';
const UNKNOWN = '089999999999';
/**
 * Before the page's clock pauses, it jumps ahead by this, ms. After a longer jump, open requests
 * would time out.
 */
const PAUSE_MS = 5_000;
const NOTE = '7f3a9c2e-1111';

/** A language for customers: its texts, and how to choose it on the home screen. */
export interface WalkLanguage {
	tag: string;
	words: Catalogue;
	choose: (page: Page) => Promise<void>;
}

/**
 * Walks through the states of the screens in one language on one panel. It finds the controls by
 * their texts in that language.
 * @param of.kiosk a kiosk with a card terminal and an unreachable printer, not logged in
 * @param of.inch diagonal of the panel
 * @param of.take takes the picture of a state
 */
export async function walkScreens(of: {
	page: Page;
	kiosk: Kiosk;
	inch: number;
	language: WalkLanguage;
	take: (state: string) => Promise<void>;
}): Promise<void> {
	const { page, kiosk, language } = of;
	const { screens, payment, nonCash, acceptor, edc } = language.words;
	let socket: WebSocketRoute | null = null;
	await page.routeWebSocket(/\/ws\//, (opened) => {
		opened.connectToServer();
		socket = opened;
	});
	const say = (text: object): void => void socket?.send(JSON.stringify({ text }));
	const button = (name: string) => page.getByRole('button', { name });
	const text = (words: string) => page.getByText(words).first();

	async function take(state: string): Promise<void> {
		await fillPanel(page, of.inch);
		await of.take(state);
	}
	async function home(): Promise<void> {
		await page.goto(kiosk.daemon.url);
		await page.locator('input').waitFor();
		await language.choose(page);
	}
	async function lookUp(number: string): Promise<void> {
		await home();
		for (const digit of number) await page.getByRole('button', { name: digit, exact: true }).click();
		const answered = page.waitForResponse('**/get-invoice-info/');
		await button(screens.home.confirm).click();
		await answered;
	}
	const asksAboutPaper = () => page.getByRole('dialog').getByText(payment.paper.title).waitFor();
	const goOnWithoutPaper = () => page.getByRole('dialog').getByRole('button', { name: payment.paper.goOn }).click();

	await page.goto(kiosk.daemon.url);
	await page.locator('input[type="password"]').waitFor();
	await take('login');
	await logIn(page, kiosk);
	await home();
	await text(payment.paper.title).waitFor();
	await take('home');
	await lookUp(UNKNOWN);
	await button(screens.kembali).waitFor();
	await take('not-found');

	await lookUp(BUDI);
	await button(payment.method.cash).waitFor();
	await text(payment.paper.title).waitFor();
	await take('method');
	await button(payment.method.nonCash).click();
	await button(payment.method.debit).waitFor();
	await take('method-non-cash');

	await lookUp(BUDI);
	await button(payment.method.cash).click();
	await asksAboutPaper();
	await take('cash-no-paper');
	await goOnWithoutPaper();
	await page.getByText(acceptor.states.ready.status, { exact: true }).waitFor();
	await take('cash');
	for (const nominal of [10_000, 5_000, 2_000]) await feedNote(kiosk, nominal);
	await text(payment.cash.terima(3)).waitFor();
	await take('cash-notes');
	say({ type: 'kiosk_note_moving', id: 1, nominal: 50_000 });
	await text(payment.cash.moving).waitFor();
	await take('cash-moving');
	say({ type: 'kiosk_note_in_doubt', id: 1, note_id: NOTE, nominal: 100_000 });
	await text(referenceOf(NOTE)).waitFor();
	await take('cash-doubt');

	await lookUp(BUDI);
	await asksAboutPaper();
	await goOnWithoutPaper();
	await page.getByText(acceptor.states.ready.status, { exact: true }).waitFor();
	// Pauses the page's clock, so that the screen does not return to the home screen.
	await page.clock.pauseAt(Date.now() + PAUSE_MS);
	await feedNote(kiosk, 100_000);
	await feedNote(kiosk, 50_000);
	await page.getByRole('heading', { name: payment.paid.lunas }).waitFor();
	// Tells the page that the printer works, because the usual paid screen announces a receipt.
	say({ type: 'kiosk_printer', trouble: null });
	await text(payment.paid.willPrint).waitFor();
	await take('paid');
	await page.clock.runFor(2_100);
	await text(payment.take.noPaper).waitFor();
	await take('paid-no-paper');
	await button(payment.take.button).click();
	await page.getByRole('dialog').waitFor();
	await take('take-along');
	await page.clock.resume();

	await lookUp(QRIS_OPEN);
	await page.getByAltText(nonCash.qris.picture).waitFor();
	await take('qris');
	await lookUp(LARGE);
	await button(payment.method.nonCash).click();
	await button(payment.method.va).click();
	await text(nonCash.banks.title).waitFor();
	await page.getByRole('button', { name: /BCA/ }).waitFor();
	await take('va-banks');
	await lookUp(VA_OPEN);
	await text(nonCash.va.number).waitFor();
	await take('va');
	await lookUp(LONG);
	await button(payment.method.nonCash).click();
	await button(payment.method.debit).click();
	await text(edc.sales.card.yourTurn).waitFor();
	await take('card');

	await home();
	await button(screens.callStaff.button).click();
	await page.getByRole('button', { name: screens.callStaff.button }).waitFor({ state: 'detached' });
	await take('home-called');
	await takeStaffScreens({ page, kiosk, take, home, button, confirm: screens.home.confirm });
	await page.goto(`${kiosk.daemon.url}/nirgends`);
	await text('404').waitFor();
	await take('404');
}

/** Takes pictures of the staff screens, which stay Indonesian in every language. */
async function takeStaffScreens(of: {
	page: Page;
	kiosk: Kiosk;
	take: (state: string) => Promise<void>;
	home: () => Promise<void>;
	button: (name: string) => ReturnType<Page['getByRole']>;
	confirm: string;
}): Promise<void> {
	const { page, kiosk, take, button } = of;
	await of.home();
	for (const digit of '000000') await page.getByRole('button', { name: digit, exact: true }).click();
	await button(of.confirm).click();
	await page.getByText('Masukan PIN').first().waitFor();
	await take('staff-pin');
	for (const digit of kiosk.backOffice.account.pin) await page.getByRole('button', { name: digit, exact: true }).click();
	await button('Submit').click();
	await page.getByRole('row').nth(1).waitFor();
	await take('staff-list');
	await button('Menu staf').click();
	await page.getByText('Pelanggan memanggil staf').waitFor();
	await take('staff-home');
}
