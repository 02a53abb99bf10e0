import { timestampIn } from './base/site-time.ts';
import { wireCard, wireCash } from './kiosk-money.ts';
import { watchAccount, wireInvoices, wireLink, wireOutbox } from './kiosk-office.ts';
import type { KioskDeps, KioskParts } from './kiosk-parts.ts';
import { wirePrinting } from './kiosk-printing.ts';
import { wireRestart } from './kiosk-restart.ts';
import { wireScreens } from './kiosk-screen.ts';

/** All parts that decide about money. */
export interface Kiosk extends KioskParts {
	/** Ends all sessions; waits for notes and cards in progress. */
	stop(): Promise<void>;
}

/**
 * Creates all parts, from top to bottom, and connects them; used by the daemon and by the
 * simulation.
 */
export function startKiosk(deps: KioskDeps): Kiosk {
	// Parts refer to each other in cycles, so each gets the whole object. While a part starts, it
	// calls only the parts above it.
	const parts = { timestamp: timestampIn(deps.settings.site.timezone) } as KioskParts;
	let stopping = false;
	// A log-in while the journal is closed saves the outlet's name as staff typed it. The journal's
	// earlier spelling replaces it here.
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
