/** Cash and card payments, with their devices. */
import { startCommissioning } from './acceptor/commissioning.ts';
import type { AcceptorReport } from './acceptor/driver.ts';
import { startEscrowPause } from './acceptor/escrow-pause.ts';
import { startIctDriver } from './acceptor/ict/driver.ts';
import { startApprovals } from './card/approvals.ts';
import { startCardDesk } from './card/card-desk.ts';
import { startCashDesk } from './cash/cash-desk.ts';
import { ECR_DEFAULTS } from './edc/bca/bca-state.ts';
import { startBcaTerminal } from './edc/bca/driver.ts';
import type { TerminalReport } from './edc/terminal.ts';
import type { KioskDeps, KioskParts } from './kiosk-parts.ts';
import { notifyAbout } from './kiosk-screen.ts';

/**
 * After an approval is on disk, the screen has this much time to request that the back office is
 * told of it. After that, the daemon reports the approval by itself.
 */
const APPROVE_GRACE_MS = 3_000;

/** Starts the cash desk and its bill acceptor. */
export function wireCash(deps: KioskDeps, parts: KioskParts): void {
	const { journal, token, clock, log, newId, acceptorLine } = deps;
	const { acceptor, screen } = deps.settings;
	parts.commissioning = startCommissioning(clock);
	parts.escrowPause = startEscrowPause(clock);
	parts.cash = startCashDesk({
		journal,
		policy: {
			notes: acceptor?.notes ?? new Map(),
			switchedOff: new Set(acceptor?.switched_off),
			overpayLimit: acceptor?.overpay_limit ?? null,
		},
		clock,
		log,
		newId,
		notify: (text, about) => notifyAbout(parts, text, about),
		uploadNow() {
			parts.outbox.kick();
			parts.approvals.kick();
		},
		onJournalOpened: () => token.spellAsBefore(journal.accounts()),
		isHeld: (payment) => parts.card.isHolding(payment),
		invoices: parts.invoices,
		isRestarting: () => parts.restart.stands(),
		isCallUnknown: parts.outbox.isCallUnknown,
		onClosed: (session) => parts.slips.onCustomerLeft(session),
		frozenMs: screen.frozen_ms,
		timestamp: parts.timestamp,
		startDriver:
			acceptorLine &&
			parts.commissioning.around(
				parts.escrowPause.around((report: (report: AcceptorReport) => void) =>
					startIctDriver({
						...acceptorLine,
						locked: journal.acceptorLock() !== null,
						boxOut: journal.cashbox.boxOut() !== null,
						doubtAt: journal.unheardDoubt(),
						clock,
						log,
						report,
					}),
				),
			),
	});
}

/** Starts the card desk and its card terminal. */
export function wireCard(deps: KioskDeps, parts: KioskParts): void {
	const { journal, token, clock, log, newId, edcLine } = deps;
	const { edc } = deps.settings;
	parts.approvals = startApprovals({ journal, link: () => parts.link, invoices: parts.invoices, token, clock, log });
	parts.card = startCardDesk({
		journal,
		policy: {
			unknownCodes: new Set(edc?.unknown_codes),
			retryCodes: new Set(edc?.retry_codes),
			inquiry: edc?.inquiry ?? 'none',
			qris: { firstMs: edc?.qris_first_ms ?? 0, everyMs: edc?.qris_every_ms ?? 0, looks: edc?.qris_looks ?? 0 },
		},
		qris: edc?.qris ?? false,
		clock,
		log,
		newId,
		notify: (text, about) => notifyAbout(parts, text, about),
		relay: () => void clock.after(APPROVE_GRACE_MS, () => parts.approvals.kick()),
		invoices: parts.invoices,
		isRestarting: () => parts.restart.stands(),
		closeCash: () => parts.cash.closeUnattended(),
		endHeldCash: () => parts.cash.endIfHeld(),
		timestamp: parts.timestamp,
		startTerminal:
			edcLine && edc
				? (report: (report: TerminalReport) => void, midSale: boolean) =>
						startBcaTerminal({
							...edcLine,
							midSale,
							settings: { ...ECR_DEFAULTS, version: edc.version, probe: edc.probe, ackMs: edc.ack_ms, answerMs: edc.answer_ms },
							clock,
							log,
							report,
						})
				: null,
	});
}
