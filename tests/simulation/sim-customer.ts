import * as v from 'valibot';
import { InvoiceInfo, type Invoice as LookedUpInvoice } from '../../daemon/contract/back-office.ts';
import { rupiah } from '../../daemon/contract/money.ts';
import type { Receipt } from '../../daemon/contract/receipt.ts';
import { formDataOf, ownHeaders } from '../../daemon/src/back-office/client.ts';
import type { Invoice } from '../simulators/back-office/invoice.ts';
import type { Random } from './random.ts';
import type { SimKiosk } from './sim-kiosk.ts';

const RECEIPT: Receipt = {
	logo: '',
	ahass: 'AHASS',
	tanggal: '',
	nomor: '',
	nama: '',
	nopol: '',
	is_paid: true,
	metode: 'Tunai',
	lines: [],
	untaxed: rupiah(0),
	taxed: rupiah(0),
	total: rupiah(0),
	received: null,
};

const NOMINALS = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];
const BETWEEN_NOTES_MS = [300, 6_000] as const;
const LONGEST_VISIT_MS = 240_000;
const LOOK_MS = 250;

export type Wish = 'cash' | 'cash_exact' | 'cash_then_leave' | 'card' | 'card_declined' | 'card_then_leave';
export const WISHES: readonly Wish[] = ['cash', 'cash', 'cash_exact', 'cash_then_leave', 'card', 'card_declined', 'card_then_leave'];

/** How a visit ended, as its customer would tell it. */
export interface Visit {
	wish: Wish;
	invoice: number;
	/** Notes that the machine kept, by the customer's own count. */
	given: number;
	told: 'paid' | 'left' | 'refused' | 'unknown';
}

/**
 * One customer before the machine: reads the screen, feeds notes, taps a card, loses patience.
 * @returns how it ended for them
 */
export async function visit(world: SimKiosk, random: Random, wish: Wish, invoice: Invoice): Promise<Visit> {
	const made: Visit = { wish, invoice: invoice.id, given: 0, told: 'left' };
	world.note(`customer: ${wish} for invoice ${invoice.id}, Rp ${invoice.total}`);
	if (!world.screen.connected) world.openScreen();
	const detail = await lookUp(world, invoice);
	if (detail === null) return { ...made, told: 'refused' };
	if (detail.is_paid) return { ...made, told: 'paid' };
	return wish.startsWith('cash') ? payCash(world, random, made, detail, invoice) : payByCard(world, random, made, detail, invoice);
}

/** The screen's own look-up, through the kiosk's line to the server. @returns null when nothing useful came */
export async function lookUp(world: SimKiosk, invoice: Invoice): Promise<LookedUpInvoice | null> {
	const { body, contentType } = formDataOf({ noinvoice: invoice.noinvoice });
	const csrf = { csrf_cookie: 'c', csrf_header: 'X-C' };
	const headers = { ...ownHeaders(world.office.token, csrf), 'Content-Type': contentType };
	const asked = world.office.callFor(() => true)({ method: 'POST', path: '/payment/api/v1/get-invoice-info/', headers, body });
	const answer = await during(world, asked);
	if (answer === null || !answer.ok || answer.value.status !== 200 || world.kiosk === null) return null;
	const info = v.safeParse(InvoiceInfo, JSON.parse(answer.value.body.toString('utf8')));
	if (!info.success) return null;
	world.kiosk.lookedUp.invoice = info.output.results;
	return info.output.results;
}

async function payCash(world: SimKiosk, random: Random, made: Visit, detail: LookedUpInvoice, invoice: Invoice): Promise<Visit> {
	const stackedBefore = world.acceptor.stacked.length;
	const ends = world.clock.now + LONGEST_VISIT_MS;
	const leavesAfter = made.wish === 'cash_then_leave' ? random.int(0, 2) : Number.POSITIVE_INFINITY;
	let fed = 0;
	let opened = 0;
	while (world.clock.now < ends) {
		const { kiosk } = world;
		if (kiosk !== null && world.screen.connected && opened !== world.starts) {
			opened = world.starts;
			kiosk.lookedUp.invoice = detail;
			const answer = await during(world, kiosk.cash.open(detail, detail.list_pembayaran ?? []));
			if (answer && answer !== 'leaving' && answer.is_paid) made.told = 'paid';
		}
		if (made.told === 'paid' || isToldPaid(world, detail)) {
			made.told = 'paid';
			break;
		}
		const ready = world.screen.heard.findLast((text) => text.type === 'machine_ready');
		if (fed >= leavesAfter) break;
		if (ready?.is_ready && world.acceptor.note === null) {
			const missing = invoice.total - (world.acceptor.stacked.length - stackedBefore > 0 ? givenSince(world, stackedBefore) : 0);
			const nominal = made.wish === 'cash_exact' ? largestWithin(missing) : random.pick(NOMINALS);
			if (nominal !== null) {
				const answer = world.acceptor.insert(random.chance(0.03) ? 'unreadable' : { nominal });
				if (answer.taken) fed += 1;
				world.note(`customer: feeds ${nominal}, ${JSON.stringify(answer)}`);
			}
		}
		await world.run(random.int(...BETWEEN_NOTES_MS));
		// Somebody in a hurry pushes the next one in before the machine has asked for it.
		if (
			made.wish === 'cash' &&
			random.chance(0.1) &&
			world.acceptor.note === null &&
			fed > 0 &&
			world.acceptor.insert({ nominal: random.pick(NOMINALS) }).taken
		)
			fed += 1;
	}
	// A note at the very moment of leaving.
	if (random.chance(0.2)) {
		world.acceptor.insert({ nominal: random.pick(NOMINALS) });
		await world.run(random.int(0, 3_000));
	}
	if (made.told === 'paid') await takeReceipts(world, random, invoice);
	await leave(world, detail);
	return { ...made, given: givenSince(world, stackedBefore) };
}

