import type { SettledNote } from '../simulators/acceptor/note-ends.ts';
import type { Invoice, ReceivedPayment } from '../simulators/back-office/invoice.ts';
import type { BankTransaction } from '../simulators/edc/bank.ts';

/** A server's statement about one invoice: a look-up answer, or a message that it is paid. */
export interface Statement {
	paid: boolean;
	/** null in a message, which names no amount. */
	total: number | null;
	/** The listed sum, its part that was paid elsewhere, and its card sales, rupiah. */
	listed: number;
	elsewhere: number;
	cards: number;
	/** Ids of the notes that the list contains, as single entries or in a sum. */
	contains: ReadonlySet<string>;
	/** Whether the list contains note ids. Without note ids the kiosk must compare sums. */
	named: boolean;
	askedAt: number;
	servedAt: number;
	heardAt: number;
}

/**
 * @returns the statement with the latest server time, or null. If the server times are equal, the
 * statement that arrived last.
 */
export const newestOf = (statements: readonly Statement[]): Statement | null =>
	statements.reduce<Statement | null>((one, other) => (one === null || other.servedAt >= one.servedAt ? other : one), null);

/** A note that has reached a server. */
export interface Upload {
	note_id: string;
	nominal: number;
	invoice: Invoice | null;
	firstAt: number;
	/** Time at which a running process got the server's 2xx. */
	confirmedAt: number | null;
}

/** Money that the kiosk has begun to report. */
export interface Tried {
	at: number;
	amount: number;
	isCard: boolean;
	invoice: Invoice | null;
}

/**
 * A note in the cashbox. `early`: staff declared the note present while it was inside the acceptor.
 */
interface Stacked {
	nominal: number;
	invoice: Invoice | null;
	early?: boolean;
}

/** Card money that staff wrongly declared charged (above 0) or not charged (below 0), rupiah. */
interface Oath {
	amount: number;
	invoice: Invoice | null;
	attempt_id: string;
}

/**
 * The real money, and what the kiosk can know about it. The world records both independently of the
 * kiosk.
 */
export class SimTruth {
	/**
	 * Notes in the cashbox, each with the customer's invoice, or with null if no cash page was open.
	 * A note that staff wrongly declare present is added, and a note that they wrongly declare
	 * missing is left out, because the kiosk cannot know better.
	 */
	readonly stacked: Stacked[] = [];
	readonly #sworn: Oath[] = [];
	/** Sales that staff have declared not charged. */
	readonly #denied = new Set<string>();
	/** Number of notes in the acceptor's own list that are already in `stacked`. */
	#seen = 0;
	/** First attempts to report a note or a card approval, by id, including lost attempts. */
	readonly tried = new Map<string, Tried>();
	/** Number of answers other than 2xx that a running kiosk got, by note id. */
	readonly declined = new Map<string, number>();
	readonly uploads = new Map<string, Upload>();
	/**
	 * Invoices that the server reported paid because of a payment elsewhere, with the time of the
	 * report.
	 */
	readonly toldPaidElsewhere = new Map<Invoice, number>();
	/** Invoices shown as paid. After a reconnection the screen may get the message "paid" again. */
	readonly shownPaid = new Set<Invoice>();
	/** Time of the last change of an invoice's total, or of the last reversal of its payment. */
	readonly changedAt = new Map<Invoice, number>();
	/** Whether staff have logged in at another outlet. */
	hasMoved = false;
	readonly #statements = new Map<Invoice, Statement[]>();
	readonly #elsewhere = new Map<Invoice, number>();
	readonly #givenBack = new Map<Invoice, number>();
	/** Payments that staff entered into a server's list by hand, with the ids of their notes. */
	readonly #byHand = new Map<ReceivedPayment, string>();
	readonly #charges = new Map<BankTransaction, Invoice | null>();
	readonly #bank: () => readonly BankTransaction[];
	/** Invoice and sale of the terminal's present request. */
	#atTerminal: Invoice | null = null;
	#attempt: string | null = null;
	/** The invoice of the note inside the acceptor. */
	inside: Invoice | null = null;
	/** Whether staff have declared that the note inside the acceptor is not in the cashbox. */
	#insideDenied = false;

