/** The parts that handle money, screen and printing, and their dependencies. */
import type { Id } from '@kiosk/contract/back-office';
import type { LiveText } from '@kiosk/contract/live';
import type { Commissioning } from './acceptor/commissioning.ts';
import type { EscrowPause } from './acceptor/escrow-pause.ts';
import type { CallBackOffice } from './back-office/client.ts';
import type { InvoiceDesk } from './back-office/invoice-desk.ts';
import type { LiveLink, OpenSocket } from './back-office/live-link.ts';
import type { Outbox } from './back-office/outbox.ts';
import type { OutletToken } from './back-office/token.ts';
import type { Clock } from './base/clock.ts';
import type { Approvals } from './card/approvals.ts';
import type { CardDesk } from './card/card-desk.ts';
import type { CashDesk } from './cash/cash-desk.ts';
import type { Journal } from './journal/journal.ts';
import type { Log } from './log/log.ts';
import type { IppQueue } from './printer/ipp-client.ts';
import type { LogoFor } from './printer/logos.ts';
import type { PrintDesk } from './printer/print-desk.ts';
import type { ReceiptFace } from './printer/receipt-face.ts';
import type { Receipts } from './printer/receipts.ts';
import type { Slips } from './printer/slips.ts';
import type { CodeOf } from './proof/paper-code.ts';
import type { ScreenHub, ScreenHubDeps } from './screen/hub.ts';
import type { DeviceLine } from './serial/device-lines.ts';
import type { Settings } from './settings/settings.ts';
import type { KioskUse, RestartLease } from './staff/restart-lease.ts';

/** Injected dependencies: time, randomness, disk, device lines and network. */
export interface KioskDeps {
	settings: Pick<Settings, 'site' | 'screen' | 'back_office' | 'acceptor' | 'edc' | 'state_directory'>;
	clock: Clock;
	log: Log;
	/** @returns a random number from 0 up to 1, so that kiosks do not retry at the same moment */
	random: () => number;
	/** A fresh UUID. */
	newId: () => string;
	journal: Journal;
	token: OutletToken;
	callBackOffice: CallBackOffice;
	/** null if the settings name no such device. */
	acceptorLine: DeviceLine | null;
	edcLine: DeviceLine | null;
	printer: { queue: IppQueue; face: ReceiptFace; logo: LogoFor; limitMs: number; clockInDoubt: () => boolean } | null;
	/** @returns the code at the foot of a printout */
	codeOf: CodeOf;
	openSocket: OpenSocket;
	/**
	 * Whether the screen shows a QRIS code or virtual account; the live socket then waits longer
	 * before it reconnects.
	 */
	isNonCashShown: () => boolean;
	startHub: (deps: ScreenHubDeps) => ScreenHub;
	/** How the screen is used now; a restart for an update waits until the screen is idle. */
	screenUse: () => Pick<KioskUse, 'calls' | 'code' | 'idle_ms'>;
	/** Called when the back office's live socket reports this invoice as paid, by any method. */
	onSettled: (id: Id) => void;
	/** Further messages for a newly connected screen, besides the state of money and devices. */
	greeting: () => LiveText[];
}

/** Each part may call every other part once all parts have started. */
export interface KioskParts {
	cash: CashDesk;
	commissioning: Commissioning;
	escrowPause: EscrowPause;
	card: CardDesk;
	approvals: Approvals;
	outbox: Outbox;
	link: LiveLink;
	hub: ScreenHub;
	printDesk: PrintDesk | null;
	receipts: Receipts;
	slips: Slips;
	restart: RestartLease;
	/** ISO 8601 with the site's offset */
	timestamp: (at: Date) => string;
	/** The last looked-up invoice, and the received amount of each invoice. */
	invoices: InvoiceDesk;
}
