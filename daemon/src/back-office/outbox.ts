import type { Clock } from '../base/clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { CreditedNote } from '../journal/note-book.ts';
import { isOfAccount, type PaymentKey } from '../journal/records.ts';
import { aboutPayment } from '../log/about-payment.ts';
import type { Log } from '../log/log.ts';
import { type CallBackOffice, formDataOf, ownHeaders } from './client.ts';
import type { Refreshed } from './invoice-calls.ts';
import { lookUpBeforeNotes } from './look-up-first.ts';
import { describeAnswer, readNoteAnswer } from './note-answer.ts';
import { askForNotes } from './notes-probe.ts';
import type { OutletSession, OutletToken } from './token.ts';

/** Pause after the n-th consecutive failure. The last pause repeats without limit. */
const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000];
/**
 * Up to this share of a pause is added at random, so that many kiosks do not retry at the same
 * moment.
 */
const JITTER = 0.25;

/**
 * Number of refusals after which a note is parked. A short update of the server causes fewer
 * refusals.
 */
const REFUSALS_TO_PARK = 5;
/**
 * How long a server may take to list a confirmed note. Until then, a list without the note is not a
 * dispute.
 */
const LISTED_AFTER_MS = 20_000;
/** Largest `timeout_ms` that the settings allow: the longest time until a look-up is answered. */
const ANSWERED_AFTER_MS = 120_000;
/** Statuses that are not about the note: log-in, permission, a slow or busy server. */
const NOT_ABOUT_THE_NOTE = new Set([401, 403, 408, 425, 429]);
/** Statuses that may mean that the server does not have the call. */
const NO_SUCH_CALL = new Set([404, 405]);
/** Whether this status refuses the note that was sent, or the empty note. */
const isAboutTheNote = (status: number): boolean => status >= 400 && status < 500 && !NOT_ABOUT_THE_NOTE.has(status);
/**
 * Added to the reason if an empty note got a status of `NO_SUCH_CALL`, too. The next run looks for
 * this text in the journal.
 */
const ALSO_EMPTY = ', and the same to an empty note';
/**
 * If this many notes get a status of `NO_SUCH_CALL` and none is accepted, the server counts as
 * lacking the call.
 */
const NOTES_WITHOUT_CALL = 2;

/**
 * Sends the logged-in outlet's notes to the back office, one at a time, in the order of crediting.
 * Retries a note until it is confirmed or parked. A repeatedly refused note is parked for staff, so
 * that later notes are sent.
 */
export interface Outbox {
	/** Sends unsent notes now, for example after a credit, a log-in or a reconnect. */
	kick(): void;
	/** Why the oldest unsent note still waits; null if there is none or no attempt has failed. */
	lastFailure(): string | null;
	/** Whether the back office may have received this note without confirming it. */
	mayBeTold(note_id: string): boolean;
	/**
	 * Whether the back office confirmed this note shortly before a look-up. The answer to the look-up
	 * may then not list the note yet.
	 * @param asked when the look-up was sent, monotonic ms
	 */
	isConfirmedLately(note_id: string, asked: number): boolean;
	isSending(): boolean;
	/** Resolves when no note is being sent. */
	whenSettled(): Promise<void>;
	/**
	 * Whether the back office seems to lack the call for notes. If so, no more notes should be taken.
	 */
	isCallUnknown(): boolean;
	stop(): void;
}

export interface OutboxDeps {
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
	/**
	 * Called when the server's answer to a note reports the invoice as paid.
	 * @param asked when the note was sent, monotonic ms
	 */
	onPaid: (key: PaymentKey, asked: number) => void;
	/** Called before a note is first sent: looks its invoice up if a message may be lost. */
	refreshMissed: (key: PaymentKey) => Promise<Refreshed>;
	onUnreachable: () => void;
}

/**
 * The earliest credible time: this program did not exist before. An earlier time comes from a wrong
 * clock, for example after its battery died.
 */
