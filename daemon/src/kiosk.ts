import type { Id } from '@kiosk/contract/back-office';
import type { LiveText } from '@kiosk/contract/live';
import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { type Commissioning, startCommissioning } from './acceptor/commissioning.ts';
import type { AcceptorReport } from './acceptor/driver.ts';
import { startIctDriver } from './acceptor/ict/driver.ts';
import type { CallBackOffice } from './back-office/client.ts';
import { type InvoiceDesk, startInvoiceDesk } from './back-office/invoice-desk.ts';
import { type LiveLink, type OpenSocket, startLiveLink } from './back-office/live-link.ts';
import { type Outbox, startOutbox } from './back-office/outbox.ts';
import type { OutletToken } from './back-office/token.ts';
import type { Clock } from './base/clock.ts';
import { startApprovals } from './card/approvals.ts';
import { type CardDesk, startCardDesk } from './card/card-desk.ts';
import { type CashDesk, startCashDesk } from './cash/cash-desk.ts';
import { ECR_DEFAULTS } from './edc/bca/bca-state.ts';
import { startBcaTerminal } from './edc/bca/driver.ts';
import type { TerminalReport } from './edc/terminal.ts';
import type { Journal } from './journal/journal.ts';
import { accountKey, paymentKey } from './journal/records.ts';
import { aboutPayment } from './log/about-payment.ts';
import type { Log } from './log/log.ts';
import type { IppQueue } from './printer/ipp-client.ts';
import type { LogoFor } from './printer/logos.ts';
import { type PrintDesk, startPrintDesk } from './printer/print-desk.ts';
import type { ReceiptFace } from './printer/receipt-face.ts';
import { type Receipts, startReceipts } from './printer/receipts.ts';
import { type Slips, startSlips } from './printer/slips.ts';
import type { ScreenHub, ScreenHubDeps } from './screen/hub.ts';
import { screenMessages } from './screen/screen-messages.ts';
import type { DeviceLine } from './serial/device-lines.ts';
import type { Settings } from './settings/settings.ts';

/** If the session's screen is gone for longer than a reload takes, no further note is taken. */
const SCREEN_LOST_MS = 15_000;
/** How long an approval waits for the screen's own message to the back office. */
const APPROVE_GRACE_MS = 3_000;

dayjs.extend(utc);
dayjs.extend(timezone);

/** @returns a function that formats a time as ISO 8601 with the offset of a time zone */
export const timestampIn =
	(timezone: string) =>
	(at: Date): string =>
		dayjs(at).tz(timezone).format('YYYY-MM-DDTHH:mm:ssZ');

/** Injected dependencies: time, randomness, disk, device lines and network. */
export interface KioskDeps {
	settings: Pick<Settings, 'site' | 'screen' | 'back_office' | 'acceptor' | 'edc'>;
	clock: Clock;
	log: Log;
	/** Random number from 0 up to 1, for pauses that must not coincide. */
	random: () => number;
	/** A fresh UUID. */
	newId: () => string;
	journal: Journal;
	token: OutletToken;
	callBackOffice: CallBackOffice;
	/** null without such a device in the settings. */
	acceptorLine: DeviceLine | null;
	edcLine: DeviceLine | null;
	printer: { queue: IppQueue; face: ReceiptFace; logo: LogoFor; limitMs: number; clockInDoubt: () => boolean } | null;
	openSocket: OpenSocket;
	/**
	 * Whether the screen shows a QRIS code or virtual account; the live socket then waits longer
	 * before it reconnects.
	 */
	isNonCashShown: () => boolean;
	startHub: (deps: ScreenHubDeps) => ScreenHub;
	/** The back office reports this payment as settled, by any method. */
	onSettled: (id: Id) => void;
	/** Further messages for a newly connected screen, besides the state of money and devices. */
	greeting: () => LiveText[];
}

/** All parts that decide about money. */
export interface Kiosk {
	cash: CashDesk;
	commissioning: Commissioning;
	card: CardDesk;
	outbox: Outbox;
	link: LiveLink;
	hub: ScreenHub;
	printDesk: PrintDesk | null;
	receipts: Receipts;
	slips: Slips;
	/** ISO 8601 with the site's offset */
	timestamp: (at: Date) => string;
	/** The last looked-up invoice, and the received amount of each. */
	invoices: InvoiceDesk;
	/** Ends all sessions; waits for notes and cards in progress. */
	stop(): Promise<void>;
}

