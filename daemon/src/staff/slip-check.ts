import type { Rupiah } from '@kiosk/contract/money';
import type { CheckedPaper, EarlierPaper, SlipVerdict, Verdict } from '@kiosk/contract/slip-check';
import type { Clock } from '../base/clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { PrintRecord } from '../journal/print-book.ts';
import type { PaymentKey } from '../journal/records.ts';
import { isCodeOf, isOwnCode, readCode, shortCode } from '../proof/short-code.ts';
import type { SlipKey } from '../proof/slip-key.ts';
import { isSlipText, readSlipText } from '../proof/slip-text.ts';
import type { OpenCases } from './open-cases.ts';
import type { SlipLooks } from './slip-looks.ts';

/**
 * Decides from the kiosk's key and journal whether a printout is genuine. The record numbers show
 * the order of events, so the check needs neither network nor clock.
 */
export interface SlipCheck {
	/**
	 * Checks a printout at the counter and records the check: the next check reports that the
	 * printout was shown before.
	 */
	show(text: string): SlipVerdict;
	/** Checks a printout without recording the check. */
	read(text: string): SlipVerdict;
}

/** The facts in the text of a printout, or the verdict if the text is not valid. */
type Claim =
	| { verdict: Exclude<Verdict, 'genuine' | 'earlier'>; kiosk: string }
	| { earlier: Omit<EarlierPaper, 'shown'>; kiosk: string }
	| { print: PrintRecord; kiosk: string; amount: Rupiah | null };

/** @param deps.timestamp formats a time as ISO 8601 with the site's offset */
export function slipCheck(deps: {
	key: SlipKey;
	journal: Pick<Journal, 'printAt' | 'firstReceiptOf' | 'givenBackOf' | 'money' | 'begun'>;
	cases: Pick<OpenCases, 'of'>;
	looks: SlipLooks;
	timestamp: (at: Date) => string;
	clock: Pick<Clock, 'wall'>;
}): SlipCheck {
	const { key, journal, looks } = deps;

	const claimOf = (text: string): Claim => (isSlipText(text) ? scanned(text) : typed(text));

	function typed(text: string): Claim {
		const read = readCode(text);
		if (read.state === 'mistyped') return { verdict: 'mistyped', kiosk: '' };
		const { code, kiosk, record } = read;
		if (!isOwnCode(key, kiosk)) return { verdict: 'other_kiosk', kiosk };
		const print = journal.printAt(record);
		if (print && isCodeOf(key, code, print)) return { print, kiosk: key.id, amount: null };
		const begun = journal.begun();
		// The code was made from a hash that only the old journal contains, so it cannot be checked.
		if (begun && (record <= begun.newest || begun.newest === 0)) return { earlier: { renewed: begun.time, record, signed: null }, kiosk };
		return { verdict: print ? 'forged' : 'unknown', kiosk };
	}

	function scanned(text: string): Claim {
		const read = readSlipText(text);
		if (!read) return { verdict: 'mistyped', kiosk: '' };
		const { kiosk, record, hash, amount, change, noinvoice, time } = read;
		if (kiosk !== key.id) return { verdict: 'other_kiosk', kiosk };
		if (!key.hasSigned(read.signed, read.signature)) return { verdict: 'forged', kiosk };
		const print = journal.printAt(record);
		if (print?.hash.startsWith(hash)) return { print, kiosk, amount };
		const begun = journal.begun();
		if (begun === null) return { verdict: 'unknown', kiosk };
		return { earlier: { renewed: begun.time, record, signed: { noinvoice, amount, change, printed: time } }, kiosk };
	}

	function paperOf(print: PrintRecord, amount: Rupiah | null): CheckedPaper {
		const { record } = print;
		const payment_id = print.given_for ?? print.payment_id;
		const kind = kindOf(print);
		const paper: CheckedPaper = {
			kind,
			code: shortCode(key, print) ?? '',
			record,
			noinvoice: '',
			printed: deps.timestamp(new Date(print.at)),
			signed_amount: amount,
			money: null,
			case: null,
			given: null,
			shown: looks.of(print.hash),
		};
		if (kind === 'collection') return paper;
		const payment = journal.money.paymentOf(payment_id);
		const { state, total, received } = journal.money.balanceOf(payment_id);
		// Only money that was given back after this printout counts; for a copy, after the original.
		// Earlier give-backs belong to an earlier visit.
		const since = kind === 'copy' ? (journal.firstReceiptOf(payment_id) ?? record) : record;
		const given = journal.givenBackOf(payment_id).findLast((one) => one.record > since);
		return {
			...paper,
			noinvoice: payment?.noinvoice ?? invoiceOf(payment_id),
			money: payment && { state, total, received },
			// A slip about money given back gives no right to more money.
			case: kind === 'given' ? null : deps.cases.of(payment_id),
			given: given ? { amount: given.amount, by: given.by, time: given.time } : null,
		};
	}

	/**
	 * Checks the text of a printout. `look`: the key of the printout in `looks`; null if the text is
	 * not that of a known printout.
	 */
	function judge(text: string): { answer: SlipVerdict; look: string | null } {
		const claim = claimOf(text);
		const { kiosk } = claim;
		if ('verdict' in claim) return { answer: { ...claim, paper: null, earlier: null }, look: null };
		if ('earlier' in claim) {
			// A typed code and a scanned text of the same printout share this key.
			const look = `earlier ${claim.earlier.record}`;
			return { answer: { verdict: 'earlier', kiosk, paper: null, earlier: { ...claim.earlier, shown: looks.of(look) } }, look };
		}
		const paper = paperOf(claim.print, claim.amount);
		return { answer: { verdict: verdictOn(paper), kiosk, paper, earlier: null }, look: claim.print.hash };
	}

	return {
		read: (text) => judge(text).answer,
		show(text) {
			const { answer, look } = judge(text);
			if (look !== null) looks.add(look, deps.timestamp(deps.clock.wall()));
			return answer;
		},
	};
}

function kindOf({ purpose, collection, given_for }: PrintRecord): CheckedPaper['kind'] {
	if (purpose !== 'slip') return purpose;
	if (collection) return 'collection';
	return given_for === null ? 'partial' : 'given';
}

function verdictOn({ kind, case: open, given, shown }: CheckedPaper): Verdict {
	if (given && !open) return 'given';
	if (kind === 'copy') return 'copy';
	return shown ? 'shown' : 'genuine';
}

/**
 * @returns the invoice number in a payment's key. For an invoice without money of this kiosk the
 * journal has only this key.
 */
function invoiceOf(key: PaymentKey): string {
	try {
		const parts: unknown = JSON.parse(key);
		return Array.isArray(parts) ? String(parts.at(-1) ?? '') : '';
	} catch {
		return '';
	}
}
