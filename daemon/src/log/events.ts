/**
 * Every event the daemon logs: its id, its level and a sentence that says what happened and, where there is one, what to do.
 * docs/log-events.md is made from this list; a test keeps it current.
 */
export const EVENTS = {
	'daemon.started': ['info', 'The daemon serves the screen. `address` is its origin.'],
	'daemon.stopping': ['info', 'The daemon was asked to stop; a note in flight is awaited first.'],
	'daemon.address_in_use': ['fatal', 'Another program holds the address in `[screen] listen`. Stop it or change the setting.'],
	'settings.refused': ['fatal', 'The settings file was refused; `problems` says which line to change.'],
	'acceptor.state': ['info', 'What the bill acceptor is doing has changed.'],
	'acceptor.line_lost': ['warn', 'The line to the bill acceptor is gone and is being opened again. Check cable and power if it stays so.'],
	'acceptor.reopened': [
		'warn',
		'The bill acceptor did not answer; its line is opened anew. Check cable, power and that it is in RS-232 (not pulse) mode.',
	],
	'acceptor.odd_byte': ['debug', 'A byte from the bill acceptor had no meaning where it came.'],
	'acceptor.parity_suspected': [
		'warn',
		'The bill acceptor line shows the mark of failed parity checks. Set it to 9600 baud, 8 data bits, even parity.',
	],
	'acceptor.line_notice': ['warn', 'Something about the serial line should be known.'],
	'acceptor.locked': [
		'error',
		'Somebody pulled at a note in the bill acceptor. Cash stays off until staff have looked and said so: kioskctl acceptor unlock.',
	],
	'acceptor.unlocked': ['info', 'A person has allowed cash again; `why` names who and for what reason.'],
	'cash.opened': ['info', 'A customer may insert notes for this invoice.'],
	'cash.closed': ['info', 'The cash screen was left or the invoice is paid; the acceptor is inhibited.'],
	'cash.note_accepted': ['info', 'The intent to take this note is on disk; the acceptor was told to stack it.'],
	'cash.note_credited': ['info', 'The note is in the cashbox and on disk.'],
	'cash.note_returned': ['info', 'The note went back to the customer for `reason`.'],
	'cash.note_in_doubt': ['error', 'Nobody knows whether the cashbox holds this note. Compare with the cashbox and settle it.'],
	'cash.note_unexplained': ['error', 'The acceptor stacked a note that nobody had accepted. Compare with the cashbox and settle it.'],
	'cash.credit_not_recorded': ['error', 'The note is in the cashbox but the journal could not be written; it will be listed as in doubt.'],
	'cash.paid': ['info', 'The invoice is covered. `by` tells who said so.'],
	'journal.unhealthy': ['error', 'The journal cannot be written, so no note is taken. Check the disk; the daemon keeps trying to open it.'],
	'journal.healthy': ['info', 'The journal is open and writable.'],
	'outbox.uploaded': ['info', 'The back office has confirmed the note.'],
	'outbox.waiting': ['warn', 'The back office did not confirm the note; it will be sent again after `retry_ms`.'],
	'back_office.request_failed': ['warn', 'A call to the back office had no answer.'],
	'back_office.not_allowed': ['warn', 'The screen asked for a path that is not on the list of calls; it was not passed on.'],
	'back_office.odd_answer': ['warn', 'An answer of the back office does not fit its contract; `path` names the field.'],
	'socket.connected': ['info', 'The live socket to the back office is open.'],
	'socket.lost': ['warn', 'The live socket to the back office is closed; it is opened again after `retry_ms`.'],
	'socket.odd_message': ['warn', 'A message on the live socket does not fit its contract and was ignored.'],
	'session.logged_in': ['info', 'An outlet account has logged in; its token is kept.'],
	'session.logged_out': ['info', 'The outlet account has logged out; its token is forgotten.'],
	'session.token_refused': ['warn', 'The back office refuses the outlet token. Staff must log in again.'],
	'session.not_stored': ['error', 'The outlet token could not be written; staff must log in again after the next start.'],
	'screen.refused': ['warn', 'A request was refused because of its Host, Origin or token.'],
	'screen.fault': ['error', 'The screen reports a fault of its own, or an answer that does not fit; `detail` names the field.'],
	'screen.promo_missing': ['warn', 'The promo video in `[screen] promo` is not there; the screen shows its still picture.'],
	'screen.lost': ['warn', 'No screen is connected although cash is open; the acceptor is inhibited until it returns.'],
	'print.sent': ['info', 'The receipt was handed to the printer queue.'],
	'print.done': ['info', 'The printer queue says that the receipt is printed.'],
	'print.trouble': ['warn', 'The printer or its queue is in trouble; `reason` says how.'],
	'print.failed': [
		'warn',
		'The receipt was not printed; the job was cancelled so that nobody else gets it later. It can be printed again.',
	],
	'print.leftovers': ['info', 'Jobs left in the queue by an earlier run were cancelled.'],
} as const satisfies Record<string, readonly ['debug' | 'info' | 'warn' | 'error' | 'fatal', string]>;

export type EventId = keyof typeof EVENTS;
