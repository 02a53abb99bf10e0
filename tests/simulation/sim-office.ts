import { EdcApprove } from '@kiosk/contract/live';
import * as v from 'valibot';
import type { BackOfficeAnswer, BackOfficeCall, NoAnswer } from '../../daemon/src/back-office/client.ts';
import { fail, type Result } from '../../daemon/src/base/result.ts';
import type { Books } from '../simulators/back-office/books.ts';
import { type Answer, findCall } from '../simulators/back-office/calls.ts';
import { type Invoice, sumOf } from '../simulators/back-office/invoice.ts';
import { DEFAULT_ACCOUNT } from '../simulators/back-office/start.ts';
import type { Fields } from '../simulators/http.ts';
import type { Random } from '../support/random.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';
import { answerOf, copyOf, fieldsOf, isEmptyNote, isWebPage, oddAnswer } from './sim-answers.ts';
import { SimOutlet } from './sim-outlet.ts';
import { newestOf, type SimTruth, type Statement } from './sim-truth.ts';

/**
 * State of the network. `lossy`: of each call the request or the answer may be lost, or the call
 * may get an error.
 */
export type Network = 'good' | 'down' | 'lossy' | 'slow';

/**
 * A kiosk's end of a live socket. `lost` is called at a network failure, which this end may not
 * detect.
 */
interface Listener {
	token: string;
	hear: (text: object, arrived: () => void) => void;
	lost: () => void;
}

/** After this many refusals of notes the kiosk must know that a server lacks the call for notes. */
const SURE_AFTER = 5;
/** A message "paid" is sent at most this long after the payment, ms. */
export const LATEST_MESSAGE_MS = 60_000;
const TIMEOUT_MS = 50_000;
const MAX_TO_VA = 2_000_000;
export const SERVERS = ['http://one.example', 'http://two.example'] as const;

const UNREACHABLE: NoAnswer = { code: 'unreachable', message: 'the network is down', unsent: true };
/** No `unsent`, because the server may have handled the call. */
const CANCELLED: NoAnswer = { code: 'unreachable', message: 'the call was cancelled' };
const TOO_LATE: NoAnswer = { code: 'timeout', message: `no answer within ${TIMEOUT_MS} ms` };

/** The owner's servers behind a faulty network, with the books of the back-office simulator. */
export class SimOffice {
	/** The first is the kiosk's own outlet. All outlets use the same invoice ids and numbers. */
	readonly outlets: readonly SimOutlet[];
	/** The outlet that is logged in. */
	at: SimOutlet;
	#network: Network = 'good';
	#odd = 0;
	#goodSince = 0;
	readonly #listeners = new Set<Listener>();
	readonly #clock: VirtualClock;
	readonly #random: Random;
	readonly #truth: SimTruth;
	readonly #violated: (what: string) => void;
	readonly #canJudge: (outlet: SimOutlet) => boolean;
	readonly #startedAt: () => number;

	/**
	 * @param of.canJudge whether the kiosk can read its journal now and is logged in to this outlet
	 * @param of.startedAt time of the kiosk's last start, ms
	 */
	constructor(of: {
		clock: VirtualClock;
		random: Random;
		truth: SimTruth;
		violated: (what: string) => void;
		canJudge: (outlet: SimOutlet) => boolean;
		startedAt: () => number;
	}) {
		this.#clock = of.clock;
		this.#random = of.random;
		this.#truth = of.truth;
		this.#violated = of.violated;
		this.#canJudge = of.canJudge;
		this.#startedAt = of.startedAt;
		const now = of.clock.wall();
		const own = new SimOutlet({ server: SERVERS[0], name: 'outlet', development: false, now });
		this.outlets = [
			own,
			new SimOutlet({ server: SERVERS[0], name: 'outlet-2', development: false, now }),
			new SimOutlet({ server: SERVERS[0], name: 'outlet', development: true, now }),
			new SimOutlet({ server: SERVERS[1], name: 'outlet', development: false, now }),
		];
		this.at = own;
		for (const outlet of this.outlets) outlet.books.onPaid = (invoice) => this.sayPaid(invoice);
	}

