/** The screens' live socket. */
import type { LiveText } from '@kiosk/contract/live';
import { machineText } from './cash/cash-messages.ts';
import type { Payment } from './journal/records.ts';
import type { KioskDeps, KioskParts } from './kiosk-parts.ts';
import { screenMessages } from './screen/screen-messages.ts';

/**
 * If the session's screen is gone for longer than this, no further note is taken; a reload takes
 * less time.
 */
const SCREEN_LOST_MS = 15_000;

/**
 * Sends a message to the screens. It names only an id, which may mean another invoice later or at
 * another outlet. So a message about a payment is sent only while its id still means that payment.
 */
export function notifyAbout({ hub, invoices }: KioskParts, text: LiveText, about?: Payment): void {
	if (!about || invoices.isMeant(about)) hub.notify(text);
}

/**
 * @returns the printer's state for a newly connected screen. Without a printer in the settings the
 * browser prints; the kiosk does not know the faults of that print and reports none
 */
function printerGreeting({ printDesk }: KioskParts): LiveText[] {
	const trouble = printDesk === null ? null : printDesk.paperTrouble();
	// Before the first check of the queue nothing is reported: the screen may still know the state
	// from before a restart.
	return trouble === undefined ? [] : [{ type: 'kiosk_printer', trouble }];
}

/** Starts the screens' live socket, and closes the acceptor when its screen is gone. */
export function wireScreens(deps: KioskDeps, parts: KioskParts): void {
	const { clock, log } = deps;
	let cancelScreenLost = () => {};
	parts.hub = deps.startHub({
		clock,
		log,
		greeting: () => [
			{ type: 'connection', is_connected: parts.link.isConnected() },
			...deps.greeting(),
			...printerGreeting(parts),
			...parts.cash.greeting(),
			...parts.card.greeting(),
		],
		// Other pages see a closed acceptor: a note inserted there would pay the invoice of the page
		// that opened the acceptor.
		seenBy: (text, session) =>
			text.type === 'machine_ready' && text.is_ready && parts.cash.payingScreen() !== session ? machineText('inhibited') : text,
		onMessage: screenMessages({
			start: (asked) => parts.card.start(asked),
			approve: () => parts.approvals.kick(),
			link: () => parts.link,
			notify: (text) => parts.hub.notify(text),
			log,
		}),
		onCount(connected) {
			cancelScreenLost();
			const payingAt = parts.cash.payingScreen();
			if (payingAt === null || connected.has(payingAt)) return;
			parts.cash.onScreenGone();
			cancelScreenLost = clock.after(SCREEN_LOST_MS, () => {
				log.event('screen.lost', {});
				parts.cash.closeUnattended();
			});
		},
	});
}
