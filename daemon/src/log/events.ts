/** Level, meaning and remedy; the remedy is '' if no action is needed. */
type Event = readonly ['debug' | 'info' | 'warn' | 'error' | 'fatal', string, string];

/**
 * Every event the daemon logs. `make docs` generates docs/reference/log-events.md and journald's catalogue
 * from this table; a test fails when they are out of date.
 */
export const EVENTS = {
	'daemon.service_address_in_use': [
		'warn',
		'The port for technicians and monitoring is in use; the kiosk runs without /health and /metrics on it.',
		'Set `[screen] service_listen` to a free port. Until then `kioskctl health` shows the same report.',
	],
	'daemon.started': ['info', 'The daemon serves the screen. `address` is its origin.', ''],
	'daemon.stopping': ['info', 'The daemon was asked to stop; it first waits for a note that is being stacked.', ''],
	'daemon.notify_failed': [
		'warn',
		'The watchdog message to systemd could not be sent.',
		'If it repeats, systemd restarts the daemon: check that systemd-notify is installed and that the unit has NotifyAccess=all.',
	],
	'daemon.address_in_use': [
		'fatal',
		'Another program uses the address in `[screen] listen`.',
		'Stop that program (`ss -ltnp` names it) or change the setting.',
	],
	'daemon.already_runs': [
		'fatal',
		'Another kiosk daemon uses the same journal or state directory; `reason` names it. This daemon changed nothing and exited.',
		'Stop the other daemon (`systemctl stop kioskd`, or Ctrl-C in its terminal), or start this one with its own `[journal] directory`, `$STATE_DIRECTORY` and `[screen] listen`.',
	],
	'daemon.state_unusable': [
		'fatal',
		'The state directory (log-in, keys, staff socket) cannot be used; `reason` says why.',
		'Check `$STATE_DIRECTORY` or `[journal] directory`: its disk must be mounted and writable, and the daemon’s user must own it.',
	],
	'settings.refused': [
		'fatal',
		'The settings file was refused.',
		'Correct the lines named in `problems`; `kioskctl config check` checks the file.',
	],
	'settings.sealed': ['info', 'The settings that decide where money goes were accepted at the first start.', ''],
	'settings.changed': [
		'warn',
		'Settings that decide where money goes differ from the accepted ones; `settings` names them. Cash stays closed.',
		'Compare them with the owner’s order, then run `kioskctl setup confirm --by NAME`.',
	],
	'settings.confirmed': ['info', 'The changed settings in `settings` were confirmed by the person in `by`. Cash opens again.', ''],
	'settings.seal_not_stored': [
		'warn',
		'The digests of the accepted settings could not be saved; the next start may ask for confirmation again.',
		'Check the disk of the state directory: `df -h`.',
	],
	'trace.kept': ['info', 'The last bytes on the line to the device were saved in `file`, because of `cause`.', ''],
	'trace.failed': ['warn', 'The last bytes on a line could not be saved.', 'Check the disk of the state directory: `df -h`.'],
	'rehearsal.begun': [
		'info',
		'A technician (`by`) begins the rehearsal `name` of a hardware fault; all bytes of the lines are recorded.',
		'',
	],
	'rehearsal.ended': ['info', 'A rehearsal has its `verdict`; `file` is its signed recording.', ''],
	'rehearsal.abandoned': ['warn', 'A rehearsal ended without a verdict; `why` gives the reason.', 'Begin it again: `kioskctl rehearse`.'],
	'acceptor.state': ['info', 'The state of the bill acceptor has changed.', ''],
	'acceptor.escrow': ['debug', 'A note is in escrow; `code` is its code in the note map.', ''],
	'acceptor.line_lost': [
		'warn',
		'The line to the bill acceptor was lost; the daemon keeps trying to reopen it.',
		'If it does not come back: check cable, power and `[acceptor] port`.',
	],
	'acceptor.reopened': [
		'warn',
		'The bill acceptor did not answer; its line is closed and reopened.',
		'Check its cable and power, and that it is in RS-232 mode (not pulse).',
	],
	'acceptor.odd_byte': ['debug', 'The bill acceptor sent a byte that was not expected at this point.', ''],
	'acceptor.parity_suspected': [
		'warn',
		'The bill acceptor line probably has the wrong parity; `sign` names the symptom.',
		'Set the line to 9600 baud, 8 data bits, even parity.',
	],
	'acceptor.parity_right': ['info', 'A complete escrow message arrived from the bill acceptor: its parity is correct.', ''],
	'acceptor.line_notice': [
		'warn',
		'Parity checking is not active on the bill acceptor line, so damaged bytes may go undetected; `message` says why.',
		'Check that stty is installed and that `[acceptor] port` is a serial port.',
	],
	'acceptor.locked': [
		'error',
		'A note in the bill acceptor was pulled back (manipulation attempt). Cash stays off until staff unlock it.',
		'Inspect the unit, then run `kioskctl acceptor unlock`.',
	],
	'acceptor.rush': [
		'error',
		'The bill acceptor reports notes faster than it can move them; the reports are only counted, and no note is taken until they stop.',
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
		'Count the box and run `kioskctl cash collected`. If staff did not remove it, go to the kiosk at once.',
	],
	'acceptor.box_returned': ['info', 'A cashbox is back in the bill acceptor.', ''],
	'acceptor.commissioning': ['info', 'The note codes are being learned (commissioning); every note is returned and none is credited.', ''],
	'acceptor.unlocked': ['info', 'Staff unlocked cash; `why` gives the name and the reason.', ''],
	'cash.opened': ['info', 'A customer may insert notes for this invoice.', ''],
	'cash.closed': ['info', 'The cash payment ended: the customer left the screen or the invoice is paid. The acceptor is inhibited.', ''],
	'cash.screen_frozen': [
		'warn',
		'A cash payment is open, but the screen is gone, shows another page or has stopped drawing. No further note is taken until it draws the payment page again.',
		'Look at the panel; `journalctl -u kiosk-screen` shows whether the browser was restarted.',
	],
	'cash.screen_drawn': ['info', 'The screen draws again; the open payment takes notes as before.', ''],
	'cash.note_accepted': ['info', 'The intent to take this note is on disk; the acceptor was told to stack it.', ''],
	'cash.note_credited': ['info', 'The note is in the cashbox and its credit is on disk.', ''],
	'cash.note_returned': ['info', 'The note was returned to the customer for `reason`.', ''],
	'cash.note_in_doubt': [
		'error',
		'It is unknown whether this note is in the cashbox.',
		'Compare with the cashbox and settle the note: `kioskctl cash settle`.',
	],
	'cash.note_settled': ['info', 'Staff settled a note in doubt with `outcome`; `by` and `why` are in the journal.', ''],
	'cash.found_again': ['info', 'The acceptor reported a note that staff had already settled as found in the cashbox; nothing changed.', ''],
	'cash.collected': ['info', 'The cashbox was emptied; a new period begins. `difference`: counted minus expected amount.', ''],
	'cash.counted': [
		'info',
		'Staff counted the cashbox on the screen for the `times`-th time. `difference`: counted minus expected amount, rupiah. It is not saved yet.',
		'',
	],
	'staff.names_changed': [
		'info',
		'The staff name `name` was added, retired, or given another personal code; the supervisor `by` approved.',
		'',
	],
	'staff.names_cleared': [
		'warn',
		'A technician removed all names of staff. The next person added on the staff screen becomes the supervisor.',
		'If this was not agreed with the owner, find out who logged in: `journalctl -u ssh`.',
	],
	'staff.names_damaged': [
		'error',
		'The list of staff names cannot be read and was set aside as `file`. The next person added on the staff screen becomes the supervisor.',
		'Let the supervisor add the names again at once. Check the disk of the state directory.',
	],
	'staff.called': [
		'warn',
		'A customer pressed “Panggil staf” on `screen`; `invoice` is the one on the screen, if any. Further presses change nothing while the call is open.',
		'Go to the kiosk. The staff screen behind the PIN ends the call, `kioskctl staff answer --by NAME` too.',
	],
	'staff.call_answered': ['info', 'Staff answered the customer’s call, after `waited_ms`.', ''],
	'staff.call_expired': [
		'warn',
		'The customer’s call ended without staff after `waited_ms`; the next customer can call.',
		'Watch the health mark on the home screen, or have the owner’s monitoring send calls to a telephone (`KioskStaffCalled`).',
	],
	'staff.code_refused': [
		'warn',
		'A wrong personal code was entered for `name`, `in_a_row` times in a row; the next one is accepted after `wait_ms`.',
		'None after a typing error. If it repeats, watch the kiosk: a person may be guessing codes.',
	],
	'cash.given_back': ['info', 'Staff gave money back for this invoice; it no longer counts as received. The journal records the name.', ''],
	'invoice.paid_twice': [
		'error',
		'Money was received more than once for the same amount; up to `twice` rupiah may have to go back to the customer.',
		'Compare with the back office and the slips, then void the card sale or give the money back: `kioskctl cash attention`.',
	],
	'invoice.dispute': [
		'error',
		'Back office and kiosk disagree about this invoice (`why`), so no money is taken for it.',
		'Compare both books, then run `kioskctl cash give-back` or `kioskctl cash review`.',
	],
	'invoice.total_changed': [
		'info',
		'The back office changed the total of an invoice that is being paid; the screen shows the new one.',
		'',
	],
	'invoice.reviewed': ['info', 'Staff compared both books and confirmed the back office: this invoice is not paid.', ''],
	'cash.partial_settled': ['info', 'Staff took an invoice that was paid in part or twice off the list.', ''],
	'cash.note_unexplained': [
		'error',
		'The acceptor stacked a note without being told to accept it.',
		'Compare with the cashbox and settle the note: `kioskctl cash settle`.',
	],
	'cash.credit_not_recorded': [
		'error',
		'The note is in the cashbox, but its credit could not be written to the journal; it will be listed as in doubt.',
		'Free or repair the disk, then compare with the cashbox and settle the note: `kioskctl cash settle`.',
	],
	'cash.paid': ['info', 'The invoice is paid. `by`: whether the back office or the kiosk itself decided it.', ''],
	'edc.line_lost': [
		'warn',
		'The line to the card terminal was lost; the daemon keeps trying to reopen it.',
		'If it does not come back: check cable, power and `[edc] port`.',
	],
	'edc.line_notice': [
		'warn',
		'Parity checking is not active on the card terminal line, so damaged bytes may go undetected; `message` says why.',
		'Check that stty is installed and that `[edc] port` is a serial port.',
	],
	'edc.sent': ['info', 'A request was sent to the card terminal; `send` above 1: it was repeated after a NAK.', ''],
	'edc.refused': [
		'warn',
		'The card terminal refused a request as damaged (NAK); it is sent again.',
		'If it happens often, check speed, parity and cable.',
	],
	'edc.answer': [
		'info',
		'The card terminal answered; `meaning` explains its code. Without `request_id` the answer belongs to no request.',
		'',
	],
	'edc.repeated': ['info', 'The card terminal repeated an answer; it counts once.', ''],
	'edc.damaged': [
		'warn',
		'A response of the card terminal arrived damaged; the terminal was asked to repeat it (NAK).',
		'If it happens often, check speed, parity and cable.',
	],
	'edc.silent': [
		'error',
		'The card terminal did not answer: the outcome of the request is unknown until it answers or staff settle it.',
		'Run `kioskctl edc unknown`; it shows what to compare and how to settle it.',
	],
	'edc.unanswered': [
		'warn',
		'The card terminal has not sent a byte since its line was opened, so this sale never began. A late answer would reopen it.',
		'Check the cable, that the terminal is switched on and that it is in its ECR menu.',
	],
	'edc.odd_version': [
		'warn',
		'The card terminal answers in another ECR version than `[edc] version`; its answers are still understood.',
		'Set `[edc] version` to the version that the terminal reports.',
	],
	'edc.discarded': ['debug', 'The card terminal sent bytes that were not expected at this point.', ''],
	'edc.trace': ['debug', 'Bytes on the line to the card terminal: control bytes in hex, all other bytes as a count.', ''],
	'card.terminal': ['info', 'The state of the card terminal has changed.', ''],
	'card.refused': ['info', 'The kiosk refused to start a card sale, for `reason`; nothing was sent to the terminal.', ''],
	'card.sent': ['info', 'The intent of this card sale is on disk; the sale is sent to the terminal.', ''],
	'card.approved': ['info', 'The terminal approved the card sale; the approval is on disk. `late`: the sale was unknown before.', ''],
	'card.declined': ['info', 'The terminal declined the card sale with `code`; no money moved.', ''],
	'card.not_begun': [
		'warn',
		'The request of this card sale never reached the terminal; no money moved.',
		'Check the cable, that the terminal is switched on and that it is in its ECR menu.',
	],
	'card.unknown': [
		'error',
		'It is unknown whether the card was charged. No card is taken until the terminal answers late or staff settle the sale.',
		'Run `kioskctl edc unknown`; it shows what to compare and how to settle the sale.',
	],
	'card.not_recorded': [
		'error',
		'The outcome of a card sale could not be written; the sale is unknown until the journal works again. The terminal gets no ACK.',
		'Free space on the journal’s disk (`df -h`) or repair it.',
	],
	'card.unexplained': [
		'error',
		'The terminal reported a charge that the kiosk had not requested.',
		'Compare the terminal’s slips and settle the charge: `kioskctl edc unknown`.',
	],
	'card.evidence': [
		'warn',
		'The terminal reported something about a sale that had ended or is unknown.',
		'Run `kioskctl edc unknown`; it shows the report next to the sale.',
	],
	'card.answer_ignored': ['info', 'An answer of the terminal was acknowledged and changed nothing, because `why`.', ''],
	'card.inquiry': ['info', 'The kiosk asks the terminal about an unknown sale.', ''],
	'card.settled': ['info', 'Staff settled an unknown card sale; `by` and `why` are in the journal.', ''],
	'card.staff_asked': ['info', 'Staff requested a void or a settlement at the terminal; the request is on disk.', ''],
	'card.staff_answered': ['info', 'The request of staff to the terminal ended with `outcome`.', ''],
	'card.approval_sent': ['info', 'The back office has received the approval of this card sale.', ''],
	'card.approval_waiting': [
		'warn',
		'The approval of a card sale waits for the live socket and is sent as soon as it is open.',
		'If it does not clear: check the network and that the outlet is logged in. Nothing is lost.',
	],
	'transfer.opened': ['info', 'The back office opened a QRIS code or virtual account for an invoice that was looked up at this kiosk.', ''],
	'transfer.paid': [
		'info',
		'The back office reports payment by a QRIS code or virtual account opened at this kiosk. The money is in the owner’s books, not in this kiosk’s.',
		'',
	],
	'transfer.closed': [
		'info',
		'The QRIS code or virtual account was cancelled or has expired, or the invoice was paid at the kiosk by another method.',
		'',
	],
	'transfer.not_kept': [
		'warn',
		'The list of open QRIS codes and virtual accounts could not be saved; after a restart the metrics may count one twice or not at all.',
		'Check the disk of the state directory: `df -h`. No money is affected.',
	],
	'journal.anchor': [
		'info',
		'The newest record of the journal, its hash, and the notes that the cashbox of this period should hold. `kioskctl journal verify --against FILE` compares a journal with these lines.',
		'',
	],
	'journal.anchor_not_sent': [
		'warn',
		'The back office did not accept the newest record of the journal. Nothing is lost: the next one is sent in a quarter of an hour.',
		'If it repeats, compare `[back_office.paths] anchor` with the server.',
	],
	'journal.unhealthy': [
		'error',
		'The journal cannot be written, so no money is taken. The daemon keeps trying to open it.',
		'Check the disk: `df -h`, `dmesg`. If the journal is damaged or missing, follow docs/technician/panduan-teknisi.md, "Jurnal ditolak".',
	],
	'journal.newer': [
		'error',
		'A newer version of the kiosk wrote the journal. This version takes no money and changes nothing; nothing is lost.',
		'Go forward to that version: `kioskctl update status` shows what is installed. Do not set the journal aside.',
	],
	'update.restart_granted': ['info', 'The restart for an update was granted; for `seconds` no payment begins.', ''],
	'update.restart_refused': [
		'info',
		'The restart for an update must wait for `reasons`; repeats with the same reasons are not logged.',
		'',
	],
	'update.restart_given_back': ['info', 'The restart did not take place; payments begin again.', ''],
	'update.restart_lapsed': ['warn', 'The restart was granted and did not follow; payments begin again.', 'See `kioskctl update status`.'],
	'journal.set_aside': [
		'warn',
		'Staff set an unusable journal aside and began a new one. The daemon restarts.',
		'Keep the old journal in `folder`: it is the proof of all earlier payments.',
	],
	'journal.resealed': [
		'warn',
		'Staff accepted the journal although its key was lost; a new key seals all further records.',
		'Find out how the key was lost, and compare cashbox and back office with the journal.',
	],
	'journal.key_exposed': [
		'warn',
		'Other users of this PC could read the key that seals the journal; the daemon has restricted the file to its owner.',
		'Find out who changed the permissions. If you do not trust these users: stop the kiosk, delete `file`, start the kiosk and run `kioskctl journal reseal`.',
	],
	'journal.healthy': ['info', 'The journal is open and writable.', ''],
	'outbox.uploaded': ['info', 'The back office has confirmed the note.', ''],
	'outbox.parked': [
		'error',
		'The back office refused this note five times; it is parked for staff, and later notes are sent.',
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
		'Compare `[back_office.paths] cash_notification` with the server; `kioskctl network check` shows its answer.',
	],
	'outbox.waiting': [
		'warn',
		'The back office did not confirm the note; it is sent again after `retry_ms`.',
		'If it repeats: check the cause named in `reason`. Nothing is lost.',
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
		'Report it to the owner’s server team, with docs/developer/back-office.md.',
	],
	'socket.connected': ['info', 'The live socket to the back office is open.', ''],
	'socket.lost': [
		'warn',
		'The live socket to the back office is closed; it is reopened after `retry_ms`.',
		'If it repeats: check the network and `[back_office] socket_url`.',
	],
	'socket.odd_message': [
		'warn',
		'A message on a live socket does not match its contract and was ignored. Without `from` it came from the back office.',
		'Report it to the owner’s server team if it came from the back office, else to the vendor.',
	],
	'session.logged_in': ['info', 'An outlet account has logged in; its token is saved.', ''],
	'session.logged_out': ['info', 'The outlet account has logged out; its token is deleted.', ''],
	'session.money_waits': [
		'warn',
		'An outlet account logs in while `count` notes of another account are still to be sent; the screen warned staff first.',
		'Log in with the other account again while the network is up, so that its notes are sent.',
	],
	'session.of_other_server': [
		'warn',
		'The saved log-in belongs to another back office (`server`, `socket`) or certificate authority, so it is not used. Notes for that back office wait.',
		'Log in to the new back office, or restore the old settings to send the waiting notes.',
	],
	'session.token_refused': ['warn', 'The back office refuses the outlet token.', 'Log in again on the screen.'],
	'session.stored_unusable': [
		'warn',
		'The saved outlet token cannot be used; the kiosk starts without a log-in.',
		'Log in on the screen. If it happens again, check the disk of the state directory: `df -h`.',
	],
	'session.not_stored': [
		'error',
		'The outlet token could not be saved; staff must log in again after the next start.',
		'Check the disk of the state directory: `df -h`.',
	],
	'screen.sessions_not_stored': [
		'error',
		'The screen’s sessions could not be saved; after a restart of the daemon the browser must be restarted as well.',
		'Check the disk of the state directory: `df -h`.',
	],
	'screen.start_refused': [
		'warn',
		'A browser presented a wrong, used or unexpected start secret and got no session.',
		'Restart the screen with a new secret: `systemctl restart kiosk-screen`.',
	],
	'screen.pin_refused': [
		'warn',
		'A wrong PIN was entered, `in_a_row` times in a row; PIN entry is blocked for `wait_ms`.',
		'None after a typing error. If it repeats, watch the kiosk: a person may be guessing PINs.',
	],
	'screen.pin_not_kept': [
		'warn',
		'The accepted PIN could not be stored: without network staff cannot enter it.',
		'See `disk` in the health report.',
	],
	'screen.pin_tries_not_stored': [
		'error',
		'The count of wrong PINs could not be saved; a restart of the daemon resets it.',
		'Check the disk of the state directory: `df -h`.',
	],
	'screen.refused': [
		'warn',
		'A request was refused because of its Host, Origin or session.',
		'Open the kiosk at exactly the address in `[screen] listen`.',
	],
	'screen.fault': [
		'error',
		'The screen reports an internal error or a response that does not match its contract; `detail` names it.',
		'Report `detail` to the vendor; the screen restarts automatically.',
	],
	'screen.handler_failed': [
		'error',
		'A request to the daemon failed with an exception and was answered with 500. `count`: failures since the start.',
		'Report `error`, `message` and `place` to the vendor.',
	],
	'screen.promo_missing': [
		'warn',
		'The film in `[screen.promo] video` is not played, for `reason`; the screen shows its still picture.',
		'Put an MP4 or WebM film into the folder `promo-films` of the state directory, or correct the setting.',
	],
	'screen.voice_missing': [
		'warn',
		'`[screen] voice` is on, but this build has no recordings of the spoken guidance; the kiosk does not speak.',
		'Build where the Debian packages espeak-ng and opus-tools are installed, or set `voice = false`.',
	],
	'film.kept': ['info', 'The promo film named by the back office was downloaded and is shown.', ''],
	'film.removed': ['info', 'The back office no longer names a promo film; the downloaded film is deleted.', ''],
	'film.failed': [
		'warn',
		'The promo film could not be downloaded; the previous one stays. The next attempt is after `retry_ms`.',
		'Check that the kiosk can reach the film’s address, which the back office names.',
	],
	'screen.lookups_paused': [
		'warn',
		'Several look-ups found no invoice; look-ups are refused for `pause_ms`, to prevent phone-number enumeration.',
		'None for a single case. If it repeats, watch the kiosk: a person may be trying phone numbers.',
	],
	'screen.picture_failed': [
		'warn',
		'A picture named by the back office could not be downloaded from `host`; the screen shows none.',
		'Check that the kiosk can reach `host`.',
	],
	'screen.lost': [
		'warn',
		'A cash payment is open but no screen is connected; the acceptor is inhibited until the screen returns.',
		'Look at the screen; `journalctl -u kiosk-screen` shows why the browser ended.',
	],
	'print.sent': ['info', 'The receipt was sent to the printer queue.', ''],
	'print.done': ['info', 'The printer queue reports that the receipt is printed.', ''],
	'print.trouble': [
		'warn',
		'The printer or its queue has a fault; `reason` names it.',
		'Check paper, cover, cable and the queue (`lpstat -p`).',
	],
	'print.failed': [
		'warn',
		'The receipt was not printed; the job was cancelled so that it does not come out later for another customer.',
		'Correct the fault named in `reason`, then print the receipt again from the staff list.',
	],
	'print.leftovers': ['info', 'Jobs left in the queue by an earlier run were cancelled.', ''],
	'print.refused': [
		'info',
		'The screen requested a receipt that was refused; `code` gives the reason: not paid, not known, or too many within a minute.',
		'',
	],
	'print.no_logo': [
		'info',
		'The receipt is printed without the dealer’s logo; `reason` says why.',
		'Ask for a logo as PNG or JPEG, up to 2 MB and 4 million pixels.',
	],
	'slip.key_made': [
		'info',
		'The kiosk made the key that signs its receipts and slips: at its first start, after a factory reset, or instead of a damaged one.',
		'Add the line of `kioskctl key` to the owner’s key list; keep the line of the earlier key for older papers.',
	],
	'slip.key_damaged': [
		'warn',
		'The key that signs receipts and slips was damaged; it is kept as `file` and a new one is made. This kiosk no longer recognises earlier papers.',
		'Check the disk of the state directory. If a backup of the state directory has `slip.key`, stop the kiosk and put it back.',
	],
	'slip.no_key': [
		'error',
		'The key that signs receipts and slips can be neither read nor made; papers are printed without a code.',
		'Check the disk and the permissions of the state directory, then restart the kiosk.',
	],
	'slip.checked': ['info', 'Staff checked the code of a paper on the screen; `verdict` is the answer.', ''],
	'update.step': [
		'info',
		'The updater has come a step further with `version`: downloading, verified, writing, written, restarting or trial.',
		'',
	],
	'update.waiting': ['info', 'A new version waits for its restart; `reason` says for what.', ''],
	'update.good': ['info', 'The new version has proved good and stays.', ''],
	'update.not_yet': ['info', 'A version is offered that this kiosk does not take now; `reason` says why.', ''],
	'update.refused': [
		'error',
		'An update was refused; `reason` says why. The running version is not affected.',
		'Read `text`. A wrong signature or checksum: compare the published files with the release. Too little space: `df -h`.',
	],
	'update.failed': [
		'error',
		'The new version did not prove good after `tries` starts; the previous one runs again. `reason`: `never_drew`, `journal`, `devices`, `cuts`, `verity` or `unknown`.',
		'Stop the roll-out (`hold`) and report `text` to the vendor. The version is tried again when the manifest or a technician says so.',
	],
	'update.rolled_back': ['info', 'A person has returned the kiosk to the previous version.', ''],
	'update.asked': ['info', 'The person in `by` has asked for `what`.', ''],
} as const satisfies Record<string, Event>;

export type EventId = keyof typeof EVENTS;

/** Fields of any event, by name. `Secret` objects print as ***. */
export type LogFields = Readonly<Record<string, unknown>>;

/** @returns meaning and remedy of an event in one line */
export const sentenceOf = (id: EventId): string => EVENTS[id].slice(1).filter(Boolean).join(' ');
