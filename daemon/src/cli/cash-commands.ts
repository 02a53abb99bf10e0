import { formatRupiah, type Rupiah, rupiah, sumRupiah } from '@kiosk/contract/money';
import { referenceOf } from '@kiosk/contract/reference';
import type { CashNote, CashPeriod, DuePeriods, OpenNote, PartialPayment, Sum, UncountedBox } from '../journal/cash-book.ts';
import type { InvoiceMoney } from '../staff/money-calls.ts';
import type { CommandTools } from './command-tools.ts';
import { amountOf } from './money-commands.ts';

/** Command-line values and tools of the cash commands. */
export interface CashCommandDeps {
	subject: string;
	by: string;
	outcome: string;
	nominal: string;
	counted: string;
	period: string;
	json: boolean;
	tools: CommandTools;
}

/**
 * @returns the commands under `kioskctl cash` for cashbox, notes in doubt and partly paid invoices,
 * by name
 */
export function cashCommands(deps: CashCommandDeps): Record<string, () => Promise<void>> {
	const { subject, by } = deps;
	const { say, refuse, call, decided, confirmed, yes } = deps.tools;

	return {
		'cash report': async () => {
			if (!/^\d{0,6}$/.test(deps.period)) refuse(`--period ${deps.period}: expected the number of a cashbox period`);
			const period = await call<CashPeriod>('GET', `/cash/report${deps.period && `/${deps.period}`}`);
			const { removals } = await call<{ removals: UncountedBox[] }>('GET', '/cash/uncounted');
			say(deps.json ? JSON.stringify({ ...period, not_counted: removals }, null, '\t') : `${reportText(period)}${uncountedText(removals)}`);
		},
		'cash collected': async () => {
			if (!by) refuse('Name the person who emptied the cashbox: --by NAME');
			const counted = amountOf('counted', deps.counted, refuse);
			if (!/^\d{0,6}$/.test(deps.period)) refuse(`--period ${deps.period}: expected the number of a cashbox period`);
			const period = await call<DuePeriods>('GET', `/cash/due${deps.period && `/${deps.period}`}`);
			const { expected, first, number } = period;
			const difference = counted === null ? '' : `\n${differenceText(expected, counted)}`;
			const periods = first === number ? `period ${number}` : `periods ${first} to ${number}`;
			say(`${reportText(period)}${difference}`);
			if (yes && counted && expected === 0)
				refuse(
					'No money is left to count. A repeated command would record the same count twice: look at kioskctl cash report, then run the command without --yes.',
				);
			const last = first > 1 ? (await call<CashPeriod>('GET', `/cash/report/${first - 1}`)).collected : null;
			if (yes && counted && counted !== expected && counted === last?.counted)
				refuse(
					`${last.by} counted the same amount the last time. A repeated command would record the same count twice: look at kioskctl cash report, then run the command without --yes.`,
				);
			await confirmed(`Close ${periods} with ${formatRupiah(expected)}?`);
			const wish = { action: 'collected', by, expected, counted, through: number };
			const done = await call<{ period: number; prints: boolean }>('POST', '/cash', wish);
			say(
				`P${periods.slice(1)} ${first === number ? 'is' : 'are'} closed; ${done.prints ? 'a slip prints' : 'there is no printer for a slip'}. The journal records the totals.`,
			);
		},
		'cash settle': async () => {
			const outcome = deps.outcome.replace('-', '_');
			if (outcome !== 'in_box' && outcome !== 'returned' && outcome !== 'not_ours')
				return refuse('Say where the note is: --outcome in-box, returned or not-ours');
			const decision = decided();
			const nominal = amountOf('nominal', deps.nominal, refuse);
			if (!/^[\w-]{4,36}$/.test(subject)) refuse('Which note? Give its reference, or at least the first four characters of its id.');
			const note = await call<CashNote>('GET', `/cash/note/${subject}`);
			await confirmed(`${lineOf(note).trim()}\n${consequence(outcome, note)}`);
			const wish = { action: 'settle', note: note.note_id, outcome, nominal, ...decision };
			const { was_paid, ...settled } = await call<CashNote & { was_paid: boolean }>('POST', '/cash', wish);
			say(`${valueText(settled.nominal)}: settled as ${deps.outcome}. The journal records name and reason.`);
			if (outcome === 'in_box' && was_paid) say('The invoice was already paid: give this amount back to the customer at the cashier.');
		},
		'cash partials': async () => {
			const { partials } = await call<{ partials: PartialPayment[] }>('GET', '/cash/partials');
			say(`${partials.length} invoice(s) paid in part, ${formatRupiah(sumRupiah(partials.map((one) => one.received)))}`);
			for (const one of partials) say(partialLine(one));
		},
		'cash done': async () => {
			const decision = decided();
			const { attention } = await call<{ attention: InvoiceMoney[] }>('GET', '/money/attention');
			const found = attention.find(({ payment }) => payment.noinvoice === subject || String(payment.id) === subject);
			if (!found || found.balance.state === 'dispute')
				return refuse(
					`${subject || 'No invoice'}: not among the invoices paid in part or twice; kioskctl cash attention lists these invoices`,
				);
			const { received, total, state, twice } = found.balance;
			const elsewhere = state === 'paid_twice' ? 'Was the surplus given back elsewhere?' : 'Was the rest paid elsewhere?';
			await confirmed(
				`${found.payment.noinvoice}: ${formatRupiah(received)} of ${formatRupiah(total)}.\n${elsewhere} ` +
					'For money given back here, use kioskctl cash give-back instead.',
			);
			await call('POST', '/cash', { action: 'partial', invoice: subject, state, held: found.held, twice, ...decision });
			say(
				`${found.payment.noinvoice} is no longer listed. The journal records name and reason. The money taken here still counts for the invoice.`,
			);
		},
	};
}