	constructor(bank: () => readonly BankTransaction[]) {
		this.#bank = bank;
	}

	fed(invoice: Invoice | null): void {
		this.inside = invoice;
		this.#insideDenied = false;
		for (const note of this.stacked) note.early = false;
	}

	/** Staff declare that the note inside the acceptor is not in the cashbox. */
	deniesInside(): void {
		this.#insideDenied = true;
	}

	/** @param isHeard whether a running daemon receives the STACKED report about the newest note */
	settled(box: readonly SettledNote[], isHeard: boolean): void {
		for (const { nominal } of box.slice(this.#seen)) {
			if (this.#insideDenied && !isHeard) continue;
			const sworn = this.stacked.find((note) => note.early && note.nominal === nominal);
			if (sworn) sworn.early = false;
			else this.stacked.push({ nominal, invoice: this.inside });
		}
		this.#seen = box.length;
	}

	/**
	 * From now on, the terminal's charges are for this invoice.
	 * @param attempt_id null if the request is not a sale
	 */
	charges(invoice: Invoice | null, attempt_id: string | null): void {
		this.#assign();
		this.#atTerminal = invoice;
		this.#attempt = attempt_id ?? this.#attempt;
	}

	/** Wrong decisions of staff about card money. */
	get sworn(): Oath[] {
		this.#assign();
		return this.#sworn;
	}

	/** Staff declare this sale not charged. */
	denies(attempt_id: string): void {
		this.#assign();
		this.#denied.add(attempt_id);
	}

	/** A settled sale has become unknown again. */
	reopens(attempt_id: string): void {
		this.#denied.delete(attempt_id);
		for (const oath of this.sworn.filter((one) => one.attempt_id === attempt_id && one.amount < 0))
			this.#sworn.splice(this.#sworn.indexOf(oath), 1);
	}

	paidElsewhere(invoice: Invoice, amount: number): void {
		this.#elsewhere.set(invoice, this.elsewhere(invoice) + amount);
	}

	/** The cashier has reversed the payments that were made elsewhere. */
	reversed(invoice: Invoice): void {
		this.#elsewhere.delete(invoice);
		this.toldPaidElsewhere.delete(invoice);
	}

	gaveBack(invoice: Invoice, amount: number): void {
		this.#givenBack.set(invoice, this.givenBack(invoice) + amount);
	}

	/** Staff have entered a refused note into the server's list of payments. */
	enteredByHand(entry: ReceivedPayment, note_id: string): void {
		this.#byHand.set(entry, note_id);
	}

	isByHand(note_id: string): boolean {
		return [...this.#byHand.values()].includes(note_id);
	}

	/** @returns whether staff entered this payment by hand for a note */
	isEntryByHand(entry: ReceivedPayment): boolean {
		return this.#byHand.has(entry);
	}

	/**
	 * @returns whether the cashbox contains a note of this value that was inserted for the invoice
	 */
	hasFed(invoice: Invoice, nominal: number): boolean {
		return this.stacked.some((note) => note.invoice === invoice && note.nominal === nominal);
	}

	/** Staff have moved a note to another invoice, for which the kiosk now reports it. */
	move(note_id: string, nominal: number, from: Invoice, to: Invoice): void {
		const note = this.stacked.find((one) => one.invoice === from && one.nominal === nominal);
		if (note) note.invoice = to;
		const tried = this.tried.get(note_id);
		if (tried) tried.invoice = to;
		this.uploads.delete(note_id);
	}

	/** The kiosk begins to report a note or a card approval. */
	tries(id: string, tried: Tried): void {
		if (!this.tried.has(id)) this.tried.set(id, tried);
	}

	/** @returns the amount that the kiosk had begun to report for the invoice by this time, rupiah */
	triedUntil(invoice: Invoice, at: number): number {
		return [...this.tried.values()].reduce((sum, one) => sum + (one.invoice === invoice && one.at <= at ? one.amount : 0), 0);
	}

	heard(invoice: Invoice, statement: Statement): void {
		const statements = this.#statements.get(invoice) ?? [];
		this.#statements.set(invoice, [...statements, statement]);
	}

	/** A power cut during a write loses everything that the kiosk learned at this moment. */
	unheard(at: number): void {
		for (const [invoice, statements] of this.#statements)
			this.#statements.set(
				invoice,
				statements.filter(({ heardAt }) => heardAt !== at),
			);
		for (const [invoice, toldAt] of this.toldPaidElsewhere) if (toldAt === at) this.toldPaidElsewhere.delete(invoice);
		for (const upload of this.uploads.values()) if (upload.confirmedAt === at) upload.confirmedAt = null;
	}

	/**
	 * A restart on a full disk loses what the kiosk has learned about payments elsewhere since the
	 * disk became full.
	 */
	forgetToldSince(fullSince: number): void {
		for (const [invoice, toldAt] of this.toldPaidElsewhere) if (toldAt >= fullSince) this.toldPaidElsewhere.delete(invoice);
	}

	cash(invoice: Invoice): number {
		return this.stacked.reduce((sum, note) => sum + (note.invoice === invoice ? note.nominal : 0), 0);
	}

	card(invoice: Invoice): number {
		this.#assign();
		const charged = [...this.#charges].reduce((sum, [charge, of]) => sum + (of === invoice && !charge.voided ? charge.amount : 0), 0);
		return this.sworn.reduce((sum, { amount, invoice: of }) => sum + (of === invoice ? amount : 0), charged);
	}

	elsewhere(invoice: Invoice): number {
		return this.#elsewhere.get(invoice) ?? 0;
	}

	givenBack(invoice: Invoice): number {
		return this.#givenBack.get(invoice) ?? 0;
	}

	/** @returns all money received for the invoice, less the money given back, rupiah */
	received(invoice: Invoice): number {
		return this.cash(invoice) + this.card(invoice) + this.elsewhere(invoice) - this.givenBack(invoice);
	}

	statements(invoice: Invoice): readonly Statement[] {
		return this.#statements.get(invoice) ?? [];
	}

	/** @returns the newest look-up by server time, or null */
	newestLookUp(invoice: Invoice): Statement | null {
		return newestOf(this.statements(invoice).filter(({ total }) => total !== null));
	}

	/** @returns the notes of this invoice that have reached a server */
	uploadsOf(invoice: Invoice): Upload[] {
		return [...this.uploads.values()].filter((upload) => upload.invoice === invoice);
	}

	/** @returns the sum of the charges of this invoice that were voided, rupiah */
	voided(invoice: Invoice): number {
		this.#assign();
		return [...this.#charges].reduce((sum, [charge, of]) => sum + (of === invoice && charge.voided ? charge.amount : 0), 0);
	}

	/** @returns the charges of this invoice that were not voided */
	chargesOf(invoice: Invoice): BankTransaction[] {
		this.#assign();
		return [...this.#charges].flatMap(([charge, of]) => (of === invoice && !charge.voided ? [charge] : []));
	}

	#assign(): void {
		for (const charge of this.#bank()) {
			if (charge.type !== '01' || this.#charges.has(charge)) continue;
			this.#charges.set(charge, this.#atTerminal);
			if (this.#attempt !== null) this.#decidedBefore(charge, this.#attempt);
		}
	}

	/** Corrects a decision that staff made about the sale before the bank charged the card. */
	#decidedBefore({ amount }: BankTransaction, attempt_id: string): void {
		const early = this.#sworn.find((oath) => oath.attempt_id === attempt_id && oath.amount > 0);
		if (early?.amount === amount) this.#sworn.splice(this.#sworn.indexOf(early), 1);
		else if (early || this.#denied.has(attempt_id)) this.#sworn.push({ amount: -amount, invoice: this.#atTerminal, attempt_id });
	}
}
