import type { Kiosk } from './kiosk.ts';
import { until } from './until.ts';

/**
 * Feeds a note until the cashbox has it. A note inserted while the previous one is being recorded
 * is returned; the customer inserts it again.
 * @param nominal rupiah
 */
export async function feedNote({ acceptor: { device }, daemon }: Kiosk, nominal: number): Promise<void> {
	const before = device.stacked.length;
	await until(() => {
		if (device.stacked.length > before) return;
		if (device.note === null) device.insert({ nominal });
		throw new Error(`no note goes in: ${JSON.stringify(daemon.events('cash.note_returned').at(-1))}`);
	});
}
