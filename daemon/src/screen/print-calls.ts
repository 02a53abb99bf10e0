import type { IncomingMessage, ServerResponse } from 'node:http';
import { type PRINT_REFUSALS, type PrintAnswer, PrintRequest } from '@kiosk/contract/kiosk-api';
import type { Receipt } from '@kiosk/contract/receipt';
import type { InferOutput } from 'valibot';
import { ok } from '../base/result.ts';
import { answerJson, type Handler, parseJson, readBody, refuse, refuseBody } from '../http/handler.ts';
import type { Log } from '../log/log.ts';
import type { accountSlips } from '../printer/account-slip.ts';
import type { PagePrinter } from '../printer/page-printer.ts';
import type { PrintDesk, PrintWish } from '../printer/print-desk.ts';
import type { PrintLimit } from '../printer/print-limit.ts';
import type { PaperRow } from '../printer/receipt-rows.ts';
import type { Receipts } from '../printer/receipts.ts';
import { takeAlong } from '../printer/take-along.ts';
import { refuseStaffOnly } from './staff-calls.ts';

/** Maximum size of a request. It has only two fields: the id, and `of`, the kind of printout. */
const LARGEST_WISH_BYTES = 2_048;

/** Id of the sample, which belongs to no payment. */
const SAMPLE = 'sample';
/** Printouts that need a staff session. */
const FOR_STAFF: ReadonlySet<PrintRequest['of']> = new Set(['list', 'sample']);

type Refusal = (typeof PRINT_REFUSALS)[number];
const STATUS: Record<Refusal, number> = {
	unknown_payment: 404,
	not_paid: 409,
	too_many_prints: 429,
	restarting: 503,
	journal_unhealthy: 503,
	journal_newer: 503,
	disk_full: 503,
};

/**
 * POST /kiosk/print: the page sends the id of a payment. The daemon makes the receipt and prints
 * it; without a printer it returns the receipt to the page.
 */
export function printCalls(deps: {
	receipts: Receipts;
	/** The slip with the open virtual account of the invoice looked up last. */
	account: ReturnType<typeof accountSlips>;
	/** A printout without a payment, for testing the printer. */
	sample: () => PaperRow[];
	/** null if there is no printer. The page then prints. */
	desk: PrintDesk | null;
	page: PagePrinter;
	limit: PrintLimit;
	/** Whether the kiosk is about to restart. If so, no print begins. */
	isRestarting: () => boolean;
	/** Whether the page has a staff session. */
	isStaff: (request: IncomingMessage) => boolean;
	/** `[receipt] whatsapp_link`; '' for none. */
	link: string;
	log: Log;
}): Handler {
	const { receipts, desk, limit, log } = deps;

	function refusePrint(response: ServerResponse, code: Refusal, reason: string): void {
		log.event('print.refused', { code });
		refuse(response, STATUS[code], code, reason);
	}

	function refuseForNow(response: ServerResponse): void {
		const waitS = Math.max(1, limit.waitS());
		response.setHeader('Retry-After', waitS);
		refusePrint(response, 'too_many_prints', `too many prints; the next one in ${waitS} s`);
	}

	/**
	 * Makes the receipt after another look-up: since the last one, the invoice may have been paid,
	 * its total may have grown, or its payment may have been reversed.
	 */
	async function freshReceipt(id: PrintRequest['id']): Promise<ReturnType<Receipts['ofInvoice']>> {
		await receipts.freshen(id);
		return receipts.ofInvoice(id);
	}

	/** Prints the slip with a virtual account, or a sample. */
	async function printNote({ id, of }: PrintRequest, response: ServerResponse): Promise<void> {
		if (!desk) return refusePrint(response, 'unknown_payment', 'this printout needs a printer');
		if (deps.isRestarting()) return refusePrint(response, 'restarting', 'the machine is about to restart');
		const before = of === 'sample' ? desk.noting(SAMPLE) : null;
		if (before) return answerWish(response, before, null);
		if (limit.waitS() > 0) return refuseForNow(response);
		limit.count();
		const made = of === 'sample' ? ok({ id: SAMPLE, rows: deps.sample() }) : await deps.account(id);
		if (!made.ok) return refusePrint(response, made.error.code, made.error.reason);
		answerWish(response, desk.note(made.value.id, made.value.rows), null);
	}

	async function print({ id, noinvoice, of }: PrintRequest, response: ServerResponse): Promise<void> {
		const known = of === 'invoice' ? receipts.ofInvoice(id) : null;
		if (known && !known.ok && known.error.code === 'unknown_payment') return refusePrint(response, known.error.code, known.error.reason);
		const key = known ? known.ok && known.value.of.key : receipts.keyOfRow(id, noinvoice);
		const before = key && desk?.printing(key);
		if (before) return answerWish(response, before, known?.ok ? known.value.receipt : null);
		if (deps.isRestarting()) return refusePrint(response, 'restarting', 'the machine is about to restart');
		if (limit.waitS() > 0) return refuseForNow(response);
		// The print is counted before the look-up: otherwise a page could cause any number of requests
		// to the back office.
		limit.count();
		const made = of === 'invoice' ? await freshReceipt(id) : await receipts.ofRow(id, noinvoice);
		if (!made.ok) return refusePrint(response, made.error.code, made.error.reason);
		// A second tap during the look-up may already have begun this print.
		const fate = desk && (desk.printing(made.value.of.key) ?? desk.print(made.value.of, made.value.receipt, made.value));
		if (fate) return answerWish(response, fate, of === 'invoice' ? made.value.receipt : null);
		const receipt = deps.page(made.value.of, made.value.receipt);
		if (!receipt.ok) return refusePrint(response, receipt.error.code, receipt.error.message);
		answer(response, 200, { receipt: receipt.value });
	}

	/** @param receipt the customer's receipt; null if the page does not offer it for the phone */
	function answerWish(response: ServerResponse, { print_id, copy, code }: PrintWish, receipt: Receipt | null): void {
		answer(response, 202, { print_id, copy, take: receipt && takeAlong(deps.link, receipt, copy, code) });
	}

	const answer = (response: ServerResponse, status: number, value: InferOutput<typeof PrintAnswer>): void =>
		answerJson(response, status, value);

	return async (request: IncomingMessage, response, path) => {
		if (path !== '/kiosk/print' || request.method !== 'POST') return false;
		const body = await readBody(request, LARGEST_WISH_BYTES);
		if (!body.ok) {
			refuseBody(response, body.error, LARGEST_WISH_BYTES);
			return true;
		}
		const wish = parseJson(PrintRequest, body.value);
		if (wish.ok && FOR_STAFF.has(wish.value.of) && !deps.isStaff(request)) refuseStaffOnly(response);
		else if (wish.ok && (wish.value.of === 'account' || wish.value.of === 'sample')) await printNote(wish.value, response);
		else if (wish.ok) await print(wish.value, response);
		else refuse(response, 400, wish.error.code, wish.error.reason);
		return true;
	};
}
