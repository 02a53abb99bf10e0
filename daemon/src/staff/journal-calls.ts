import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as v from 'valibot';
import { messageOf } from '../base/result.ts';
import type { CardDesk } from '../card/card-desk.ts';
import type { KeptWord } from '../card/card-state.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import { answerJson, type Handler, readJson, refuse } from '../http/handler.ts';
import type { Journal } from '../journal/journal.ts';
import { type LeftOpen, leftOpenFile, openNoteTimes, readLeftOpen, saveLeftOpen, type Unwritten } from '../journal/open-items-export.ts';
import { paymentFile, paymentsOf, verifyChain } from '../journal/payment-file.ts';
import { readSeal } from '../journal/seal.ts';
import { readStore } from '../journal/store.ts';
import type { Log } from '../log/log.ts';
import type { BoxCount } from './box-count.ts';
import { Decision } from './decision.ts';

/**
 * For this time after a note was in escrow, the acceptor may still report that it stacked the note:
 * 15 s until the note is in doubt, 20 s for a late report, and a margin. A new journal does not
 * know the note, so the report would credit the next note.
 */
const MAY_REPORT_MS = 40_000;

/** The answer of POST /journal/restart. */
export interface Restarted {
	folder: string;
	/** Number of the newest record of the old journal; 0 if unknown. */
	newest: number;
	/** Open money of the old journal; null if that journal cannot be read. */
	open: LeftOpen | null;
	/** Device reports that could not be written to the journal. */
	unwritten: Unwritten[];
	/** Why the acceptor stays locked; null if it is not locked. */
	lock: string | null;
	/**
	 * The name on the unsaved count of the cashbox, which the restart voids; null without such a
	 * count.
	 */
	counting: string | null;
	/**
	 * Staff names of the new journal. `record`: number of the old journal's record with this list;
	 * null if no list was proved.
	 */
	names: { record: number | null; people: { name: string; role: string }[]; is_last: boolean };
}

/**
 * Staff-socket calls. GET /journal/verify, /journal/payment/ID and /journal/invoice/NUMBER are for
 * accounts that may not read the journal's file. These calls open the file themselves, so they work
 * even when the daemon refuses the journal. POST /journal/restart {by, why} sets the journal aside
 * and begins a new one. POST /journal/reseal {by, why} accepts a journal whose key is lost and
 * makes a new key.
 */
