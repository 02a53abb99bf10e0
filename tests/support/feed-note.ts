import type { Kiosk } from './kiosk.ts';
import { until } from './until.ts';

/**
 * Inserts a note and waits until it is in the cashbox, or until the daemon has accepted it. A
 * returned note is inserted again, as by a customer. The kiosk returns a note that comes while it
 * records the previous note, and a note on which it could not decide in time on a busy computer.
 * @param nominal rupiah
 */
export async function feedNote(
	{ acceptor: { device }, daemon }: Pick<Kiosk, 'acceptor' | 'daemon'>,
	nominal: number,
	to: 'cashbox' | 'accepted' = 'cashbox',
): Promise<void> {
	// Waits until the previous note has left the acceptor, so that it does not count as this note.
	await until(() => {
		if (device.note !== null) throw new Error(`the previous note is ${device.note.place}`);
	});
	const [stacked, accepted] = [device.stacked.length, daemon.events('cash.note_accepted').length];
	const isStacked = () => device.stacked.length > stacked;
	await until(() => {
		if (to === 'cashbox' ? isStacked() : daemon.events('cash.note_accepted').length > accepted) return;
		// Checks the cashbox too, because the daemon's log may arrive later.
		if (device.note === null && !isStacked()) device.insert({ nominal });
		throw new Error(`the acceptor takes no note: ${JSON.stringify(daemon.events('cash.note_returned').at(-1))}`);
	});
}
