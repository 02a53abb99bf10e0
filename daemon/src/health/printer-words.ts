/** What the print desk's short reasons mean, and what to do. */
export const PRINTER_WORDS: Readonly<Record<string, readonly [why: string, remedy: string]>> = {
	paper_out: ['the printer has no paper', 'Put a new roll in. The receipt can be printed again from the staff list.'],
	cover_open: ['the printer’s cover is open', 'Close the cover until it clicks.'],
	paper_jam: ['paper is jammed', 'Open the cover and take the torn paper out.'],
	offline: ['CUPS cannot reach the printer', 'Check that the printer is on, and its cable: lpstat -p; kioskctl devices.'],
	queue_unreachable: [
		'CUPS, the print service, does not answer at this address',
		'Is it running (systemctl status cups)? Is [printer] uri its address?',
	],
	queue_missing: [
		'CUPS has no queue of this name',
		'Check the name in [printer] uri against lpstat -v; config/cups/ says how a queue is made.',
	],
	refused: ['the queue refuses jobs', 'Look at lpstat -a receipt; cupsaccept receipt allows them again.'],
	paused: ['the queue is stopped', 'cupsenable receipt starts it; lpstat -p says why it stopped.'],
	held: ['the queue keeps jobs back after an error', 'Look at lpstat -p receipt; switch the printer off and on.'],
	timeout: [
		'the last receipt did not come out in time',
		'Look at the printer: power, cable, paper, cover. Then print a sample: kioskctl printer test.',
	],
	stopping: ['the kiosk was stopped while it printed', 'Print a sample and look: kioskctl printer test.'],
	aborted: ['CUPS gave the last receipt up', 'Its reason stands in CUPS’ own log: journalctl -u cups.'],
	canceled: ['somebody has cancelled the last receipt', 'Print a sample and look: kioskctl printer test.'],
	lost: ['CUPS forgot the last receipt', 'It was restarted or cleaned; print a sample: kioskctl printer test.'],
	not_drawn: ['the last receipt could not be drawn', 'Look at the log: kioskctl logs --part print.'],
};
