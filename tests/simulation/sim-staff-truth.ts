import type { JournalRecord } from '../../daemon/src/journal/records.ts';
import type { Invoice } from '../simulators/back-office/invoice.ts';
import { keyOf } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import { PinTruth } from './sim-pin-truth.ts';
import { swearCharge, swearNote } from './sim-staff-oaths.ts';

type RecordOf<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>;
type StaffRecord = RecordOf<'cash_settled' | 'card_settled' | 'money_given_back' | 'partial_settled' | 'cashbox_collected'>;

const STAFF_KINDS: ReadonlySet<string> = new Set([
	'cash_settled',
	'card_settled',
	'money_given_back',
	'partial_settled',
	'cashbox_collected',
]);

/** The reason that the daemon records for a decision at its screen. */
const AT_THE_SCREEN = 'decided on the staff screen';

/**
 * A staff action in the journal. `claimed`: a person has got the daemon's answer about this action.
 */
interface KeptAct {
	order: number;
	record: StaffRecord;
	claimed: boolean;
}

/** A moment in the cashbox's history: how many records and how many stacked notes there were. */
interface Boundary {
	order: number;
	index: number;
}

/** A note that may be in the box; a later record decides whether it is there. */
interface Doubt {
	nominal: number | null;
	begun: number;
	until: number;
	/** Whether the kiosk reported the note as in doubt. */
	said: boolean;
	/**
	 * The value that staff have given to a note that the acceptor did not read; this value may be
	 * wrong.
	 */
	named?: number;
}

/**
 * Staff's actions at the screen, taken from the records that reach the disk, and compared with the
 * physical cashbox.
 */
export class StaffTruth {
	readonly pins: PinTruth;
	/** Number of records so far. */
	order = 0;
	readonly acts: KeptAct[] = [];
	/**
	 * Rupiah given back, by payment: `written` is the amount in the journal, `handed` the amount that
	 * staff have really handed over.
	 */
	readonly written = new Map<string, number>();
	readonly handed = new Map<string, number>();
	/**
	 * Rupiah: `counted` is the expected sum of all saved counts, `foundLate` the sum of the notes
	 * that staff found after the count of their box.
	 */
	counted = 0;
	foundLate = 0;
	/** Number of counts since a count was last saved, without counts that the daemon refused. */
	attempts = 0;
	/** Rupiah of the newest count; null while the daemon's answer to this count is not known. */
	newestCount: number | null = null;
	/** The newest note that the kiosk accepted, and the time. */
	newestAccepted: string | null = null;
	newestAcceptedAt = Number.NEGATIVE_INFINITY;
	/** The note that was inside the acceptor when the kiosk accepted the newest note. */
	acceptedNote: SimKiosk['acceptor']['note'] = null;
	/** Kind of the case that staff decided last, by case id. */
	readonly chosen = new Map<string, string>();
	/** The moment of the last count. */
	#counted: Boundary = { order: 0, index: 0 };
	#removals: (Boundary & { removal_id: string })[] = [];
	readonly #doubts = new Map<string, Doubt>();
	readonly #decided = new Set<string>();
	/** Payments with a card sale that staff have settled. */
	readonly #settledSales = new Set<string>();
	readonly #rests = new Map<string, string>();
	readonly #world: SimKiosk;

	constructor(world: SimKiosk) {
		this.#world = world;
		this.pins = new PinTruth(world);
	}

