import type { Id } from '@kiosk/contract/back-office';
import type { LiveText } from '@kiosk/contract/live';
import { formatRupiah } from '@kiosk/contract/money';
import { referenceOf } from '@kiosk/contract/reference';
import { isSameInvoice, sameId } from '@kiosk/contract/same-id';
import { returnText } from '../text/returns.ts';
import { text as wording } from '../text/screens.ts';
import { acceptorReported } from './acceptor.ts';
import { alertShown } from './alert.ts';
import { noteInDoubt, noteMoving, noteReceived, noteReturned } from './cash.ts';
import { backOfficeReached, socketClosed, socketOpened } from './connection.ts';
import { terminalReported } from './edc.ts';
import { responseHeard, saleHeard } from './edc-live.ts';
import { healthHeard } from './health.ts';
import { paymentDone, printReported } from './paid.ts';
import { printerHeard } from './printer.ts';
import { promoChanged, setupHeard } from './settings.ts';
import { callHeard } from './staff-call.ts';
import type { AppThunk } from './store.ts';

/** Applies one live message to the store. A message about another invoice marks nothing as paid. */
export const applyLive =
	(live: LiveText): AppThunk =>
	(dispatch, getState) => {
		const { cash, invoice } = getState();
		const isPaying = (id: Id) => sameId(id, cash.id);

		switch (live.type) {
			case 'connection':
				dispatch(backOfficeReached(live.is_connected));
				return;
			case 'machine_ready':
				dispatch(acceptorReported({ state: live.state, is_ready: live.is_ready }));
				return;
			case 'kiosk_note_moving':
				if (isPaying(live.id)) dispatch(noteMoving(live.nominal));
				return;
			case 'payment_cash_notification':
				if (isPaying(live.id)) dispatch(noteReceived({ note_id: live.note_id, nominal: live.nominal, time: live.time }));
				return;
			case 'kiosk_note_returned':
				if (cash.id !== null) dispatch(noteReturned({ nominal: live.nominal, reason: live.reason }));
				// Outside the cash screen, an alert says why the note was returned.
				else dispatch(alertShown({ text: `${wording.note.returned} ${returnText[live.reason]}`, color: 'warning' }));
				return;
			case 'kiosk_note_in_doubt':
				if (isPaying(live.id)) dispatch(noteInDoubt({ note_id: live.note_id, nominal: live.nominal }));
				else dispatch(alertShown({ text: wording.note.inDoubt(formatRupiah(live.nominal), referenceOf(live.note_id)) }));
				return;
			case 'payment_notification':
				if (live.is_paid && isSameInvoice(live, invoice.detail))
					dispatch(paymentDone({ id: String(live.id), noinvoice: live.noinvoice, how: 'fresh' }));
				return;
			case 'kiosk_paid_twice':
				if (isSameInvoice(live, invoice.detail)) dispatch(alertShown({ text: wording.paidTwice(formatRupiah(live.twice)) }));
				return;
			case 'kiosk_print':
				dispatch(printReported({ print_id: live.print_id, state: live.state, reason: live.reason ?? null }));
				return;
			case 'kiosk_printer':
				dispatch(printerHeard(live.trouble));
				return;
			case 'kiosk_promo':
				dispatch(promoChanged(live.address));
				return;
			case 'kiosk_health':
				dispatch(healthHeard(live.state));
				return;
			case 'kiosk_setup':
				dispatch(setupHeard({ unconfirmed: live.unconfirmed, held_money: live.held_money }));
				return;
			case 'kiosk_staff_call':
				dispatch(callHeard(live.since));
				return;
			case 'kiosk_edc':
				dispatch(terminalReported(live.state));
				return;
			case 'kiosk_edc_sale':
				dispatch(saleHeard(live));
				return;
			case 'payment_edc_bca_notification':
				dispatch(responseHeard(live));
				return;
			default:
				return live satisfies never;
		}
	};

/**
 * The specification gives these pauses before a reconnect. The pause is longer on the screen for
 * QRIS codes and virtual accounts.
 */
const RECONNECT_BLOCK_MS = 2_000;
const NON_CASH_BLOCK_MS = 5_000;

/**
 * Keeps the live socket open and applies its messages.
 * @returns a function that closes the socket
 */
export const keepConnected =
	(token: string): AppThunk<() => void> =>
	(dispatch, _, { live }) =>
		live.keep(token, {
			opened: () => dispatch(socketOpened()),
			closed: () => dispatch(socketClosed()),
			message: (text) => dispatch(applyLive(text)),
			blockMs: () => (location.pathname === '/non-cash-payment' ? NON_CASH_BLOCK_MS : RECONNECT_BLOCK_MS),
		});
