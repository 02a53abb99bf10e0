import type { HealthReport } from './health.ts';

const MARK = { ok: 'OK  ', off: 'off ', warn: 'LOOK', fail: 'FAIL' } as const;

/** The report for a terminal, 80 columns where the texts allow it. */
export function healthText(report: HealthReport): string {
	const lines = [`kiosk ${report.version}  ${MARK[report.state].trim()}  up ${report.uptime_s} s`, ''];
	for (const part of report.parts) {
		lines.push(`${MARK[part.state]}  ${part.part.padEnd(12)} ${part.text}`);
		if (part.remedy && part.state !== 'ok') lines.push(`${' '.repeat(19)}-> ${part.remedy}`);
	}
	if (report.in_doubt.length > 0) lines.push('', 'Notes in doubt:');
	for (const note of report.in_doubt)
		lines.push(`  ${note.note_id}  Rp ${note.nominal ?? '?'}  ${note.noinvoice || 'no invoice'}  ${note.time}  ${note.why}`);
	if (report.partial.length > 0) lines.push('', 'Paid in part:');
	for (const { noinvoice, received, total, since } of report.partial)
		lines.push(`  ${noinvoice || 'no invoice'}  Rp ${received} of Rp ${total}  since ${since}`);
	const { unknown, twice } = report.card;
	if (unknown.length + twice.length > 0) lines.push('', 'Card sales to settle:');
	for (const sale of unknown) lines.push(saleLine(sale));
	for (const sale of twice) lines.push(`${saleLine(sale)}  charged although the invoice was paid: give it back`);
	return `${lines.join('\n')}\n`;
}

const saleLine = (sale: HealthReport['card']['unknown'][number]): string =>
	`  ${sale.attempt_id}  Rp ${sale.amount}  ${sale.noinvoice || 'no invoice'}  ${sale.time}  ${sale.why}`;

const escapeHtml = (text: string): string =>
	text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);

/** The same in a phone browser through an SSH tunnel; the text is the page. */
export const healthHtml = (report: HealthReport): string =>
	`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>kiosk health</title><pre>${escapeHtml(healthText(report))}</pre></html>`;
