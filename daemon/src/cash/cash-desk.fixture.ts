import { randomUUID } from 'node:crypto';
import type { ReceivedPayment } from '@kiosk/contract/back-office';
import type { CashEntry, OpenMachineAnswer } from '@kiosk/contract/kiosk-api';
import type { AcceptorState, LiveText } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { afterEach, beforeEach, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import type { AcceptorCommand, AcceptorReport } from '../acceptor/driver.ts';
import { PlayedInvoices } from '../back-office/invoices.fixture.ts';
import { systemClock } from '../base/clock.ts';
import { type Disk, failingStore } from '../journal/failing-store.fixture.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { ACCOUNT, keyOf } from '../journal/payment.fixture.ts';
import type { Payment } from '../journal/records.ts';
import type { OpenRefusal } from './cash-customer.ts';
import { type CashDesk, startCashDesk } from './cash-desk.ts';
import { CASH_ROUTE } from './cash-page.ts';
import type { Session } from './cash-state.ts';

export const INVOICE = { account: ACCOUNT, id: 7, odoo_id: 'SO7', noinvoice: 'INV/7', total: rupiah(137_500) };
export const OTHER = { account: ACCOUNT, id: 8, odoo_id: null, noinvoice: 'INV/8', total: rupiah(20_000) };

/** The session of the test's screen. */
export const SCREEN = 'screen';

/**
 * A cash desk on its own journal, with a disk that can fail and an acceptor controlled by the test.
 */
export class CashDeskFixture {
	directory = '';
	journal!: Journal;
	desk!: CashDesk;
	/** Sends a report of the acceptor to the desk. */
	report: (report: AcceptorReport) => void = () => {};
	commands: AcceptorCommand[] = [];
	told: LiveText[] = [];
	logged: unknown[][] = [];
	uploads = 0;
	closed: Session[] = [];
	/** Number of times the driver was stopped. */
	stopped = 0;
	/** Free disk space in bytes. */
	free = 1_000_000;
	/** Number of checks of old records. */
	patrols = 0;
	/** Supplies the back office's answers for the opened invoices. */
	invoices!: PlayedInvoices;
	diskSays: Disk = 'well';
	/** Whether the back office does not offer the API call that reports notes. */
	isCallUnknown = false;
	/** Whether every invoice has a card sale that blocks other payments. */
	isHeld = false;

	/** @param first the acceptor's first state */
	start(withAcceptor = true, first: AcceptorState = 'ready'): void {
		const store = failingStore(() => this.diskSays);
		const opened = openJournal({ directory: this.directory, minFreeBytes: 1_000 }, systemClock, store, () => this.free);
		this.journal = {
			...opened,
			patrol: () => {
				this.patrols += 1;
				opened.patrol();
			},
		};
		this.invoices = new PlayedInvoices(() => this.journal);
		this.desk = startCashDesk({
			journal: this.journal,
			policy: { notes: new Map([['0x45', rupiah(50_000)]]), switchedOff: new Set(), overpayLimit: null },
			clock: systemClock,
			log: { event: (id, fields) => void this.logged.push([id, fields]) },
			newId: randomUUID,
			notify: (text) => void this.told.push(text),
			onJournalOpened: () => {},
			uploadNow: () => {
				this.uploads += 1;
			},
			onClosed: (session) => void this.closed.push(session),
			isHeld: () => this.isHeld,
			isRestarting: () => false,
			isCallUnknown: () => this.isCallUnknown,
			invoices: this.invoices,
			frozenMs: 45_000,
			timestamp: (at) => at.toISOString(),
			startDriver: withAcceptor
				? (hear) => {
						this.report = hear;
						return {
							send: (command) => void this.commands.push(command),
							stop: () => {
								this.stopped += 1;
							},
						};
					}
				: null,
		});
		if (withAcceptor) this.report({ kind: 'state', state: first });
	}

	/** The screen opens the acceptor for this payment and draws its cash page. */
	async open(payment: Payment, listed: readonly ReceivedPayment[] = []): Promise<OpenMachineAnswer | OpenRefusal> {
		const opened = await this.desk.open(this.desk.announce(), this.invoices.lookedUp(payment, listed), SCREEN);
		this.draw(payment);
		return typeof opened === 'string' ? opened : { ...opened, ...this.shown() };
	}

	draw({ id }: Payment = INVOICE): void {
		this.desk.onDrawn({ session: SCREEN, screen: CASH_ROUTE, id });
	}

	/** @returns the acceptor state that the screen shows now */
	shown(): { machine_ready: boolean; message: string } {
		const shown = this.desk.shownState();
		return { machine_ready: shown === 'ready', message: shown === 'ready' ? 'Ready' : shown };
	}

	escrow(): void {
		this.report({ kind: 'escrow', code: '0x45' });
	}

	stack(): void {
		this.report({ kind: 'stacked', accepted: true, late: false, code: '0x45' });
	}

	note(): void {
		this.escrow();
		this.stack();
	}

	types(): LiveText['type'][] {
		return this.told.map((text) => text.type);
	}

	/** @returns the payments received for an invoice */
	entries(id: number): CashEntry[] {
		return this.invoices.balanceOf(keyOf(id)).entries;
	}

	ids(): string[] {
		return this.journal.notesOf(keyOf(7)).map(({ note_id }) => note_id);
	}
}

/** @returns a fixture that gets a new desk, in simulated time, before each test of the file */
export function deskOfEachTest(): CashDeskFixture {
	const at = new CashDeskFixture();
	beforeEach(() => {
		vi.useFakeTimers();
		Object.assign(at, new CashDeskFixture(), { directory: temporaryFolder('cash-desk') });
		at.start();
	});
	afterEach(() => {
		at.desk.stop();
		vi.useRealTimers();
		at.journal.close();
	});
	return at;
}
