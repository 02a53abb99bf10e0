import { expect } from 'vitest';
import { RECEIPT } from '../../../daemon/src/printer/receipt.fixture.ts';
import { type Invoice, METHODS, newInvoice } from '../../simulators/back-office/invoice.ts';
import { escposText } from '../../simulators/printer/escpos-text.ts';
import { type Kiosk, type LiveMessage, partText, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

/** A kiosk with a screen and a printer. */
export interface Shop {
	kiosk: Kiosk;
	/**
	 * @param payment number of the payment and of the invoice on its receipt
	 * @returns the answer, as soon as the job is recorded
	 */
	print(payment: number): Promise<{ print_id: string; copy: boolean }>;
	/** Prints several rows of the staff list in parallel. */
	printListed(...payments: number[]): Promise<{ print_id: string; copy: boolean }[]>;
	/** Reports of one print, oldest first: "printing", "printing paper_out", "done" … */
	told(print_id: string): string[];
	/** Waits for the end of a print. @returns the last report */
	fate(print_id: string): Promise<string>;
	/** Prints and waits for the end of the print. @returns the last report */
	printed(payment: number): Promise<string>;
	/** @returns the text of the health page about the printer */
	health(): Promise<string>;
	/** Kills and restarts the daemon; the screen reconnects. */
	crash(between?: () => Promise<void> | void): Promise<void>;
	stop(): Promise<void>;
}

/** @param limitMs time limit of a receipt, which only the tests of the limit reach */
export async function openShop(uri: string, limitMs = 30_000, format: 'escpos' | 'pdf' = 'escpos'): Promise<Shop> {
	const kiosk = await startKiosk({
		settings: `[printer]\nuri = "${uri}"\nformat = "${format}"\nlimit_ms = ${limitMs}\nper_minute = 600\n`,
	});
	const { books } = kiosk.backOffice;
	books.invoices.length = 0;
	let screen: Screen = await kiosk.screen();

	/**
	 * Requests prints one after the other, because the kiosk prints only for the last looked-up
	 * invoice.
	 */
	let turn: Promise<unknown> = Promise.resolve();
	const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
		const acted = turn.then(act);
		turn = acted.catch(() => undefined);
		return acted;
	};
	async function ask(wish: { id: number; of: 'invoice' | 'list' }): Promise<{ print_id: string; copy: boolean }> {
		const { status, body } = await kiosk.post('/kiosk/print', wish);
		expect({ status, body }).toMatchObject({ status: 202 });
		return body as { print_id: string; copy: boolean };
	}
	function book(payment: number): void {
		if (books.byId(payment) === undefined) books.invoices.push(paidInvoice(payment));
	}

	const shop: Shop = {
		kiosk,
		print: (payment) =>
			inTurn(async () => {
				book(payment);
				await kiosk.lookUp(nomorOf(payment));
				return ask({ id: payment, of: 'invoice' });
			}),
		async printListed(...payments) {
			for (const payment of payments) book(payment);
			await kiosk.list();
			return Promise.all(payments.map((id) => ask({ id, of: 'list' })));
		},
		told: (print_id) =>
			screen
				.of('kiosk_print')
				.filter((message) => message.print_id === print_id)
				.map(words),
		fate: (print_id) =>
			until(() => {
				const last = shop.told(print_id).at(-1) ?? 'nothing';
				if (!/^(done|failed)/.test(last)) throw new Error(`print ${print_id}: ${last}`);
				return last;
			}),
		printed: async (payment) => shop.fate((await shop.print(payment)).print_id),
		health: async () => partText(await kiosk.health(), 'printer'),
		async crash(between) {
			await kiosk.crash(between);
			screen = await kiosk.screen();
		},
		stop: () => kiosk.stop(),
	};
	return shop;
}

const words = ({ state, reason }: LiveMessage): string => (reason === undefined ? `${state}` : `${state} ${reason}`);

/** Payments with Rp 150.000 received, which is Rp 12.500 too much. All other payments are exact. */
const OVERPAID = new Set([4_242]);

/** @returns the paid invoice of the sample receipt, but with the number of this payment */
const paidInvoice = (payment: number): Invoice => ({
	...newInvoice({
		id: payment,
		name: RECEIPT.nama,
		hp: `08990000${payment}`,
		nopol: RECEIPT.nopol,
		noinvoice: nomorOf(payment),
		blocks: [
			{
				noinvoice: nomorOf(payment),
				nowo: `WO/${payment}`,
				lines: RECEIPT.lines.map(({ name, qty, price }) => ({ produk_name: name, qty: qty ?? 1, harga: price ?? 0 })),
			},
		],
		at: new Date('2026-11-21T07:32:00Z'),
	}),
	is_paid: true,
	...METHODS.cash,
	list_pembayaran: [{ nominal: OVERPAID.has(payment) ? 150_000 : 137_500, tanggal: '2026-11-21T14:32:00+07:00' }],
});

const nomorOf = (payment: number): string => `INV/2026/11/${String(payment).padStart(4, '0')}`;

/** @returns the payment's number on each sheet, followed by "SALINAN" on copies */
export function titles(sheets: readonly Buffer[]): string[] {
	return sheets.map((sheet) => {
		const text = escposText(sheet);
		const nomor = Number(/INV\/2026\/11\/(\d+)/.exec(text)?.[1]);
		return /^ *SALINAN$/m.test(text) ? `${nomor} SALINAN` : `${nomor}`;
	});
}
