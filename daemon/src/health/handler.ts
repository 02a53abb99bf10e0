import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { SALE_STATES } from '../journal/card-book.ts';
import type { Handler } from '../screen/server.ts';
import { type HealthParts, healthReport } from './health.ts';
import { healthHtml, healthText } from './page.ts';

/** GET /health (a page for browsers, JSON on request, else plain text) and GET /metrics (Prometheus text). */
export function healthHandler(parts: HealthParts): Handler {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry });
	const waiting = new Gauge({
		name: 'kiosk_outbox_notes',
		help: 'Credited notes that the back office has not confirmed',
		registers: [registry],
	});
	const inDoubt = new Gauge({ name: 'kiosk_notes_in_doubt', help: 'Notes that a person has to settle', registers: [registry] });

	const sales = new Gauge({
		name: 'kiosk_card_sales',
		help: 'Card sales in the journal by state',
		labelNames: ['state'],
		registers: [registry],
	});
	const approvals = new Gauge({
		name: 'kiosk_card_approvals_waiting',
		help: 'Approved card sales that the back office has not been told of',
		registers: [registry],
	});

	return async (request, response, path) => {
		if (request.method !== 'GET' && request.method !== 'HEAD') return false;
		if (path === '/metrics') {
			waiting.set(parts.journal.waitingUploads().count);
			inDoubt.set(parts.journal.inDoubt().length);
			const { cards } = parts.journal;
			for (const state of SALE_STATES) sales.set({ state }, 0);
			for (const { state, count } of cards.countByState()) sales.set({ state }, count);
			approvals.set(cards.waitingApprovals());
			response.writeHead(200, { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' });
			response.end(await registry.metrics());
			return true;
		}
		if (path !== '/health') return false;
		const report = healthReport(parts);
		const accept = request.headers.accept ?? '';
		const [type, body] = accept.includes('application/json')
			? ['application/json', JSON.stringify(report)]
			: accept.includes('text/html')
				? ['text/html', healthHtml(report)]
				: ['text/plain', healthText(report)];
		response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' });
		response.end(body);
		return true;
	};
}
