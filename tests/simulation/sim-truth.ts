import type { SettledNote } from '../simulators/acceptor/cashbook.ts';
import type { Invoice, ReceivedPayment } from '../simulators/back-office/invoice.ts';
import type { BankTransaction } from '../simulators/edc/bank.ts';

/** What a server told the kiosk of one invoice: in a look-up, or in a message that it is paid. */
export interface Word {
	paid: boolean;
	/** null in a message, which speaks of no amount. */
	total: number | null;
	/** What the list came to, and the part of it that no note of this kiosk explains, rupiah. */
	listed: number;
	elsewhere: number;
	/** Notes that the list contains, each or in a lump. */
	contains: ReadonlySet<string>;
	/** Whether the list names notes, so that nothing has to be guessed. */
	named: boolean;
	askedAt: number;
	servedAt: number;
	heardAt: number;
}

/** A note on its way into a server's books. */
export interface Upload {
	note_id: string;
	nominal: number;
	invoice: Invoice | null;
	firstAt: number;
	/** When a living process heard the 2xx. */
	confirmedAt: number | null;
}

/** Money that the kiosk has begun to report. */
export interface Tried {
	at: number;
	amount: number;
	isCard: boolean;
	invoice: Invoice | null;
}

/** Where the money really is, and what the kiosk could have known: kept by the world, never read from the kiosk. */
export class SimTruth {
	/** The invoice whose customer fed it; null: no customer stood before its cash page. */
	readonly stacked: { nominal: number; invoice: Invoice | null }[] = [];
	/** First attempts to report a note or a card approval, by its id, whether it arrived or not. */
	readonly tried = new Map<string, Tried>();
	/** How often a living kiosk heard a note being declined, by its id, for whatever reason. */
	readonly declined = new Map<string, number>();
	readonly uploads = new Map<string, Upload>();
	/** Invoices that the kiosk has been told are paid although it had told nothing that pays them, and since when. */
	readonly toldPaidElsewhere = new Map<Invoice, number>();
	/** When an invoice's total changed last. */
	readonly changedAt = new Map<Invoice, number>();
	/** Staff have logged in elsewhere in between. */
	hasMoved = false;
	readonly #words = new Map<Invoice, Word[]>();
	readonly #elsewhere = new Map<Invoice, number>();
	readonly #givenBack = new Map<Invoice, number>();
	/** Payments that staff have entered into a server's list, with the note that each is. */
	readonly #byHand = new Map<ReceivedPayment, string>();
	readonly #charges = new Map<BankTransaction, Invoice | null>();
	readonly #bank: () => readonly BankTransaction[];
	/** For whom the terminal works. */
	#atTerminal: Invoice | null = null;
	/** Whose note is inside the acceptor. */
	inside: Invoice | null = null;

	constructor(bank: () => readonly BankTransaction[]) {
		this.#bank = bank;
	}

	fed(invoice: Invoice | null): void {
		this.inside = invoice;
	}

	settled(box: readonly SettledNote[]): void {
		for (const { nominal } of box.slice(this.stacked.length)) this.stacked.push({ nominal, invoice: this.inside });
	}

	/** From now on the terminal works for this invoice. */
	charges(invoice: Invoice | null): void {
		this.#assign();
		this.#atTerminal = invoice;
	}

	paidElsewhere(invoice: Invoice, amount: number): void {
		this.#elsewhere.set(invoice, this.elsewhere(invoice) + amount);
	}

	/** What was paid elsewhere went back to its payer. */
	reversed(invoice: Invoice): void {
		this.#elsewhere.delete(invoice);
		this.toldPaidElsewhere.delete(invoice);
	}

	gaveBack(invoice: Invoice, amount: number): void {
		this.#givenBack.set(invoice, this.givenBack(invoice) + amount);
	}

	/** Staff have entered a note that the server refuses into its list of payments. */
	enteredByHand(entry: ReceivedPayment, note_id: string): void {
		this.#byHand.set(entry, note_id);
	}

	isByHand(note_id: string): boolean {
		return [...this.#byHand.values()].includes(note_id);
	}

	/** @returns whether this entry of a server's list is a note that staff have entered */
	isEntryByHand(entry: ReceivedPayment): boolean {
		return this.#byHand.has(entry);
	}

	/** @returns whether such a note was fed for the invoice */
	hasFed(invoice: Invoice, nominal: number): boolean {
		return this.stacked.some((note) => note.invoice === invoice && note.nominal === nominal);
	}

	/** Staff have assigned a note to another invoice, which it is sent for. */
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

	/** @returns what the kiosk had begun to report for the invoice by then, rupiah */
	triedUntil(invoice: Invoice, at: number): number {
		return [...this.tried.values()].reduce((sum, one) => sum + (one.invoice === invoice && one.at <= at ? one.amount : 0), 0);
	}

	heard(invoice: Invoice, word: Word): void {
		const words = this.#words.get(invoice) ?? [];
		this.#words.set(invoice, [...words, word]);
	}

	/** The power went at the write of what was heard at this very moment: the kiosk has heard nothing. */
	unheard(at: number): void {
		for (const [invoice, words] of this.#words)
			this.#words.set(
				invoice,
				words.filter(({ heardAt }) => heardAt !== at),
			);
		for (const [invoice, since] of this.toldPaidElsewhere) if (since === at) this.toldPaidElsewhere.delete(invoice);
		for (const upload of this.uploads.values()) if (upload.confirmedAt === at) upload.confirmedAt = null;
	}

	cash(invoice: Invoice): number {
		return this.stacked.reduce((sum, note) => sum + (note.invoice === invoice ? note.nominal : 0), 0);
	}

	card(invoice: Invoice): number {
		this.#assign();
		return [...this.#charges].reduce((sum, [charge, of]) => sum + (of === invoice && !charge.voided ? charge.amount : 0), 0);
	}

	elsewhere(invoice: Invoice): number {
		return this.#elsewhere.get(invoice) ?? 0;
	}

	givenBack(invoice: Invoice): number {
		return this.#givenBack.get(invoice) ?? 0;
	}

	/** @returns all money that its owner holds for the invoice, rupiah */
	received(invoice: Invoice): number {
		return this.cash(invoice) + this.card(invoice) + this.elsewhere(invoice) - this.givenBack(invoice);
	}

	words(invoice: Invoice): readonly Word[] {
		return this.#words.get(invoice) ?? [];
	}

	/** @returns the newest look-up by the server's own time, or null */
	newestLookUp(invoice: Invoice): Word | null {
		const lookUps = this.words(invoice).filter(({ total }) => total !== null);
		return lookUps.reduce<Word | null>((newest, word) => (newest === null || word.servedAt >= newest.servedAt ? word : newest), null);
	}

	/** @returns notes of this invoice that the kiosk has tried to tell its server of */
	uploadsOf(invoice: Invoice): Upload[] {
		return [...this.uploads.values()].filter((upload) => upload.invoice === invoice);
	}

	/** @returns unvoided charges of this invoice */
	chargesOf(invoice: Invoice): BankTransaction[] {
		this.#assign();
		return [...this.#charges].flatMap(([charge, of]) => (of === invoice && !charge.voided ? [charge] : []));
	}

	#assign(): void {
		for (const charge of this.#bank()) if (charge.type === '01' && !this.#charges.has(charge)) this.#charges.set(charge, this.#atTerminal);
	}
}
