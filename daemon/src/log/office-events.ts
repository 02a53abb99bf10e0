/** Events of the outbox, and of the back office's answers and live socket. */
export const OFFICE_EVENTS = {
	'outbox.uploaded': ['info', 'The back office has confirmed the note.', ''],
	'outbox.parked': [
		'error',
		'The back office refused this note five times, so the note is parked for staff, and later notes are sent.',
		'Read `reason`, then resend the note, book it by hand or move it to another invoice: `kioskctl cash parked`.',
	],
	'outbox.settled_by_staff': [
		'info',
		'Staff resent a parked note, booked it by hand in the back office or moved it to another invoice (`how`); the journal records the name.',
		'',
	],
	'outbox.call_unknown': [
		'error',
		'The back office does not have the call that reports notes, so cash is closed for new payments.',
		'Compare `[back_office.paths] cash_notification` with the server; `kioskctl network check` shows the server’s answer.',
	],
	'outbox.waiting': [
		'warn',
		'The back office did not confirm the note; the kiosk sends the note again after `retry_ms`.',
		'If this repeats, check the cause named in `reason`. Nothing is lost.',
	],
	'back_office.request_failed': [
		'warn',
		'A call to the back office got no answer.',
		'Check network, DNS, clock and `[back_office] url`; `reason` names the cause.',
	],
	'back_office.not_allowed': [
		'warn',
		'The screen requested a path that is not in the list of allowed calls; the request was not forwarded.',
		'Compare `path` with `[back_office] paths`.',
	],
	'back_office.odd_answer': [
		'warn',
		'A response of the back office does not match its contract; `path` names the field.',
		'Report `path` to the owner’s server team; docs/developer/back-office.md describes the contract.',
	],
	'back_office.contradiction': [
		'warn',
		'A response of the back office about this invoice contradicts itself. The kiosk holds no money for the invoice and takes none.',
		'Correct the invoice in the back office.',
	],
	'socket.connected': ['info', 'The live socket to the back office is open.', ''],
	'socket.lost': [
		'warn',
		'The live socket to the back office is closed; the kiosk reopens it after `retry_ms`.',
		'If this repeats, check the network and `[back_office] socket_url`.',
	],
	'socket.odd_message': [
		'warn',
		'A message on a live socket does not match its contract and was ignored. If `from` is missing, the message came from the back office.',
		'If the message came from the back office, report it to the owner’s server team, else to the vendor.',
	],
} as const;
