import type { AcceptorTexts } from '../acceptor.ts';

const SAFE = 'Money already taken stays recorded.';
const NOT_NOW = 'Do not insert money now.';
const NO_MORE = 'Insert no more money.';
const ASK_STAFF = 'Please ask our staff.';
const RELOAD = 'Press Reload machine or ask our staff.';
const WAIT = 'Wait until it says Ready.';

export const acceptor: AcceptorTexts = {
	states: {
		ready: { status: 'Ready', advice: 'Please insert notes one by one.' },
		not_configured: {
			status: 'No cash at this kiosk yet',
			advice: `${SAFE} Choose another way to pay, or pay at the cashier.`,
		},
		disconnected: { status: 'Bill acceptor not connected', advice: `${NOT_NOW} ${SAFE} ${RELOAD}` },
		starting: { status: 'Bill acceptor is getting ready', advice: `${NOT_NOW} ${SAFE} ${WAIT}` },
		silent: { status: 'Bill acceptor does not answer', advice: `${NOT_NOW} ${SAFE} ${RELOAD}` },
		garbled: { status: 'Bill acceptor has a bad connection', advice: `${NOT_NOW} ${SAFE} ${RELOAD}` },
		inhibited: { status: 'Bill acceptor not open yet', advice: `${NOT_NOW} ${SAFE} Press Reload machine to start.` },
		busy: { status: 'Bill acceptor is processing', advice: `Please wait. ${SAFE} Insert the next note when it says Ready.` },
		motor_failure: { status: 'Bill acceptor motor problem', advice: `${NO_MORE} ${SAFE} ${ASK_STAFF}` },
		rom_checksum: { status: 'Bill acceptor needs a technician', advice: `${NO_MORE} ${SAFE} ${ASK_STAFF}` },
		bill_jam: { status: 'A note is stuck in the machine', advice: `Do not pull or add notes. ${SAFE} ${ASK_STAFF}` },
		bill_removed: {
			status: 'The note was pulled out',
			advice: `The note you pulled out is not counted. ${SAFE} Wait for Ready, then insert it again.`,
		},
		cashbox_open: { status: 'The cashbox is open', advice: `${NOT_NOW} ${SAFE} Ask our staff to close the cashbox.` },
		sensor_problem: { status: 'Bill acceptor sensor problem', advice: `${NO_MORE} ${SAFE} ${ASK_STAFF}` },
		communication_failure: { status: 'Bill acceptor has a problem', advice: `${NO_MORE} ${SAFE} ${RELOAD}` },
		bill_fish: { status: 'A note seems to be pulled back', advice: `The machine stopped taking money. ${SAFE} ${ASK_STAFF}` },
		stacker_problem: { status: 'The note storage has a problem', advice: `${NO_MORE} ${SAFE} ${ASK_STAFF}` },
		note_in_doubt: { status: 'One note is uncertain', advice: `${NO_MORE} This is recorded. ${ASK_STAFF}` },
		locked: { status: 'Bill acceptor is locked', advice: `The machine takes no money at the moment. ${SAFE} ${ASK_STAFF}` },
		journal_unhealthy: {
			status: 'Money records have a problem',
			advice: `The machine takes no money to keep yours safe. ${SAFE} ${ASK_STAFF}`,
		},
		journal_newer: {
			status: 'The kiosk is older than its records',
			advice: `The machine takes no money until the kiosk is updated. ${SAFE} ${ASK_STAFF}`,
		},
		disk_full: { status: 'Kiosk storage is full', advice: `The machine takes no money to keep yours safe. ${SAFE} ${ASK_STAFF}` },
		screen_frozen: { status: 'The screen is recovering', advice: `${NOT_NOW} ${SAFE} ${WAIT}` },
		settings_unconfirmed: {
			status: 'Cash is closed for now',
			advice: `The kiosk settings are being checked, do not insert money. ${SAFE} ${ASK_STAFF}`,
		},
		note_map_missing: { status: 'Notes are not set up yet', advice: `The machine cannot take money yet. ${SAFE} ${ASK_STAFF}` },
	},
	unknown: { status: 'Connecting to the bill acceptor…', advice: `${NOT_NOW} ${SAFE} ${WAIT}` },
};
