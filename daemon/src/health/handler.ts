import type { Handler } from '../http/handler.ts';
import type { Health } from './health.ts';
import { HEALTH_POLICY, healthHtml } from './html.ts';
import { healthText, lists } from './page.ts';

/** GET /health: a page for browsers, JSON on request, else plain text. */
export function healthHandler(health: Health): Handler {
	return (request, response, path) => {
		if (request.method !== 'GET' && request.method !== 'HEAD') return false;
		if (path !== '/health') return false;
		const report = health.report();
		const accept = request.headers.accept ?? '';
		const [type, body] = accept.includes('application/json')
			? ['application/json', JSON.stringify(report)]
			: accept.includes('text/html')
				? ['text/html', healthHtml(report, lists(report).join('\n').trim())]
				: ['text/plain', healthText(report)];
		if (type === 'text/html') response.setHeader('Content-Security-Policy', HEALTH_POLICY);
		response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' });
		response.end(body);
		return true;
	};
}
