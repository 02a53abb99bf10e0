import type { AcceptorState } from '@kiosk/contract/live';
import type { PartState } from '../base/part-state.ts';

/** Health state, meaning and remedy of each acceptor state. */
export const ACCEPTOR_WORDS: Record<AcceptorState, readonly [state: PartState, text: string, remedy: string]> = {
	not_configured: ['off', 'no [acceptor] section in the settings', ''],
	disconnected: ['fail', 'the line to the bill acceptor cannot be opened', 'Check cable, power and [acceptor] port.'],
	starting: ['warn', 'the line is open; no answer yet', 'Wait: units take up to 15 s after power-up.'],
	silent: [
		'fail',
		'the bill acceptor does not answer polls',
		'Check its power, its cable and [acceptor] port, and that its DIP switches are set to RS-232 (ICT, not pulse).',
	],
	garbled: [
		'fail',
		'the bill acceptor sends bytes that have no meaning in its protocol',
		'Set the line to 9600 baud, 8 data bits, even parity, 1 stop bit. If it already has these settings: check cable and ground, and that no other device is on this port.',
	],
	inhibited: ['ok', 'healthy; takes no notes because no cash payment is open', ''],
	ready: ['ok', 'takes notes', ''],
	busy: ['ok', 'takes no note yet: the unit may still report the outcome of the note in doubt', ''],
	motor_failure: ['fail', 'motor failure (20)', 'Open the unit, look for a stuck note, then power it off and on.'],
	rom_checksum: ['fail', 'program checksum error (21)', 'Replace the unit or have it serviced.'],
	bill_jam: ['fail', 'a note is jammed (22)', 'Open the unit, take the note out, close it. kioskctl cash report names its invoice.'],
	bill_removed: ['warn', 'a note was pulled out (23)', 'The fault ends by itself. If it persists, look into the slot.'],
	cashbox_open: ['fail', 'the cashbox is open or missing (24)', 'Push the cashbox in until it clicks.'],
	sensor_problem: [
		'fail',
		'sensor problem (25)',
		'Clean the sensors with a soft dry cloth. If the fault persists, have the unit serviced.',
	],
	communication_failure: ['fail', 'the unit reports communication failure (26)', 'Check the line and its parity.'],
	bill_fish: [
		'fail',
		'cash is locked: a note was pulled back (27), or the previous journal cannot rule that out',
		'Inspect the unit, then unlock it on the staff screen, or: kioskctl acceptor unlock --by NAME --why TEXT',
	],
	stacker_problem: [
		'fail',
		'the cashbox is full or the stacker is stuck (28)',
		'Empty the cashbox (kioskctl cash collected). If it is not full, look for a note in the stacker.',
	],
	note_in_doubt: [
		'fail',
		'a note of the running payment is in doubt',
		'Compare with the cashbox, then settle the note: kioskctl cash report.',
	],
	locked: ['fail', 'cash is locked by staff', 'Unlock it: kioskctl acceptor unlock --by NAME --why TEXT'],
	journal_unhealthy: [
		'fail',
		'cash is off: the journal cannot be written',
		'See the part "journal"; cash opens again when the journal can be written.',
	],
	journal_newer: [
		'fail',
		'cash is off: a newer version of the kiosk wrote the journal',
		'See the part "journal"; cash opens again under that version.',
	],
	disk_full: ['fail', 'cash is off: the disk is nearly full', 'See the part "journal"; cash opens again when space is free.'],
	screen_frozen: [
		'fail',
		'takes no notes: a cash payment is open, and the screen has drawn nothing for a while',
		'Look at the panel. Cash opens again when the screen draws; the browser is restarted after 2 min. If that does not happen: systemctl restart kiosk-screen.',
	],
	settings_unconfirmed: [
		'fail',
		'cash is off: settings have changed and are not confirmed',
		'See the part "settings"; cash opens again after kioskctl setup confirm --by NAME.',
	],
	note_map_missing: [
		'fail',
		'cash is off: [acceptor.notes] is empty',
		'Learn the note codes: kioskctl acceptor commission. It prints the section for the settings file.',
	],
};