	get books(): Books {
		return this.at.books;
	}

	get network(): Network {
		return this.#network;
	}

	set network(network: Network) {
		this.#network = network;
		this.#goodSince = this.#clock.now();
		if (network === 'down') for (const listener of [...this.#listeners]) listener.lost();
	}

	/** Fraction of the calls that get an invalid answer. */
	get odd(): number {
		return this.#odd;
	}

	set odd(share: number) {
		this.#odd = share;
		this.#goodSince = this.#clock.now();
	}

	get reachable(): boolean {
		return this.network !== 'down';
	}

	/**
	 * @returns how long the network and the server's answers have been good, ms; 0 while one of them
	 * is bad
	 */
	goodFor(): number {
		return this.network === 'good' && this.odd === 0 ? this.#clock.now() - this.#goodSince : 0;
	}

	everyInvoice(): Invoice[] {
		return this.outlets.flatMap((outlet) => [...outlet.everyInvoice()]);
	}

	outletOf(invoice: Invoice): SimOutlet {
		return this.outlets.find((outlet) => outlet.everyInvoice().has(invoice)) ?? this.at;
	}

	/**
	 * Records that a kiosk begins to send a message on its live socket, and checks I26 for an
	 * approval. The message may be lost.
	 */
	isBeingTold(whole: { message: unknown }, token: string): void {
		const approval = this.#approvalIn(whole, token);
		if (approval === null) return;
		const { no_invoice, success, outlet, invoice } = approval;
		// The charge may be voided before the message arrives, so the charge is checked when sending
		// begins.
		if (invoice === undefined || this.#truth.card(invoice) === 0)
			this.#violated(`I26: ${outlet.name} gets a report of a card payment for ${no_invoice} that was not charged for its invoice`);
		const { attempt_id, amount } = success as { attempt_id: string; amount: number };
		this.#truth.tries(attempt_id, { at: this.#clock.now(), amount, isCard: true, invoice: invoice ?? null });
	}

	#approvalIn({ message }: { message: unknown }, token: string) {
		const approval = v.safeParse(EdcApprove, message);
		if (!approval.success) return null;
		const { no_invoice, json_success_payment: success } = approval.output.data;
		const outlet = this.outlets.find((one) => one.token === token) ?? this.at;
		return { no_invoice, success, outlet, invoice: [...outlet.everyInvoice()].find(({ noinvoice }) => noinvoice === no_invoice) };
	}

	/** Handles a message that arrives from a kiosk on the live socket. */
	heard(whole: { message: unknown }, token: string): void {
		const approval = this.#approvalIn(whole, token);
		if (approval === null) return;
		const { no_invoice, success, outlet } = approval;
		outlet.books.bookApproval(no_invoice, success, this.#clock.wall().toISOString());
	}

	/** Announces a paid invoice, sometimes repeatedly, late, or not at all. */
	sayPaid(invoice: Invoice): void {
		const times = this.#random.chance(0.1) ? 0 : this.#random.chance(0.2) ? 3 : 1;
		for (let time = 0; time < times; time += 1) {
			const delay = this.#random.chance(0.1) ? this.#random.int(5_000, LATEST_MESSAGE_MS) : this.#random.int(5, 400);
			this.#clock.after(delay, () => this.sayPaidNow(invoice));
		}
	}

	sayPaidNow(invoice: Invoice): void {
		const outlet = this.outletOf(invoice);
		const heard = this.#messageOn(invoice, (meant) => !this.#mayMeanLess(meant));
		for (const listener of this.#listeners)
			if (this.reachable && listener.token === outlet.token)
				listener.hear({ type: 'payment_notification', id: invoice.id, is_paid: true }, heard);
	}

	/**
	 * Makes a message "paid", which names no amount.
	 * @param isBelieved whether the kiosk may believe the message without a look-up
	 * @returns the function to call when the kiosk has received the message
	 */
	#messageOn(invoice: Invoice, isBelieved: (meant: Invoice) => boolean): () => void {
		const outlet = this.outletOf(invoice);
		const servedAt = this.#clock.now();
		const statement = {
			paid: true,
			total: null,
			listed: 0,
			elsewhere: 0,
			cards: 0,
			contains: new Set<string>(),
			named: true,
			askedAt: servedAt,
			servedAt,
		};
		return () => {
			// The message contains only an id. The server means the invoice that now has this id;
			// the kiosk applies the message to the invoice that the kiosk looked up last under this id.
			for (const meant of new Set([invoice, outlet.books.byId(invoice.id) ?? invoice, this.#lookedUpAs(outlet, invoice)]))
				if (isBelieved(meant)) this.#truth.heard(meant, { ...statement, heardAt: this.#clock.now() });
			// If the server has reused the id, the kiosk first looks up which invoice is meant.
			const isReused = [...outlet.everyInvoice()].some((one) => one !== invoice && String(one.id) === String(invoice.id));
			if (!isReused && isBelieved(invoice)) this.#learnElsewhere(invoice);
		};
	}

	/**
	 * @returns whether a message "paid" may refer to a smaller total, because the kiosk has received
	 * "paid" for a smaller total before. Then the kiosk must look up before it believes the message.
	 */
	#mayMeanLess(invoice: Invoice): boolean {
		const lookUp = this.#truth.newestLookUp(invoice);
		const lookUps = this.#truth.statements(invoice).filter(({ total, heardAt }) => total !== null && heardAt >= this.#startedAt());
		const paid = newestOf(lookUps.filter((statement) => statement.paid));
		return lookUp?.total != null && paid?.total != null && paid.total < lookUp.total;
	}

	/** @returns the invoice that the kiosk looked up last under this id */
	#lookedUpAs(outlet: SimOutlet, invoice: Invoice): Invoice {
		const lookedUpAt = (one: Invoice): number => this.#truth.newestLookUp(one)?.heardAt ?? -1;
		const sharing = [...outlet.everyInvoice()].filter(({ id }) => id === invoice.id);
		return sharing.reduce((newest, one) => (lookedUpAt(one) > lookedUpAt(newest) ? one : newest), invoice);
	}

	/** Adds a kiosk's live socket. @returns a function that closes it */
	listen(listener: Listener): () => void {
		this.#listeners.add(listener);
		return () => {
			this.#listeners.delete(listener);
		};
	}

	/**
	 * @param server the configured server, which gets all calls
	 * @param alive whether the calling process still runs; a dead process gets no answer
	 * @param around wraps each call and each answer
	 */
	callFor(
		server: string,
		alive: () => boolean,
		around: (step: 'call' | 'answer', act: () => void) => void = (_step, act) => act(),
	): (call: BackOfficeCall) => Promise<Result<BackOfficeAnswer, NoAnswer>> {
		return (call) =>
			new Promise((answer) => {
				call.signal?.addEventListener('abort', () => alive() && around('answer', () => answer(fail(CANCELLED))));
				const tell = (ms: number, result: Result<BackOfficeAnswer, NoAnswer>, heard: () => void = () => {}): void => {
					this.#clock.after(ms, () => {
						if (!alive() || call.signal?.aborted) return;
						heard();
						this.#hearsNo(call, result);
						around('answer', () => answer(result));
					});
				};
				if (alive()) around('call', () => this.#serve(call, server, tell));
			});
	}

	#hearsNo(call: BackOfficeCall, result: Result<BackOfficeAnswer, NoAnswer>): void {
		if (!result.ok || result.value.status < 300 || !call.path.endsWith('/payment-cash/') || isEmptyNote(call)) return;
		const note_id = String(fieldsOf(call.body).note_id);
		this.#truth.declined.set(note_id, (this.#truth.declined.get(note_id) ?? 0) + 1);
	}

	#serve(
		call: BackOfficeCall,
		server: string,
		tell: (ms: number, result: Result<BackOfficeAnswer, NoAnswer>, heard?: () => void) => void,
	): void {
		if (call.path.endsWith('/payment-cash/') && !isEmptyNote(call)) this.#tries(call, server);
		const random = this.#random;
		const lossy = this.network === 'lossy';
		if (this.network === 'down') return tell(random.int(1, 200), fail(UNREACHABLE));
		if (lossy && random.chance(0.2)) return tell(TIMEOUT_MS, fail(TOO_LATE));
		if (lossy && random.chance(0.2)) return tell(random.int(5, 300), answerOf(random.pick([500, 502, 503, 429]), {}));
		const odd = this.odd > 0 && random.chance(this.odd);
		if (odd && random.chance(0.5)) return tell(random.int(5, 300), oddAnswer(random, 300));
		const { answer, heard, taken } = this.#act(call, server);
		// The server has already acted; its answer may still be lost.
		if (lossy && random.chance(0.3)) return tell(TIMEOUT_MS, fail(TOO_LATE));
		if (odd && answer.status < 300) {
			const said = oddAnswer(random);
			// Every 2xx answer confirms a note, unless the body of the answer is a web page.
			return tell(random.int(5, 300), said, said.ok && said.value.status < 300 && !isWebPage(said.value) ? taken : undefined);
		}
		tell(this.network === 'slow' ? random.int(1_000, 30_000) : random.int(5, 300), answerOf(answer.status, answer.body), heard);
	}

	/**
	 * @returns the answer, and functions that record what the kiosk learns: `heard` if it gets this
	 * answer, `taken` if it gets another 2xx instead
	 */
	#act(call: BackOfficeCall, server: string): { answer: Answer; heard: () => void; taken?: () => void } {
		const { pathname, searchParams } = new URL(call.path, server);
		const plain = (status: number, body: unknown) => ({ answer: { status, body }, heard: () => {} });
		const outlet = this.#asked(call, server);
		if (outlet === undefined) return plain(401, { detail: 'Invalid token.' });
		const found = findCall(call.method, pathname);
		if (typeof found === 'number') return plain(found, {});
		const fields = fieldsOf(call.body);
		const isNote = pathname.endsWith('/payment-cash/');
		if (isNote) {
			if (isEmptyNote(call)) return plain(outlet.withoutNotes ?? 422, { message: 'the note has no fields' });
			const refusal = this.#refusal(outlet, fields);
			if (refusal !== null) return plain(refusal, { message: 'no' });
			this.#noteArrives(outlet, fields);
		}
		const now = this.#clock.wall();
		const askedAt = this.#clock.now();
		const answer = found.call({
			books: outlet.books,
			account: DEFAULT_ACCOUNT,
			maxToVa: MAX_TO_VA,
			now,
			fields,
			query: searchParams,
			id: found.id,
		});
		if (isNote && answer.status < 300) {
			const invoice = outlet.ever(fields.id, fields.noinvoice);
			const { is_paid } = answer.body as { is_paid: boolean };
			const saidPaid = invoice && is_paid ? this.#messageOn(invoice, () => true) : () => {};
			const taken = () => this.#confirmed(String(fields.note_id), askedAt);
			return {
				answer,
				taken,
				heard: () => {
					taken();
					saidPaid();
				},
			};
		}
		if (pathname.endsWith('/get-invoice-info/') && answer.status === 200) {
			const invoice = outlet.books.find(String(fields.noinvoice ?? ''));
			if (invoice !== undefined) return { answer: copyOf(answer), heard: this.#statementOn(invoice, outlet, now, askedAt) };
		}
		return { answer: copyOf(answer), heard: () => {} };
	}

	/** @returns the status of a permanent refusal, or null */
	#refusal(outlet: SimOutlet, fields: Fields): number | null {
		if (outlet.withoutNotes !== null) {
			outlet.saidWithoutNotes += 1;
			if (outlet.saidWithoutNotes === SURE_AFTER) outlet.sureAt = this.#clock.now();
			return outlet.withoutNotes;
		}
		const note_id = String(fields.note_id);
		const isNew = outlet.books.notes.every((note) => note.note_id !== note_id);
		if (isNew && !outlet.refused.has(note_id) && outlet.refuseNext !== null) {
			outlet.refused.set(note_id, outlet.refuseNext);
			outlet.refuseNext = null;
		}
		return outlet.refused.get(note_id) ?? null;
	}