/** Wiring only, from top to bottom; used by the daemon and by the simulation. */
export function startKiosk(deps: KioskDeps): Kiosk {
	const { settings, clock, log, random, newId, journal, token } = deps;
	const { site, screen, back_office, acceptor, edc } = settings;

	const timestamp = timestampIn(site.timezone);

	const outbox = startOutbox({
		journal,
		call: deps.callBackOffice,
		token,
		path: back_office.paths.cash_notification,
		csrf: back_office,
		clock,
		timestamp,
		log,
		random,
		newId,
		onPaid: (key) => invoices.hearPaid(key, 'note_answer'),
		onUnreachable: () => cash.onBackOfficeUnreachable(),
	});

	const invoices = startInvoiceDesk({
		journal,
		token,
		call: deps.callBackOffice,
		path: back_office.paths.invoice_info,
		csrf: back_office,
		clock,
		newId,
		now: () => timestamp(clock.wall()),
		// A customer's look-up first sends what the back office does not know yet, without waiting
		// for the next retry.
		whenSettled() {
			outbox.kick();
			return outbox.whenSettled();
		},
		mayBeTold: (id) => outbox.mayBeTold(id) || approvals.mayBeTold(id),
		isConfirmedLately: outbox.isConfirmedLately,
		onChanged(payment, balance) {
			cash.onInvoiceChanged(payment, balance);
			receipts.onBalance(payment, balance);
			if (balance.state !== 'paid' && balance.state !== 'paid_twice') return;
			cash.markPaid(paymentKey(payment));
		},
		onConfirmed: ({ id }) => hub.tell({ type: 'payment_notification', id, is_paid: true }),
		log,
	});
	journal.onAttention(({ payment, state, received, twice, why }) => {
		const { total } = payment;
		if (state === 'dispute') return log.event('invoice.dispute', { ...aboutPayment(payment), total, received, why });
		log.event('invoice.paid_twice', { ...aboutPayment(payment), total, received, twice });
		hub.tell({ type: 'kiosk_paid_twice', id: payment.id, twice });
	});

	const { acceptorLine, edcLine } = deps;
	const commissioning = startCommissioning(clock);
	const cash = startCashDesk({
		journal,
		policy: {
			notes: acceptor?.notes ?? new Map(),
			switchedOff: new Set(acceptor?.switched_off),
			overpayLimit: acceptor?.overpay_limit ?? null,
		},
		clock,
		log,
		newId,
		notify: (text) => hub.tell(text),
		uploadNow() {
			outbox.kick();
			approvals.kick();
		},
		isHeld: (payment) => card.isHolding(payment),
		invoices,
		isCallUnknown: outbox.isCallUnknown,
		onClosed: (session) => slips.onCustomerLeft(session),
		frozenMs: screen.frozen_ms,
		timestamp,
		startDriver:
			acceptorLine &&
			commissioning.around((report: (report: AcceptorReport) => void) =>
				startIctDriver({ ...acceptorLine, locked: journal.acceptorLock() !== null, doubtAt: journal.unheardDoubt(), clock, log, report }),
			),
	});

	const approvals = startApprovals({ journal, link: () => link, token, log });
	const card = startCardDesk({
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
		notify: (text) => hub.tell(text),
		relay: () => void clock.after(APPROVE_GRACE_MS, () => approvals.kick()),
		invoices,
		account: () => token.current()?.account ?? null,
		closeCash: () => cash.closeUnattended(),
		timestamp,
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

	let cancelScreenLost = () => {};
	const hub = deps.startHub({
		clock,
		log,
		greeting: () => [{ type: 'connection', is_connected: link.isConnected() }, ...deps.greeting(), ...cash.greeting(), ...card.greeting()],
		heard: screenMessages({ start: card.start, approve: approvals.kick, link: () => link, tell: (text) => hub.tell(text), log }),
		count(connected) {
			cancelScreenLost();
			const payingAt = cash.payingScreen();
			if (payingAt === null || connected.has(payingAt)) return;
			cash.onScreenGone();
			cancelScreenLost = clock.after(SCREEN_LOST_MS, () => {
				log.event('screen.lost', {});
				cash.closeUnattended();
			});
		},
	});

	const link = startLiveLink({
		url: back_office.socket_url,
		open: deps.openSocket,
		token,
		clock,
		log,
		random,
		isNonCashShown: deps.isNonCashShown,
		onChanged(connected) {
			hub.tell({ type: 'connection', is_connected: connected });
			if (!connected) return;
			outbox.kick();
			approvals.kick();
		},
		relay: (text) => hub.tell(text),
		onPaid(id, odoo_id) {
			deps.onSettled(id);
			return invoices.hearPaidById(id, odoo_id);
		},
	});

	const receipts = startReceipts({
		invoices,
		account: () => token.current()?.account ?? null,
		cardsOf: (key) => journal.cards.ofPayment(key).filter((sale) => sale.state === 'approved'),
		expectLogo: (address) => void deps.printer?.logo(address),
		clock,
		timezone: site.timezone,
	});

	const slips = startSlips({
		journal,
		desk: () => printDesk,
		ahass: site.name,
		tanggal: () => dayjs(clock.wall()).tz(site.timezone).format('DD-MM-YYYY HH:mm'),
	});
	const printDesk = deps.printer && startPrintDesk({ ...deps.printer, journal, clock, log, newId, notify: (text) => hub.tell(text) });

	let account = token.current()?.account ?? null;
	token.onChange(() => {
		// Money taken from now on would wait until the previous outlet logs in again. A note in
		// transit still does.
		const before = account;
		account = token.current()?.account ?? null;
		if (accountKey(before) !== accountKey(account)) cash.closeUnattended();
		receipts.forget();
		hub.dropAll();
		outbox.kick();
	});
	outbox.kick();

	return {
		cash,
		commissioning,
		card,
		outbox,
		link,
		hub,
		printDesk,
		receipts,
		slips,
		timestamp,
		invoices,
		async stop() {
			commissioning.end();
			await Promise.all([cash.leave(), card.leave()]);
			outbox.stop();
			approvals.stop();
			link.stop();
			await printDesk?.stop();
			hub.stop();
			cash.stop();
			card.stop();
			journal.close();
		},
	};
}
