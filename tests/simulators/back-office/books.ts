import { randomBytes } from 'node:crypto';
import { type Memory, memoryIn } from '../memory.ts';
import { closePayment, type Invoice, METHODS, type Method, newInvoice, type ReceivedPayment, receivedFor } from './invoice.ts';
import { invoiceNumber, seedInvoices } from './seed.ts';

/** A note as reported by the kiosk. */
export interface ReportedNote {
	note_id: string;
	id: string | number;
	odoo_id: string | number | null;
	noinvoice: string;
	nominal: number;
	time: string;
}

/** A booked note. */
export interface BookedNote extends ReportedNote {
	receivedAt: string;
	/** Number of repeated uploads. */
	repeats: number;
	/** false: the note matches no invoice, so the money is kept apart for staff. */
	assigned: boolean;
}

/** A card sale that the kiosk reported as approved. */
export interface BookedApproval {
	no_invoice: string;
	receivedAt: string;
	repeats: number;
	assigned: boolean;
	success: unknown;
}

export type Booking = 'booked' | 'repeated' | 'different';

interface Saved {
	tokens: string[];
	notes: BookedNote[];
	approvals: BookedApproval[];
	invoices: Invoice[];
}

/** Ways in which a server reports received money; the contract allows all these ways. */
export interface Manners {
	/** Whether an entry of `list_pembayaran` names the kiosk's note. */
	echoesNoteId: boolean;
	/** Whether all notes of one invoice are listed as a single payment with their sum. */
	lumps: boolean;
	/** Time after which a booked note is listed, ms. */
	listsAfterMs: number;
	/** Whether a payment by phone is listed. If not, only `is_paid` shows the payment. */
	listsOthers: boolean;
	/** Whether a reported card sale is credited to its invoice. */
	booksCards: boolean;
	/** Whether a booked card sale is listed. */
	listsCards: boolean;
}

/** First id of invoices that are added by hand. */
const FIRST_ADDED_ID = 1_001;

/** The server's data: invoices, received money and logins. */
export class Books {
	readonly invoices: Invoice[];
	readonly notes: BookedNote[] = [];
	readonly approvals: BookedApproval[] = [];
	readonly manners: Manners = {
		echoesNoteId: false,
		lumps: false,
		listsAfterMs: 0,
		listsOthers: false,
		booksCards: true,
		listsCards: false,
	};
	/** Called when an invoice becomes paid by any method. */
	onPaid: (invoice: Invoice) => void = () => {};
	readonly #tokens = new Set<string>();
	readonly #changed = new Set<Invoice>();
	readonly #newToken: () => string;
	readonly #memory: Memory<Saved>;

	/**
	 * @param of.file file that keeps the data across restarts; without a file the data are only in
	 * memory
	 */
	constructor(of: {
		now: Date;
		origin: string;
		file: string | undefined;
		invoices?: Invoice[] | undefined;
		newToken?: (() => string) | undefined;
	}) {
		this.invoices = of.invoices ?? seedInvoices(of.now, of.origin);
		this.#newToken = of.newToken ?? (() => randomBytes(20).toString('hex'));
		this.#memory = memoryIn(of.file);
		if (this.#memory.saved !== null) this.#restore(this.#memory.saved);
	}

	issueToken(): string {
		const token = this.#newToken();
		this.#tokens.add(token);
		this.#save();
		return token;
	}

	knowsToken(token: string): boolean {
		return this.#tokens.has(token);
	}

	/** Ends every login, as a change of the password does. */
	revokeTokens(): void {
		this.#tokens.clear();
		this.#save();
	}

	/** @returns the newest invoice with this phone number, invoice number or work order number */
	find(key: string): Invoice | undefined {
		const wanted = key.trim().toUpperCase();
		return this.invoices.findLast(
			(invoice) =>
				invoice.hp === wanted ||
				invoice.noinvoice === wanted ||
				invoice.list_invoice.some((block) => block.noinvoice_odoo === wanted || block.nowo_odoo === wanted),
		);
	}

	byId(id: unknown): Invoice | undefined {
		return this.invoices.find((invoice) => String(invoice.id) === String(id));
	}

	/**
	 * @returns the invoice that the note names by its id, or undefined if this invoice has another
	 * number than the note names. Two invoices can share an id, and a note must not pay the wrong
	 * invoice.
	 */
	meantBy({ id, noinvoice }: Pick<ReportedNote, 'id' | 'noinvoice'>): Invoice | undefined {
		const found = this.byId(id);
		return noinvoice === '' || noinvoice === found?.noinvoice ? found : undefined;
	}

	/**
	 * Books a note once. A repeat with the same invoice id and amount is only counted; any other
	 * repeat is refused.
	 */
	bookNote(note: ReportedNote, receivedAt: string): Booking {
		const known = this.notes.find((other) => other.note_id === note.note_id);
		if (known !== undefined) {
			const same = String(known.id) === String(note.id) && known.nominal === note.nominal;
			if (same) known.repeats += 1;
			this.#save();
			return same ? 'repeated' : 'different';
		}
		const invoice = this.meantBy(note);
		this.notes.push({ ...note, receivedAt, repeats: 0, assigned: invoice !== undefined });
		if (invoice !== undefined) {
			invoice.list_pembayaran.push({ nominal: note.nominal, tanggal: note.time, note_id: note.note_id });
			if (receivedFor(invoice) >= invoice.total) this.pay(invoice, 'cash');
			else this.touch(invoice);
		}
		this.#save();
		return 'booked';
	}

	/**
	 * @param now present time, because recently booked notes may not be listed yet
	 * @returns the server's answer about an invoice
	 */
	told(invoice: Invoice, now: Date): Invoice {
		return { ...invoice, list_pembayaran: this.#listed(invoice, now) };
	}

	#listed(invoice: Invoice, now: Date): ReceivedPayment[] {
		const visible = this.visible(invoice, now).map(({ attempt_id: _, ...entry }) => entry);
		const notes = visible.filter(({ note_id }) => note_id !== undefined);
		const [first] = notes;
		if (this.manners.lumps && first !== undefined) {
			const lump = { nominal: notes.reduce((sum, { nominal }) => sum + nominal, 0), tanggal: first.tanggal };
			return [...visible.filter(({ note_id }) => note_id === undefined), lump];
		}
		const { echoesNoteId } = this.manners;
		return visible.map(({ note_id, ...entry }) => (echoesNoteId && note_id !== undefined ? { ...entry, note_id } : entry));
	}

	/** @returns the payments of an invoice that are old enough to be listed */
	visible({ list_pembayaran }: Invoice, now: Date): ReceivedPayment[] {
		const { listsAfterMs } = this.manners;
		if (listsAfterMs === 0) return list_pembayaran;
		const age = (note_id: string): number =>
			now.getTime() - Date.parse(this.notes.find((note) => note.note_id === note_id)?.receivedAt ?? '');
		return list_pembayaran.filter(({ note_id }) => note_id === undefined || !(age(note_id) < listsAfterMs));
	}

	/**
	 * Books a card approval once. An approval with the same invoice and content counts as a repeat.
	 */
	bookApproval(noInvoice: string, success: unknown, receivedAt: string): Booking {
		const known = this.approvals.find(
			(other) => other.no_invoice === noInvoice && JSON.stringify(other.success) === JSON.stringify(success),
		);
		if (known !== undefined) {
			known.repeats += 1;
			this.#save();
			return 'repeated';
		}
		const invoice = this.find(noInvoice) ?? this.byId(noInvoice);
		this.approvals.push({ no_invoice: noInvoice, receivedAt, repeats: 0, assigned: invoice !== undefined, success });
		if (invoice !== undefined && this.manners.booksCards) this.#bookCard(invoice, success, receivedAt);
		this.#save();
		return 'booked';
	}

	#bookCard(invoice: Invoice, success: unknown, tanggal: string): void {
		const { amount, attempt_id } = success as { amount?: unknown; attempt_id?: unknown };
		if (!this.manners.listsCards || typeof amount !== 'number') {
			this.pay(invoice, methodOf(success));
			return;
		}
		invoice.list_pembayaran.push({ nominal: amount, tanggal, attempt_id: String(attempt_id) });
		if (receivedFor(invoice) < invoice.total || !this.pay(invoice, methodOf(success))) this.touch(invoice);
	}

