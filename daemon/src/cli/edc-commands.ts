import { formatRupiah, sumRupiah } from '@kiosk/contract/money';
import { referenceOf } from '@kiosk/contract/reference';
import type { StaffAnswer } from '../card/card-state.ts';
import type { ShownSale, ShownSaleWithMoney } from '../staff/edc-calls.ts';
import type { CommandTools } from './command-tools.ts';
import { amountOf as rupiahOf } from './money-commands.ts';

/** Command-line values and tools of the edc commands. */
export interface EdcCommandDeps {
	attempt: string;
	outcome: string;
	amount: string;
	tools: CommandTools;
}

/** @returns the commands under `kioskctl edc`, by name */
export function edcCommands(deps: EdcCommandDeps): Record<string, () => Promise<void>> {
	const { say, refuse, call, decided, confirmed } = deps.tools;

	/**
	 * @returns the terminal's response; if the request failed or its outcome is unknown, exits with
	 * the reason
	 */
	async function wish(wanted: object): Promise<StaffAnswer['response']> {
		const { code, text, response } = await call<StaffAnswer>('POST', '/edc', wanted);
		return code === 'done' ? response : refuse(`${NOT_DONE[code]}${text && `: ${text}`}.`);
	}

	const sale = (): Promise<ShownSaleWithMoney> =>
		deps.attempt
			? call('GET', `/edc/sale/${encodeURIComponent(deps.attempt)}`)
			: refuse('Which sale? Give its reference, or at least the first four characters of its id.');

	return {
		'edc echo': async () => {
			await wish({ action: 'echo' });
			say('The terminal answers. This does not tell the outcome of any sale.');
		},
		'edc settlement': async () => {
			const decision = decided();
			const { sales } = await call<{ sales: ShownSale[] }>('GET', '/edc/unsettled');
			await confirmed(`Settle ${sales.length} sale(s), ${sumOf(sales)}? They cannot be voided afterwards.`);
			const response = await wish({ action: 'settlement', ...decision });
			say(`The terminal has settled: it reports ${amountOf(response)}, the journal has ${sales.length} sale(s), ${sumOf(sales)}.`);
		},
		'edc void': async () => {
			const decision = decided();
			const wanted = await sale();
			const charged = formatRupiah(wanted.response?.amount || wanted.amount);
			await confirmed(`Give back ${charged} of ${wanted.noinvoice || 'no invoice'}, ${wanted.time}?`);
			await wish({ action: 'void', attempt: wanted.attempt_id, held: wanted.held, ...decision });
			say(`${charged} is given back. The back office is not informed: correct ${wanted.noinvoice || 'the invoice'} there.`);
		},
		'edc reprint': async () => {
			const response = await wish({ action: 'reprint', attempt: (await sale()).attempt_id });
			say(`The terminal prints the slip again: ${amountOf(response)}, invoice ${response?.invoice}, approval ${response?.approval}.`);
		},
		'edc unsettled': async () => {
			const { sales } = await call<{ sales: ShownSale[] }>('GET', '/edc/unsettled');
			say(`${sales.length} approved sale(s) since the last settlement, ${sumOf(sales)}`);
			for (const one of sales) say(lineOf(one));
		},
		'edc unknown': async () => {
			const { unknown, twice } = await call<{ unknown: ShownSale[]; twice: ShownSale[] }>('GET', '/edc/unknown');
			say(
				unknown.length === 0
					? 'No card sale is unknown.'
					: `${unknown.length} card sale(s) with unknown outcome, ${sumOf(unknown)}; no card is taken until they are settled:`,
			);
			for (const one of unknown) say(`${lineOf(one)}\n    ${one.why}`);
			if (unknown.length > 0) say(HOW_TO_SETTLE);
			if (twice.length > 0) say(`${twice.length} charge(s) of invoices that were already paid; void them with kioskctl edc void:`);
			for (const one of twice) say(lineOf(one));
		},
		'edc settle': async () => {
			const outcome = deps.outcome.replace('-', '_');
			if (outcome !== 'charged' && outcome !== 'not_charged')
				refuse('Say whether the card was charged: --outcome charged or --outcome not-charged');
			const decision = decided();
			const wanted = await sale();
			const slip = rupiahOf('amount', deps.amount, refuse);
			await wish({ action: 'settle', attempt: wanted.attempt_id, outcome, slip, ...decision });
			const paid = wanted.noinvoice ? ': the invoice counts as paid and the back office is informed' : ', without an invoice: give it back';
			const what = outcome === 'charged' ? `charged${paid}` : 'not charged';
			say(`${formatRupiah(wanted.amount)} of ${wanted.noinvoice || 'no invoice'} counts as ${what}. The journal records name and reason.`);
		},
	};
}

const NOT_DONE: Record<Exclude<StaffAnswer['code'], 'done'>, string> = {
	declined: 'The terminal declined the request',
	unknown: 'It is unknown whether the terminal executed the request; check its slips, then try again',
	not_begun: 'The request did not reach the terminal',
	not_possible: 'This is not possible',
	other_amount: 'Nothing was done',
	busy: 'Not now',
	not_ready: 'The terminal is not ready',
	journal: 'The journal failed',
};

const HOW_TO_SETTLE = `For each sale, look for the slip with its time and amount, or ask the bank. Then:
  kioskctl edc settle ATTEMPT --outcome charged|not-charged --by NAME --why TEXT`;

const sumOf = (sales: readonly ShownSale[]): string => formatRupiah(sumRupiah(sales.map((sale) => sale.amount)));
const amountOf = (response: StaffAnswer['response']): string => (response?.amount == null ? 'no amount' : formatRupiah(response.amount));

function lineOf({ attempt_id, time, amount, noinvoice, state, response }: ShownSale): string {
	const slip = response ? `  slip ${response.invoice || '-'}, approval ${response.approval || '-'}, ${response.code}` : '';
	return `  ${referenceOf(attempt_id)}  ${time}  ${formatRupiah(amount)}  ${noinvoice || 'no invoice'}  ${state}${slip}`;
}