const FIRST_CREDIBLE = Date.UTC(2026, 0, 1);
/**
 * How far a note's time may be ahead of the clock, which may have been set back since. A note's
 * time that is further ahead comes from a wrong clock.
 */
const AHEAD_MS = 24 * 60 * 60 * 1_000;

/**
 * @returns the time to send with a note. A server may refuse a note with an impossible time, and
 * that note would delay later notes. Therefore such a note is sent with the time of sending and the
 * mark `time_is_of_sending`. The journal keeps the original time
 * @param time when the note was taken, ISO 8601, as the kiosk's clock showed it
 * @param now the current time of the same clock, which may have been corrected since
 */
function sendingTimeOf(time: string, now: Date, timestamp: (at: Date) => string): { time: string; time_is_of_sending?: true } {
	const at = Date.parse(time);
	// While the clock is wrong, the time of sending is no better than the note's time. Once the clock
	// is right, a retry replaces an impossible time.
	const clockIsWrong = now.getTime() < FIRST_CREDIBLE;
	if (clockIsWrong || (at >= FIRST_CREDIBLE && at <= now.getTime() + AHEAD_MS)) return { time };
	return { time: timestamp(now), time_is_of_sending: true };
}

/**
 * Why a note was not confirmed, and whether the server refused this note. `perhaps`: after a server
 * error, undecided until another note is answered.
 */
type Problem = { text: string; refused: 'yes' | 'perhaps' | 'no' };