/** Presses the button for a receipt, impatiently. */
async function takeReceipts(world: SimKiosk, random: Random, invoice: Invoice): Promise<void> {
	for (let presses = random.int(0, 3); presses > 0 && world.kiosk !== null; presses -= 1) {
		printReceipt(world, invoice);
		await world.run(random.int(50, 20_000));
	}
}

/** The screen closes the session as it is left; where no daemon answers, the daemon's own limit does it. */
async function leave(world: SimKiosk, detail: LookedUpInvoice): Promise<void> {
	if (world.kiosk !== null) await during(world, world.kiosk.cash.close(detail.id));
}

async function payByCard(world: SimKiosk, random: Random, made: Visit, detail: LookedUpInvoice, invoice: Invoice): Promise<Visit> {
	const ends = world.clock.now + LONGEST_VISIT_MS;
	const data = { amount: rupiah(detail.total), id: detail.id, odoo_id: detail.odoo_id ?? null, noinvoice: detail.noinvoice };
	const start = () => world.screen.say({ message: { type: 'payment_edc_bca_notification', event: 'start_transaction', data } });
	const respCode = made.wish === 'card_declined' ? random.pick(['55', '54', 'P3', 'Z3', '51']) : '00';
	const from = world.screen.heard.length;
	let starts = world.starts;
	start();
	let tries = 1;
	while (world.clock.now < ends) {
		await world.run(LOOK_MS);
		// A browser that was away is greeted, and asks again only when nothing of its sale is known.
		if (world.kiosk !== null && starts !== world.starts) {
			starts = world.starts;
			world.kiosk.lookedUp.invoice = detail;
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
			await takeReceipts(world, random, invoice);
			return { ...made, told: 'paid' };
		}
		if (answer?.type === 'kiosk_edc_sale' && answer.phase === 'unknown') made.told = 'unknown';
		if (answer?.type === 'kiosk_edc_sale' && answer.phase === 'declined') return { ...made, told: 'refused' };
		if (answer?.type === 'payment_edc_bca_notification' && answer.data.respCode !== '00') {
			if (tries >= 3 || !random.chance(0.5)) return { ...made, told: 'refused' };
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
			data: { no_invoice: detail.noinvoice, access_token: world.office.token, json_success_payment },
		},
	});

/** @returns whether the screen has said so since it was opened */
export const isToldPaid = (world: SimKiosk, { id }: Pick<LookedUpInvoice, 'id'>): boolean =>
	world.screen.heard.some((text) => text.type === 'payment_notification' && text.is_paid && String(text.id) === String(id));

const givenSince = (world: SimKiosk, stackedBefore: number): number =>
	world.acceptor.stacked.slice(stackedBefore).reduce((sum, note) => sum + note.nominal, 0);

/** What a customer presses after paying. */
export const printReceipt = (world: SimKiosk, { id, noinvoice }: Pick<Invoice, 'id' | 'noinvoice'>): void =>
	void world.kiosk?.printDesk?.print(id, { ...RECEIPT, nomor: noinvoice });

/** @returns the largest note that is not more than `amount`, rupiah */
export const largestWithin = (amount: number): number | null => NOMINALS.findLast((nominal) => nominal <= amount) ?? null;

/** Lets the world go on until the promise is kept; null when it never is, as after a crash. */
export async function during<T>(world: SimKiosk, promise: Promise<T>): Promise<T | null> {
	let kept: { value: T } | null = null;
	void promise.then((value) => {
		kept = { value };
	});
	const starts = world.starts;
	for (let waited = 0; waited < 120_000; waited += 50) {
		await world.run(50);
		if (kept !== null) return (kept as { value: T }).value;
		if (world.kiosk === null || world.starts !== starts) return null;
	}
	return null;
}
