import type { Invoice as LookedUpInvoice } from '@kiosk/contract/back-office';
import { rupiah } from '@kiosk/contract/money';
import { isSameInvoice } from '@kiosk/contract/same-id';
import type { Invoice } from '../simulators/back-office/invoice.ts';
import type { Random } from '../support/random.ts';
import { closeCash, leavePage, lookUp, openCash, printReceipt, startCard } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import { checkNoSessionLeft, isPaidApproval } from './sim-watch.ts';

const NOMINALS = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];
const BETWEEN_NOTES_MS = [300, 6_000] as const;
const LONGEST_VISIT_MS = 240_000;
const LOOK_MS = 250;
/**
 * After the page was left, the cash session ends within this time, ms. This includes the wait for a
 * last note.
 */
const LEFT_MS = 40_000;

export type Wish = 'cash' | 'cash_exact' | 'cash_then_leave' | 'card' | 'card_declined_once' | 'card_declined' | 'card_then_leave';
export const WISHES: readonly Wish[] = ['cash', 'cash', 'cash_exact', 'cash_then_leave', 'card', 'card_declined', 'card_then_leave'];

/** The result of a visit, as the customer sees it. */
export interface Visit {
	wish: Wish;
	invoice: Invoice['id'];
	/** Sum of the customer's stacked notes, rupiah. */
	given: number;
	told: 'paid' | 'left' | 'refused' | 'unknown';
}

/**
 * Plays one customer, who reads the screen, inserts notes, holds a card to the terminal or loses
 * patience.
 */
export async function visit(world: SimKiosk, random: Random, wish: Wish, invoice: Invoice): Promise<Visit> {
	const made: Visit = { wish, invoice: invoice.id, given: 0, told: 'left' };
	world.note(`customer: ${wish} for invoice ${invoice.id}, Rp ${invoice.total}`);
	if (!world.screen.connected) world.browser.open();
	// After the previous visit the page went home, where it ignores messages about that visit's
	// invoice.
	world.screen.shows = null;
	const detail = await lookUp(world, invoice);
	if (detail === null) return { ...made, told: 'refused' };
	if (detail.is_paid) return { ...made, told: 'paid' };
	return wish.startsWith('cash') ? payCash(world, random, made, detail, invoice) : payByCard(world, random, made, detail, invoice);
}

async function payCash(world: SimKiosk, random: Random, made: Visit, found: LookedUpInvoice, invoice: Invoice): Promise<Visit> {
	const stackedBefore = world.acceptor.stacked.length;
	const ends = world.clock.now() + LONGEST_VISIT_MS;
	const leavesAfter = made.wish === 'cash_then_leave' ? random.int(0, 2) : Number.POSITIVE_INFINITY;
	let detail = found;
	/**
	 * The invoice on the page. After another outlet has logged in, the customer's number finds
	 * another invoice, so this is not always `invoice`.
	 */
	let shown = invoice;
	let fed = 0;
	let opened = '';
	while (world.clock.now() < ends) {
		const { screen } = world;
		const page = `${world.starts} ${screen.loads}`;
		if (world.kiosk !== null && screen.connected && opened !== page) {
			// A reloaded page begins at home. The customer enters the number again, gives up, or inserts
			// the next note at the home screen.
			const again = opened !== '' && !opened.endsWith(` ${screen.loads}`);
			if (again && world.adverse && random.chance(0.3)) return insertAtHome(world, random, made, stackedBefore);
			const first = opened === '';
			opened = page;
			detail = (again || (!first && (!world.adverse || random.chance(0.5))) ? await lookUp(world, invoice) : null) ?? detail;
			// A page that was reloaded meanwhile is at home and does not open the acceptor.
			if (!page.endsWith(` ${screen.loads}`)) continue;
			const answer = await openCash(world, detail);
			shown = world.opener?.invoice ?? shown;
			if (answer?.is_paid) made.told = 'paid';
		}
		if (made.told === 'paid' || isToldPaid(world, detail)) {
			made.told = 'paid';
			break;
		}
		const ready = screen.heard.findLast((text) => text.type === 'machine_ready');
		if (fed >= leavesAfter) break;
		if (ready?.is_ready && world.acceptor.note === null) {
			const missing = shown.total - (world.acceptor.stacked.length - stackedBefore > 0 ? givenSince(world, stackedBefore) : 0);
			const nominal = made.wish === 'cash_exact' ? largestWithin(missing) : random.pick(NOMINALS);
			if (nominal !== null) {
				const taken = world.feed(random.chance(0.03) ? 'unreadable' : { nominal }, shown);
				if (taken) fed += 1;
				world.note(`customer: feeds ${nominal}, ${taken ? 'it goes in' : 'it does not go in'}`);
			}
		}
		await world.run(random.int(...BETWEEN_NOTES_MS));
		// A hasty customer inserts the next note before the acceptor is ready.
		if (
			made.wish === 'cash' &&
			random.chance(0.1) &&
			world.acceptor.note === null &&
			fed > 0 &&
			world.feed({ nominal: random.pick(NOMINALS) }, shown)
		)
			fed += 1;
	}
	// Some customers insert a note while they leave.
	if (random.chance(0.2)) {
		world.feed({ nominal: random.pick(NOMINALS) }, shown);
		await world.run(random.int(0, 3_000));
	}
	if (made.told === 'paid') await takeReceipts(world, random, invoice);
	await closeCash(world, detail.id);
	return { ...made, given: givenSince(world, stackedBefore) };
}

