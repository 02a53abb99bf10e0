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
	/** Called when notes may be ready to upload. */
	uploadNow: () => void;
	/** Called when the journal has reopened, before any other use of the journal. */
	onJournalOpened: () => void;
	/** Called when a session has ended: each of its notes has an outcome or is in doubt. */
	onClosed: (session: Session) => void;
	/**
	 * Whether a card sale of this invoice blocks other payments (`CardDesk.isHolding`). If so, no
	 * note is taken for the invoice.
	 */
	isHeld: (payment: Payment) => boolean;
	invoices: Pick<InvoiceDesk, 'balanceOf' | 'keep' | 'current' | 'findPayment' | 'isFresh' | 'refresh' | 'hearWaiting'>;
	/** Whether the kiosk is about to restart. If so, no payment begins. */
	isRestarting: () => boolean;
	/** Whether the back office does not offer the API call that reports notes. */
	isCallUnknown: () => boolean;
	/**
	 * Time in ms: if the screen has drawn nothing for this long, its session takes no further note.
	 */
	frozenMs: number;
	/** ISO 8601 with the site's offset */
	timestamp: (at: Date) => string;
	/** null if the settings name no acceptor. */
	startDriver: ((report: (report: AcceptorReport) => void) => AcceptorDriver) | null;
}
