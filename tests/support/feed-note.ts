import type { Kiosk } from './kiosk.ts';
import { until } from './until.ts';

/**
 * Inserts a note and waits until it is in the cashbox or, if `to` is 'accepted', until the daemon
 * has accepted it. If the kiosk returns the note, it is inserted again, as a customer would do. The
 * kiosk returns a note if it is still recording the previous one, or if a busy computer decides too
 * late.
 * @param nominal rupiah
 */
export async function feedNote(
	{ acceptor: { device }, daemon }: Pick<Kiosk, 'acceptor' | 'daemon'>,
	nominal: number,
	to: 'cashbox' | 'accepted' = 'cashbox',
): Promise<void> {
	// Waits until the previous note has left the acceptor, so that only the new note is counted.
	await until(() => {
		if (device.note !== null) throw new Error(`the previous note is ${device.note.place}`);
	});
	const [stacked, accepted] = [device.stacked.length, daemon.events('cash.note_accepted').length];
	const isStacked = () => device.stacked.length > stacked;
	await until(() => {
		if (to === 'cashbox' ? isStacked() : daemon.events('cash.note_accepted').length > accepted) return;
		// The cashbox is checked, too, because the daemon's log line may arrive later than the note.
		if (device.note === null && !isStacked()) device.insert({ nominal });
		throw new Error(`the acceptor takes no note: ${JSON.stringify(daemon.events('cash.note_returned').at(-1))}`);
	});
}
