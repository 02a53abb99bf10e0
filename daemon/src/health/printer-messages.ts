/** Meaning and remedy of each reason that the print desk reports. */
export const PRINTER_WORDS: Readonly<Record<string, readonly [why: string, remedy: string]>> = {
	paper_out: ['the printer has no paper', 'Put a new roll in. The receipt can be printed again from the staff list.'],
	cover_open: ['the printer’s cover is open', 'Close the cover until it clicks.'],
	paper_jam: ['paper is jammed', 'Open the cover and take the jammed paper out.'],
	offline: ['CUPS cannot reach the printer', 'Check the printer’s power and cable: lpstat -p; kioskctl devices.'],
	queue_unreachable: [
		'CUPS, the print service, does not answer at this address',
		'Check that CUPS runs (systemctl status cups) and that [printer] uri is its address.',
	],
	queue_missing: [
		'CUPS has no queue of this name',
		'Compare the name in [printer] uri with lpstat -v; config/cups/ explains how to create a queue.',
	],
	refused: ['the queue refuses jobs', 'lpstat -a receipt shows the reason; cupsaccept receipt makes it accept jobs again.'],
	paused: ['the queue is stopped', 'lpstat -p shows the reason; cupsenable receipt starts the queue again.'],
	held: ['the queue holds jobs after an error', 'lpstat -p receipt shows the reason; switch the printer off and on.'],
	timeout: [
		'the last receipt did not come out in time',
		'Check the printer’s power, cable, paper and cover. Then print a sample: kioskctl printer test.',
	],
	stopping: ['the kiosk was stopped while it printed', 'Print a sample and check it: kioskctl printer test.'],
	aborted: ['CUPS aborted the last receipt', 'The CUPS log gives the reason: journalctl -u cups.'],
	canceled: ['the last receipt was cancelled in CUPS', 'Print a sample and check it: kioskctl printer test.'],
	lost: ['CUPS lost the last receipt', 'CUPS was restarted or its jobs were deleted. Print a sample: kioskctl printer test.'],
	too_many_prints: [
		'so many printouts waited for the printer that the last one was refused',
		'Correct the fault of the printer, then print the receipt again from the staff list.',
	],
	not_drawn: ['the last receipt could not be rendered', 'The log gives the reason: kioskctl logs --part print.'],
};