export function startOutbox(deps: OutboxDeps): Outbox {
	const { journal, clock, log } = deps;
	let sending = false;
	const waiters: (() => void)[] = [];
	/**
	 * Notes sent in this run and not confirmed, each with the journal's position at that time. The
	 * server may have booked them, even after a refusal.
	 */
	const asked = new Map<string, number>();
	/**
	 * Times of the newest confirmations, monotonic ms. Confirmations of the previous run are
	 * included, except if the clock was set back: then their age is unknown.
	 */
	const confirmed = new Map(
		journal
			.uploadedSince(clock.wall().getTime() - LISTED_AFTER_MS)
			.map(({ note_id, at }) => ({ note_id, age: clock.wall().getTime() - at }))
			.flatMap(({ note_id, age }) => (age < 0 ? [] : [[note_id, clock.now() - age] as const])),
	);
	const refusals = new Map<string, number>();
	const lookUpFirst = lookUpBeforeNotes({ ...deps, lookUp: deps.refreshMissed });
	/**
	 * Notes answered with a status of `NO_SUCH_CALL` since the last accepted note of their account.
	 * `proven`: an empty note was answered in the same way.
	 */
	const withoutCall = new Map<string, { payment_id: PaymentKey; proven: boolean }>(
		journal
			.parked()
			.filter(({ note_id, parked }) => /answered 40[45]\b/.test(parked) && !journal.isLaterConfirmed(note_id))
			.map(({ note_id, payment_id, parked }) => [note_id, { payment_id, proven: parked.endsWith(ALSO_EMPTY) }]),
	);
	/**
	 * An earlier run may have sent any note that was credited before this run. A note that staff have
	 * moved after its sending counts as unsent, because it was sent for another invoice.
	 */
	const mayBeTold = (note_id: string): boolean => journal.creditedUntil(note_id, asked.get(note_id) ?? journal.openedAt());
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
				if (problem && !(await parkAfter(note, problem))) return retryLater(note, problem.text);
				failures = 0;
				failure = null;
			}
			// This account has no unsent note now, so a failure of another account's note no longer
			// matters.
			failure = null;
		} finally {
			sending = false;
			for (const settled of waiters.splice(0)) settled();
		}
	}

	/**
	 * @returns the oldest note of the logged-in account. Notes are sent only with the token of their
	 * own account
	 */
	function nextNote(): CreditedNote | null {
		const session = deps.token.current();
		return session && journal.nextUpload(session.account);
	}

	/**
	 * Counts a refusal of the note, and parks the note after too many refusals.
	 * @returns whether the next note may be sent, because this note is parked or has now been
	 * accepted
	 */
	async function parkAfter(note: CreditedNote, problem: Problem): Promise<boolean> {
		const { note_id, nominal, noinvoice } = note;
		if (problem.refused === 'no') return false;
		const count = (refusals.get(note_id) ?? 0) + 1;
		refusals.set(note_id, count);
		if (count < REFUSALS_TO_PARK) return false;
		const found = problem.refused === 'yes' ? 'refused' : await compareWithNext(note);
		if (found !== 'refused') return found === 'taken';
		refusals.delete(note_id);
		const written = journal.append({ kind: 'note_parked', park_id: deps.newId(), note_id, reason: problem.text });
		if (written.ok) log.event('outbox.parked', { note_id, nominal, invoice: noinvoice, reason: problem.text });
		return written.ok;
	}

	/**
	 * Sends the next note, then `note` again. If the server accepts the next note but refuses `note`
	 * again, the server works and the cause is `note`.
	 */
	async function compareWithNext(note: CreditedNote): Promise<'refused' | 'taken' | 'unknown'> {
		const session = deps.token.current();
		const behind = session && journal.nextUpload(session.account, note.credited_seq);
		if (!behind || (await send(behind)) !== null || stopped) return 'unknown';
		const again = await send(note);
		if (again === null) return 'taken';
		return again.refused === 'no' ? 'unknown' : 'refused';
	}

	/** Sends one note. @returns the problem; null if the confirmation is on disk */
	async function send(note: CreditedNote): Promise<Problem | null> {
		const why = mayBeTold(note.note_id) ? null : await lookUpFirst(note.payment_id);
		if (why !== null) return { text: why, refused: 'no' };
		if (stopped) return { text: 'the kiosk stops', refused: 'no' };
		const session = deps.token.current();
		if (!session) return { text: 'no outlet account is logged in', refused: 'no' };
		// Another outlet may have logged in since `note` was chosen.
		if (!isOfAccount(note.payment_id, session.account)) return { text: 'another outlet account is logged in', refused: 'no' };
		// Without the journal's position, the kiosk would later count this note in the server's list as
		// a payment elsewhere.
		const position = journal.money.position();
		if (position === 0) return { text: 'the journal cannot be read', refused: 'no' };
		const token = session.token.reveal();
		const { body, contentType } = formDataOf({
			note_id: note.note_id,
			id: note.id,
			odoo_id: note.odoo_id,
			noinvoice: note.noinvoice,
			nominal: note.nominal,
			...sendingTimeOf(note.time, clock.wall(), deps.timestamp),
		});
		const headers = { ...ownHeaders(token, deps.csrf), 'Content-Type': contentType };
		asked.set(note.note_id, position);
		const askedAt = clock.now();
		const answer = await deps.call({ method: 'POST', path: deps.path, headers, body });
		if (!answer.ok) {
			deps.onUnreachable();
			return { text: answer.error.message, refused: 'no' };
		}
		const { status } = answer.value;
		if (status === 401) deps.token.markRefused(token);
		if (status < 200 || status > 299) {
			const proven = await isCallMissing(note.note_id, status, session);
			const text = `the back office answered ${describeAnswer(answer.value)}${proven ? ALSO_EMPTY : ''}`;
			return onRefused(note, { status, text, proven });
		}
		const taken = readNoteAnswer(answer.value);
		if ('refused' in taken) return taken;
		// The token works, so an earlier 401 was a server fault. The mark "refused" is cleared here,
		// because pages may make no call for a long time.
		deps.token.markWorking(token);
		for (const [refused, { payment_id }] of withoutCall) if (isOfAccount(payment_id, session.account)) withoutCall.delete(refused);
		refusals.delete(note.note_id);
		const written = journal.append({ kind: 'note_uploaded', note_id: note.note_id });
		// The record may be on disk even if its sync failed. Then the note is not sent again, so the
		// time of the confirmation must be stored now.
		confirmed.set(note.note_id, clock.now());
		if (written.ok) {
			asked.delete(note.note_id);
			log.event('outbox.uploaded', { note_id: note.note_id, nominal: note.nominal, ...aboutPayment(note) });
		}
		if (taken.is_paid) deps.onPaid(note.payment_id, askedAt);
		return written.ok ? null : { text: written.error.message, refused: 'no' };
	}

	/**
	 * Finds out, after 404 or 405 to a note, whether the server lacks the call. If the account has a
	 * confirmed note, the server had the call, and the status may be about this note's invoice. So an
	 * empty note is sent, whose 404 can only be about the call. If the empty note gets no clear
	 * answer, the result of the earlier empty note stays valid.
	 * @param status of the answer to the note
	 */
	async function isCallMissing(note_id: string, status: number, { token, account }: OutletSession): Promise<boolean> {
		if (!NO_SUCH_CALL.has(status) || stopped || !journal.hasConfirmed(account)) return false;
		const empty = await askForNotes(deps.call, deps.path, ownHeaders(token.reveal(), deps.csrf));
		const isTaken = empty.status >= 200 && empty.status < 300;
		if (isTaken || isAboutTheNote(empty.status)) return NO_SUCH_CALL.has(empty.status);
		return withoutCall.get(note_id)?.proven ?? false;
	}

	function onRefused({ note_id, payment_id }: CreditedNote, of: { status: number; text: string; proven: boolean }): Problem {
		const { status, text, proven } = of;
		const refused = NOT_ABOUT_THE_NOTE.has(status) ? 'no' : isAboutTheNote(status) ? 'yes' : 'perhaps';
		if (NO_SUCH_CALL.has(status)) {
			const known = isCallUnknown();
			withoutCall.set(note_id, { payment_id, proven });
			if (!known && isCallUnknown()) log.event('outbox.call_unknown', { path: deps.path, status });
		} else if (refused === 'yes') withoutCall.delete(note_id);
		return { text, refused };
	}

	/**
	 * A single note may be refused because its invoice no longer exists. The server lacks the call if
	 * it answers 404 or 405 to several notes, to a note and an empty note, or to a note of an account
	 * that has no confirmed note.
	 */
	function isCallUnknown(): boolean {
		const session = deps.token.current();
		if (!session) return false;
		// Notes of other accounts do not count, because those accounts may be on another server. Notes
		// that staff have entered by hand do not count, because they need no call.
		const here = [...withoutCall]
			.filter(([note_id, { payment_id }]) => isOfAccount(payment_id, session.account) && journal.isUntold(note_id))
			.map(([, note]) => note);
		if (here.length === 0) return false;
		return here.length >= NOTES_WITHOUT_CALL || here.some(({ proven }) => proven) || !journal.hasConfirmed(session.account);
	}

	function retryLater(note: CreditedNote, problem: string): void {
		const pause = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
		const retry_ms = Math.round(pause * (1 + JITTER * deps.random()));
		failures += 1;
		failure = problem;
		log.event('outbox.waiting', { note_id: note.note_id, nominal: note.nominal, ...aboutPayment(note), reason: problem, retry_ms });
		cancelRetry = clock.after(retry_ms, () => void drain());
	}

	return {
		kick: () => void drain(),
		lastFailure: () => (deps.token.current() || journal.waitingUploads().count === 0 ? failure : 'no outlet account is logged in'),
		mayBeTold,
		isConfirmedLately(note_id, asked) {
			for (const [id, at] of confirmed) if (clock.now() - at >= LISTED_AFTER_MS + ANSWERED_AFTER_MS) confirmed.delete(id);
			return asked - (confirmed.get(note_id) ?? Number.NEGATIVE_INFINITY) < LISTED_AFTER_MS;
		},
		isSending: () => sending,
		whenSettled: () => (sending ? new Promise((resolve) => waiters.push(resolve)) : Promise.resolve()),
		isCallUnknown,
		stop() {
			stopped = true;
			cancelRetry();
		},
	};
}
