/** The parts that talk with the back office. */

import { join } from 'node:path';
import { paidText } from '@kiosk/contract/live';
import { sameId } from '@kiosk/contract/same-id';
import { startInvoiceDesk } from './back-office/invoice-desk.ts';
import { startLiveLink } from './back-office/live-link.ts';
import { startOutbox } from './back-office/outbox.ts';
import { isPaidState } from './journal/balance.ts';
import { paymentKey } from './journal/records.ts';
import type { KioskDeps, KioskParts } from './kiosk-parts.ts';
import { notifyAbout } from './kiosk-screen.ts';
import { aboutPayment } from './log/about-payment.ts';

/** Starts the outbox, which sends credited notes to the back office. */
export function wireOutbox(deps: KioskDeps, parts: KioskParts): void {
	const { journal, token, clock, log, random, newId } = deps;
	const { back_office } = deps.settings;
	parts.outbox = startOutbox({
		journal,
		call: deps.callBackOffice,
		token,
		path: back_office.paths.cash_notification,
		csrf: back_office,
		clock,
		timestamp: parts.timestamp,
		log,
		random,
		newId,
		onPaid: (key, asked) => parts.invoices.hearPaid(key, asked),
		refreshMissed: (key) => parts.invoices.refreshMissed(key, parts.link.openSince()),
		onUnreachable: () => parts.cash.onBackOfficeUnreachable(),
	});
}

/** Starts the invoice desk, and logs the invoices that need staff. */
export function wireInvoices(deps: KioskDeps, parts: KioskParts): void {
	const { journal, token, clock, newId, log } = deps;
	const { back_office } = deps.settings;
	parts.invoices = startInvoiceDesk({
		journal,
		token,
		call: deps.callBackOffice,
		path: back_office.paths.invoice_info,
		announcedFile: join(deps.settings.state_directory, 'announced.json'),
		csrf: back_office,
		clock,
		newId,
		now: () => parts.timestamp(clock.wall()),
		// Called before most look-ups, so that the outbox sends its waiting notes at once instead of at
		// the next retry.
		whenSettled() {
			parts.outbox.kick();
			return parts.outbox.whenSettled();
		},
		mayBeTold: (id) => parts.outbox.mayBeTold(id) || parts.approvals.mayBeTold(id),
		isConfirmedLately: parts.outbox.isConfirmedLately,
		onChanged(payment, balance) {
			parts.cash.onInvoiceChanged(payment, balance);
			parts.card.onInvoiceChanged(payment, balance);
			parts.receipts.onBalance(payment, balance);
			if (!isPaidState(balance.state)) return;
			parts.cash.markPaid(paymentKey(payment));
		},
		onConfirmed: (payment) => notifyAbout(parts, paidText(payment), payment),
		log,
	});
	journal.onAttention(({ payment, state, received, twice, why }) => {
		const { total } = payment;
		if (state === 'dispute') return log.event('invoice.dispute', { ...aboutPayment(payment), total, received, why });
		log.event('invoice.paid_twice', { ...aboutPayment(payment), total, received, twice });
		notifyAbout(parts, { type: 'kiosk_paid_twice', id: payment.id, noinvoice: payment.noinvoice, twice }, payment);
	});
}

/** Starts the live socket to the back office. */
export function wireLink(deps: KioskDeps, parts: KioskParts): void {
	const { token, clock, log, random } = deps;
	const { back_office } = deps.settings;
	parts.link = startLiveLink({
		url: back_office.socket_url,
		open: deps.openSocket,
		token,
		clock,
		log,
		random,
		isNonCashShown: deps.isNonCashShown,
		onChanged(connected) {
			parts.hub.notify({ type: 'connection', is_connected: connected });
			if (!connected) return;
			parts.outbox.kick();
			parts.approvals.kick();
			parts.invoices.lookUpNewest();
		},
		relay(text) {
			const { noinvoice, odoo_id, ...rest } = text;
			const told = odoo_id === null ? rest : { ...rest, odoo_id };
			const current = parts.invoices.current()?.payment;
			parts.hub.notify(current && sameId(current.id, text.id) ? { ...told, noinvoice: current.noinvoice } : told);
		},
		onPaid(id, odoo_id) {
			deps.onSettled(id);
			return parts.invoices.hearPaidById(id, odoo_id);
		},
	});
}

/**
 * After a log-in or log-out, forgets the receipts, disconnects the screens and sends the notes of
 * the logged-in outlet. Ends the cash session if the outlet has changed.
 */
export function watchAccount({ token }: KioskDeps, parts: KioskParts): void {
	token.onChange((isOtherAccount) => {
		// A further note would belong to the previous outlet and would wait until that outlet logs in
		// again. A note already on its way to the cashbox waits until then, too.
		if (isOtherAccount) parts.cash.closeUnattended();
		parts.receipts.forget();
		parts.hub.dropAll();
		parts.outbox.kick();
	});
}
