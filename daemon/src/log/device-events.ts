/** Events of acceptor, card terminal and printer, and of rehearsals of their faults. */
export const DEVICE_EVENTS = {
	'rehearsal.begun': [
		'info',
		'A technician (`by`) begins the rehearsal `name` of a hardware fault; all bytes of the lines are recorded.',
		'',
	],
	'rehearsal.ended': ['info', 'A rehearsal has ended with a `verdict`; `file` is its signed recording.', ''],
	'rehearsal.abandoned': [
		'warn',
		'A rehearsal ended without a verdict; `why` gives the reason.',
		'Begin the rehearsal again with `kioskctl rehearse`.',
	],
	'acceptor.state': ['info', 'The state of the bill acceptor has changed.', ''],
	'acceptor.escrow': ['debug', 'A note is in escrow; `code` is its code in the note map.', ''],
	'acceptor.line_lost': [
		'warn',
		'The line to the bill acceptor was lost; the daemon keeps trying to reopen it.',
		'If the line does not come back, check cable, power and `[acceptor] port`.',
	],
	'acceptor.reopened': [
		'warn',
		'The bill acceptor did not answer; its line is closed and reopened.',
		'Check the acceptor’s cable and power, and that it is in RS-232 mode, not in pulse mode.',
	],
	'acceptor.odd_byte': ['debug', 'The bill acceptor sent a byte that was not expected at this point.', ''],
	'acceptor.parity_suspected': [
		'warn',
		'The bill acceptor line probably has the wrong parity; `sign` names the symptom.',
		'Set the line to 9600 baud, 8 data bits, even parity.',
	],
	'acceptor.parity_right': ['info', 'A complete escrow message arrived from the bill acceptor, so the parity of the line is correct.', ''],
	'acceptor.line_notice': [
		'warn',
		'Parity checking is not active on the bill acceptor line, so damaged bytes may go undetected; `message` says why.',
		'Check that stty is installed and that `[acceptor] port` is a serial port.',
	],
	'acceptor.locked': [
		'error',
		'A note in the bill acceptor was pulled back (manipulation attempt). Cash stays off until staff unlock it.',
		'Inspect the unit, then unlock it on the staff screen or with `kioskctl acceptor unlock`.',
	],
	'acceptor.rush': [
		'error',
		'The bill acceptor reports notes faster than it can move them; the reports are only counted, and no note is taken until such reports stop.',
		'Check cable, ground and line settings; then compare the cashbox with `kioskctl cash report`.',
	],
	'acceptor.calm': [
		'info',
		'The implausible reports have stopped. `stacked` and `refused`: number of reported notes that were only counted.',
		'',
	],
	'acceptor.box_removed': [
		'warn',
		'The cashbox was removed from the bill acceptor; a new cashbox period begins.',
		'Count the box and run `kioskctl cash collected`. If staff did not remove the box, go to the kiosk at once.',
	],
	'acceptor.box_returned': ['info', 'A cashbox is back in the bill acceptor.', ''],
	'acceptor.commissioning': ['info', 'The note codes are being learned (commissioning); every note is returned and none is credited.', ''],
	'acceptor.unlocked': ['info', 'Staff unlocked cash; `why` gives the name and the reason.', ''],
	'edc.line_lost': [
		'warn',
		'The line to the card terminal was lost; the daemon keeps trying to reopen it.',
		'If the line does not come back, check cable, power and `[edc] port`.',
	],
	'edc.line_notice': [
		'warn',
		'Parity checking is not active on the card terminal line, so damaged bytes may go undetected; `message` says why.',
		'Check that stty is installed and that `[edc] port` is a serial port.',
	],
	'edc.sent': ['info', 'A request was sent to the card terminal. If `send` is above 1, the request was repeated after a NAK.', ''],
	'edc.refused': [
		'warn',
		'The card terminal refused a request as damaged (NAK). The kiosk sends a request at most three times.',
		'If this happens often, check speed, parity and cable.',
	],
	'edc.answer': [
		'info',
		'The card terminal answered; `meaning` explains its code. If `request_id` is missing, the answer belongs to no request.',
		'',
	],
	'edc.repeated': ['info', 'The card terminal repeated an answer; the answer counts only once.', ''],
	'edc.damaged': [
		'warn',
		'A response of the card terminal arrived damaged; the terminal was asked to repeat it (NAK).',
		'If this happens often, check speed, parity and cable.',
	],
	'edc.silent': [
		'error',
		'The card terminal did not answer. The outcome of the request is unknown until the terminal answers or staff record the outcome.',
		'Run `kioskctl edc unknown`, which shows what to compare and how to settle the sale.',
	],
	'edc.unanswered': [
		'warn',
		'The card terminal has not sent a byte since its line was opened, so this sale counts as not begun. A late answer would reopen the sale.',
		'Check the cable, and that the terminal is switched on and in its ECR menu.',
	],
	'edc.odd_version': [
		'warn',
		'The card terminal answers in another ECR version than `[edc] version`; its answers are still understood.',
		'Set `[edc] version` to the version that the terminal reports.',
	],
	'edc.discarded': ['debug', 'The card terminal sent bytes that were not expected at this point.', ''],
	'edc.trace': ['debug', 'Bytes on the line to the card terminal: control bytes in hex, all other bytes as a count.', ''],
	'print.sent': ['info', 'The printout was sent to the printer queue.', ''],
	'print.done': ['info', 'The printer queue reports that the printout is complete.', ''],
	'print.trouble': [
		'warn',
		'The printer or its queue has a fault; `reason` names it.',
		'Check paper, cover, cable and the queue (`lpstat -p`).',
	],
	'print.failed': [
		'warn',
		'The printout is not complete. If its job was in the queue, the job was cancelled so that it does not come out later for another customer.',
		'Correct the fault named in `reason`, then print the receipt again from the staff list.',
	],
	'print.leftovers': ['info', 'The kiosk cancelled jobs in the printer queue that it no longer follows.', ''],
	'print.refused': [
		'info',
		'The screen requested a receipt that was refused; `code` gives the reason: not paid, unknown payment, or too many within a minute.',
		'',
	],
	'print.no_logo': [
		'info',
		'The receipt is printed without the dealer’s logo; `reason` says why.',
		'Ask for a logo as PNG or JPEG, up to 2 MB and 4 million pixels.',
	],
} as const;
