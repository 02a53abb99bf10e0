import * as v from 'valibot';
import { ErrorAnswer, FlagSchema } from '../../contract/back-office.ts';
import type { Clock } from '../clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { CreditedNote } from '../journal/note-book.ts';
import { isOfAccount, type PaymentKey } from '../journal/records.ts';
import { aboutPayment } from '../log/about-payment.ts';
import type { Log } from '../log/log.ts';
import { type BackOfficeAnswer, type CallBackOffice, formDataOf, ownHeaders } from './client.ts';
import type { OutletToken } from './token.ts';

/** Pause after the n-th failure in a row; the last one holds for days offline. */
const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000];
/** Up to this share is added to a pause, so that many kiosks do not return at the same moment. */
const JITTER = 0.25;

/** So many refusals of one note: a server that is being updated is over it by then. */
const REFUSALS_TO_PARK = 5;
/** A server may book what it has confirmed a little later; until then a shorter list is no contradiction. */
const LISTED_AFTER_MS = 20_000;
/** These answers say nothing about the note: log-in, permission, a slow or busy server. */
const NOT_ABOUT_THE_NOTE = new Set([401, 403, 408, 425, 429]);
/** These may mean that the server has no call for notes at all. */
const NO_SUCH_CALL = new Set([404, 405]);
/** So many different notes without one that is taken: it is the call and not the note. */
const NOTES_WITHOUT_CALL = 2;

/**
 * Sends the notes of the outlet that is logged in to the back office, one at a time, in the order of crediting, until each has a 2xx.
 * A note that is refused again and again is parked for staff, and later notes are sent.
 */
export interface Outbox {
	/** Something changed (a credit, a login, the network): try now. */
	kick(): void;
	/** Why the oldest note still waits; null when nothing waits or nothing failed yet. */
	lastFailure(): string | null;
	/** Whether the back office may have heard of a note that it has not confirmed. */
	mayBeTold(note_id: string): boolean;
	/** Whether it confirmed this note so lately that its list of payments need not have it yet. */
	confirmedLately(note_id: string): boolean;
	/** Resolves when nothing is being sent just now. */
	settled(): Promise<void>;
	/** The back office seems not to know the call for notes: money that is taken could not be told. */
	callIsUnknown(): boolean;
	stop(): void;
}

export interface OutboxParts {
	journal: Journal;
	call: CallBackOffice;
	token: OutletToken;
	path: string;
	csrf: { csrf_cookie: string; csrf_header: string };
	clock: Clock;
	/** ISO 8601 with the site's offset */
	timestamp: (at: Date) => string;
	log: Log;
	random: () => number;
	/** A fresh UUID. */
	newId: () => string;
	/** The server says in its answer that the invoice is paid. */
	paid: (key: PaymentKey) => void;
	unreachable: () => void;
}

/** No kiosk is older than this program: a clock that stands before has lost its battery. */
const FIRST_CREDIBLE = Date.UTC(2026, 0, 1);
/** A clock is set while notes wait; a time that is further ahead of it was never right. */
const AHEAD_MS = 24 * 60 * 60 * 1_000;

/**
 * A server may refuse a time that cannot be, and then the note would hold back every note behind it. So it is told when the note
 * is sent instead, and that it is so; the journal keeps what the clock said.
 * @param time ISO 8601 of the note, as the kiosk's clock had it @param now by the same clock, maybe set right since
 */
function timeToSend(time: string, now: Date, timestamp: (at: Date) => string): { time: string; time_is_of_sending?: true } {
	const at = Date.parse(time);
	// A clock that is wrong now has nothing better to say; once it is right, the next try has.
	const clockIsWrong = now.getTime() < FIRST_CREDIBLE;
	if (clockIsWrong || (at >= FIRST_CREDIBLE && at <= now.getTime() + AHEAD_MS)) return { time };
	return { time: timestamp(now), time_is_of_sending: true };
}

/** Whether the server has answered, and whether that is about this note; only another note tells where it says that something is broken. */
type Problem = { text: string; refused: 'yes' | 'perhaps' | 'no' };

/** What the back office may say beside "taken". */
const TakenAnswer = v.looseObject({ is_paid: FlagSchema });

