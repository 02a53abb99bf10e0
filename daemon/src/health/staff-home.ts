import { type CaseCounts, STAFF_PARTS, type StaffHome } from '@kiosk/contract/staff-home';
import { answerJson, type Handler } from '../http/handler.ts';
import type { Journal } from '../journal/journal.ts';
import { isClosed } from '../journal/trouble.ts';
import type { ScreenSessions } from '../screen/sessions.ts';
import { refuseStaffOnly } from '../screen/staff-calls.ts';
import type { StaffSessions } from '../screen/staff-sessions.ts';
import type { CustomerCall } from '../staff/customer-call.ts';
import type { OpenCases } from '../staff/open-cases.ts';
import type { Health } from './health.ts';
import type { HealthReport } from './report.ts';

/** The longest possible day: one on which the clocks are set back by an hour. */
const LONGEST_DAY_MS = 25 * 3_600_000;

/**
 * GET /kiosk/staff/home, for a page with a staff session. Also ends an open call of a customer for
 * staff.
 * @param deps.midnight the last midnight at the site, ms of the wall clock
 */
export function staffHomeCalls(deps: {
	health: Pick<Health, 'report'>;
	journal: Pick<Journal, 'figuresSince' | 'trouble'>;
	cases: Pick<OpenCases, 'list'>;
	call: Pick<CustomerCall, 'answer' | 'shown'>;
	sessions: Pick<ScreenSessions, 'of'>;
	staff: Pick<StaffSessions, 'isOpen'>;
	midnight: () => number;
}): Handler {
	const isReadable = (): boolean => !isClosed(deps.journal.trouble());

	/** @returns today's figures and the open cases; null while the journal cannot be read */
	function readFigures(): Pick<StaffHome, 'today' | 'cases'> {
		const unknown = { today: null, cases: null };
		// A closed journal looks empty, so its figures would be zero.
		if (!isReadable()) return unknown;
		const midnight = deps.midnight();
		const today = deps.journal.figuresSince(midnight, midnight + LONGEST_DAY_MS);
		const cases = countCases(deps.cases.list());
		// A failed read closes the journal.
		return isReadable() ? { today, cases } : unknown;
	}

	return (request, response, path) => {
		if (request.method !== 'GET' || path !== '/kiosk/staff/home') return false;
		const session = deps.sessions.of(request);
		if (session === null || !deps.staff.isOpen(session.id)) refuseStaffOnly(response);
		else {
			// The open staff home shows that staff are at the kiosk.
			deps.call.answer('staff screen');
			answerJson(response, 200, staffHome(deps.health.report(), readFigures(), deps.call.shown()));
		}
		return true;
	};
}

/** @returns the number of open cases of each kind */
function countCases({ cases }: ReturnType<OpenCases['list']>): CaseCounts {
	const counted: CaseCounts = {};
	for (const { kind } of cases) counted[kind] = (counted[kind] ?? 0) + 1;
	return counted;
}

/** @returns the contents of the staff home */
function staffHome(report: HealthReport, figures: Pick<StaffHome, 'today' | 'cases'>, call: StaffHome['call']): StaffHome {
	return {
		version: report.version,
		call,
		...figures,
		parts: STAFF_PARTS.flatMap((part) => {
			const found = report.parts.find((one) => one.part === part);
			return found ? [{ part, state: found.state }] : [];
		}),
	};
}
