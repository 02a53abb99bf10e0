import type { Kiosk } from './kiosk.ts';
import { until } from './until.ts';

/**
 * Feeds a note until the cashbox has it, or until the daemon has accepted it. As a customer does, it
 * inserts a returned note again: the kiosk returns one that comes while it writes the previous one,
 * and, on a busy machine, one that it could not decide about in time.
 * @param nominal rupiah
 */
export async function feedNote(
	{ acceptor: { device }, daemon }: Pick<Kiosk, 'acceptor' | 'daemon'>,
	nominal: number,
	to: 'cashbox' | 'accepted' = 'cashbox',
): Promise<void> {
	// The previous note must not count as this one.
	await until(() => {
		if (device.note !== null) throw new Error(`the note before is ${device.note.place}`);
	});
	const [stacked, accepted] = [device.stacked.length, daemon.events('cash.note_accepted').length];
	const isStacked = () => device.stacked.length > stacked;
	await until(() => {
		if (to === 'cashbox' ? isStacked() : daemon.events('cash.note_accepted').length > accepted) return;
		// The daemon's log can arrive after the note is in the cashbox.
		if (device.note === null && !isStacked()) device.insert({ nominal });
		throw new Error(`no note goes in: ${JSON.stringify(daemon.events('cash.note_returned').at(-1))}`);
	});
}