export function startOutbox(parts: OutboxParts): Outbox {
	const { journal, clock, log } = parts;
	let sending = false;
	const waiters: (() => void)[] = [];
	/** Notes that were sent in this run and neither confirmed nor refused for certain. */
	const asked = new Set<string>();
	/** Until here notes of earlier runs may have been sent. */
	const startedAt = journal.money.position();
	/** When the newest confirmations came, monotonic ms. */
	const confirmed = new Map<string, number>();
	const refusals = new Map<string, number>();
	/** Notes refused as if there were no such call, since the last one that was taken. */
	const withoutCall = new Map(
		journal.parked().flatMap(({ note_id, payment_id, parked }) => (/answered 40[45]\b/.test(parked) ? [[note_id, payment_id]] : [])),
	);
	let failures = 0;
	let failure: string | null = null;
	let stopped = false;
	let cancelRetry = () => {};

	async function drain(): Promise<void> {
		if (sending || stopped) return;
		sending = true;
		cancelRetry();
		try {
			for (let note = nextNote(); note && !stopped; note = nextNote()) {
				const problem = await send(note);
				if (problem && !(await parkedAfter(note, problem))) return later(note, problem.text);
				failures = 0;
				failure = null;
			}
		} finally {
			sending = false;
			for (const settled of waiters.splice(0)) settled();
		}
	}

	/** Money of one account is told to no other. */
	function nextNote(): CreditedNote | null {
		const session = parts.token.current();
		return session && journal.nextUpload(session.account);
	}

	/** @returns whether the next one may be sent: the note waits for staff now, or was taken after all */
	async function parkedAfter(note: CreditedNote, problem: Problem): Promise<boolean> {
		const { note_id, nominal, noinvoice } = note;
		if (problem.refused === 'no') return false;
		const count = (refusals.get(note_id) ?? 0) + 1;
		refusals.set(note_id, count);
		if (count < REFUSALS_TO_PARK) return false;
		const found = problem.refused === 'yes' ? 'refused' : await comparedWithNext(note);
		if (found !== 'refused') return found === 'taken';
		refusals.delete(note_id);
		const written = journal.append({ kind: 'note_parked', park_id: parts.newId(), note_id, reason: problem.text });
		if (written.ok) log.event('outbox.parked', { note_id, nominal, invoice: noinvoice, reason: problem.text });
		return written.ok;
	}

	/** A server that takes the note behind this one and then still not this one is not broken: it refuses this one. */
	async function comparedWithNext(note: CreditedNote): Promise<'refused' | 'taken' | 'unknown'> {
		const session = parts.token.current();
		const behind = session && journal.nextUpload(session.account, note.credited_seq);
		if (!behind || (await send(behind)) !== null || stopped) return 'unknown';
		const again = await send(note);
		if (again === null) return 'taken';
		return again.refused === 'no' ? 'unknown' : 'refused';
	}

	/** @returns what went wrong, or null once the confirmation is on disk */
	async function send(note: CreditedNote): Promise<Problem | null> {
		const session = parts.token.current();
		if (!session) return { text: 'no outlet account is logged in', refused: 'no' };
		const token = session.token.reveal();
		const { body, contentType } = formDataOf({
			note_id: note.note_id,
			id: note.id,
			odoo_id: note.odoo_id,
			noinvoice: note.noinvoice,
			nominal: note.nominal,
			...timeToSend(note.time, clock.wall(), parts.timestamp),
		});
		const headers = { ...ownHeaders(token, parts.csrf), 'Content-Type': contentType };
		asked.add(note.note_id);
		const answer = await parts.call({ method: 'POST', path: parts.path, headers, body });
		if (!answer.ok) {
			parts.unreachable();
			return { text: answer.error.message, refused: 'no' };
		}
		const { status } = answer.value;
		if (status === 401) parts.token.markRefused(token);
		if (status < 200 || status > 299) return refusedWith(note, status, `the back office answered ${describe(answer.value)}`);
		withoutCall.clear();
		refusals.delete(note.note_id);
		const written = journal.append({ kind: 'note_uploaded', note_id: note.note_id });
		if (!written.ok) return { text: written.error.message, refused: 'no' };
		asked.delete(note.note_id);
		confirmed.set(note.note_id, clock.now());
		log.event('outbox.uploaded', { note_id: note.note_id, nominal: note.nominal, ...aboutPayment(note) });
		if (saysPaid(answer.value.body)) parts.paid(note.payment_id);
		return null;
	}

	function refusedWith({ note_id, payment_id }: CreditedNote, status: number, text: string): Problem {
		const refused = NOT_ABOUT_THE_NOTE.has(status) ? 'no' : status >= 400 && status < 500 ? 'yes' : 'perhaps';
		if (refused === 'yes') asked.delete(note_id);
		if (NO_SUCH_CALL.has(status)) {
			const known = callIsUnknown();
			withoutCall.set(note_id, payment_id);
			if (!known && callIsUnknown()) log.event('outbox.call_unknown', { path: parts.path, status });
		}
		return { text, refused };
	}

	/** One note may be refused for an invoice that is gone; several, or the very first one, mean that the call is not there. */
	function callIsUnknown(): boolean {
		const session = parts.token.current();
		if (!session) return false;
		// Another account may be at another server.
		const here = [...withoutCall.values()].filter((key) => isOfAccount(key, session.account)).length;
		if (here === 0) return false;
		return here >= NOTES_WITHOUT_CALL || !journal.hasConfirmed(session.account);
	}

	function later(note: CreditedNote, problem: string): void {
		const pause = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
		const retry_ms = Math.round(pause * (1 + JITTER * parts.random()));
		failures += 1;
		failure = problem;
		log.event('outbox.waiting', { note_id: note.note_id, nominal: note.nominal, ...aboutPayment(note), reason: problem, retry_ms });
		cancelRetry = clock.after(retry_ms, () => void drain());
	}

	return {
		kick: () => void drain(),
		lastFailure: () => (parts.token.current() || journal.waitingUploads().count === 0 ? failure : 'no outlet account is logged in'),
		mayBeTold: (note_id) => asked.has(note_id) || journal.creditedUntil(note_id, startedAt),
		confirmedLately(note_id) {
			for (const [id, at] of confirmed) if (clock.now() - at >= LISTED_AFTER_MS) confirmed.delete(id);
			return confirmed.has(note_id);
		},
		settled: () => (sending ? new Promise((resolve) => waiters.push(resolve)) : Promise.resolve()),
		callIsUnknown,
		stop() {
			stopped = true;
			cancelRetry();
		},
	};
}

function saysPaid(body: Buffer): boolean {
	try {
		return v.parse(TakenAnswer, JSON.parse(body.toString('utf8'))).is_paid;
	} catch {
		// A bare 2xx is all the contract asks for.
		return false;
	}
}

function describe(answer: BackOfficeAnswer): string {
	try {
		const { message, detail } = v.parse(ErrorAnswer, JSON.parse(answer.body.toString('utf8')));
		return `${answer.status}: ${message ?? detail ?? ''}`;
	} catch {
		return String(answer.status);
	}
}
