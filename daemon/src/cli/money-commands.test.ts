import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import type { InvoiceMoney } from '../staff/money-calls.ts';
import type { CommandTools } from './command-tools.ts';
import { moneyCommands } from './money-commands.ts';

const why = 'Rp 137500 more was given back than this kiosk received';
const short = {
	name: 'INV/7',
	payment: { id: 7 },
	balance: { state: 'dispute', total: 137_500, received: 0, due: 137_500, twice: 0, short: 137_500, why },
	held: rupiah(0),
	renumbered: null,
	after_review: { state: 'open', due: 137_500 },
} as unknown as InvoiceMoney;

/** @returns the output and the questions of a command about this invoice */
async function saidAbout(invoice: InvoiceMoney, command: string): Promise<string> {
	const said: string[] = [];
	const keep = (line: string): void => void said.push(line);
	const call = async (_method: string, path: string) => (path === '/money/attention' ? { attention: [invoice] } : invoice);
	const tools = { say: keep, confirmed: async (what: string) => keep(what), decided: () => ({ by: 'Sari', why: 'x' }), call };
	const commands = moneyCommands({ subject: 'INV/7', second: '', amount: '', all: false, tools: tools as unknown as CommandTools });
	await commands[command]?.();
	return said.join('\n');
}

test.each(['cash attention', 'cash review'])(
	'%s tells staff to collect a shortage from the customer and does not mention the back office',
	async (command) => {
		const said = await saidAbout(short, command);
		expect(said).toMatch(/137\.500/);
		expect(said).toMatch(/from the customer/);
		expect(said).not.toMatch(/[Bb]ack office/);
	},
);

test('if an invoice has a shortage and another contradiction, cash review asks about both', async () => {
	const both = { ...short, balance: { ...short.balance, why: `${why}; the back office says unpaid` } };
	const said = await saidAbout(both, 'cash review');
	expect(said).toMatch(/from the customer/);
	expect(said).toMatch(/Is the back office right/);
});
