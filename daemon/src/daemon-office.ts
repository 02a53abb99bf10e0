/**
 * Calls to the back office, the outlet's token, observed QRIS codes and virtual accounts, pictures,
 * and the codes on printouts.
 */
import type { HeldMoney } from '@kiosk/contract/held-money';
import { sumRupiah } from '@kiosk/contract/money';
import { backOfficeClient } from './back-office/client.ts';
import { holdCalls } from './back-office/held-calls.ts';
import { withoutToken } from './back-office/hide-token.ts';
import { openOutletToken, tokenServer } from './back-office/token.ts';
import { openTransfers } from './back-office/transfers.ts';
import { systemClock as clock } from './base/clock.ts';
import { clockSynchronised } from './base/clock-synchronised.ts';
import { slipTimeIn } from './base/site-time.ts';
import type { DaemonJournal } from './daemon-journal.ts';
import type { DaemonLog } from './daemon-log.ts';
import type { Start } from './daemon-settings.ts';
import { watchOffice } from './health/back-office-watch.ts';
import { clockDoubt } from './health/clock-trust.ts';
import { downloader } from './http/download.ts';
import { paymentKey } from './journal/records.ts';
import { timedCalls } from './metrics/call-timings.ts';
import { openLogos } from './printer/logos.ts';
import { paperCodes } from './proof/paper-code.ts';
import { openSlipKey } from './proof/slip-key.ts';
import { openPictures } from './screen/pictures.ts';
import { isOtherServer } from './setup/settings-seal.ts';

export type DaemonOffice = ReturnType<typeof startOffice>;

/**
 * Prepares the calls to the back office, and opens the stored token, the observed QRIS codes and
 * virtual accounts, and the key of the printouts.
 */
export function startOffice({ settings }: Start, { log, now, metrics }: DaemonLog, { journal, seal }: DaemonJournal) {
	const { back_office } = settings;
	const token = openOutletToken(settings.state_directory, tokenServer(back_office), log);
	const isOfficeHeld = (): boolean => isOtherServer(seal.unconfirmed());
	/**
	 * Number and sum of the unsent notes and card sales while calls are held back; null if calls are
	 * not held back.
	 */
	const heldMoney = (): HeldMoney => {
		if (!isOfficeHeld()) return null;
		const waiting = journal.waitingMoney();
		return {
			count: waiting.reduce((sum, { notes, cards }) => sum + notes + cards, 0),
			total: sumRupiah(waiting.map(({ total }) => total)),
		};
	};
	const call = holdCalls(backOfficeClient(back_office), isOfficeHeld);
	const office = watchOffice({ call, url: back_office.url, caFile: back_office.ca_file, clock, now });
	const callBackOffice = timedCalls(withoutToken(office.call), back_office.paths, metrics, clock.now);
	const download = downloader(back_office);
	const transfers = openTransfers({
		directory: settings.state_directory,
		ownMoney: (id, noinvoice) => journal.money.ownMoney(paymentKey({ account: token.current()?.account ?? null, id, noinvoice })),
		log,
	});
	const clockInDoubt = (): boolean => clockDoubt(clock.wall(), office.aheadMs(), clockSynchronised()) !== null;
	const pictures = openPictures({ download, clock, log });
	const logo = openLogos({ read: pictures.read, clock, log });
	const slipKey = openSlipKey(settings.state_directory, log, () => clock.wall());
	const slipTime = slipTimeIn(settings.site.timezone);
	const codeOf = paperCodes({ key: slipKey, journal, tanggal: () => slipTime(clock.wall()) });
	return {
		token,
		office,
		isOfficeHeld,
		heldMoney,
		callBackOffice,
		download,
		transfers,
		clockInDoubt,
		pictures,
		logo,
		slipKey,
		slipTime,
		codeOf,
	};
}
