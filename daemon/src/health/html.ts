import { createHash } from 'node:crypto';
import { duration, MARK, paymentLine, plainTime } from './page.ts';
import type { HealthReport, PartHealth } from './report.ts';

const REFRESH_S = 10;

const STYLE = `body{font:16px/1.4 system-ui,sans-serif;margin:0 auto;max-width:44rem;padding:1rem;color:#1d1d1f;background:#fff}
h1{font-size:1.3rem}h2{font-size:1.1rem;margin-top:1.5rem}section{border-left:.4rem solid #8a8a8e;padding:.2rem .8rem;margin:.8rem 0}
h3{font-size:1rem;margin:0}p{margin:.2rem 0}.fail{border-color:#b3001b}.warn{border-color:#8a5a00}.ok{border-color:#1b6e2e}
.since{color:#55555a}pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.9rem}
@media(prefers-color-scheme:dark){body{color:#f2f2f2;background:#121212}.since{color:#b5b5ba}}`;

/** Content Security Policy of the page. It allows only the page's style sheet. */
export const HEALTH_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

const escapeHtml = (text: string): string =>
	text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);

/**
 * @returns the report as a page for a phone's browser through an SSH tunnel. The page refreshes
 * itself without scripts.
 */
export function healthHtml(report: HealthReport, lists: string): string {
	const { site, version, state, time } = report;
	const payments = report.last_payments.map((payment) => escapeHtml(paymentLine(payment).trim())).join('\n');
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${REFRESH_S}">
<title>${MARK[state]} ${escapeHtml(site)}</title>
<style>${STYLE}</style>
<main>
<h1>${MARK[state]}: ${escapeHtml(site)}</h1>
<p class="since">kiosk ${escapeHtml(version)}, ${escapeHtml(plainTime(time))}, up ${duration(report.uptime_s)}, the PC ${duration(report.machine_uptime_s)}; refreshed every ${REFRESH_S} s</p>
${report.parts.map(section).join('\n')}
${lists === '' ? '' : `<h2>To settle</h2>\n<pre>${escapeHtml(lists)}</pre>`}
${payments === '' ? '' : `<h2>Last payments</h2>\n<pre>${payments}</pre>`}
<p class="since">${escapeHtml([report.system, report.kernel, `node ${report.node}`].filter(Boolean).join(', '))}</p>
</main>
</html>
`;
}

function section({ part, state, text, why, remedy, since }: PartHealth): string {
	const lines = [
		`<h3>${MARK[state]} ${escapeHtml(part)}</h3>`,
		`<p>${escapeHtml(text)}</p>`,
		why && `<p>${escapeHtml(why)}</p>`,
		remedy && `<p><strong>What to do:</strong> ${escapeHtml(remedy)}</p>`,
		`<p class="since">since ${escapeHtml(plainTime(since))}</p>`,
	];
	return `<section class="${state}">${lines.filter(Boolean).join('')}</section>`;
}
