/** Level, what happened, and what to do about it; '' where nothing has to be done. */
type Event = readonly ['debug' | 'info' | 'warn' | 'error' | 'fatal', string, string];

/** Every event the daemon logs. docs/log-events.md and journald's catalogue are made from this list (`make docs`); a test keeps them current. */
export const EVENTS = {
	'daemon.started': ['info', 'The daemon serves the screen. `address` is its origin.', ''],
	'daemon.stopping': ['info', 'The daemon was asked to stop; a note in flight is awaited first.', ''],
	'daemon.notify_failed': [
		'warn',
		'systemd could not be told that the daemon is well.',
		'Nothing at once; when it stays so, systemd starts the daemon anew. Check that systemd-notify is installed and the unit has NotifyAccess=all.',
	],
	'daemon.address_in_use': [
		'fatal',
		'Another program holds the address in `[screen] listen`.',
		'Stop it (`ss -ltnp` names it) or change the setting.',
	],
	'daemon.already_runs': [
		'fatal',
		'Another kiosk daemon uses the same journal or state; `reason` names it. This one changed nothing and ended.',
		'Stop the other one (`systemctl stop kioskd`, or Ctrl-C where it runs), or start this one with its own `[journal] directory`, `$STATE_DIRECTORY` and `[screen] listen`.',
	],
	'daemon.state_unusable': [
		'fatal',
		'The directory for the state (log-in, keys, staff socket) cannot be used; `reason` says why.',
		'Check `$STATE_DIRECTORY` or `[journal] directory`: is its disk mounted and writable, and does it belong to this user?',
	],
	'settings.refused': [
		'fatal',
		'The settings file was refused.',
		'Change the lines that `problems` names; `kioskctl config check` tries it out.',
	],
	'trace.kept': ['info', 'The last bytes on the line to the device are in `file`, because of `cause`.', ''],
	'trace.failed': ['warn', 'The last bytes on a line could not be kept in a file.', 'Check the disk of the state directory: `df -h`.'],
	'acceptor.state': ['info', 'What the bill acceptor is doing has changed.', ''],
	'acceptor.escrow': ['debug', 'A note lies in escrow; `code` is the one of the note map.', ''],
	'acceptor.line_lost': [
		'warn',
		'The line to the bill acceptor is gone and is being opened again.',
		'Check cable, power and `[acceptor] port` if it stays so.',
	],
	'acceptor.reopened': [
		'warn',
		'The bill acceptor did not answer; its line is opened anew.',
		'Check cable, power and that it is in RS-232 (not pulse) mode.',
	],
	'acceptor.odd_byte': ['debug', 'A byte from the bill acceptor had no meaning where it came.', ''],
	'acceptor.parity_suspected': [
		'warn',
		'The bill acceptor line shows the mark of failed parity checks.',
		'Set it to 9600 baud, 8 data bits, even parity.',
	],
	'acceptor.line_notice': [
		'warn',
		'Damaged bytes on the line to the bill acceptor may go unnoticed; `message` says why.',
		'Check that stty is installed and that the port is a serial one.',
	],
	'acceptor.locked': [
		'error',
		'Somebody pulled at a note in the bill acceptor. Cash stays off until staff have looked and said so.',
		'Look inside, then `kioskctl acceptor unlock`.',
	],
	'acceptor.commissioning': ['info', 'Somebody teaches the bill acceptor its notes; every note comes back and none is credited.', ''],
	'acceptor.unlocked': ['info', 'A person has allowed cash again; `why` names who and for what reason.', ''],
	'cash.opened': ['info', 'A customer may insert notes for this invoice.', ''],
	'cash.closed': ['info', 'The cash screen was left or the invoice is paid; the acceptor is inhibited.', ''],
	'cash.screen_frozen': [
		'warn',
		'Cash is open, and the screen has drawn nothing for a while: no further note is taken until it draws again.',
		'Look at the panel; `journalctl -u kiosk-screen` says whether its browser was started anew.',
	],
	'cash.screen_drawn': ['info', 'The screen draws again; the open payment takes notes as before.', ''],
	'cash.note_accepted': ['info', 'The intent to take this note is on disk; the acceptor was told to stack it.', ''],
	'cash.note_credited': ['info', 'The note is in the cashbox and on disk.', ''],
	'cash.note_returned': ['info', 'The note went back to the customer for `reason`.', ''],
	'cash.note_in_doubt': [
		'error',
		'Nobody knows whether the cashbox holds this note.',
		'Compare with the cashbox and settle it: `kioskctl cash settle`.',
	],
	'cash.note_settled': ['info', 'A person decided what became of a note in doubt; `by` and `why` are in the journal.', ''],
	'cash.found_again': [
		'info',
		'The acceptor named a note that a person had already found in the cashbox, and it can be no other one; nothing changed.',
		'',
	],
	'cash.collected': ['info', 'The cashbox was emptied; a new period begins. `difference`: counted less what was expected.', ''],
	'cash.given_back': ['info', 'Staff paid money back for this invoice; it is no longer received. The journal keeps the name.', ''],
	'invoice.paid_twice': [
		'error',
		'Money came in by more than one way for the same amount; `twice` may belong back to the customer.',
		'Compare with the back office and the slips, then void the card sale or give the money back: kioskctl cash attention.',
	],
	'invoice.dispute': [
		'error',
		'Back office and kiosk contradict each other about this invoice (`why`), so no money is taken for it.',
		'Compare both books; then kioskctl cash give-back or kioskctl cash review.',
	],
	'invoice.total_changed': [
		'info',
		'The back office changed the total of an invoice that is being paid; the screen shows the new one.',
		'',
	],
	'cash.partial_settled': ['info', 'A person has dealt with an invoice that was paid in part.', ''],
	'cash.note_unexplained': [
		'error',
		'The acceptor stacked a note that nobody had accepted.',
		'Compare with the cashbox and settle it: `kioskctl cash settle`.',
	],
	'cash.credit_not_recorded': [
		'error',
		'The note is in the cashbox but the journal could not be written; it will be listed as in doubt.',
		'Free or repair the disk, then compare with the cashbox and settle it.',
	],
	'cash.paid': ['info', 'The invoice is covered. `by` tells who said so.', ''],
	'edc.line_lost': [
		'warn',
		'The line to the card terminal is gone and is being opened again.',
		'Check cable, power and `[edc] port` if it stays so.',
	],
	'edc.line_notice': [
		'warn',
		'Damaged bytes on the line to the card terminal may go unnoticed; `message` says why.',
		'Check that stty is installed and that the port is a serial one.',
	],
	'edc.sent': ['info', 'The card terminal was asked for something; `send` above 1 means that it refused the request before.', ''],
	'edc.refused': [
		'warn',
		'The card terminal refused a request as damaged (NAK); it is sent again.',
		'If it happens often, check speed, parity and cable.',
	],
	'edc.answer': ['info', 'The card terminal answered; `meaning` explains its code. Without `request_id` nobody had asked for this.', ''],
	'edc.repeated': ['info', 'The card terminal said an answer again; it counts once.', ''],
	'edc.damaged': [
		'warn',
		'An answer of the card terminal arrived damaged and it was asked to say it again.',
		'If it happens often, check speed, parity and cable.',
	],
	'edc.silent': [
		'error',
		'The card terminal did not answer: what became of the request is unknown until it does or staff have looked.',
		'`kioskctl edc unknown` says what to compare and how to settle it.',
	],
	'edc.unanswered': [
		'warn',
		'The card terminal has not said a byte since its line opened, nor to this sale: it never began. A late answer would reopen it.',
		'Check that the terminal is switched on, in its ECR menu, and its cable.',
	],
	'edc.odd_version': [
		'warn',
		'The card terminal answers in another ECR version than `[edc] version`; it is understood all the same.',
		'Set `[edc] version` to what the terminal says.',
	],
	'edc.discarded': ['debug', 'Bytes from the card terminal had no meaning where they came.', ''],
	'edc.trace': ['debug', 'Bytes on the line to the card terminal: control bytes in hex, the number of all others.', ''],
	'card.terminal': ['info', 'What the card terminal is doing has changed.', ''],
	'card.refused': ['info', 'The screen asked for a card sale that may not begin, for `reason`; nothing was asked of the terminal.', ''],
	'card.sent': ['info', 'The intent of this card sale is on disk; the terminal is asked for it.', ''],
	'card.approved': ['info', 'The terminal approved the card sale, and that is on disk. `late`: after it had been unknown.', ''],
	'card.declined': ['info', 'The terminal declined the card sale with `code`; no money moved.', ''],
	'card.not_begun': [
		'warn',
		'The terminal never had the request of this card sale; no money moved.',
		'Check that the terminal is switched on, in its ECR menu, and its cable.',
	],
	'card.unknown': [
		'error',
		'Nobody knows whether the card was charged. No card is taken until the terminal says it late or staff settle it.',
		'`kioskctl edc unknown` says what to compare and how to settle it.',
	],
	'card.not_recorded': [
		'error',
		'The end of a card sale could not be written; the sale is unknown until the journal is back. The terminal is not acknowledged.',
		'Free or repair the disk of the journal.',
	],
	'card.unexplained': [
		'error',
		'The terminal told of a charge that the kiosk had not asked for.',
		'Compare its slips and settle it: `kioskctl edc unknown`.',
	],
	'card.evidence': [
		'warn',
		'The terminal said something about a sale that had ended or is unknown.',
		'`kioskctl edc unknown` shows it beside the sale.',
	],
	'card.answer_ignored': ['info', 'An answer of the terminal was acknowledged and changed nothing, because `why`.', ''],
	'card.inquiry': ['info', 'The terminal is asked about an unknown sale.', ''],
	'card.settled': ['info', 'A person decided what became of an unknown card sale; `by` and `why` are in the journal.', ''],
	'card.staff_asked': ['info', 'Staff ask the terminal for a void or a settlement; that is on disk.', ''],
	'card.staff_answered': ['info', 'What staff asked of the terminal has ended with `outcome`.', ''],
	'card.approval_sent': ['info', 'The back office has the approval of this card sale.', ''],
	'card.approval_waiting': [
		'warn',
		'The approval of a card sale waits for the live socket; it is sent as soon as that is open.',
		'Check network and login if it stays so; nothing is lost.',
	],
	'transfer.opened': ['info', 'A QRIS code or virtual account of the back office is open for an invoice that was looked up here.', ''],
	'transfer.paid': [
		'info',
		'The back office says that an invoice is paid whose code or account was open here. Its money is in the owner’s books.',
		'',
	],
	'transfer.closed': [
		'info',
		'The code or account of an invoice was cancelled, has expired, or the invoice was paid at the kiosk in another way.',
		'',
	],
	'transfer.not_kept': [
		'warn',
		'Which codes and accounts are open could not be written; after a restart one may be counted twice or not at all.',
		'Check the disk of the state directory: `df -h`. No money depends on it.',
	],
	'journal.unhealthy': [
		'error',
		'The journal cannot be written, so no note is taken. The daemon keeps trying to open it.',
		'Check the disk: `df -h`, `dmesg`. Damaged or gone: docs/cash-day.md, "When the journal is refused".',
	],
	'journal.set_aside': [
		'warn',
		'A person has set a journal aside that could not be used and begun a new one. The daemon ends and starts anew.',
		'Keep the old one, which is in `folder`: it is the proof of what was paid.',
	],
	'journal.resealed': [
		'warn',
		'A person has accepted the journal although its key was lost; a new key seals what follows.',
		'Find out how the key was lost, and compare the cashbox and the back office with the journal.',
	],
	'journal.key_exposed': [
		'warn',
		'Other users of this machine could read the key that seals the journal; its file is for its owner alone now.',
		'Find out who changed it. If you do not trust those users: stop the kiosk, remove `file`, start it, `kioskctl journal reseal`.',
	],
	'journal.healthy': ['info', 'The journal is open and writable.', ''],
	'outbox.uploaded': ['info', 'The back office has confirmed the note.', ''],
	'outbox.parked': [
		'error',
		'The back office refused this note five times; it waits for staff, and later notes are sent.',
		'Read `reason`, then resend the note, book it by hand or move it to another invoice: kioskctl cash parked.',
	],
	'outbox.call_unknown': [
		'error',
		'The back office does not know the call for notes, so cash is closed for new payments.',
		'Compare `[back_office.paths] cash_notification` with the server; kioskctl network check shows its answer.',
	],
	'outbox.waiting': [
		'warn',
		'The back office did not confirm the note; it will be sent again after `retry_ms`.',
		'Check what `reason` says if it stays so; nothing is lost.',
	],
	'back_office.request_failed': [
		'warn',
		'A call to the back office had no answer.',
		'Check network, DNS, clock and `[back_office] url`; `reason` says which.',
	],
	'back_office.not_allowed': [
		'warn',
		'The screen asked for a path that is not on the list of calls; it was not passed on.',
		'Compare `path` with `[back_office] paths`.',
	],
	'back_office.odd_answer': [
		'warn',
		'An answer of the back office does not fit its contract; `path` names the field.',
		'Show it to the owner’s server team, with docs/back-office.md.',
	],
	'socket.connected': ['info', 'The live socket to the back office is open.', ''],
	'socket.lost': [
		'warn',
		'The live socket to the back office is closed; it is opened again after `retry_ms`.',
		'Check network and `[back_office] socket_url` if it stays so.',
	],
	'socket.odd_message': [
		'warn',
		'A message on the live socket does not fit its contract and was ignored.',
		'Show it to the owner’s server team; `from` is left out where it came from their server.',
	],
	'session.logged_in': ['info', 'An outlet account has logged in; its token is kept.', ''],
	'session.logged_out': ['info', 'The outlet account has logged out; its token is forgotten.', ''],
	'session.money_waits': [
		'warn',
		'An outlet logs in while `count` notes of another account wait to be sent; staff are told before it happens.',
		'Log the other account in once more while the network is up, so that its money is sent.',
	],
	'session.of_other_server': [
		'warn',
		'The stored log-in belongs to another back office (`server`) or certificate authority, so it is not used. Money for it waits.',
		'Log in to the new back office, or restore the old settings to send what waits.',
	],
	'session.token_refused': ['warn', 'The back office refuses the outlet token.', 'Staff must log in again on the screen.'],
	'session.not_stored': [
		'error',
		'The outlet token could not be written; staff must log in again after the next start.',
		'Check the disk of the state directory: `df -h`.',
	],
	'screen.refused': [
		'warn',
		'A request was refused because of its Host, Origin or token.',
		'Reach the kiosk by exactly the address in `[screen] listen`.',
	],
	'screen.fault': [
		'error',
		'The screen reports a fault of its own, or an answer that does not fit; `detail` names the field.',
		'Tell the makers of the kiosk what `detail` says; the screen begins again by itself.',
	],
	'screen.promo_missing': [
		'warn',
		'The promo video in `[screen] promo` is not there; the screen shows its still picture.',
		'Put the file there or correct the setting.',
	],
	'film.kept': ['info', 'The promo film that the back office names is on disk and on the screen.', ''],
	'film.removed': ['info', 'The back office names no promo film any more; the kept one is removed.', ''],
	'film.failed': [
		'warn',
		'The promo film could not be asked for or fetched; the one before stays. It is tried again after `retry_ms`.',
		'Check that the address which the back office names can be reached from the kiosk.',
	],
	'screen.lookups_paused': [
		'warn',
		'Several look-ups in a row found no invoice; further ones are refused for `pause_ms`, so that nobody tries numbers through.',
		'Nothing; when it happens often, look who stands at the kiosk.',
	],
	'screen.picture_failed': [
		'warn',
		'A picture that the back office names could not be fetched from `host`; the screen does without it.',
		'Check that the kiosk reaches `host`.',
	],
	'screen.lost': [
		'warn',
		'No screen is connected although cash is open; the acceptor is inhibited until it returns.',
		'Look at the screen; `journalctl -u kiosk-screen` says why its browser ended.',
	],
	'print.sent': ['info', 'The receipt was handed to the printer queue.', ''],
	'print.done': ['info', 'The printer queue says that the receipt is printed.', ''],
	'print.trouble': [
		'warn',
		'The printer or its queue is in trouble; `reason` says how.',
		'Check paper, cover, cable and the queue: `lpstat -p`.',
	],
	'print.failed': [
		'warn',
		'The receipt was not printed; the job was cancelled so that nobody else gets it later.',
		'Mend what `reason` names; the receipt can be printed again.',
	],
	'print.leftovers': ['info', 'Jobs left in the queue by an earlier run were cancelled.', ''],
} as const satisfies Record<string, Event>;

export type EventId = keyof typeof EVENTS;

/** @returns what happened and what to do about it, in one line */
export const sentenceOf = (id: EventId): string => EVENTS[id].slice(1).filter(Boolean).join(' ');
