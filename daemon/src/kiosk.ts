import { timestampIn } from './base/site-time.ts';
import { wireCard, wireCash } from './kiosk-money.ts';
import { watchAccount, wireInvoices, wireLink, wireOutbox } from './kiosk-office.ts';
import type { KioskDeps, KioskParts } from './kiosk-parts.ts';
import { wirePrinting } from './kiosk-printing.ts';
import { wireRestart } from './kiosk-restart.ts';
import { wireScreens } from './kiosk-screen.ts';

/** All started parts that handle money, screen and printing. */
export interface Kiosk extends KioskParts {
	/** Waits until the notes and card sales in progress have ended, then stops all parts. */
	stop(): Promise<void>;
}

/** Creates and connects all parts. The daemon and the simulation use it. */
export function startKiosk(deps: KioskDeps): Kiosk {
	// Parts refer to each other in cycles, so each part gets the whole object. While a part starts,
	// it may call only the parts that were started before it.
	const parts = { timestamp: timestampIn(deps.settings.site.timezone) } as KioskParts;
	let stopping = false;
	// A log-in while the journal was closed may have saved the outlet's name as staff typed it. Here
	// the spelling in the journal replaces that name.
	deps.token.spellAsBefore(deps.journal.accounts());
	wireRestart(deps, parts, () => stopping);
	wireScreens(deps, parts);
	wireOutbox(deps, parts);
	wireInvoices(deps, parts);
	wireCash(deps, parts);
	wireCard(deps, parts);
	wireLink(deps, parts);
	wirePrinting(deps, parts);
	watchAccount(deps, parts);
	parts.outbox.kick();
	return {
		...parts,
		stop() {
			stopping = true;
			return stopParts(deps, parts);
		},
	};
}

async function stopParts({ journal }: KioskDeps, parts: KioskParts): Promise<void> {
	parts.commissioning.end();
	await Promise.all([parts.cash.leave(), parts.card.leave()]);
	parts.outbox.stop();
	parts.approvals.stop();
	parts.link.stop();
	await parts.printDesk?.stop();
	parts.hub.stop();
	parts.cash.stop();
	parts.card.stop();
	journal.close();
}