	/**
	 * Marks the invoice as paid and announces the payment.
	 * @returns false if the invoice was already paid
	 */
	pay(invoice: Invoice, method: Method): boolean {
		if (invoice.is_paid) return false;
		const due = invoice.total - receivedFor(invoice);
		const onPhone = method === 'qris' || method === 'va';
		if (onPhone && due > 0 && this.manners.listsOthers) invoice.list_pembayaran.push({ nominal: due, tanggal: invoice.tanggal });
		Object.assign(invoice, METHODS[method], { is_paid: true });
		this.touch(invoice);
		this.onPaid(invoice);
		return true;
	}

	/**
	 * Closes the open QRIS code or virtual account.
	 * @returns false if money was received; then nothing changes
	 */
	cancelPayment(invoice: Invoice): boolean {
		if (invoice.is_paid || receivedFor(invoice) > 0) return false;
		closePayment(invoice);
		this.touch(invoice);
		return true;
	}

	/**
	 * Adds an unpaid invoice, which look-ups by this phone number find from now on.
	 * @param total rupiah; by default the new invoice gets the lines of the customer's last invoice
	 */
	addInvoice(hp: string, total: number | undefined, at: Date): Invoice {
		const id = Math.max(FIRST_ADDED_ID - 1, ...this.invoices.map((invoice) => Number(invoice.id))) + 1;
		const last = this.find(hp);
		const lines = last?.list_invoice.flatMap((block) => block.detail) ?? [];
		const invoice = newInvoice({
			id,
			name: last?.konsumen_name ?? 'Pelanggan Baru',
			hp,
			nopol: last?.nopol ?? 'B 1 BRU',
			noinvoice: invoiceNumber(id),
			blocks: [
				{
					noinvoice: invoiceNumber(id),
					nowo: `WO/2026/11/${id}`,
					lines: total === undefined && lines.length > 0 ? lines : [{ produk_name: 'Servis motor', qty: 1, harga: total ?? 100_000 }],
				},
			],
			at,
		});
		this.invoices.push(invoice);
		this.touch(invoice);
		return invoice;
	}

	/** Marks an invoice as changed, so that it is saved for a restart. */
	touch(invoice: Invoice): void {
		this.#changed.add(invoice);
		this.#save();
	}

	#restore(saved: Saved): void {
		for (const token of saved.tokens) this.#tokens.add(token);
		this.notes.push(...saved.notes);
		this.approvals.push(...saved.approvals);
		for (const invoice of saved.invoices) {
			const at = this.invoices.findIndex((seeded) => seeded.id === invoice.id);
			if (at === -1) this.invoices.push(invoice);
			else this.invoices[at] = invoice;
			this.#changed.add(invoice);
		}
	}

	#save(): void {
		this.#memory.save({ tokens: [...this.#tokens], notes: this.notes, approvals: this.approvals, invoices: [...this.#changed] });
	}
}

/** @returns the method of an approved payment, from its `type` as in the contract */
const methodOf = (success: unknown): Method =>
	typeof success === 'object' && success !== null && 'type' in success && success.type === 'qris_inquiry' ? 'qris' : 'card';
