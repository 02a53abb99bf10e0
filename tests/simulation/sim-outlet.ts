import { Books } from '../simulators/back-office/books.ts';
import type { Invoice } from '../simulators/back-office/invoice.ts';

/**
 * One outlet at one server, with separate books and token. All outlets use the same invoice ids and
 * numbers.
 */
export class SimOutlet {
	readonly books: Books;
	readonly token: string;
	/** Every invoice, including deleted ones. */
	readonly #known = new Set<Invoice>();
	/**
	 * HTTP status of the server's answers to notes if it lacks the call for notes; null if it has the
	 * call.
	 */
	withoutNotes: 404 | 405 | null = null;
	/**
	 * Number of answers with the status `withoutNotes` since the kiosk's start. From the time
	 * `sureAt`, ms, the kiosk must know that the call is missing.
	 */
	saidWithoutNotes = 0;
	sureAt = Number.POSITIVE_INFINITY;
	/** Permanently refused notes: the status by note id. */
	readonly refused = new Map<string, number>();
	/** If set, the next new note is refused permanently with this status. */
	refuseNext: number | null = null;
	/** Notes that were lost when the books were restored from an old copy. */
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

	/**
	 * Called at a start of the kiosk: the new process must learn again that the server lacks the call
	 * for notes.
	 */
	forgetWithoutNotes(): void {
		this.saidWithoutNotes = 0;
		this.sureAt = Number.POSITIVE_INFINITY;
	}

	/** @returns every invoice of this outlet, including deleted ones */
	everyInvoice(): Set<Invoice> {
		for (const invoice of this.books.invoices) this.#known.add(invoice);
		return this.#known;
	}

	/** @returns the invoice with this id and number, even if it was deleted */
	ever(id: unknown, noinvoice: unknown): Invoice | null {
		return [...this.everyInvoice()].find((invoice) => String(invoice.id) === String(id) && invoice.noinvoice === noinvoice) ?? null;
	}

	delete(invoice: Invoice): void {
		this.everyInvoice();
		this.books.invoices.splice(this.books.invoices.indexOf(invoice), 1);
	}

	/** Restores the books from yesterday's copy, which loses the newest `count` notes. */
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
