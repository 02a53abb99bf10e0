/** Receipts, slips and their printer. */

import { slipTimeIn } from './base/site-time.ts';
import { isClosed } from './journal/trouble.ts';
import type { KioskDeps, KioskParts } from './kiosk-parts.ts';
import { startPrintDesk } from './printer/print-desk.ts';
import { startReceipts } from './printer/receipts.ts';
import { startSlips } from './printer/slips.ts';

/** Starts receipts, slips and, if the settings name a printer, the print desk. */
export function wirePrinting(deps: KioskDeps, parts: KioskParts): void {
	const { journal, token, clock, log, newId } = deps;
	const { site } = deps.settings;
	const slipTime = slipTimeIn(site.timezone);
	parts.receipts = startReceipts({
		invoices: parts.invoices,
		account: () => token.current()?.account ?? null,
		cardsOf: (key) => journal.cards.ofPayment(key).filter((sale) => sale.state === 'approved'),
		isUnreadable: () => isClosed(journal.trouble()),
		expectLogo: (address) => void deps.printer?.logo(address),
		clock,
		timezone: site.timezone,
	});
	parts.slips = startSlips({
		journal,
		desk: () => parts.printDesk,
		ahass: site.name,
		account: () => token.current()?.account ?? null,
		tanggal: (time) => slipTime(time === undefined ? clock.wall() : new Date(time)),
	});
	parts.printDesk =
		deps.printer &&
		startPrintDesk({
			...deps.printer,
			journal,
			codeOf: deps.codeOf,
			clock,
			log,
			newId,
			notify: (text) => parts.hub.notify(text),
			onPaperTrouble: (trouble) => parts.hub.notify({ type: 'kiosk_printer', trouble }),
		});
}
