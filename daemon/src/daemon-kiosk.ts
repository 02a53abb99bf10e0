/**
 * The parts that handle money, and also the rehearsals, the promotional film and customers' calls
 * for staff.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveText } from '@kiosk/contract/live';
import { ICT_LINE } from './acceptor/ict/line.ts';
import { type FilmKeeper, startFilmKeeper } from './back-office/film.ts';
import { holdSocket } from './back-office/held-calls.ts';
import { openSocket } from './back-office/live-link.ts';
import { systemClock as clock } from './base/clock.ts';
import type { DaemonJournal } from './daemon-journal.ts';
import type { DaemonLog } from './daemon-log.ts';
import type { DaemonOffice } from './daemon-office.ts';
import type { Start } from './daemon-settings.ts';
import { ECR_LINE } from './edc/bca/line.ts';
import type { Health } from './health/health.ts';
import { verifySoon } from './journal/verify-soon.ts';
import { startKiosk } from './kiosk.ts';
import { ippQueue } from './printer/ipp-client.ts';
import type { ReceiptFace } from './printer/receipt-face.ts';
import { openRehearsals } from './rehearsal/rehearsals.ts';
import { rehearsedKiosk } from './rehearsal/rehearsed-kiosk.ts';
import { startScreenHub } from './screen/hub.ts';
import { ScreenLiveness } from './screen/liveness.ts';
import { filmOfSettings, promoAddress } from './screen/promo.ts';
import { watchScreenUse } from './screen/screen-use.ts';
import { openCustomerCall } from './staff/customer-call.ts';

export type DaemonKiosk = ReturnType<typeof startDaemonKiosk>;

type Below = Start & DaemonLog & DaemonJournal & DaemonOffice;

/**
 * @param face draws the receipts; null without a printer
 * @param healthMark gives the state of health for a newly connected screen
 */
export function startDaemonKiosk(below: Below, face: ReceiptFace | null, healthMark: Health['mark']) {
	const { settings, log, lines, now, timestamp, journal, seal, token, callBackOffice, clockInDoubt, transfers } = below;
	const { back_office, acceptor, edc, printer } = settings;
	const liveness = new ScreenLiveness(clock);
	const screenUse = watchScreenUse(clock, liveness);

	// The rehearsals must start before the device lines open, because a rehearsal may continue a
	// recording that a power cut interrupted.
	let pauseEscrow = (_on: boolean): void => {};
	const rehearsals = openRehearsals({
		directory: join(settings.state_directory, 'rehearsals'),
		journalDirectory: settings.journal.directory,
		newestRecord: () => journal.newest().record,
		isPaying: () => cash.isOpen() || card.shownState() === 'busy',
		devices: { acceptor: acceptor !== undefined, edc: edc !== undefined, printer: printer !== undefined },
		tap: (listener) => lines.tap(listener),
		pauseEscrow: (on) => pauseEscrow(on),
		key: below.slipKey,
		kiosk: rehearsedKiosk(settings),
		timestamp,
		clock,
		log,
	});
	below.tellRehearsals(rehearsals);

	const kiosk = startKiosk({
		settings,
		clock,
		log,
		random: Math.random,
		newId: randomUUID,
		journal,
		token,
		callBackOffice,
		acceptorLine: acceptor ? lines.to(ICT_LINE, acceptor, log) : null,
		edcLine: edc ? lines.to(ECR_LINE, edc, log) : null,
		printer: printer && face ? { queue: ippQueue(printer.uri), face, logo: below.logo, limitMs: printer.limit_ms, clockInDoubt } : null,
		onSettled: (id) => transfers.onPaid(id),
		codeOf: below.codeOf,
		openSocket: holdSocket(openSocket(back_office.ca_file ? readFileSync(back_office.ca_file) : undefined), below.isOfficeHeld),
		isNonCashShown: screenUse.showsCode,
		screenUse: () => ({ calls: screenUse.calls(), code: screenUse.showsCode(), idle_ms: screenUse.idleMs() }),
		startHub: startScreenHub,
		greeting: () => [promoMessage(), setupMessage(), callMessage(), { type: 'kiosk_health', state: healthMark() }],
	});
	pauseEscrow = kiosk.escrowPause.turn;
	const { cash, card, hub } = kiosk;
	if (below.onTrial()) verifySoon(journal, () => !cash.isOpen() && cash.progress().length === 0, clock);

	const setupMessage = (): LiveText => ({ type: 'kiosk_setup', unconfirmed: [...seal.unconfirmed()], held_money: below.heldMoney() });
	cash.holdForSettings(seal.unconfirmed().length > 0);
	seal.onConfirm(() => {
		cash.holdForSettings(false);
		hub.notify(setupMessage());
		kiosk.outbox.kick();
	});
	const customerCall = openCustomerCall({
		clock,
		now,
		log,
		changed: (since) => hub.notify({ type: 'kiosk_staff_call', since }),
	});
	const callMessage = (): LiveText => ({ type: 'kiosk_staff_call', since: customerCall.open()?.since ?? null });
	const promo = startPromo(below, () => hub.notify(promoMessage()));
	const promoMessage = () => ({ type: 'kiosk_promo', address: promoAddress(promo.current()) }) as const;
	return { kiosk, rehearsals, liveness, screenUse, customerCall, promo };
}

/**
 * Starts the promotional film: the file that the settings name, or else the film that the back
 * office names. There is no film if the settings switch it off.
 */
function startPromo({ settings, log, token, callBackOffice, download }: Below, onChanged: () => void): FilmKeeper {
	const { enabled, video } = settings.screen.promo;
	if (!enabled || video !== '') {
		const film = enabled ? filmOfSettings(join(settings.state_directory, 'promo-films'), video, log) : null;
		return { current: () => film, stop: () => {} };
	}
	return startFilmKeeper({
		directory: join(settings.state_directory, 'promo'),
		call: callBackOffice,
		path: settings.back_office.paths.video,
		csrf: settings.back_office,
		token,
		download,
		minFreeBytes: settings.journal.min_free_mb * 1024 * 1024,
		clock,
		log,
		onChanged,
	});
}
