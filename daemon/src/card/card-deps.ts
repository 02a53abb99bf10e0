import type { LiveText } from '@kiosk/contract/live';
import type { InvoiceDesk } from '../back-office/invoice-desk.ts';
import type { Clock } from '../base/clock.ts';
import type { CardTerminal, TerminalReport } from '../edc/terminal.ts';
import type { Journal } from '../journal/journal.ts';
import type { Payment } from '../journal/records.ts';
import type { Log } from '../log/log.ts';
import type { CardPolicy } from './card-state.ts';

/** Dependencies of the card desk. */
export interface CardDeskDeps {
	journal: Journal;
	policy: CardPolicy;
	/** Whether QR codes on the terminal are enabled. */
	qris: boolean;
	clock: Clock;
	log: Log;
	/** A fresh UUID. */
	newId: () => string;
	/** `about`: the payment that the text names, if any. */
	notify: (text: LiveText, about?: Payment) => void;
	/** Called when an approval is on disk; reports the approval to the back office. */
	relay: () => void;
	/** Looked-up invoices and their due amounts. */
	invoices: Pick<InvoiceDesk, 'current' | 'balanceOf' | 'keep' | 'isMeant' | 'isFresh' | 'refresh'>;
	/** Whether the kiosk is about to restart; then no request to the terminal begins. */
	isRestarting: () => boolean;
	/** Ends an open cash payment; a note in flight keeps its intent in the journal. */
	closeCash: () => void;
	/**
	 * Called after each event. Ends an open cash payment whose invoice is held now, for example
	 * because a late answer made its declined card sale unknown.
	 */
	endHeldCash: () => void;
	/** ISO 8601 with the site's offset */
	timestamp: (at: Date) => string;
	/**
	 * null without a terminal in the settings. `midSale`: a sale or void of the previous run may
	 * still be in progress.
	 */
	startTerminal: ((report: (report: TerminalReport) => void, midSale: boolean) => CardTerminal) | null;
}
