import type { IncomingMessage, ServerResponse } from 'node:http';
import { BoxCountRequest, BoxSaveRequest } from '@kiosk/contract/box-count';
import { RehearsalWish } from '@kiosk/contract/rehearsal';
import { SlipCheckRequest } from '@kiosk/contract/slip-check';
import { StaffDecision } from '@kiosk/contract/staff-cases';
import { StaffNameRequest, StaffProof } from '@kiosk/contract/staff-names';
import { customerText } from '../base/customer-text.ts';
import { fail, type Result } from '../base/result.ts';
import { answerJson, type Handler, readJson, refuse } from '../http/handler.ts';
import type { Journal } from '../journal/journal.ts';
import { isClosed } from '../journal/trouble.ts';
import type { Log } from '../log/log.ts';
import type { Rehearsals } from '../rehearsal/rehearsals.ts';
import type { BoxCount } from '../staff/box-count.ts';
import type { OpenCases } from '../staff/open-cases.ts';
import type { SlipCheck } from '../staff/slip-check.ts';
import type { ScreenSessions } from './sessions.ts';
import { refuseStaffOnly } from './staff-calls.ts';
import type { StaffPeople } from './staff-people.ts';
import type { StaffSessions } from './staff-sessions.ts';

/** @param one.session the page's session */
type Act = (one: { request: IncomingMessage; response: ServerResponse; session: string }) => void | Promise<void>;

/**
 * Calls of a page with a staff session: GET and POST /kiosk/staff/names, POST …/proof; GET
 * /kiosk/staff/box, POST …/box/count and …/box/save; GET and POST /kiosk/staff/cases; POST
 * /kiosk/staff/slip; GET and POST /kiosk/staff/rehearsal.
 */
export function staffActCalls(deps: {
	box: BoxCount;
	people: StaffPeople;
	cases: OpenCases;
	/** null if the kiosk has no key for the codes of printouts. */
	slips: SlipCheck | null;
	/** null if the kiosk offers no rehearsals. */
	rehearsals: Pick<Rehearsals, 'look' | 'wish'> | null;
	journal: Pick<Journal, 'trouble'>;
	sessions: Pick<ScreenSessions, 'of'>;
	staff: Pick<StaffSessions, 'isOpen' | 'touch'>;
	log: Log;
}): Handler {
	const { box, people, cases } = deps;

	/** Refuses the call with a sentence for staff. */
	const refuseAct = (response: ServerResponse, code: keyof typeof customerText.staff): void =>
		answerJson(response, 409, { code, message: customerText.staff[code] });

	function answerAct<T>(response: ServerResponse, done: Result<T, { code: keyof typeof customerText.staff }>): void {
		if (done.ok) answerJson(response, 200, done.value ?? {});
		else refuseAct(response, done.error.code);
	}

	const change: Act = async ({ request, response, session }) => {
		const asked = await readJson(StaffNameRequest, request, response);
		if (asked) answerAct(response, await people.change(session, asked));
	};

	const prove: Act = async ({ request, response, session }) => {
		const asked = await readJson(StaffProof, request, response);
		if (asked) answerAct(response, await people.prove(session, asked));
	};

	const count: Act = async ({ request, response, session }) => {
		const asked = await readJson(BoxCountRequest, request, response);
		if (asked === null) return;
		const refused = people.refusalOf(session, [asked.by], 'box');
		answerAct(response, refused ? fail(refused) : box.count(asked.by, asked.notes));
	};

	const save: Act = async ({ request, response, session }) => {
		const asked = await readJson(BoxSaveRequest, request, response);
		if (asked === null) return;
		const refused = people.refusalOf(session, [asked.by], 'box');
		const saved = refused ? fail(refused) : box.save(asked.by, asked);
		if (saved.ok) people.forgetProofs(session);
		answerAct(response, saved);
	};

	const decide: Act = async ({ request, response, session }) => {
		const asked = await readJson(StaffDecision, request, response);
		if (asked === null) return;
		const names = asked.second === null ? [asked.by] : [asked.by, asked.second];
		const refused = people.refusalOf(session, names, 'case');
		if (refused) return refuseAct(response, refused.code);
		people.forgetProofs(session);
		answerAct(response, await cases.decide(asked));
	};

	const checkSlip: Act = async ({ request, response }) => {
		const asked = await readJson(SlipCheckRequest, request, response);
		if (asked === null) return;
		if (deps.slips === null) return refuseAct(response, 'cannot_check');
		const verdict = deps.slips.show(asked.code);
		deps.log.event('slip.checked', { verdict: verdict.verdict, record: verdict.paper?.record ?? null });
		answerJson(response, 200, verdict);
	};

	const rehearse: Act = async ({ request, response, session }) => {
		const asked = await readJson(RehearsalWish, request, response);
		if (asked === null) return;
		if (deps.rehearsals === null) return refuseAct(response, 'no_rehearsal');
		if (asked.action === 'begin') {
			const refused = people.refusalOf(session, [asked.by], 'rehearsal');
			if (refused) return refuseAct(response, refused.code);
			people.forgetProofs(session);
			if (!people.isSupervisor(asked.by)) return refuseAct(response, 'need_supervisor');
		}
		answerAct(response, deps.rehearsals.wish(asked));
	};

	const showBox: Act = ({ response }) => {
		const state = box.state();
		if (state) answerJson(response, 200, state);
		else refuseAct(response, 'no_such_period');
	};

	const ACTS: Readonly<Record<string, Act>> = {
		'GET names': ({ response }) => answerJson(response, 200, people.list()),
		'POST names': change,
		'POST proof': prove,
		'GET box': showBox,
		'POST box/count': count,
		'POST box/save': save,
		'GET cases': ({ response }) => answerJson(response, 200, cases.list()),
		'POST cases': decide,
		'POST slip': checkSlip,
		'GET rehearsal': ({ response }) =>
			deps.rehearsals ? answerJson(response, 200, deps.rehearsals.look()) : refuseAct(response, 'no_rehearsal'),
		'POST rehearsal': rehearse,
	};

	return async (request, response, path) => {
		const name = /^\/kiosk\/staff\/(names|proof|cases|slip|rehearsal|box|box\/count|box\/save)$/.exec(path)?.[1];
		if (name === undefined) return false;
		const session = deps.sessions.of(request);
		if (session === null || !deps.staff.isOpen(session.id)) refuseStaffOnly(response);
		else {
			const call = `${request.method} ${name}`;
			// A page may send a GET without an action of staff, so a GET does not extend the session.
			if (request.method !== 'GET') deps.staff.touch(session.id);
			const act = ACTS[call];
			// A journal that cannot be read looks empty: the cashbox, names, cases and printouts would be
			// wrong.
			if (isClosed(deps.journal.trouble())) refuseAct(response, 'journal_closed');
			else if (act) await act({ request, response, session: session.id });
			else refuse(response, 404, 'not_found', `there is no ${request.method} for this path`);
		}
		return true;
	};
}
