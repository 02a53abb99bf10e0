/** Decides whether the kiosk may restart now or must wait. */
import type { KioskDeps, KioskParts } from './kiosk-parts.ts';
import { restartLease } from './staff/restart-lease.ts';

/** @param stopping whether the daemon is already ending */
export function wireRestart({ clock, log, screenUse }: KioskDeps, parts: KioskParts, stopping: () => boolean): void {
	parts.restart = restartLease({
		clock,
		log,
		timestamp: parts.timestamp,
		use: () => ({
			stopping: stopping(),
			cash: parts.cash.progress(),
			card: parts.card.progress(),
			printing: parts.printDesk?.isPrinting() ?? false,
			sending: parts.outbox.isSending() || parts.approvals.isSending(),
			commissioning: parts.commissioning.isOn(),
			...screenUse(),
		}),
	});
}
