import type { Kiosk } from './kiosk.ts';
import { until } from './until.ts';

/**
 * Inserts a note until the cashbox has it, or until the daemon has accepted it. It inserts a
 * returned note again, as a customer does: the kiosk returns a note that comes while it records the
 * previous note, and, on a busy computer, a note on which it could not decide in time.
 * @param nominal rupiah
 */
export async function feedNote(
	{ acceptor: { device }, daemon }: Pick<Kiosk, 'acceptor' | 'daemon'>,
	nominal: number,
	to: 'cashbox' | 'accepted' = 'cashbox',
): Promise<void> {
	// The previous note must not be counted as this note.
	await until(() => {
		if (device.note !== null) throw new Error(`the previous note is ${device.note.place}`);
	});
	const [stacked, accepted] = [device.stacked.length, daemon.events('cash.note_accepted').length];
	const isStacked = () => device.stacked.length > stacked;
	await until(() => {
		if (to === 'cashbox' ? isStacked() : daemon.events('cash.note_accepted').length > accepted) return;
		// The daemon's log may arrive after the note is in the cashbox.
		if (device.note === null && !isStacked()) device.insert({ nominal });
		throw new Error(`the acceptor takes no note: ${JSON.stringify(daemon.events('cash.note_returned').at(-1))}`);
	});
}