const valueText = (nominal: Rupiah | null): string => (nominal === null ? 'a note of unknown value' : formatRupiah(nominal));

function consequence(outcome: 'in_box' | 'returned' | 'not_ours', note: CashNote): string {
	if (outcome === 'returned') return 'The customer has the note, so it is not credited.';
	if (outcome === 'not_ours') return 'The cashbox holds no such note of this kiosk, so nothing is credited.';
	if (note.payment_id === null) return 'The note is in the cashbox and belongs to no invoice, so it counts for the cashbox only.';
	return `The note is in the cashbox: it is credited to ${note.noinvoice} and reported to the back office. This cannot be undone.`;
}

function differenceText(expected: Rupiah, counted: Rupiah): string {
	if (counted === expected) return `Counted ${formatRupiah(counted)}: exactly what is expected.`;
	const difference = formatRupiah(rupiah(Math.abs(counted - expected)));
	return `Counted ${formatRupiah(counted)}: ${difference} ${counted > expected ? 'more' : 'less'} than expected.`;
}

const lineOf = ({ note_id, nominal, noinvoice, time, why }: CashNote): string =>
	`  ${referenceOf(note_id)}  ${valueText(nominal)}  ${noinvoice || 'no invoice'}  ${time}  ${why}`;

const openLine = (note: OpenNote): string => `${lineOf(note)}${note.earlier ? '; it belongs to an earlier cashbox period' : ''}`;

const partialLine = ({ payment, received, since }: PartialPayment): string =>
	`  ${payment.noinvoice}  ${formatRupiah(received)} of ${formatRupiah(payment.total)}  since ${since}`;

const sumText = ({ count, total }: Sum): string => `${count} note(s), ${formatRupiah(total)}`;

const boxText = ({ time, returned }: UncountedBox): string =>
	`The cashbox was taken out at ${time}, ${returned === null ? 'and no cashbox has been inserted since' : `and a cashbox was back at ${returned}`}`;

/**
 * @returns the last lines of a report: removed cashboxes that are not counted yet; '' if there are
 * none
 */
function uncountedText(removals: readonly UncountedBox[]): string {
	if (removals.length === 0) return '';
	const boxes = removals.map((removal) => `  ${boxText(removal)}`).join('\n');
	return `\n\nNot counted yet; record the count with kioskctl cash collected:\n${boxes}`;
}

function reportText(period: CashPeriod): string {
	const { notes, expected, in_doubt, unexplained, settled, collected, removed } = period;
	const lines = [`Cashbox, period ${period.number}: from ${period.since ?? 'the beginning'} to ${period.until ?? 'now'}`];
	if (removed) lines.push(`${boxText(removed)}; ${collected ? 'counted' : 'not counted yet'}`);
	lines.push('');
	for (const { nominal, count } of notes)
		lines.push(`${String(count).padStart(6)} x ${formatRupiah(nominal).padEnd(12)} ${formatRupiah(rupiah(nominal * count)).padStart(16)}`);
	lines.push(`  expected in the box ${' '.repeat(3)}${formatRupiah(expected).padStart(13)}`, '');
	lines.push(`  the back office has  ${sumText(period.uploaded)}`, `  waiting to be sent   ${sumText(period.waiting)}`);
	if (period.without_invoice.count > 0) lines.push(`  without invoice      ${sumText(period.without_invoice)}`);
	if (in_doubt.length > 0) lines.push('', 'In doubt; possibly in the box in addition to the expected amount:', ...in_doubt.map(openLine));
	if (unexplained.length > 0)
		lines.push('', 'Unexplained: the acceptor stacked these notes without a command:', ...unexplained.map(openLine));
	if (in_doubt.length + unexplained.length > 0)
		lines.push('', 'Compare with the box, then: kioskctl cash settle NOTE --outcome in-box|returned|not-ours --by NAME --why TEXT');
	if (settled.length > 0) lines.push('', 'Settled:');
	for (const note of settled)
		lines.push(
			`  ${referenceOf(note.note_id)}  ${valueText(note.nominal)}  ${note.noinvoice || 'no invoice'}  ${note.outcome.replace('_', '-')} (${note.by}: ${note.why})`,
		);
	if (collected) {
		lines.push('', `Emptied by ${collected.by}; the expected amount was ${formatRupiah(collected.expected)}.`);
		if (collected.counted !== null) lines.push(differenceText(collected.expected, collected.counted));
	}
	return lines.join('\n');
}
