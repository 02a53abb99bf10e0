import { formatRupiah, rupiah } from '@kiosk/contract/money';
import type { PartState } from '../base/part-state.ts';
import type { RecentPayment } from '../journal/recent-payments.ts';
import type { HealthReport, ListedSale, PartHealth } from './report.ts';

export const MARK: Record<PartState, string> = { ok: 'OK', off: 'off', unknown: '?', warn: 'LOOK', fail: 'FAIL' };

/** Default width of a terminal. */
const COLUMNS = 80;
const INDENT = ' '.repeat(20);

/** Adds a colour to a mark. The default adds none. */
export type Paint = (state: PartState, text: string) => string;

/**
 * @returns the report as text for a terminal of 80 columns
 * @param brief shortens the text: one line for each part without a problem, and fewer payments
 */
export function healthText(report: HealthReport, paint: Paint = (_state, text) => text, brief = false): string {
	const { state, version, site, uptime_s, machine_uptime_s } = report;
	const lines = [
		`kiosk ${version}  ${paint(state, MARK[state])}  ${site}  ${plainTime(report.time)}`,
		`up ${duration(uptime_s)}, the PC ${duration(machine_uptime_s)}`,
		...(brief ? [] : [[report.system, report.kernel, `node ${report.node}`].filter(Boolean).join(', ')]),
		'',
	];
	for (const part of report.parts) lines.push(...partLines(part, report.time, paint, brief));
	lines.push(...lists(report));
	if (report.last_payments.length > 0)
		lines.push('', 'Last payments:', ...report.last_payments.slice(0, brief ? 3 : undefined).map(paymentLine));
	return `${lines.join('\n')}\n`;
}

function partLines(part: PartHealth, now: string, paint: Paint, brief: boolean): string[] {
	const { state, text, why, remedy } = part;
	const mark = `${paint(state, MARK[state])}${' '.repeat(6 - MARK[state].length)}`;
	const [first = '', ...more] = wrapped(text, COLUMNS - INDENT.length);
	const lines = [`${mark}${part.part.padEnd(13)} ${first}`, ...more.map((line) => INDENT + line)];
	const bad = state === 'fail' || state === 'warn';
	if (why && (bad || !brief)) lines.push(...wrapped(why, COLUMNS - INDENT.length).map((line) => INDENT + line));
	if (remedy && bad) lines.push(...arrow(remedy));
	if (bad || !brief) lines.push(`${INDENT}since ${plainTime(part.since)}${ageText(part.since, now)}`);
	return lines;
}

function arrow(remedy: string): string[] {
	const [first = '', ...more] = wrapped(remedy, COLUMNS - INDENT.length - 3);
	return [`${INDENT}-> ${first}`, ...more.map((line) => `${INDENT}   ${line}`)];
}

/** @returns the open items as lines, in groups with headings */
export function lists({ attention, in_doubt, parked, partial, card }: HealthReport): string[] {
	const lines: string[] = [];
	const questions = attention.filter(({ state }) => state !== 'partial');
	if (questions.length > 0) lines.push('', 'Paid twice or in dispute:');
	for (const { noinvoice, state, received, total, why } of questions)
		lines.push(
			`  ${noinvoice || 'no invoice'}  ${state.replace('_', ' ')}  Rp ${received} of Rp ${total}`,
			...wrapped(why, COLUMNS - 6).map((line) => `      ${line}`),
		);
	if (in_doubt.length > 0) lines.push('', 'Notes in doubt:');
	for (const { note_id, nominal, noinvoice, time, why } of in_doubt) lines.push(...openItem(nominal, noinvoice, time, note_id, why));
	if (parked.length > 0) lines.push('', 'Notes refused by the back office:');
	for (const { note_id, nominal, noinvoice, time, why } of parked) lines.push(...openItem(nominal, noinvoice, time, note_id, why));
	if (partial.length > 0) lines.push('', 'Paid in part:');
	for (const { noinvoice, received, total, since } of partial)
		lines.push(`  ${noinvoice || 'no invoice'}  Rp ${received} of Rp ${total}  since ${plainTime(since)}`);
	const { unknown, twice } = card;
	if (unknown.length + twice.length > 0) lines.push('', 'Card sales to settle:');
	for (const sale of unknown) lines.push(...saleLines(sale, sale.why));
	for (const sale of twice) lines.push(...saleLines(sale, 'charged although the invoice was paid: give it back'));
	return lines;
}

const saleLines = ({ attempt_id, amount, noinvoice, time }: ListedSale, why: string): string[] =>
	openItem(amount, noinvoice, time, attempt_id, why);

const openItem = (amount: number | null, noinvoice: string, time: string, id: string, why: string): string[] => [
	`  Rp ${amount ?? '?'}  ${noinvoice || 'no invoice'}  ${plainTime(time)}`,
	...wrapped(`${id} ${why}`, COLUMNS - 6).map((line) => `      ${line}`),
];

export const paymentLine = ({ id, noinvoice, method, amount, time, outcome }: RecentPayment): string =>
	`  ${plainTime(time).slice(0, 16)}  ${method.padEnd(4)}  ${formatRupiah(rupiah(amount)).padStart(13)}  ${outcome.replace('_', ' ').padEnd(13)}  ${noinvoice || 'no invoice'} (${id})`;

/** @returns a duration in seconds as text, e.g. "3 d 4 h", "12 min", "8 s" */
export function duration(seconds: number): string {
	const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60];
	if (days > 0) return `${days} d ${hours} h`;
	if (hours > 0) return `${hours} h ${minutes} min`;
	return minutes > 0 ? `${minutes} min` : `${Math.floor(seconds)} s`;
}

/** @returns date and time without the offset, in the site's local time */
export const plainTime = (iso: string): string => iso.slice(0, 19).replace('T', ' ');

/** @returns the age in brackets; '' if it is not credible because the clock was changed */
function ageText(since: string, now: string): string {
	const seconds = (Date.parse(now) - Date.parse(since)) / 1_000;
	return seconds >= 0 && seconds < 400 * 86_400 ? ` (${duration(seconds)})` : '';
}

/** @returns the text in lines of at most `width` characters, except for longer words */
function wrapped(text: string, width: number): string[] {
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(/\s+/)) {
		if (line !== '' && line.length + 1 + word.length > width) {
			lines.push(line);
			line = word;
		} else line = line === '' ? word : `${line} ${word}`;
	}
	return line === '' ? lines : [...lines, line];
}
