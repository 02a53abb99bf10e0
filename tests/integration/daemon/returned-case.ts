/** Cases in which staff return a part of a payment, by a void or in cash. */
import { beforeAll, expect } from 'vitest';
import { sumOf } from '../../simulators/back-office/invoice.ts';
import {
	aroundLyingOffice,
	close,
	customer,
	kiosk,
	LISTED_BY_NOW_MS,
	listed,
	lookUp,
	newScreen,
	open,
	pay,
	print,
	told,
} from './lying-kiosk.ts';

/** Starts a kiosk with a lying back office, and adds a supervisor to its staff names. */
export function aroundReturnedMoney(): void {
	aroundLyingOffice();
	beforeAll(async () => {
		await kiosk.staff();
		await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
	});
}

/** `TOTAL` is the total of the invoice, `SALE` the part that the customer pays first, rupiah. */
export const TOTAL = 150_000;
export const SALE = 100_000;
export const WHO = ['--by', 'Sari', '--why', 'test', '--yes'];

const sumListed = (entries: unknown): number => sumOf(entries as { nominal: number }[]);
export type Case = ReturnType<typeof customer>;

/** @returns the amount due that follows from the payments shown on the cash page, rupiah */
export async function due({ hp, invoice }: Case): Promise<number> {
	await lookUp(hp);
	const { body } = await open(hp, invoice);
	await close(invoice);
	return Number(invoice.total) - sumListed(body.entries);
}

export const renumber = ({ invoice }: Case) => Object.assign(invoice, { noinvoice: `${invoice.noinvoice}-B` });

export async function isDisputed({ hp, invoice }: Case): Promise<void> {
	expect(await lookUp(hp)).toMatchObject({ status: 409, body: { code: 'dispute' } });
	expect((await print(invoice)).status).toBe(409);
}

export const paysRest = ({ invoice }: Case) =>
	Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(SALE), listed(TOTAL - SALE)] });

/**
 * Checks that the whole total stays due, even after a crash. A "paid" that counts the returned
 * money must then put the invoice in dispute.
 */
export async function staysDue(one: Case): Promise<void> {
	expect(await due(one)).toBe(TOTAL);
	expect(await due(one)).toBe(TOTAL);
	await kiosk.crash();
	await kiosk.login();
	await newScreen();
	expect(await due(one)).toBe(TOTAL);
	paysRest(one);
	await isDisputed(one);
	await isDisputed(one);
}

/** Plays a customer who inserts notes and leaves. */
export async function inserts(one: Case, ...nominals: number[]): Promise<void> {
	await newScreen();
	await lookUp(one.hp);
	await open(one.hp, one.invoice);
	await pay(...nominals);
	await close(one.invoice);
}

export async function inserted(...nominals: number[]): Promise<Case> {
	const one = customer(TOTAL);
	await inserts(one, ...nominals);
	return one;
}

/**
 * Waits until the back office has confirmed all notes, and then lets the time pass after which it
 * must list them.
 */
export async function booked(): Promise<void> {
	await told();
	await kiosk.pass(LISTED_BY_NOW_MS);
}
