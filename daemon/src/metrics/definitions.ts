/**
 * Every metric with name, help and labels; `make docs` writes docs/reference/metrics.md from them.
 * A metric with another meaning gets another name.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Definitions = ReturnType<typeof defineMetrics>;

/** @returns all metrics, in a registry of their own */
export function defineMetrics() {
	const registry = new Registry();
	const registers = [registry];
	const counter = (name: string, help: string, ...labelNames: string[]) => new Counter({ name, help, labelNames, registers });
	const gauge = (name: string, help: string, ...labelNames: string[]) => new Gauge({ name, help, labelNames, registers });
	const seconds = (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
		new Histogram({ name, help, buckets, labelNames, registers });

	return {
		registry,
		build: gauge('kiosk_build_info', 'Always 1; the labels give the versions', 'version', 'node'),

		notes: counter('kiosk_cash_notes_total', 'Notes since the start of the daemon by denomination and outcome', 'nominal', 'outcome'),
		sales: counter('kiosk_card_attempts_total', 'Card sales sent to the terminal since the start of the daemon', 'method', 'outcome'),
		money: counter(
			'kiosk_money_rupiah_total',
			'Rupiah taken since the start of the daemon; outcome unknown: possibly taken',
			'method',
			'outcome',
		),
		invoices: counter('kiosk_invoices_paid_total', 'Invoices paid at the kiosk since the start of the daemon', 'method'),
		transfers: counter(
			'kiosk_transfers_total',
			'QRIS codes and virtual accounts of the back office observed by the kiosk since the start of the daemon',
			'method',
			'outcome',
		),
		transferRupiah: counter(
			'kiosk_transfer_rupiah_total',
			'Rupiah of QRIS codes and virtual accounts of the back office observed by the kiosk since the start of the daemon',
			'method',
			'outcome',
		),
		prints: counter('kiosk_prints_total', 'Receipts and slips sent to the printer since the start of the daemon', 'outcome'),
		staffCalls: counter('kiosk_staff_calls_total', 'Calls of customers for staff since the start of the daemon', 'outcome'),
		nameChanges: counter('kiosk_staff_name_changes_total', 'Changes of the staff names since the start of the daemon', 'action'),
		events: counter('kiosk_events_total', 'Warnings and errors logged since the start of the daemon', 'event', 'level'),
		losses: counter('kiosk_link_losses_total', 'Losses of a device line or the live socket since the start of the daemon', 'link'),
		calls: counter('kiosk_back_office_calls_total', 'Calls to the back office since the start of the daemon', 'call', 'result'),

		noteSeconds: seconds('kiosk_note_seconds', 'Time from a note in escrow to its credit on disk', [0.5, 1, 1.5, 2, 3, 5, 10, 15]),
		saleSeconds: seconds(
			'kiosk_card_sale_seconds',
			'Time from the intent of a card sale to its outcome',
			[5, 10, 20, 30, 60, 120, 300],
			'outcome',
		),
		callSeconds: seconds(
			'kiosk_back_office_call_seconds',
			'Duration of calls to the back office, answered or not',
			[0.1, 0.3, 1, 3, 10, 50],
			'call',
		),
		printSeconds: seconds('kiosk_print_seconds', 'Time from sending a printout to the queue until its end', [1, 2, 4, 8, 15, 30, 60]),
		commitSeconds: seconds(
			'kiosk_journal_commit_seconds',
			'Time to write and sync one journal record',
			[0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
		),

		inDoubt: gauge('kiosk_notes_in_doubt', 'Notes in doubt, to be settled by staff'),
		partial: gauge('kiosk_invoices_partial', 'Invoices paid in part'),
		paidTwice: gauge('kiosk_invoices_paid_twice', 'Invoices for which money was received more than once'),
		disputed: gauge('kiosk_invoices_disputed', 'Invoices about which kiosk and back office disagree; no money is taken for them'),
		parked: gauge('kiosk_notes_parked', 'Notes refused by the back office; staff decide'),
		elsewhere: gauge('kiosk_outbox_other_account_notes', 'Notes waiting for an account that is not logged in'),
		cardSales: gauge('kiosk_card_sales', 'Card sales in the journal by state', 'state'),
		approvals: gauge('kiosk_card_approvals_waiting', 'Approved card sales not yet reported to the back office'),
		outbox: gauge('kiosk_outbox_notes', 'Credited notes not yet confirmed by the back office'),
		outboxRupiah: gauge('kiosk_outbox_rupiah', 'Rupiah of the credited notes not yet confirmed by the back office'),
		outboxAge: gauge('kiosk_outbox_oldest_seconds', 'Age of the oldest unconfirmed note; 0 if there is none'),

		deviceState: gauge('kiosk_device_state', 'Always 1; the label state gives the state of the device', 'device', 'state'),
		deviceUsable: gauge('kiosk_device_usable', 'Whether a customer can use the device now', 'device'),
		journalUsable: gauge('kiosk_journal_usable', 'Whether the journal can be written'),
		journalRecord: gauge('kiosk_journal_anchor_record', 'Number of the journal record in the last anchor that was logged'),
		journalHash: gauge('kiosk_journal_anchor_hash', 'The first 13 hex digits of the hash of the anchored record, as a number'),
		diskFree: gauge('kiosk_journal_disk_free_bytes', 'Free space on the journal’s file system'),
		connected: gauge('kiosk_back_office_connected', 'Whether the live socket to the back office is open'),
		loggedIn: gauge('kiosk_logged_in', 'Whether an outlet account is logged in and its token is accepted'),
		screens: gauge('kiosk_screens_connected', 'Screens connected to the live socket'),
		alive: gauge('kiosk_screen_alive', 'Whether the screen is drawing'),
		callWaits: gauge('kiosk_staff_call_seconds', 'Time since a customer called staff; 0 without an open call'),
		untouched: gauge('kiosk_screen_untouched_seconds', 'Time since the last touch, while the panel draws; otherwise absent'),
		update: gauge('kiosk_update_state', 'Always 1; the labels give state and version of the update', 'state', 'version'),
		image: gauge('kiosk_image_info', 'Always 1; the label gives the version of the running image', 'version'),
		imageAge: gauge('kiosk_image_age_seconds', 'Age of the running image; absent if unknown'),
		chromiumAge: gauge('kiosk_chromium_age_seconds', 'Age of the browser’s version; absent if unknown'),
		behind: gauge('kiosk_update_behind_seconds', 'Time since the release of the offered version while another version runs; else 0'),
		checkAge: gauge('kiosk_update_check_seconds', 'Time since the update server was last reached; absent before the first time'),
		drawnAge: gauge('kiosk_screen_drawn_seconds', 'Time since the screen last reported a drawn frame; absent before the first report'),
	};
}