/**
 * Inserts notes while the home screen is shown; the acceptor may still be open. If nothing disturbs
 * the page for `LEFT_MS`, checks that the cash session has ended.
 */
async function insertAtHome(world: SimKiosk, random: Random, made: Visit, stackedBefore: number): Promise<Visit> {
	let undisturbed = { since: world.clock.now(), heard: world.screen.heard };
	for (let left = random.int(1, 8); left > 0; left -= 1) {
		await world.run(random.int(2_000, 15_000));
		const { heard, drawing, connected } = world.screen;
		if (heard !== undisturbed.heard || !drawing || !connected) undisturbed = { since: world.clock.now(), heard };
		if (world.acceptor.note === null) world.feed({ nominal: random.pick(NOMINALS) }, null);
	}
	await world.run(3_000);
	if (world.clock.now() - undisturbed.since > LEFT_MS) checkNoSessionLeft(world);
	leavePage(world);
	return { ...made, given: givenSince(world, stackedBefore) };
}

/** Presses the receipt button, sometimes several times. */
async function takeReceipts(world: SimKiosk, random: Random, invoice: Invoice): Promise<void> {
	for (let presses = random.int(0, 3); presses > 0 && world.kiosk !== null; presses -= 1) {
		printReceipt(world, invoice);
		await world.run(random.int(50, 20_000));
	}
}

async function payByCard(world: SimKiosk, random: Random, made: Visit, detail: LookedUpInvoice, invoice: Invoice): Promise<Visit> {
	const ends = world.clock.now() + LONGEST_VISIT_MS;
	const received = (detail.list_pembayaran ?? []).reduce((sum, { nominal }) => sum + nominal, 0);
	const start = () => startCard(world, detail, rupiah(Math.max(0, detail.total - received)));
	const respCode = made.wish.startsWith('card_declined') ? random.pick(['55', '54', 'P3', 'Z3', '51']) : '00';
	const from = world.screen.heard.length;
	let starts = world.starts;
	start();
	let tries = 1;
	while (world.clock.now() < ends) {
		await world.run(LOOK_MS);
		// After a restart of the kiosk, the browser reconnects and gets the current state. It starts a
		// sale only if the daemon has none.
		if (world.kiosk !== null && starts !== world.starts) {
			starts = world.starts;
			await lookUp(world, invoice);
			if (!world.screen.heard.some((text) => text.type === 'kiosk_edc_sale')) start();
		}
		if (world.terminal.waiting !== null && random.chance(0.1)) {
			world.note(`customer: holds a card, ${respCode}`);
			world.terminal.tap({ respCode, ...(respCode === '00' || !random.chance(0.05) ? {} : { captured: false }) });
		}
		if (made.wish === 'card_then_leave' && random.chance(0.02)) return { ...made, told: 'left' };
		if (isToldPaid(world, detail)) return { ...made, told: 'paid' };
		const news = world.screen.heard.slice(from < world.screen.heard.length ? from : 0);
		const answer = news.findLast((text) => text.type === 'payment_edc_bca_notification' || text.type === 'kiosk_edc_sale');
		const approval = news.findLast((text) => text.type === 'payment_edc_bca_notification' && text.data.respCode === '00');
		if (approval?.type === 'payment_edc_bca_notification') {
			approve(world, detail, approval.data);
			// The approval does not pay an invoice that has grown; the screen shows the remaining amount.
			if (!isPaidApproval(approval)) return { ...made, told: 'left' };
			await takeReceipts(world, random, invoice);
			return { ...made, told: 'paid' };
		}
		if (answer?.type === 'kiosk_edc_sale' && answer.phase === 'unknown') made.told = 'unknown';
		if (answer?.type === 'kiosk_edc_sale' && answer.phase === 'declined') return { ...made, told: 'refused' };
		if (answer?.type === 'payment_edc_bca_notification' && answer.data.respCode !== '00') {
			if (made.wish === 'card_declined_once' || tries >= 3 || !random.chance(0.5)) return { ...made, told: 'refused' };
			tries += 1;
			await world.run(7_000);
			start();
		}
	}
	return made;
}

const approve = (world: SimKiosk, detail: LookedUpInvoice, json_success_payment: unknown): void =>
	world.screen.say({
		message: {
			type: 'payment_edc_bca_notification',
			event: 'transaction_approve',
			data: { no_invoice: detail.noinvoice, access_token: world.office.at.token, json_success_payment },
		},
	});

/**
 * @returns whether the screen has got the message "paid" for this invoice since its socket opened
 */
export const isToldPaid = (world: SimKiosk, invoice: Pick<LookedUpInvoice, 'id' | 'noinvoice'>): boolean =>
	world.screen.heard.some((text) => text.type === 'payment_notification' && text.is_paid && isSameInvoice(text, invoice));

const givenSince = (world: SimKiosk, stackedBefore: number): number =>
	world.acceptor.stacked.slice(stackedBefore).reduce((sum, note) => sum + note.nominal, 0);

/** @returns the largest denomination not above `amount`, rupiah */
export const largestWithin = (amount: number): number | null => NOMINALS.findLast((nominal) => nominal <= amount) ?? null;
