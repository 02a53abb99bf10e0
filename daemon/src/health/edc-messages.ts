import type { EdcState } from '@kiosk/contract/live';
import type { PartState } from '../base/part-state.ts';

const CHECK_TERMINAL =
	'Check that the terminal is on, shows its idle screen and is set to ECR, and that [edc] port, baud and parity match the terminal. ' +
	'If it takes sales but does not support echo tests, set [edc] probe = "none".';

/** Health state, meaning and remedy of each terminal state. */
export const EDC_WORDS: Record<EdcState, readonly [state: PartState, text: string, remedy: string]> = {
	not_configured: ['off', 'no [edc] section in the settings', ''],
	disconnected: [
		'fail',
		'the line to the card terminal cannot be opened',
		'Check that the terminal is on; check its cable and [edc] port.',
	],
	starting: ['warn', 'the line is open; the terminal has not answered its echo test yet', CHECK_TERMINAL],
	silent: ['fail', 'cards are off: the line is open and the terminal does not answer', CHECK_TERMINAL],
	ready: ['ok', 'takes cards', ''],
	busy: ['ok', 'busy with a request', ''],
	unresolved: [
		'fail',
		'cards are off: the outcome of a sale is unknown',
		'Compare with the terminal’s slips, then: kioskctl edc settle ATTEMPT --outcome charged|not-charged --by NAME --why TEXT',
	],
	journal_unhealthy: [
		'fail',
		'cards are off: the journal cannot be written',
		'See the part "journal"; cards are accepted again when the journal can be written.',
	],
	journal_newer: [
		'fail',
		'cards are off: a newer version of the kiosk wrote the journal',
		'See the part "journal"; cards are accepted again under that version.',
	],
	disk_full: ['fail', 'cards are off: the disk is nearly full', 'See the part "journal"; cards are accepted again when space is free.'],
};
