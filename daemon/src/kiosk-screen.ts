/** The screens' live socket. */
import type { LiveText } from '@kiosk/contract/live';
import { machineText } from './cash/cash-messages.ts';
import type { Payment } from './journal/records.ts';
import type { KioskDeps, KioskParts } from './kiosk-parts.ts';
import { screenMessages } from './screen/screen-messages.ts';

/**
 * If the screen that opened the acceptor stays disconnected for this long, its cash session ends. A
 * page reload takes less time.
 */
const SCREEN_LOST_MS = 15_000;

/**
 * Sends a message to the screens. The message contains only an id, which may later mean another
 * invoice. If `about` is given, the message is sent only while its id still means this payment.
 */
export function notifyAbout({ hub, invoices }: KioskParts, text: LiveText, about?: Payment): void {
	if (!about || invoices.isMeant(about)) hub.notify(text);
}

/**
 * @returns the printer's state for a newly connected screen. If the settings name no printer, the
 * browser prints, and the daemon reports no fault
 */
function printerGreeting({ printDesk }: KioskParts): LiveText[] {
	const trouble = printDesk === null ? null : printDesk.paperTrouble();
	// No state is sent before the first check of the queue, so that the screen keeps the state from
	// before a restart.
	return trouble === undefined ? [] : [{ type: 'kiosk_printer', trouble }];
}

/**
 * Starts the screens' live socket. Closes the acceptor if the screen that opened it stays
 * disconnected for `SCREEN_LOST_MS`.
 */
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
		// Only the page that opened the acceptor sees it as ready. At another page a customer would pay
		// the wrong invoice.
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
				// Another page may have opened a payment since.
				if (parts.cash.payingScreen() !== payingAt) return;
				log.event('screen.lost', {});
				parts.cash.closeUnattended();
			});
		},
	});
}
