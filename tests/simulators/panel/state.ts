import type { SettledNote } from '../acceptor/note-ends.ts';
import { receivedFor } from '../back-office/invoice.ts';
import { SAMPLES } from '../back-office/seed.ts';
import { PRINTER_STATE } from '../printer/ipp.ts';
import type { Simulators } from './simulators.ts';

const SHOWN_TRACE = 60;
const SHOWN_CALLS = 40;

const sum = (notes: readonly { nominal: number }[]): number => notes.reduce((total, note) => total + note.nominal, 0);

/** Everything that the panel shows: `GET /state`. */
export function wholeState(simulators: Simulators) {
	return {
		screenUrl: simulators.screenUrl,
		daemon: simulators.daemon?.state() ?? null,
		acceptor: acceptorState(simulators),
		edc: edcState(simulators),
		backOffice: backOfficeState(simulators),
		printer: printerState(simulators),
		books: compareBooks(simulators),
	};
}

function acceptorState({ acceptor: { device, line } }: Simulators) {
	return {
		power: device.power,
		enabled: device.enabled,
		fault: device.fault,
		cashboxOut: device.cashboxOut,
		note: device.note === null ? null : { nominal: device.note.nominal, place: device.note.place, held: device.note.held },
		connected: line.write !== null,
		line: line.faults,
		nextMishaps: [...device.nextMishaps],
		notes: device.behaviour.notes,
		stacked: device.stacked,
		returned: device.returned,
		removed: device.removed,
		collected: device.noteEnds.collected,
		trace: line.trace.slice(-SHOWN_TRACE),
	};
}

function edcState({ edc }: Simulators) {
	const { terminal } = edc;
	return {
		connected: edc.connected(),
		powered: terminal.powered,
		cable: edc.cable,
		mode: terminal.mode,
		waiting: terminal.waiting,
		next: terminal.next,
		acknowledged: terminal.acknowledged,
		transactions: terminal.bank.transactions,
		qrisCodes: terminal.bank.qrisCodes,
		captured: terminal.bank.captured,
		trace: edc.trace.slice(-SHOWN_TRACE),
	};
}

function backOfficeState({ backOffice: { books, network, live, calls, account } }: Simulators) {
	const shows = new Map(SAMPLES.map((sample) => [sample.hp, sample.shows]));
	const demo = books.invoices.filter((invoice) => shows.has(invoice.hp) || Number(invoice.id) > 1_000);
	return {
		account,
		network,
		sockets: live.count(),
		invoices: demo.map((invoice) => ({
			id: invoice.id,
			noinvoice: invoice.noinvoice,
			hp: invoice.hp,
			konsumen_name: invoice.konsumen_name,
			total: invoice.total,
			received: receivedFor(invoice),
			is_paid: invoice.is_paid,
			payment_type_display: invoice.payment_type_display,
			open: invoice.json_data === null ? '' : invoice.no_va === '' ? 'QRIS' : `VA ${invoice.bank}`,
			shows: Number(invoice.id) > 1_000 ? 'added by hand' : (shows.get(invoice.hp) ?? ''),
			current: books.find(invoice.hp) === invoice,
		})),
		notes: books.notes,
		approvals: books.approvals,
		calls: calls.slice(-SHOWN_CALLS),
	};
}

function printerState({ printer }: Simulators) {
	const { queue } = printer;
	const stateName = Object.entries(PRINTER_STATE).find(([, state]) => state === queue.state)?.[0];
	return {
		...printer.state(),
		state: stateName,
		reasons: queue.reasons,
		faults: queue.faults,
		printMs: queue.printMs,
		waiting: queue.jobs.filter((job) => !queue.isFinished(job)).length,
		printed: queue.receipts.length,
	};
}

/**
 * Compares the cashbox with the back office's books. `difference` is the cash in the box that the
 * back office has not booked, rupiah.
 */
function compareBooks({ acceptor: { device }, backOffice: { books } }: Simulators) {
	const side = (notes: readonly (SettledNote | { nominal: number })[]) => ({ count: notes.length, total: sum(notes) });
	const cashbox = side(device.stacked);
	const server = side(books.notes);
	return {
		cashbox,
		server,
		difference: cashbox.total - server.total,
		repeats: books.notes.reduce((total, note) => total + note.repeats, 0),
		unassigned: books.notes.filter((note) => !note.assigned).length,
	};
}