export function journalCalls(deps: {
	directory: string;
	/** The key file of the journal's seal. */
	keyFile: string;
	journal: Journal;
	cash: Pick<CashDesk, 'acceptorState' | 'unwritten' | 'progress' | 'checkJournal'>;
	card: Pick<CardDesk, 'unwritten' | 'progress'>;
	box: Pick<BoxCount, 'counting'>;
	/** @returns a fresh UUID */
	newId: () => string;
	/** @returns the present time, ISO 8601 with the site's offset */
	now: () => string;
	/** Ends the process, whose state comes from a journal that is no longer in use. */
	end: () => void;
	log: Log;
}): Handler {
	const { directory, journal, log } = deps;
	/**
	 * Whether a restart of the journal is in progress. A second one would set the new journal aside.
	 */
	let isRestarting = false;
	const earlier = journal.begun();
	if (earlier) saveLeftOpen(earlier.folder);

	/** @returns whether the journal may be set aside; if false, the call has been refused */
	function mayRestart(response: ServerResponse): boolean {
		const trouble = journal.trouble();
		if (trouble?.code === 'journal_newer') refuse(response, 409, trouble.code, `${trouble.message}. Nothing was done.`);
		else if (trouble?.code !== 'journal_unhealthy')
			refuse(
				response,
				409,
				'journal_healthy',
				`The journal is in use and in order, so it is not set aside. Nothing was done.${begunText()}`,
			);
		else if (isNoteMoving())
			refuse(
				response,
				409,
				'busy',
				'The acceptor may still report a note that it took moments ago. Nothing was done; try again in a minute.',
			);
		// A new journal would not know the sale or void in progress: the customer could pay again in
		// cash, and the terminal's answer would not be recorded.
		else if (deps.card.progress().includes('card'))
			refuse(response, 409, 'busy', 'The card terminal has not answered yet. Nothing was done; try again when it has.');
		else return true;
		return false;
	}

	function isNoteMoving(): boolean {
		// The cash desk is asked first, because the note may be unreadable in a damaged file.
		if (deps.cash.progress().includes('note')) return true;
		const now = Date.parse(deps.now());
		// A time in the future comes from a wrong clock, so it says nothing about the note's age.
		return openNoteTimes(directory)
			.map((time) => now - Date.parse(time))
			.some((age) => age >= 0 && age < MAY_REPORT_MS);
	}

	/**
	 * @returns a sentence about the last restart, whose answer may have been lost; '' if there was
	 * none
	 */
	function begunText(): string {
		const begun = journal.begun();
		return begun
			? ` It was begun at ${begun.time}; the open money of the previous journal is listed in ${leftOpenFile(begun.folder)}.`
			: '';
	}

	async function restart(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const asked = await readJson(Decision, request, response);
		if (asked === null) return;
		if (isRestarting) return refuse(response, 409, 'busy', 'The journal is being set aside already. Nothing was done.');
		isRestarting = true;
		const begun = await begin(asked, response);
		if (begun === null) isRestarting = false;
		else answerJson(response, 200, begun);
	}

	/** @returns null if the call was refused */
	async function begin(asked: v.InferOutput<typeof Decision>, response: ServerResponse): Promise<Restarted | null> {
		if (!mayRestart(response)) return null;
		const names = await journal.provedNames();
		// The journal may have recovered while the names were read.
		if (!mayRestart(response)) return null;
		// The lock may be missing in the journal, which could not be written. The state of the acceptor
		// shows the lock.
		const lockNow = deps.cash.acceptorState() === 'bill_fish' ? 'the acceptor reported that a note was pulled back' : null;
		const begun = journal.restart({ ...asked, restart_id: deps.newId(), time: deps.now() }, names, lockNow);
		if (!begun.ok) {
			refuse(response, 503, begun.error.code, `A new journal could not be created: ${begun.error.message}`);
			return null;
		}
		const { folder, newest, lock } = begun.value;
		log.event('journal.set_aside', { folder, by: asked.by, why: asked.why });
		const { list, isLast } = names;
		if (list) log.event('staff.names_carried_over', { count: list.people.length, record: list.seq, is_last: isLast });
		// These reports are only in the memory of this process, which ends now.
		const unwritten = [...deps.cash.unwritten(), ...deps.card.unwritten().map(listed)];
		// The client may have disconnected while the names were read: `close` is then not emitted
		// again.
		if (response.destroyed) deps.end();
		else response.on('close', deps.end);
		return {
			folder,
			newest,
			open: readLeftOpen(folder, unwritten),
			unwritten,
			lock,
			counting: deps.box.counting(),
			names: {
				record: list?.seq ?? null,
				people: list?.people.map(({ staff_name, role }) => ({ name: staff_name, role })) ?? [],
				is_last: isLast,
			},
		};
	}

	async function reseal(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const asked = await readJson(Decision, request, response);
		if (asked === null) return;
		// The reopened journal would put the note in doubt before the acceptor reports its outcome.
		if (deps.cash.progress().includes('note'))
			return refuse(response, 409, 'busy', 'Not now: the acceptor is taking a note. Try again in a few seconds.');
		const done = journal.reseal({ ...asked, reseal_id: deps.newId(), time: deps.now() });
		if (!done.ok) return refuse(response, 409, done.error.code, `The journal was not resealed: ${done.error.message}`);
		log.event('journal.resealed', { by: asked.by, why: asked.why });
		// This check restores the earlier spelling of the outlet from the accepted journal. Until then
		// look-ups would not find the outlet's money.
		deps.cash.checkJournal();
		answerJson(response, 200, { resealed: true });
	}

	return async (request, response, path) => {
		if (request.method === 'POST' && path === '/journal/reseal') {
			await reseal(request, response);
			return true;
		}
		if (request.method === 'POST' && path === '/journal/restart') {
			await restart(request, response);
			return true;
		}
		const [, verb, , of = ''] = /^\/journal\/(verify|payment|invoice)(\/([^/]+))?$/.exec(path) ?? [];
		if (request.method !== 'GET' || verb === undefined) return false;
		const cannot = (message: string): void => refuse(response, 503, 'journal_unreadable', `the journal cannot be read: ${message}`);
		const found = readSeal(deps.keyFile);
		const seal = found.state === 'found' ? found.seal : null;
		const opened = readStore(directory, seal);
		if (!opened.ok) {
			cannot(opened.error.message);
			return true;
		}
		const store = opened.value;
		try {
			if (verb === 'verify') answerJson(response, 200, await verifyChain(store, seal));
			else {
				const wanted = decodeURIComponent(of);
				const payments = paymentsOf(store, verb === 'payment' ? { payment: wanted } : { invoice: wanted });
				if (payments.length === 0) refuse(response, 404, 'no_such_payment', `The journal has no money for ${wanted}.`);
				else answerJson(response, 200, paymentFile(store, payments));
			}
		} catch (error) {
			cannot(messageOf(error));
		} finally {
			store.close();
		}
		return true;
	};
}

/** @returns an unwritten report of the terminal, as a list entry for staff */
function listed(one: KeptWord): Unwritten {
	if (!one.record) return { kind: 'card_answer', ...one.response };
	const { attempt_id } = one.record;
	if (one.record.response) return { kind: 'card_answer', attempt_id, ...one.record.response };
	return { kind: 'card_unknown', attempt_id, why: one.record.kind === 'card_unknown' ? one.record.why : one.record.what };
}
