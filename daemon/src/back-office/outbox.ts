import * as v from 'valibot';
import { ErrorAnswer, FlagSchema, type Id } from '../../contract/back-office.ts';
import type { Clock } from '../clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { CreditedNote } from '../journal/note-book.ts';
import { aboutPayment } from '../log/about-payment.ts';
import type { Log } from '../log/log.ts';
import { type BackOfficeAnswer, type CallBackOffice, formDataOf, ownHeaders } from './client.ts';
import type { OutletToken } from './token.ts';

/** Pause after the n-th failure in a row; the last one holds for days offline. */
const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000];
/** Up to this share is added to a pause, so that many kiosks do not return at the same moment. */
const JITTER = 0.25;

/** Sends every credited note to the back office, one at a time, in the order of crediting, until each has a 2xx. */
export interface Outbox {
	/** Something changed (a credit, a login, the network): try now. */
	kick(): void;
	/** Why the oldest note still waits; null when nothing waits or nothing failed yet. */
	lastFailure(): string | null;
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
	/** The server says in its answer that the invoice is paid. */
	paid: (id: Id) => void;
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

/** What the back office may say beside "taken". */
const TakenAnswer = v.looseObject({ is_paid: FlagSchema });

export function startOutbox(parts: OutboxParts): Outbox {
	const { journal, clock, log } = parts;
	let sending = false;
	let failures = 0;
	let failure: string | null = null;
	let stopped = false;
	let cancelRetry = () => {};

	async function drain(): Promise<void> {
		if (sending || stopped) return;
		sending = true;
		cancelRetry();
		try {
			for (let note = journal.nextUpload(); note && !stopped; note = journal.nextUpload()) {
				const problem = await send(note);
				if (problem) return later(note, problem);
				failures = 0;
				failure = null;
			}
		} finally {
			sending = false;
		}
	}

	/** @returns what went wrong, or null once the confirmation is on disk */
	async function send(note: CreditedNote): Promise<string | null> {
		const session = parts.token.current();
		if (!session) return 'no outlet account is logged in';
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
		const answer = await parts.call({ method: 'POST', path: parts.path, headers, body });
		if (!answer.ok) {
			parts.unreachable();
			return answer.error.message;
		}
		if (answer.value.status === 401) parts.token.markRefused(token);
		if (answer.value.status < 200 || answer.value.status > 299) return `the back office answered ${describe(answer.value)}`;
		const written = journal.append({ kind: 'note_uploaded', note_id: note.note_id });
		if (!written.ok) return written.error.message;
		log.event('outbox.uploaded', { note_id: note.note_id, nominal: note.nominal, ...aboutPayment(note) });
		if (saysPaid(answer.value.body)) parts.paid(note.id);
		return null;
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
		lastFailure: () => failure,
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
