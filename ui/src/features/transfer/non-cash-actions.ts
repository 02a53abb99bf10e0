import type { VaBank } from '@kiosk/contract/back-office';
import { paymentInUse } from '@kiosk/contract/open-payment';
import type { ApiFailure } from '../../lib/api.ts';
import { virtualAccountApplies } from '../../lib/customer-detail.ts';
import { writeDetail } from '../../lib/stored-visit.ts';
import { alertShown } from '../../state/alert.ts';
import { banksSeen } from '../../state/brand.ts';
import { failureWords } from '../../state/failure-words.ts';
import { amountTold, busySet, isOpen, paymentCancelled, vaCreated } from '../../state/non-cash.ts';
import { paymentOnScreen } from '../../state/paid.ts';
import { checkPayment } from '../../state/refresh-invoice.ts';
import type { AppThunk } from '../../state/store.ts';

/**
 * `ignored`: another change was still running, or the customer has left meanwhile. `failed`: an
 * alert shows the reason.
 */
export type Outcome = 'done' | 'paid' | 'failed' | 'ignored';
type Step = 'done' | { failed: string };

const failed = (answer: ApiFailure): Step => ({ failed: failureWords(answer) });

/** Allows one change of the payment at a time. If the customer has left, the result is dropped. */
const exclusively =
	(change: AppThunk<Promise<Step>>): AppThunk<Promise<Outcome>> =>
	async (dispatch, getState) => {
		const { nonCash, visit } = getState();
		if (nonCash.busy) return 'ignored';
		dispatch(busySet(true));
		const step = await dispatch(change);
		if (getState().visit !== visit) return 'ignored';
		dispatch(busySet(false));
		if (paymentOnScreen(getState()) !== null) return 'paid';
		if (step === 'done') return 'done';
		dispatch(alertShown({ text: step.failed }));
		return 'failed';
	};

/**
 * Requests a QRIS code and looks the invoice up, even if the request was refused or not answered:
 * the back office may still have opened a code. Without the look-up, the kiosk could take cash
 * while a code is open.
 */
const create =
	(): AppThunk<Promise<Step>> =>
	async (dispatch, getState, { api }) => {
		const { invoice: before, visit } = getState();
		if (before.detail === null) return 'done';
		const answer = await api.createPayment(before.detail.id);
		if (answer.ok || getState().visit !== visit) return 'done';
		await dispatch(checkPayment());
		const { invoice } = getState();
		return invoice.detail !== null && paymentInUse(invoice.detail) ? 'done' : failed(answer);
	};

/**
 * Cancels the open payment. If the back office refuses, the payment may just have been completed or
 * closed, so a look-up of the invoice decides.
 */
const cancel =
	(): AppThunk<Promise<Step>> =>
	async (dispatch, getState, { api }) => {
		const { invoice: before, visit } = getState();
		const { detail } = before;
		if (detail === null) return 'done';
		const answer = await api.cancelPayment(detail);
		// If the visit has ended meanwhile, the invoice on the screen may be the next customer's.
		if (getState().visit !== visit) return 'done';
		const looked = await dispatch(checkPayment());
		const { invoice } = getState();
		if (paymentOnScreen(getState()) !== null) return 'done';
		const closed = answer.ok || (looked && invoice.detail !== null && !paymentInUse(invoice.detail));
		if (!closed) return failed(answer);
		dispatch(paymentCancelled());
		return 'done';
	};

/** Cancels the open QRIS code or virtual account. */
export const cancelPayment = (): AppThunk<Promise<Outcome>> => exclusively(cancel());

/**
 * Prepares a payment method and stores the invoice for the screen of this method. If no payment is
 * open, `transfer` requests a QRIS code; for a total that needs a virtual account, the back office
 * opens nothing yet. The other methods cancel an open QRIS code or virtual account, so that an
 * invoice is not paid twice.
 */
export const chooseMethod =
	(method: 'cash' | 'card' | 'terminalQris' | 'transfer'): AppThunk<Promise<Outcome>> =>
	async (dispatch, getState) => {
		const outcome = await dispatch(
			exclusively(async (_, getState) => {
				const { invoice, nonCash } = getState();
				if (invoice.detail === null || isOpen(nonCash, invoice.detail) === (method === 'transfer')) return 'done';
				return dispatch(method === 'transfer' ? create() : cancel());
			}),
		);
		const { detail } = getState().invoice;
		if (outcome === 'done' && detail !== null) writeDetail(detail);
		return outcome;
	};

/**
 * Replaces an expired or unusable QRIS code by a new one. If the payment is a virtual account,
 * returns to the choice of the bank.
 */
export const renewPayment = (): AppThunk<Promise<Outcome>> =>
	exclusively(async (dispatch, getState) => {
		const { invoice, nonCash, visit } = getState();
		const { detail } = invoice;
		if (detail === null) return 'done';
		if (isOpen(nonCash, detail)) {
			const step = await dispatch(cancel());
			if (step !== 'done' || paymentOnScreen(getState()) !== null || getState().visit !== visit) return step;
		}
		if (virtualAccountApplies(detail)) return 'done';
		const step = await dispatch(create());
		await dispatch(checkPayment());
		return step;
	});

/** @returns the banks that currently offer virtual accounts; null if they could not be fetched */
export const loadBanks =
	(): AppThunk<Promise<VaBank[] | null>> =>
	async (dispatch, _getState, { api }) => {
		const answer = await api.vaBanks();
		if (!answer.ok) return null;
		dispatch(banksSeen(answer.value.results));
		return answer.value.results.filter((bank) => bank.is_active);
	};

/**
 * Creates a virtual account at this bank and shows it. The next look-up brings the expiry of the
 * account.
 */
export const chooseBank = (bank: VaBank): AppThunk<Promise<Outcome>> =>
	exclusively(async (dispatch, getState, { api }) => {
		const { invoice, visit } = getState();
		if (invoice.detail === null) return 'done';
		const answer = await api.createVa(bank, invoice.detail);
		if (!answer.ok) return failed(answer);
		if (getState().visit !== visit) return 'done';
		const { no_va, company_code } = answer.value.result_record;
		dispatch(vaCreated({ kind: 'va', no_va, company_code, bank: bank.script_kode.toLowerCase(), expiry: '' }));
		void dispatch(checkPayment());
		return 'done';
	});

/** Tells the back office the amount of the shown payment, once per visit. */
export const paymentShown =
	(): AppThunk =>
	(dispatch, getState, { live }) => {
		const { invoice, nonCash } = getState();
		if (nonCash.told || invoice.detail === null) return;
		if (live.say({ message: 'transaction', amount: invoice.detail.total })) dispatch(amountTold());
	};
