import type { SettledNote } from '../simulators/acceptor/cashbook.ts';
import type { Invoice } from '../simulators/back-office/invoice.ts';
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

/** Where the money really is, and what the kiosk could have known: kept by the world, never read from the kiosk. */
export class SimTruth {
	/** The invoice whose customer fed it; null: no customer stood before its cash page. */
	readonly stacked: { nominal: number; invoice: Invoice | null }[] = [];
	/** When the kiosk first tried to send a note, whether it arrived or not. */
	readonly triedAt = new Map<string, number>();
	readonly uploads = new Map<string, Upload>();
	/** Invoices that the kiosk has been told are paid although it had told nothing that pays them. */
	readonly toldPaidElsewhere = new Set<Invoice>();
	/** When an invoice's total changed last. */
	readonly changedAt = new Map<Invoice, number>();
	/** Staff have logged in elsewhere in between. */
	hasMoved = false;
	readonly #words = new Map<Invoice, Word[]>();
	readonly #elsewhere = new Map<Invoice, number>();
	readonly #givenBack = new Map<Invoice, number>();
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

	heard(invoice: Invoice, word: Word): void {
		const words = this.#words.get(invoice) ?? [];
		this.#words.set(invoice, [...words, word]);
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
