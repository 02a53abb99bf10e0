/** Every metric of the kiosk: name, help, labels. docs/reference/metrics.md explains them; names never change their meaning. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Looked at ten times a second; more often would only cost. */
const LOOP_PRECISION_MS = 100;
/** Of what the library measures of Node, what nobody would look at; each costs bytes at every scrape of every kiosk. */
const UNWANTED = [
	...['nodejs_active_resources', 'nodejs_active_resources_total', 'nodejs_active_handles', 'nodejs_active_handles_total'],
	...['nodejs_active_requests', 'nodejs_active_requests_total', 'nodejs_gc_duration_seconds', 'nodejs_eventloop_lag_mean_seconds'],
	...['nodejs_heap_space_size_total_bytes', 'nodejs_heap_space_size_used_bytes', 'nodejs_heap_space_size_available_bytes'],
	...['nodejs_eventloop_lag_min_seconds', 'nodejs_eventloop_lag_max_seconds', 'nodejs_eventloop_lag_stddev_seconds'],
	...['nodejs_eventloop_lag_p50_seconds', 'nodejs_eventloop_lag_p90_seconds', 'process_virtual_memory_bytes', 'process_heap_bytes'],
];

export type Definitions = ReturnType<typeof defineMetrics>;

/** @returns the metrics, each registered once in a registry of their own */
export function defineMetrics() {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION_MS });
	for (const name of UNWANTED) registry.removeSingleMetric(name);
	const registers = [registry];
	const counter = (name: string, help: string, ...labelNames: string[]) => new Counter({ name, help, labelNames, registers });
	const gauge = (name: string, help: string, ...labelNames: string[]) => new Gauge({ name, help, labelNames, registers });
	const seconds = (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
		new Histogram({ name, help, buckets, labelNames, registers });

	return {
		registry,
		build: gauge('kiosk_build_info', 'Always 1; its labels say what runs', 'version', 'node'),

		notes: counter(
			'kiosk_cash_notes_total',
			'Notes since the start of the daemon by denomination and what became of them',
			'nominal',
			'outcome',
		),
		sales: counter('kiosk_card_attempts_total', 'Sales asked of the card terminal since the start of the daemon', 'method', 'outcome'),
		money: counter(
			'kiosk_money_rupiah_total',
			'Rupiah taken since the start of the daemon; unknown: may have been taken',
			'method',
			'outcome',
		),
		invoices: counter('kiosk_invoices_paid_total', 'Invoices paid at the kiosk since the start of the daemon', 'method'),
		transfers: counter(
			'kiosk_transfers_total',
			'QRIS codes and virtual accounts of the back office as the kiosk saw them since the start of the daemon',
			'method',
			'outcome',
		),
		transferRupiah: counter(
			'kiosk_transfer_rupiah_total',
			'Rupiah of QRIS codes and virtual accounts of the back office as the kiosk saw them since the start of the daemon',
			'method',
			'outcome',
		),
		prints: counter('kiosk_prints_total', 'Papers handed to the printer since the start of the daemon', 'outcome'),
		events: counter('kiosk_events_total', 'Warnings and errors logged since the start of the daemon', 'event', 'level'),
		losses: counter('kiosk_link_losses_total', 'How often a line or the live socket was lost since the start of the daemon', 'link'),
		calls: counter('kiosk_back_office_calls_total', 'Calls to the back office since the start of the daemon', 'call', 'result'),

		noteSeconds: seconds('kiosk_note_seconds', 'From a note in escrow to its credit on disk', [0.5, 1, 1.5, 2, 3, 5, 10, 15]),
		saleSeconds: seconds(
			'kiosk_card_sale_seconds',
			'From the intent of a card sale to its outcome',
			[5, 10, 20, 30, 60, 120, 300],
			'outcome',
		),
		callSeconds: seconds('kiosk_back_office_call_seconds', 'Calls to the back office, answered or not', [0.1, 0.3, 1, 3, 10, 50], 'call'),
		printSeconds: seconds('kiosk_print_seconds', 'From the queue to the end of a paper', [1, 2, 4, 8, 15, 30, 60]),
		commitSeconds: seconds('kiosk_journal_commit_seconds', 'One record written and synced', [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3]),

		inDoubt: gauge('kiosk_notes_in_doubt', 'Notes that a person has to settle'),
		partial: gauge('kiosk_invoices_partial', 'Invoices left with money in and not covered'),
		paidTwice: gauge('kiosk_invoices_paid_twice', 'Invoices for which money came in by more than one way'),
		disputed: gauge('kiosk_invoices_disputed', 'Invoices of which kiosk and back office say different things; no money is taken for them'),
		parked: gauge('kiosk_notes_parked', 'Notes that the back office does not take; staff decide'),
		elsewhere: gauge('kiosk_outbox_other_account_notes', 'Notes that wait for another account than the one that is logged in'),
		cardSales: gauge('kiosk_card_sales', 'Card sales in the journal by state', 'state'),
		approvals: gauge('kiosk_card_approvals_waiting', 'Approved card sales that the back office has not been told of'),
		outbox: gauge('kiosk_outbox_notes', 'Credited notes that the back office has not confirmed'),
		outboxRupiah: gauge('kiosk_outbox_rupiah', 'Rupiah of the credited notes that the back office has not confirmed'),
		outboxAge: gauge('kiosk_outbox_oldest_seconds', 'Age of the oldest note that the back office has not confirmed; 0 without one'),

		deviceState: gauge('kiosk_device_state', 'Always 1; the label says what the device does now', 'device', 'state'),
		deviceUsable: gauge('kiosk_device_usable', 'Whether a customer can use the device now', 'device'),
		journalUsable: gauge('kiosk_journal_usable', 'Whether the journal can be written'),
		diskFree: gauge('kiosk_journal_disk_free_bytes', 'Free space where the journal is'),
		connected: gauge('kiosk_back_office_connected', 'Whether the live socket to the back office is open'),
		loggedIn: gauge('kiosk_logged_in', 'Whether an outlet account is logged in and its token is accepted'),
		screens: gauge('kiosk_screens_connected', 'Screens on the live socket'),
		alive: gauge('kiosk_screen_alive', 'Whether the screen draws'),
		drawnAge: gauge('kiosk_screen_drawn_seconds', 'Since the screen last said that it has drawn; absent before the first time'),
	};
}
