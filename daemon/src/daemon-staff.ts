/** Staff: names, open cases, the cashbox, checked slips, and the calls of kioskctl. */
import { randomUUID } from 'node:crypto';
import { systemClock as clock } from './base/clock.ts';
import type { DaemonHealth } from './daemon-health.ts';
import type { DaemonJournal } from './daemon-journal.ts';
import type { DaemonKiosk } from './daemon-kiosk.ts';
import type { DaemonLog } from './daemon-log.ts';
import type { DaemonNames } from './daemon-names.ts';
import type { DaemonOffice } from './daemon-office.ts';
import type { Start } from './daemon-settings.ts';
import { trialCalls } from './health/trial.ts';
import { startAnchors } from './journal-anchor.ts';
import { staffPeople } from './screen/staff-people.ts';
import { staffSessions } from './screen/staff-sessions.ts';
import { acceptorCalls } from './staff/acceptor-calls.ts';
import { answerCalls } from './staff/answer-calls.ts';
import { openBoxCount } from './staff/box-count.ts';
import { cashCalls } from './staff/cash-calls.ts';
import { edcCalls } from './staff/edc-calls.ts';
import { journalCalls } from './staff/journal-calls.ts';
import { excerptCalls } from './staff/journal-excerpt.ts';
import { moneyCalls } from './staff/money-calls.ts';
import { nameCalls } from './staff/name-calls.ts';
import { networkCalls } from './staff/network-calls.ts';
import { openCases } from './staff/open-cases.ts';
import { parkedCalls } from './staff/parked-calls.ts';
import { rehearsalCalls } from './staff/rehearsal-calls.ts';
import { restartCalls } from './staff/restart-calls.ts';
import { setupCalls } from './staff/setup-calls.ts';
import { slipCalls } from './staff/slip-calls.ts';
import { slipCheck } from './staff/slip-check.ts';
import { openSlipLooks } from './staff/slip-looks.ts';
import { startStaffSocket } from './staff/staff-socket.ts';
import { updateCalls } from './staff/update-calls.ts';

export type DaemonStaff = ReturnType<typeof startStaff>;

type Below = Start & DaemonLog & DaemonJournal & DaemonOffice & DaemonKiosk & DaemonNames & DaemonHealth;

/**
 * Starts the parts that staff use: sessions, names, open cases, cashbox counts and slip checks.
 * Also starts the anchors of the journal.
 */
export function startStaff({ settings, log, journal, token, callBackOffice, kiosk, slipKey, staffNames }: Below) {
	const { cash, card, invoices } = kiosk;
	const now = () => kiosk.timestamp(clock.wall());
	const nominals = settings.acceptor ? [...new Set(settings.acceptor.notes.values())] : [];
	const anchors = startAnchors({
		journal,
		call: callBackOffice,
		token,
		path: settings.back_office.paths.anchor,
		csrf: settings.back_office,
		clock,
		timestamp: now,
		log,
	});
	const staff = staffSessions({ clock });
	// A PIN is valid only for its own outlet, so the log-in of another outlet ends all staff
	// sessions.
	token.onChange((isOtherAccount) => {
		if (isOtherAccount) staff.endAll();
	});
	const people = staffPeople({
		names: staffNames,
		needsCodes: settings.staff.personal_codes,
		directory: settings.state_directory,
		staff,
		clock,
		log,
	});
	const staffCases = openCases({
		journal,
		invoices,
		cash,
		card,
		isSupervisor: people.isSupervisor,
		slips: kiosk.slips,
		twoNamesAbove: settings.staff.two_names_above,
		nominals,
		newId: randomUUID,
		now,
		log,
	});
	const slips =
		slipKey &&
		slipCheck({
			key: slipKey,
			journal,
			cases: staffCases,
			looks: openSlipLooks(settings.state_directory),
			timestamp: kiosk.timestamp,
			clock,
		});
	const boxCount = openBoxCount({
		directory: settings.state_directory,
		nominals,
		cash,
		journal,
		slips: kiosk.slips,
		tellAnchor: anchors.tell,
		newId: randomUUID,
		now,
		log,
	});
	return { anchors, staff, people, staffCases, slips, boxCount };
}

/**
 * Serves kioskctl.
 * @param end ends the daemon, which systemd starts again
 */
export function startTechnicianSocket(below: Below & DaemonStaff, end: () => void) {
	const { settings, log, lines, journal, token, callBackOffice, kiosk, slipKey, liveness, anchors } = below;
	const { back_office } = settings;
	const { cash, card, outbox, invoices, printDesk } = kiosk;
	const deps = { newId: randomUUID, now: () => kiosk.timestamp(clock.wall()), log };
	return startStaffSocket({
		stateDirectory: settings.state_directory,
		cash,
		log,
		handlers: [
			below.healthPage,
			below.traces.handler,
			excerptCalls(settings.journal.directory),
			setupCalls({ seal: below.seal, journal, server: new URL(back_office.url).origin }),
			nameCalls(below.staffNames, journal, log),
			answerCalls(below.customerCall),
			restartCalls(kiosk.restart),
			trialCalls({ journal, onTrial: below.onTrial, liveness, cash, card, printer: printDesk }),
			updateCalls(log),
			acceptorCalls({ cash, card, commissioning: kiosk.commissioning, log, lines: lines.records, drawn: () => liveness.last() }),
			edcCalls(card, cash, invoices, journal),
			rehearsalCalls(below.rehearsals),
			cashCalls({ cash, journal, slips: kiosk.slips, tellAnchor: anchors.tell, ...deps }),
			moneyCalls({
				slips: kiosk.slips,
				cash,
				journal,
				token,
				invoices,
				parked: parkedCalls({ journal, token, invoices, outbox, cash, clock, newId: randomUUID, log }),
				...deps,
			}),
			slipCalls({ key: slipKey, check: below.slips, journal, site: settings.site.name }),
			networkCalls({ call: callBackOffice, token, path: back_office.paths.cash_notification, csrf: back_office }),
			journalCalls({
				directory: settings.journal.directory,
				keyFile: below.keyFile,
				journal,
				cash,
				card,
				box: below.boxCount,
				end,
				...deps,
			}),
		],
	});
}