	/** Called when a record is on disk. */
	kept(record: JournalRecord): void {
		this.order += 1;
		if (STAFF_KINDS.has(record.kind)) this.acts.push({ order: this.order, record: record as StaffRecord, claimed: false });
		switch (record.kind) {
			case 'cash_intent':
				this.newestAccepted = record.note_id;
				this.newestAcceptedAt = this.#world.clock.now();
				this.acceptedNote = this.#world.acceptor.note;
				this.#begins(record);
				break;
			case 'cash_unexplained':
				this.#begins(record);
				break;
			case 'cash_in_doubt':
				this.#doubtOf(record.note_id).said = true;
				break;
			case 'cash_credit':
			case 'cash_returned':
				this.#cleared(record.note_id);
				break;
			case 'cash_settled':
				this.#settled(record);
				break;
			case 'cashbox_removed':
				this.#removals.push({ removal_id: record.removal_id, order: this.order, index: this.#stackedCount() });
				break;
			case 'cashbox_collected':
				this.#collected(record);
				break;
			case 'money_given_back':
				this.#given(record);
				break;
			case 'partial_settled':
				this.#restSettled(record);
				break;
			case 'card_settled':
				this.#decidedOnce(`sale ${record.attempt_id}`);
				for (const { payment_id } of this.#world.rows('SELECT payment_id FROM card_sales WHERE attempt_id = ?', record.attempt_id))
					this.#settledSales.add(String(payment_id));
				if (isAtTheScreen(record)) swearCharge(this.#world, record);
				break;
			case 'card_action_ended':
				if (record.outcome === 'done') this.#voided(record.action_id);
				if (record.outcome === 'unknown') for (const sale of this.#saleOf(record.action_id)) this.#reopen(sale);
				break;
			case 'card_evidence':
				if (record.reopens) this.#reopen(record.attempt_id);
				break;
			default:
		}
	}

	/** @returns whether staff have decided this note or sale, and nothing has reopened it since */
	isDecided(kind: string, id: string): boolean {
		return this.#decided.has(`${kind} ${id}`);
	}

	/** @returns whether a removed cashbox must still be counted */
	isRemovalDue(): boolean {
		return this.#removals.length > 0;
	}

	/** @returns the values of the notes in the box that is to be counted next, rupiah */
	sinceCount(): number[] {
		const to = this.#removals.at(-1)?.index ?? this.#stackedCount();
		return this.#world.acceptor.stacked.slice(this.#counted.index, to).map(({ nominal }) => nominal);
	}

	/**
	 * S3: the expected notes are the notes stacked since the last count. Only notes in doubt and
	 * notes without a record may cause a difference.
	 */
	checkExpected(where: string, notes: readonly { nominal: number; count: number }[]): void {
		const world = this.#world;
		const inBox = this.sinceCount();
		const open = [...this.#doubts.values()].filter(({ until }) => until > this.#counted.order);
		const doubts = open.map(({ nominal }) => nominal);
		const named = open.map((doubt) => doubt.named ?? null);
		const lost = [...world.unexplained.keys()].filter((note_id) => !this.#doubts.has(note_id)).length;
		let spare = doubts.filter((nominal) => nominal === null).length + lost;
		for (const nominal of new Set([...inBox, ...notes.map((note) => note.nominal)])) {
			const expected = notes.find((note) => note.nominal === nominal)?.count ?? 0;
			const real = countOf(inBox, nominal);
			const beyond = Math.abs(real - expected) - countOf(doubts, nominal) - countOf(named, nominal);
			if (beyond > spare)
				world.violated(`S3: ${where} expects ${expected} notes of ${nominal}, but ${real} were stacked since the last count`);
			spare -= Math.min(spare, Math.max(0, beyond));
		}
	}

	/**
	 * Claims the first action after `since` that fits and is not claimed yet.
	 * @returns its record, or null
	 */
	claim(since: number, fits: (record: StaffRecord) => boolean): StaffRecord | null {
		const found = this.acts.find((act) => act.order > since && !act.claimed && fits(act.record));
		if (found) found.claimed = true;
		return found?.record ?? null;
	}

	/** Staff give money to a customer. S2: staff never give more than the journal records. */
	handsOver(key: string, amount: number): void {
		this.handed.set(key, (this.handed.get(key) ?? 0) + amount);
		if ((this.handed.get(key) ?? 0) > (this.written.get(key) ?? 0))
			this.#world.violated(`S2: ${this.handed.get(key)} were given for ${key}, but the journal has ${this.written.get(key) ?? 0}`);
	}

	#stackedCount(): number {
		return this.#world.acceptor.stacked.length;
	}

	#begins({ kind, note_id, nominal }: RecordOf<'cash_intent' | 'cash_unexplained'>): void {
		this.#doubts.set(note_id, { nominal, begun: this.order, until: Number.POSITIVE_INFINITY, said: kind === 'cash_unexplained' });
	}

	#doubtOf(note_id: string): Doubt {
		const known = this.#doubts.get(note_id) ?? { nominal: null, begun: 0, until: Number.POSITIVE_INFINITY, said: true };
		this.#doubts.set(note_id, known);
		return known;
	}

	/** If a note's outcome arrives after its box was removed, the note may count for the next box. */
	#cleared(note_id: string): void {
		const doubt = this.#doubtOf(note_id);
		const boundary = Math.max(this.#counted.order, this.#removals.at(-1)?.order ?? 0);
		if (!doubt.said && doubt.begun > boundary) this.#doubts.delete(note_id);
		else doubt.until = this.order;
	}

	#settled(record: RecordOf<'cash_settled'>): void {
		const doubt = this.#doubtOf(record.note_id);
		doubt.until = this.order;
		if (doubt.nominal === null && record.nominal !== null) doubt.named = record.nominal;
		this.#decidedOnce(`note ${record.note_id}`);
		if (record.outcome === 'in_box' && doubt.begun <= this.#counted.order) this.foundLate += record.nominal ?? 0;
		if (this.#world.staffed) swearNote(this.#world, record);
	}

	/** @returns whether the acceptor still holds the newest accepted note, not a later note */
	holdsAccepted(): boolean {
		return this.acceptedNote !== null && this.#world.acceptor.note === this.acceptedNote;
	}

	#decidedOnce(what: string): void {
		if (this.#decided.has(what)) this.#world.violated(`S4: ${what} was decided twice`);
		this.#decided.add(what);
	}

	#collected(record: RecordOf<'cashbox_collected'>): void {
		const due = this.#removals.at(-1);
		if (due?.removal_id !== record.removal)
			this.#world.violated(`S5: a count names the removal ${record.removal}, but the newest removal is ${due?.removal_id}`);
		if (record.counts && this.attempts === 0) this.#world.violated('S5: a count was saved twice');
		this.checkExpected('a saved count', record.notes);
		this.attempts = 0;
		this.counted += record.expected;
		this.#counted = due ?? { order: this.order, index: this.#stackedCount() };
		this.#removals = [];
	}

	#given(record: RecordOf<'money_given_back'>): void {
		const world = this.#world;
		const { payment_id: key, amount } = record;
		// With `kioskctl`, staff give the money back as soon as the record exists: after a disk error,
		// they check the journal.
		if (!isAtTheScreen(record)) {
			const of = this.#invoiceOf(key);
			if (of) world.truth.gaveBack(of, amount);
			return;
		}
		this.written.set(key, (this.written.get(key) ?? 0) + amount);
		const invoice = this.#invoiceOf(key);
		if (invoice === null) return world.violated(`S2: money is given for ${key}, which does not exist`);
		const { truth } = world;
		const held = truth.cash(invoice) + truth.card(invoice) - truth.givenBack(invoice);
		if (amount > held) world.violated(`S2: ${amount} are given for invoice ${invoice.noinvoice}, but the kiosk holds ${held}`);
		// In an adverse world, the kiosk may not know yet that a total or a payment has changed.
		const owed = world.adverse ? held : truth.received(invoice) - invoice.total;
		const kind = this.chosen.get(key);
		// If the server reports "paid" without a list of the other payments, it is unknown how much of
		// the kiosk's money the invoice needs. "Paid" may also include a charge that the books lacked
		// at that time.
		const isUnsteady =
			world.rows(`SELECT 1 FROM card_sales WHERE state = 'voided' AND payment_id = ?`, key).length > 0 || this.#settledSales.has(key);
		const isListed = !isUnsteady && truth.newestLookUp(invoice)?.elsewhere === truth.elsewhere(invoice);
		if ((kind === 'change' || (kind === 'twice' && isListed)) && amount > owed)
			world.violated(`S2: ${amount} (${kind}) are given for invoice ${invoice.noinvoice}, but only ${owed} are owed`);
		truth.gaveBack(invoice, amount);
	}

	/** Staff may settle a partly paid invoice again only if its money has changed since. */
	#restSettled({ payment_id }: RecordOf<'partial_settled'>): void {
		const world = this.#world;
		const held = world.rows(
			`SELECT count(*) AS notes, coalesce(sum(nominal), 0) AS sum FROM notes WHERE state = 'credited' AND payment_id = ?`,
			payment_id,
		);
		// After a new charge staff may settle the remaining amount again, even if the charge was voided
		// later.
		const cards = world.rows(`SELECT count(approved_seq) AS cards FROM card_sales WHERE payment_id = ?`, payment_id);
		const invoice = this.chosen.get(payment_id) === 'twice' ? this.#invoiceOf(payment_id) : null;
		// If a later look-up shows more money from elsewhere, the invoice is listed again.
		const newest = invoice && world.truth.newestLookUp(invoice);
		const now = JSON.stringify([held, cards, this.written.get(payment_id) ?? 0, newest?.listed, newest?.total]);
		if (this.#rests.get(payment_id) === now) world.violated(`S4: the rest of ${payment_id} was settled twice`);
		this.#rests.set(payment_id, now);
	}

	/** Ends all wrong decisions about a charge, because the charge was voided. */
	#voided(action_id: string): void {
		const [voided] = this.#saleOf(action_id);
		const { sworn } = this.#world.truth;
		for (const oath of sworn.filter(({ attempt_id }) => attempt_id === voided)) sworn.splice(sworn.indexOf(oath), 1);
	}

	/** @returns a list with the sale that this action voids; an empty list for other actions */
	#saleOf(action_id: string): string[] {
		const rows = this.#world.rows('SELECT attempt_id FROM card_actions WHERE action_id = ? AND attempt_id IS NOT NULL', action_id);
		return rows.map(({ attempt_id }) => String(attempt_id));
	}

	/** Staff may decide a sale again after new evidence or a void with an unknown outcome. */
	#reopen(attempt_id: string): void {
		this.#decided.delete(`sale ${attempt_id}`);
		this.#world.truth.reopens(attempt_id);
	}

	#invoiceOf(key: string): Invoice | null {
		return this.#world.office.everyInvoice().find((invoice) => keyOf(this.#world, invoice) === key) ?? null;
	}
}

const countOf = (values: readonly (number | null)[], value: number): number => values.filter((one) => one === value).length;

const isAtTheScreen = (record: { why: string }): boolean => record.why.startsWith(AT_THE_SCREEN);
