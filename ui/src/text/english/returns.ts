import type { ReturnTexts } from '../returns.ts';

export const returns: ReturnTexts = {
	no_session: 'No cash payment is open. Enter your phone number first.',
	unmapped_note: 'The machine does not know this note. Use another one.',
	note_switched_off: 'This note is not accepted here. Use another one.',
	too_large: 'It is too large for the amount still to pay. Use a smaller note.',
	journal_unhealthy: 'Money records have a problem. Insert no more money, ask staff.',
	journal_newer: 'The kiosk must be updated first. Insert no more money, ask staff.',
	disk_full: 'The kiosk storage is full. Insert no more money, ask staff.',
	unreadable: 'The note was not readable. Smooth it, then insert it again when it says Ready.',
	rejected_by_machine: 'The machine rejected this note. Try again or use another one.',
	decided_too_late: 'The check took too long. Insert it again when it says Ready.',
	screen_frozen: 'The screen had stopped, this note is not counted. Insert it again when it says Ready.',
	settings_unconfirmed: 'Cash is closed, this note is not counted. Ask our staff.',
	closing: 'This payment is closing, this note is not counted. Enter your number again to pay.',
};
