/** Events of screens, log-ins and staff. */
export const SCREEN_EVENTS = {
	'staff.names_changed': [
		'info',
		'The staff name `staff_name` was added, retired, or given another personal code (`action`). `by` is the supervisor who approved the change; it is empty if the staff PIN alone approved the change, because no supervisor could.',
		'',
	],
	'staff.names_cleared': [
		'warn',
		'A technician removed all staff names. The next person added on the staff screen becomes the supervisor.',
		'If this was not agreed with the owner, find out who logged in: `journalctl -u ssh`.',
	],
	'staff.names_taken_over': [
		'info',
		'The staff names that an earlier version kept in a file (`count` names) are in the journal now; the file is deleted.',
		'',
	],
	'staff.names_carried_over': [
		'warn',
		'The new journal begins with the `count` staff names that record `record` of the previous journal lists. If `is_last` is false, the records after this record are not proved, so later changes may be missing.',
		'If `is_last` is false, let the supervisor check the list on the staff screen or in the output of `kioskctl staff names`.',
	],
	'staff.names_damaged': [
		'error',
		'The staff names that an earlier version kept in `file` cannot be read, so staff cannot act on the staff screen.',
		'Remove the list with `kioskctl staff clear --by NAME`, and let the supervisor add the names again at once.',
	],
	'staff.codes_lost': [
		'error',
		'Personal codes of staff are lost, because `file` is damaged, or is missing, for example after a factory reset.',
		'A supervisor who still has a code gives new codes. If no supervisor has a code, run `kioskctl staff clear --by NAME` and let the supervisor add the names again at once.',
	],
	'staff.called': [
		'warn',
		'A customer pressed “Panggil staf” on `screen`; `invoice` is the displayed invoice, if any. Further presses change nothing while the call is open.',
		'Go to the kiosk. To end the call, open the staff screen with the PIN, or run `kioskctl staff answer --by NAME`.',
	],
	'staff.call_answered': ['info', 'Staff answered the customer’s call, after `waited_ms`.', ''],
	'staff.call_expired': [
		'warn',
		'The customer’s call ended without staff after `waited_ms`; the next customer can call.',
		'Watch the health mark on the home screen, or have the owner’s monitoring send calls to a telephone (`KioskStaffCalled`).',
	],
	'staff.code_refused': [
		'warn',
		'A wrong personal code was entered for `staff_name`. `in_a_row`: consecutive wrong codes; `wait_ms`: time before another code can be entered.',
		'A single typing error needs no action. If this repeats, watch the kiosk: a person may be guessing codes.',
	],
	'session.logged_in': ['info', 'An outlet account has logged in; its token is saved.', ''],
	'session.logged_out': ['info', 'The outlet account has logged out; its token is deleted.', ''],
	'session.money_waits': [
		'warn',
		'An outlet account logs in while `count` notes and card approvals of other accounts are still to be sent; the screen warned staff first.',
		'Log in with the other account again while the network is up, so that its notes and approvals are sent.',
	],
	'session.of_other_server': [
		'warn',
		'The saved log-in belongs to another back office (`server`, `socket`) or certificate authority, so it is not used. Notes for that back office wait.',
		'Confirm the change (`kioskctl setup confirm --by NAME`) and log in to the new back office, or restore the old settings to send the waiting notes.',
	],
	'session.token_refused': ['warn', 'The back office refuses the outlet token.', 'Log in again on the screen.'],
	'session.stored_unusable': [
		'warn',
		'The saved outlet token cannot be used; the kiosk starts without a log-in.',
		'Log in on the screen. If this happens again, check the disk of the state directory: `df -h`.',
	],
	'session.not_stored': [
		'error',
		'The outlet token could not be saved; staff must log in again after the next start.',
		'Check the disk of the state directory: `df -h`.',
	],
	'session.not_removed': [
		'error',
		'The saved outlet token could not be removed after a log-out; the next start logs the outlet in again.',
		'Check the disk of the state directory: `df -h`. Then log out again.',
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
		'A wrong PIN was entered. `in_a_row`: consecutive wrong PINs; `wait_ms`: time before another PIN can be entered.',
		'A single typing error needs no action. If this repeats, watch the kiosk: a person may be guessing PINs.',
	],
	'screen.pin_not_kept': [
		'warn',
		'The accepted PIN could not be stored, so staff cannot use it while the network is down.',
		'See `disk` in the health report.',
	],
	'screen.pin_not_removed': [
		'error',
		'The stored PIN could not be removed after a log-out or after the back office refused it: while the network is down, the kiosk may still accept this PIN.',
		'Check the disk of the state directory: `df -h`.',
	],
	'screen.pin_tries_not_stored': [
		'error',
		'The count of wrong PINs could not be saved; a restart of the daemon resets it.',
		'Check the disk of the state directory: `df -h`.',
	],
	'screen.refused': [
		'warn',
		'A request was refused because of its Host, Origin, session or size; `reason` names the cause.',
		'Open the kiosk at exactly the address in `[screen] listen`. If `reason` begins with `too_large`, report this event to the vendor.',
	],
	'screen.fault': [
		'error',
		'The screen reports an internal error or a response that does not match its contract; `detail` names it.',
		'Report `detail` to the vendor. After an internal error the screen restarts automatically.',
	],
	'screen.handler_failed': [
		'error',
		'A request to the daemon, or a message on a live socket, failed with an exception: the request was answered with status 500, or the socket was closed. `count`: failures since the start.',
		'Report `error`, `message` and `place` to the vendor.',
	],
	'screen.promo_missing': [
		'warn',
		'The film in `[screen.promo] video` is not played; `reason` says why. The screen shows its still picture instead.',
		'Put an MP4 or WebM film into the folder `promo-films` of the state directory, or correct the setting.',
	],
	'screen.voice_missing': [
		'warn',
		'`[screen] voice` is on, but this build has no recordings of the spoken guidance; the kiosk does not speak.',
		'Build on a computer that has the Debian packages espeak-ng and opus-tools, or set `voice = false`.',
	],
	'film.kept': ['info', 'The promo film named by the back office was downloaded and is shown.', ''],
	'film.removed': ['info', 'The back office no longer names a promo film; the downloaded film is deleted.', ''],
	'film.failed': [
		'warn',
		'The promo film could not be downloaded; the previous film stays. The next attempt is after `retry_ms`.',
		'Check that the kiosk can reach the film’s address, which the back office names.',
	],
	'screen.lookups_paused': [
		'warn',
		'Several look-ups found no invoice; look-ups are refused for `pause_ms`, to prevent phone-number enumeration.',
		'A single case needs no action. If this repeats, watch the kiosk: a person may be trying phone numbers.',
	],
	'screen.picture_failed': [
		'warn',
		'A picture named by the back office could not be downloaded from `host`; the screen shows none.',
		'Check that the kiosk can reach `host`.',
	],
	'screen.lost': [
		'warn',
		'The screen of an open cash payment has been disconnected for 15 s, so the payment ends.',
		'Look at the screen; `journalctl -u kiosk-screen` shows why the browser ended.',
	],
} as const;
