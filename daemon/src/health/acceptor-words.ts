import type { AcceptorState } from '../../contract/live.ts';
import type { PartState } from './health.ts';

/** For a technician: how good the state is, what it means, what to do. */
export const ACCEPTOR_WORDS: Record<AcceptorState, readonly [state: PartState, text: string, remedy: string]> = {
	not_configured: ['off', 'no [acceptor] section in the settings', ''],
	disconnected: ['fail', 'the line to the bill acceptor cannot be opened', 'Check cable, power and [acceptor] port.'],
	starting: ['warn', 'the line is open; no answer yet', 'Units take up to 15 s after power-up.'],
	silent: [
		'fail',
		'the bill acceptor does not answer polls',
		'Check power and cable, that it is set to RS-232 (ICT, not pulse) and that [acceptor] port is the right one.',
	],
	garbled: ['fail', 'the bill acceptor sends bytes without meaning', 'Check the line: 9600 baud, 8 data bits, even parity, 1 stop bit.'],
	inhibited: ['ok', 'healthy; takes no notes because no cash payment is open', ''],
	ready: ['ok', 'takes notes', ''],
	busy: ['ok', 'busy', ''],
	motor_failure: ['fail', 'motor failure (20)', 'Open the unit, look for a stuck note, then power it off and on.'],
	rom_checksum: ['fail', 'program checksum error (21)', 'The unit needs service.'],
	bill_jam: ['fail', 'a note is jammed (22)', 'Open the unit and remove the note.'],
	bill_removed: ['warn', 'a note was pulled out (23)', ''],
	cashbox_open: ['fail', 'the cashbox is open or missing (24)', 'Put the cashbox back.'],
	sensor_problem: ['fail', 'sensor problem (25)', 'Clean the sensors.'],
	communication_failure: ['fail', 'the unit reports communication failure (26)', 'Check the line and its parity.'],
	bill_fish: [
		'fail',
		'somebody pulled at a note on a string (27); cash is locked',
		'Look into the unit, then: kioskctl acceptor unlock --by NAME --why TEXT',
	],
	stacker_problem: ['fail', 'the cashbox is full or the stacker is stuck (28)', 'Empty the cashbox.'],
	note_in_doubt: ['fail', 'a note of the running payment is in doubt', 'Compare with the cashbox and settle it.'],
	locked: ['fail', 'cash is locked by staff', 'Unlock it.'],
	journal_unhealthy: ['fail', 'cash is off: the journal cannot be written', 'See the journal above.'],
	disk_full: ['fail', 'cash is off: the disk is nearly full', 'Free disk space.'],
	note_map_missing: ['fail', 'cash is off: [acceptor.notes] is empty', 'Insert each note once and write the map.'],
};