	/**
	 * Records a note that arrives. I26: a note is sent only to the server and outlet of the invoice
	 * that it pays.
	 */
	#noteArrives(outlet: SimOutlet, { note_id, id, noinvoice, nominal }: Fields): void {
		const invoice = outlet.ever(id, noinvoice);
		const key = String(note_id);
		const known = this.#truth.uploads.get(key);
		this.#truth.uploads.set(
			key,
			known ?? { note_id: key, nominal: Number(nominal), invoice, firstAt: this.#clock.now(), confirmedAt: null },
		);
		const booked = new Set(
			[...this.#truth.uploads.values()].flatMap((upload) =>
				upload.invoice === invoice && upload.nominal === nominal ? [upload.note_id] : [],
			),
		);
		const fed = this.#truth.stacked.filter((note) => note.invoice === invoice && note.nominal === nominal).length;
		if (invoice === null || booked.size > fed)
			this.#violated(
				`I26: ${outlet.name} at ${outlet.server}${outlet.development ? ' (development)' : ''} gets a note of ${String(nominal)} for ${String(noinvoice)}: this is note ${booked.size} of this value, but only ${fed} were inserted`,
			);
	}

	/** Records that the kiosk sends a note. The call may be lost. */
	#tries(call: BackOfficeCall, server: string): void {
		const { note_id, id, noinvoice, nominal } = fieldsOf(call.body);
		const invoice = this.#asked(call, server)?.ever(id, noinvoice) ?? null;
		this.#truth.tries(String(note_id), { at: this.#clock.now(), amount: Number(nominal), isCard: false, invoice });
	}

	#asked({ headers }: BackOfficeCall, server: string): SimOutlet | undefined {
		return this.outlets.find((one) => one.server === server && headers.Authorization === `Token ${one.token}`);
	}

	#confirmed(note_id: string, at: number): void {
		const upload = this.#truth.uploads.get(note_id);
		if (upload && upload.confirmedAt === null) upload.confirmedAt = Math.max(at, this.#clock.now());
	}

	/**
	 * Makes the server's present statement about the invoice.
	 * @returns the function to call when the kiosk has received the statement
	 */
	#statementOn(invoice: Invoice, outlet: SimOutlet, now: Date, askedAt: number): () => void {
		const visible = outlet.books.visible(invoice, now);
		const statement: Omit<Statement, 'heardAt'> = {
			paid: invoice.is_paid,
			total: invoice.total,
			listed: sumOf(visible),
			elsewhere: sumOf(
				visible.filter((one) => one.note_id === undefined && one.attempt_id === undefined && !this.#truth.isEntryByHand(one)),
			),
			cards: sumOf(visible.filter(({ attempt_id }) => attempt_id !== undefined)),
			contains: new Set(visible.flatMap(({ note_id }) => (note_id === undefined ? [] : [note_id]))),
			named: outlet.books.manners.echoesNoteId && !outlet.books.manners.lumps && !visible.some((one) => this.#truth.isEntryByHand(one)),
			askedAt,
			servedAt: this.#clock.now(),
		};
		return () => {
			// With a closed journal, or after another outlet has logged in, the kiosk discards an answer,
			// and the page looks up again.
			if (!this.#canJudge(outlet)) return;
			this.#truth.heard(invoice, { ...statement, heardAt: this.#clock.now() });
			if (statement.paid) this.#learnElsewhere(invoice);
		};
	}

	/**
	 * Called when the kiosk has learned that an invoice is paid. If the kiosk has begun to report a
	 * card approval of this invoice, this report may be the reason why the invoice is paid. Otherwise
	 * the kiosk now knows of the payments elsewhere, if these cover the total.
	 */
	#learnElsewhere(invoice: Invoice): void {
		const { toldPaidElsewhere, tried } = this.#truth;
		const mayKnowCard = [...tried.values()].some((one) => one.isCard && one.invoice === invoice);
		if (!mayKnowCard && this.#truth.elsewhere(invoice) >= invoice.total && !toldPaidElsewhere.has(invoice))
			toldPaidElsewhere.set(invoice, this.#clock.now());
	}
}
