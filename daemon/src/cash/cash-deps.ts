import type { LiveText } from '@kiosk/contract/live';
import type { AcceptorDriver, AcceptorReport } from '../acceptor/driver.ts';
import type { InvoiceDesk } from '../back-office/invoice-desk.ts';
import type { Clock } from '../base/clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { Payment } from '../journal/records.ts';
import type { Log } from '../log/log.ts';
import type { CashPolicy, Session } from './cash-state.ts';

/** Dependencies of the cash desk. */
export interface CashDeskDeps {
	journal: Journal;
	policy: CashPolicy;
	clock: Clock;
	log: Log;
	/** A fresh UUID. */
	newId: () => string;
	/** `about`: the payment that the text names, if any. */
	notify: (text: LiveText, about?: Payment) => void;
	/** Called when there may be notes to upload. */
	uploadNow: () => void;
	/** Called when the journal can be used again, before any other use of it. */
	onJournalOpened: () => void;
	/** A session has ended; no more notes are expected for it. */
	onClosed: (session: Session) => void;
	/**
	 * Whether another payment of this invoice is open or may have succeeded; then no note is taken
	 * for it.
	 */
	isHeld: (payment: Payment) => boolean;
	invoices: Pick<InvoiceDesk, 'balanceOf' | 'keep' | 'current' | 'findPayment' | 'refresh' | 'hearWaiting'>;
	/** Whether the kiosk is about to restart; then no payment begins. */
	isRestarting: () => boolean;
	/** Whether the back office cannot receive notes. */
	isCallUnknown: () => boolean;
	/** A session whose screen has drawn nothing for this long takes no further note, ms. */
	frozenMs: number;
	/** ISO 8601 with the site's offset */
	timestamp: (at: Date) => string;
	/** null without an acceptor in the settings. */
	startDriver: ((report: (report: AcceptorReport) => void) => AcceptorDriver) | null;
}
