/** Events of the daemon itself: start, settings, journal, byte traces, updates. */
export const SYSTEM_EVENTS = {
	'daemon.service_address_in_use': [
		'warn',
		'The port for technicians and monitoring is in use; the kiosk runs without /health and /metrics until the port is free.',
		'If the port stays in use, set `[screen] service_listen` to a free port. Until then `kioskctl health` shows the same report.',
	],
	'daemon.started': ['info', 'The daemon serves the screen. `address` is its origin.', ''],
	'daemon.stopping': ['info', 'The daemon was asked to stop; it first waits for a note or a card sale in progress.', ''],
	'daemon.notify_failed': [
		'warn',
		'A message to systemd could not be sent.',
		'If this repeats, systemd restarts the daemon. Check that kioskd.service has the line OpenFile=/run/systemd/notify:notify:graceful.',
	],
	'daemon.address_in_use': [
		'fatal',
		'Another program uses the address in `[screen] listen`.',
		'Stop that program (`ss -ltnp` names it) or change the setting.',
	],
	'daemon.already_runs': [
		'fatal',
		'Another kiosk daemon uses the same journal or state directory; `reason` names it. This daemon changed nothing and exited.',
		'Stop the other daemon (`systemctl stop kioskd`, or Ctrl-C in its terminal), or start this daemon with its own `[journal] directory`, `$STATE_DIRECTORY` and `[screen] listen`.',
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
		'Settings that decide where money goes differ from the accepted ones, or nothing proves the accepted ones; `settings` names them. Cash stays closed; after a change of the back office’s address or certificate authority, nothing is sent to it.',
		'Compare these settings with the owner’s order, then run `kioskctl setup confirm --by NAME`.',
	],
	'settings.confirmed': ['info', 'The changed settings in `settings` were confirmed by the person in `by`. Cash opens again.', ''],
	'settings.seal_not_stored': [
		'warn',
		'The digests of the accepted settings could not be saved; the next start may ask for confirmation again.',
		'Check the disk of the state directory: `df -h`.',
	],
	'trace.kept': ['info', 'The last bytes on the line to the device were saved in `file`, because of `cause`.', ''],
	'trace.failed': ['warn', 'The last bytes on a line could not be saved.', 'Check the disk of the state directory: `df -h`.'],
	'journal.anchor': [
		'info',
		'Number and hash of the journal’s newest record, and the notes that the next cashbox count should find. `kioskctl journal verify --against FILE` compares the journal with saved lines of this event.',
		'',
	],
	'journal.anchor_not_sent': [
		'warn',
		'The back office did not accept the newest record of the journal. Nothing is lost: the next record is sent in a quarter of an hour.',
		'If this repeats, compare `[back_office.paths] anchor` with the server.',
	],
	'journal.unhealthy': [
		'error',
		'The journal cannot be written, so no money is taken. The daemon keeps trying to open it.',
		'Check the disk: `df -h`, `dmesg`. If the journal is damaged or missing, follow docs/technician/panduan-teknisi.md, "Jurnal ditolak".',
	],
	'journal.newer': [
		'error',
		'A newer version of the kiosk wrote the journal. This version takes no money and changes nothing; nothing is lost.',
		'Update to that version; `kioskctl update status` shows the installed version. Do not set the journal aside.',
	],
	'update.restart_granted': ['info', 'The restart for an update was granted; for `seconds` no payment begins.', ''],
	'update.restart_refused': [
		'info',
		'The restart for an update must wait for `reasons`; repeats with the same reasons are not logged.',
		'',
	],
	'update.restart_given_back': ['info', 'The permission to restart was given back without a restart; payments are possible again.', ''],
	'update.restart_lapsed': [
		'warn',
		'The restart that was granted did not happen in time; payments are possible again.',
		'See `kioskctl update status`.',
	],
	'journal.set_aside': [
		'warn',
		'Staff set an unusable journal aside and began a new journal. The daemon restarts.',
		'Keep the old journal in `folder`: it is the proof of all earlier payments.',
	],
	'journal.resealed': [
		'warn',
		'Staff accepted the journal although its key was lost; a new key seals all later records.',
		'Find out how the key was lost, and compare cashbox and back office with the journal.',
	],
	'journal.key_exposed': [
		'warn',
		'Other users of this PC could read the key that seals the journal; the daemon has restricted the file to its owner.',
		'Find out who changed the permissions. If you do not trust these users: stop the kiosk, delete `file`, start the kiosk and run `kioskctl journal reseal`.',
	],
	'journal.healthy': ['info', 'The journal is open and writable.', ''],
	'update.step': ['info', 'The update to `version` has reached `step`: downloading, verified, writing, written, restarting or trial.', ''],
	'update.waiting': ['info', 'A new version waits for its restart; `reason` says what it waits for.', ''],
	'update.good': ['info', 'The new version has passed its trial and stays.', ''],
	'update.not_yet': ['info', 'This kiosk does not take the offered version now; `reason` says why.', ''],
	'update.refused': [
		'error',
		'An update was refused; `reason` says why. The running version is not affected.',
		'Read `text`. If signature or checksum is wrong, compare the published files with the release. If space is short, run `df -h`.',
	],
	'update.failed': [
		'error',
		'The new version could not be installed or failed its trial; `tries` is the number of its starts. The previous version runs. `reason`: `never_drew`, `journal`, `devices`, `cuts`, `command`, `verity`, `checksum` or `unknown`.',
		'Stop the roll-out (`hold`) and report `text` to the vendor. The version is tried again when the manifest or a technician requests it.',
	],
	'update.rolled_back': ['info', 'A person has returned the kiosk to the previous version.', ''],
	'update.asked': ['info', 'The technician in `by` has requested `what`.', ''],
} as const;
