import { statfsSync } from 'node:fs';
import type { LiveLink } from '../back-office/live-link.ts';
import type { OutletToken } from '../back-office/token.ts';
import type { Clock } from '../base/clock.ts';
import type { CardDesk } from '../card/card-desk.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import { waitingAge } from '../health/waiting-age.ts';
import type { Handler } from '../http/handler.ts';
import type { Anchor } from '../journal/anchors.ts';
import { SALE_STATES } from '../journal/card-book.ts';
import type { Journal } from '../journal/journal.ts';
import type { PrintDesk } from '../printer/print-desk.ts';
import type { ScreenHub } from '../screen/hub.ts';
import type { ScreenLiveness } from '../screen/liveness.ts';
import type { CustomerCall } from '../staff/customer-call.ts';
import type { UpdateFacts } from '../update/watch.ts';
import type { Definitions } from './definitions.ts';
import { addNodeMetrics } from './node-metrics.ts';
import { showUpdate } from './update-metrics.ts';

/** States in which a customer can use the acceptor, at once or after choosing cash. */
const ACCEPTOR_USABLE = new Set(['ready', 'inhibited', 'busy']);
const EDC_USABLE = new Set(['ready', 'busy']);

export interface MetricsDeps {
	metrics: Definitions;
	version: string;
	journal: Journal;
	journalDirectory: string;
	cash: CashDesk;
	card: CardDesk;
	link: LiveLink;
	token: OutletToken;
	/** null without a printer. */
	printer: PrintDesk | null;
	hub: ScreenHub;
	liveness: ScreenLiveness;
	call: Pick<CustomerCall, 'waitedMs'>;
	anchor: () => Anchor | null;
	update: () => UpdateFacts;
	clock: Clock;
}

/** GET /metrics: Prometheus text, without personal data or invoice numbers. */
export function metricsHandler(of: MetricsDeps): Handler {
	const { metrics } = of;
	const oldest = waitingAge(of.clock);
	metrics.build.set({ version: of.version, node: process.versions.node }, 1);
	let isScraped = false;

	return async (request, response, path) => {
		if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
		if (!isScraped) addNodeMetrics(metrics.registry);
		isScraped = true;
		measureMoney(of);
		metrics.outboxAge.set(oldest.of(of.journal.waitingUploads().oldest) / 1_000);
		measureAnchor(of);
		measureDevices(of);
		measureScreen(of);
		showUpdate(of.metrics, of.update(), of.clock.wall());
		response.writeHead(200, { 'Content-Type': metrics.registry.contentType, 'Cache-Control': 'no-store' });
		response.end(await metrics.registry.metrics());
		return true;
	};
}

function measureMoney({ metrics, journal, cash, token }: MetricsDeps): void {
	const waiting = journal.waitingUploads();
	metrics.outbox.set(waiting.count);
	metrics.outboxRupiah.set(waiting.total);
	metrics.inDoubt.set(journal.inDoubt().length);
	metrics.partial.set(journal.cashbox.partialSum(cash.paying()).count);
	metrics.paidTwice.set(journal.money.attentionSum('paid_twice').count);
	metrics.disputed.set(journal.money.attentionSum('dispute').count);
	metrics.parked.set(journal.parked().length);
	metrics.elsewhere.set(journal.waitingForOthers(token.current()?.account ?? null).count);
	for (const state of SALE_STATES) metrics.cardSales.set({ state }, 0);
	for (const { state, count } of journal.cards.countByState()) metrics.cardSales.set({ state }, count);
	metrics.approvals.set(journal.cards.waitingApprovals());
	metrics.journalUsable.set(Number(journal.trouble() === null));
}

/**
 * Number of hexadecimal digits of a hash in a metric: the value of a metric is a double, which
 * holds 53 bits exactly.
 */
const HASH_DIGITS = 13;

function measureAnchor({ metrics, anchor }: MetricsDeps): void {
	const last = anchor();
	if (last === null) return;
	metrics.journalRecord.set(last.record);
	metrics.journalHash.set(Number.parseInt(last.hash.slice(0, HASH_DIGITS), 16));
}

function measureDevices({ metrics, cash, card, printer, link, token, journalDirectory }: MetricsDeps): void {
	metrics.deviceState.reset();
	const show = (device: string, state: string, usable: boolean): void => {
		if (state === 'not_configured') return;
		metrics.deviceState.set({ device, state }, 1);
		metrics.deviceUsable.set({ device }, Number(usable));
	};
	show('acceptor', cash.shownState(), ACCEPTOR_USABLE.has(cash.shownState()));
	show('edc', card.shownState(), EDC_USABLE.has(card.shownState()));
	if (printer) show('printer', printer.trouble() ?? 'ready', printer.trouble() === null);
	metrics.connected.set(Number(link.isConnected()));
	const session = token.current();
	metrics.loggedIn.set(Number(session !== null && !session.refused));
	try {
		const disk = statfsSync(journalDirectory);
		metrics.diskFree.set(disk.bavail * disk.bsize);
	} catch {
		// The disk is gone; `kiosk_journal_usable` reports it.
		metrics.diskFree.set(0);
	}
}

function measureScreen({ metrics, hub, liveness, call }: MetricsDeps): void {
	metrics.callWaits.set(call.waitedMs() / 1_000);
	const untouched = liveness.untouchedMs();
	if (untouched === null) metrics.untouched.remove();
	else metrics.untouched.set(untouched / 1_000);
	metrics.screens.set(hub.screens());
	const drawn = liveness.last();
	metrics.alive.set(Number(drawn !== null && !drawn.dead));
	if (drawn === null) metrics.drawnAge.remove();
	else metrics.drawnAge.set(drawn.ago_ms / 1_000);
}
