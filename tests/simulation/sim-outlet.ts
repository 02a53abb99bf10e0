import { Books } from '../simulators/back-office/books.ts';
import type { Invoice } from '../simulators/back-office/invoice.ts';

/** One log-in at one server: its own books, its own token. Ids and numbers of invoices are the same at all of them. */
export class SimOutlet {
	readonly books: Books;
	readonly token: string;
	/** Every invoice that there ever was, also those that were deleted since. */
	readonly #known = new Set<Invoice>();
	/** null: takes notes. A status: the server has no call for notes at all. */
	withoutNotes: 404 | 405 | null = null;
	/** How often it has said so, and when it had said it often enough, ms. */
	saidWithoutNotes = 0;
	sureAt = Number.POSITIVE_INFINITY;
	/** Notes that are refused for ever, by their id, with what. */
	readonly refused = new Map<string, number>();
	/** The next note that is new here is refused for ever with this status. */
	refuseNext: number | null = null;
	/** Notes that were in the books before they were restored from an old copy. */
	readonly forgotten = new Set<string>();

	readonly server: string;
	readonly name: string;
	readonly development: boolean;

	constructor(of: { server: string; name: string; development: boolean; now: Date }) {
		this.server = of.server;
		this.name = of.name;
		this.development = of.development;
		this.books = new Books({ now: of.now, origin: of.server, file: undefined });
		this.token = this.books.issueToken();
	}

	/** @returns every invoice that there ever was here */
	everyInvoice(): Set<Invoice> {
		for (const invoice of this.books.invoices) this.#known.add(invoice);
		return this.#known;
	}

	/** @returns the invoice with this id and number, also one that was deleted since */
	ever(id: unknown, noinvoice: unknown): Invoice | null {
		return [...this.everyInvoice()].find((invoice) => String(invoice.id) === String(id) && invoice.noinvoice === noinvoice) ?? null;
	}

	delete(invoice: Invoice): void {
		this.everyInvoice();
		this.books.invoices.splice(this.books.invoices.indexOf(invoice), 1);
	}

	/** Yesterday's copy of the books is played back: the newest `count` notes were never there. */
	forget(count: number): void {
		for (const { note_id } of this.books.notes.splice(-count, count)) {
			this.forgotten.add(note_id);
			for (const invoice of this.everyInvoice()) {
				const at = invoice.list_pembayaran.findIndex((entry) => entry.note_id === note_id);
				if (at < 0) continue;
				invoice.list_pembayaran.splice(at, 1);
				if (invoice.payment_type === 3) invoice.is_paid = false;
			}
		}
	}
}
