import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { parseArgs } from 'node:util';
import { rupiah } from '../../contract/money.ts';
import { receiptOf } from '../../contract/receipt.ts';
import { systemClock } from '../clock.ts';
import { ippQueue } from '../printer/ipp-client.ts';
import { receiptFace } from '../printer/receipt-face.ts';
import { receiptRows } from '../printer/receipt-rows.ts';
import { readSettings } from '../settings.ts';
import { CASH_HELP, cashCommands } from './cash-commands.ts';
import { commandTools } from './command-tools.ts';
import { EDC_HELP, edcCommands } from './edc-commands.ts';
import { JOURNAL_HELP, journalCommands } from './journal-commands.ts';
import { staffSocketPath } from './staff-socket.ts';

const HELP = `kioskctl: what staff and technicians ask of the kiosk

  kioskctl health [--json]                    how every part is, and what to do
  kioskctl acceptor unlock --by NAME --why TEXT
                                              allows cash again after a note was pulled at
${CASH_HELP}

${EDC_HELP}

${JOURNAL_HELP}

  kioskctl printer test                       prints a sample receipt
  kioskctl config check                       reads the settings and says what is wrong with them

  --config FILE   the settings of the kiosk (default /etc/kiosk/kiosk.toml)

Example: kioskctl acceptor unlock --by "Sari" --why "looked inside, unit is clean"
`;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		config: { type: 'string', default: '/etc/kiosk/kiosk.toml' },
		by: { type: 'string', default: '' },
		why: { type: 'string', default: '' },
		outcome: { type: 'string', default: '' },
		nominal: { type: 'string', default: '' },
		counted: { type: 'string', default: '' },
		period: { type: 'string', default: '' },
		payment: { type: 'string', default: '' },
		invoice: { type: 'string', default: '' },
		out: { type: 'string', default: '' },
		yes: { type: 'boolean', default: false },
		json: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

/** Ends with a sentence on standard error. */
function refuse(sentence: string): never {
	process.stderr.write(`${sentence}\n`);
	process.exit(1);
}

function settingsOrRefuse() {
	const read = readSettings(values.config, process.env.STATE_DIRECTORY);
	if (!read.ok) refuse(`${values.config}:\n  ${read.error.problems.join('\n  ')}`);
	return read.value;
}

/** One call to the running daemon. @returns its answer as text; ends with a sentence when nobody answers */
function ask(method: string, path: string, body: object | null, accept: string): Promise<{ status: number; text: string }> {
	const socketPath = staffSocketPath(settingsOrRefuse().state_directory);
	return new Promise((resolve) => {
		const call = request({ socketPath, path, method, headers: { Accept: accept } }, async (response) => {
			let text = '';
			for await (const chunk of response.setEncoding('utf8')) text += chunk;
			resolve({ status: response.statusCode ?? 0, text });
		});
		call.on('error', (error) => refuse(`The daemon does not answer at ${socketPath} (${error.message}). Is it running?`));
		call.end(body ? JSON.stringify(body) : undefined);
	});
}

async function health(): Promise<void> {
	const { text } = await ask('GET', '/health', null, values.json ? 'application/json' : 'text/plain');
	process.stdout.write(values.json ? `${text}\n` : text);
}

async function unlock(): Promise<void> {
	await tools.call('POST', '/acceptor/unlock', tools.decided());
	process.stdout.write('Cash is allowed again; the journal keeps who decided and why.\n');
}

async function printSample(): Promise<void> {
	const { printer, site } = settingsOrRefuse();
	if (!printer) refuse('There is no [printer] section in the settings: the browser prints.');
	const line = { produk_name: 'Contoh', qty: 1, harga: rupiah(1_000) };
	const invoice = {
		noinvoice: 'CONTOH',
		konsumen_name: 'Contoh struk, bukan bukti bayar',
		nopol: '-',
		total: rupiah(1_000),
		is_paid: false,
		list_invoice: [{ noinvoice_odoo: '', nowo_odoo: '', total: rupiah(1_000), detail: [line] }],
	};
	const tanggal = systemClock.wall().toISOString();
	const receipt = receiptOf({ invoice, logo: '', ahass: site.name, tanggal, metode: '-', received: null });
	const sample = await (await receiptFace(printer))(receiptRows(receipt, false), null);
	const sent = await ippQueue(printer.uri).print('kiosk sample', sample);
	if (!sent.ok) refuse(`${printer.uri}: ${sent.error.message}`);
	process.stdout.write(`Job ${sent.value.id} is in the queue ${printer.uri}. Look at the paper: width, edges, cut.\n`);
}

function checkConfig(): void {
	settingsOrRefuse();
	process.stdout.write(`${values.config}: every setting is understood (${readFileSync(values.config).length} bytes).\n`);
}

const [area, verb, subject = '', ...more] = positionals;
const tools = commandTools({ ...values, ask, refuse });
const COMMANDS: Record<string, () => Promise<void> | void> = {
	...edcCommands({ ...values, attempt: subject, tools }),
	...cashCommands({ ...values, subject, tools }),
	...journalCommands({ ...values, directory: () => settingsOrRefuse().journal.directory, tools }),
	health,
	'acceptor unlock': unlock,
	'printer test': printSample,
	'config check': checkConfig,
};

const command =
	more.length === 0 && (area === 'edc' || area === 'cash' || subject === '') ? COMMANDS[[area, verb].filter(Boolean).join(' ')] : undefined;
if (!command || values.help) {
	process.stdout.write(HELP);
	process.exit(command || values.help || positionals.length === 0 ? 0 : 2);
}
await command();
