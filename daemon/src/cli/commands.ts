/** Every command of kioskctl; help, shell completion and man page are generated from this table. */

/** Every option with the placeholder of its value; '' for a flag. */
export const OPTIONS = {
	config: {
		type: 'string',
		default: '/etc/kiosk/kiosk.toml',
		value: 'FILE',
		words: 'settings file of the kiosk (default /etc/kiosk/kiosk.toml)',
	},
	by: { type: 'string', default: '', value: 'NAME', words: 'name of the person who decides; the journal records it' },
	why: { type: 'string', default: '', value: 'TEXT', words: 'the reason; the journal records it' },
	outcome: { type: 'string', default: '', value: 'OUTCOME', words: 'the decision: where the money is' },
	nominal: { type: 'string', default: '', value: 'AMOUNT', words: 'value of the note in rupiah, if the acceptor did not report it' },
	counted: { type: 'string', default: '', value: 'AMOUNT', words: 'amount found in the cashbox, in rupiah' },
	amount: { type: 'string', default: '', value: 'AMOUNT', words: 'amount given back, in rupiah' },
	period: { type: 'string', default: '', value: 'N', words: 'an earlier cashbox period' },
	payment: {
		type: 'string',
		default: '',
		value: 'ID',
		words: 'payment: its id or invoice, or the full id of one of its notes or card sales',
	},
	invoice: { type: 'string', default: '', value: 'NUMBER', words: 'invoice number' },
	part: {
		type: 'string',
		default: '',
		value: 'PART',
		words: 'acceptor, cash, edc, card, journal, outbox, back_office, socket, print, screen, session or daemon',
	},
	since: { type: 'string', default: '', value: 'TIME', words: '30m, 2h, 3d, today, or a time such as 2026-11-21T14:00' },
	out: { type: 'string', default: '', value: 'FILE', words: 'write to this file' },
	follow: { type: 'boolean', default: false, value: '', words: 'follow new log entries; Ctrl-C stops' },
	watch: { type: 'boolean', default: false, value: '', words: 'refresh every two seconds; Ctrl-C stops' },
	yes: { type: 'boolean', default: false, value: '', words: 'do not ask for confirmation' },
	json: { type: 'boolean', default: false, value: '', words: 'print JSON, for programs' },
	help: { type: 'boolean', default: false, value: '', words: 'explain the command' },
} as const;
export type OptionName = keyof typeof OPTIONS;

export interface Command {
	name: string;
	/** Its arguments, as the help shows them. */
	takes: string;
	/** What it does, in one line. */
	words: string;
	/** Further explanation, shown by --help and the man page. */
	more?: string;
	/** In addition to --config and --help. */
	options: readonly OptionName[];
	/** Largest number of positional arguments; left out: none. */
	subjects?: 1 | 2;
	examples: readonly string[];
}

const DECISION = ['by', 'why'] as const;
const SARI = '--by Sari --why';

export const COMMANDS: readonly Command[] = [
	{
		name: 'status',
		takes: '[--watch] [--json]',
		words: 'list problems, the worst first, each with its remedy',
		more: 'Exit code: 0 all is well, 1 a warning, 2 a failure, 3 the daemon does not answer.',
		options: ['watch', 'json'],
		examples: ['kioskctl status', 'kioskctl status --watch', 'kioskctl status >/dev/null || echo "look at $(hostname)"'],
	},
	{
		name: 'health',
		takes: '[--json]',
		words: 'show every part: state, since when, reason and remedy; last payments, versions',
		more: 'The same report as http://127.0.0.1:8082/health, for curl or a browser.',
		options: ['json'],
		examples: ['kioskctl health', 'kioskctl health --json | jq .parts'],
	},
	{
		name: 'logs',
		takes: '[--part PART] [--payment ID] [--since TIME] [--follow]',
		words: 'show the log of the kiosk: from journald, or the log file of make run',
		options: ['part', 'payment', 'since', 'follow'],
		examples: ['kioskctl logs --since 30m', 'kioskctl logs --part cash --follow', 'kioskctl logs --payment INV/2026/11/0042'],
	},
	{
		name: 'devices',
		takes: '[--json]',
		words: 'show connected devices, the port of each, and the last bytes received',
		options: ['json'],
		examples: ['kioskctl devices'],
	},
	{
		name: 'acceptor test',
		takes: '',
		words: 'ask the bill acceptor to open and close again; takes no note',
		options: [],
		examples: ['kioskctl acceptor test'],
	},
	{
		name: 'acceptor commission',
		takes: '--by NAME [--out FILE]',
		words: 'learn the note codes: insert each note once, each comes back; prints the note map',
		more: 'Nothing is credited. It ends when a customer begins to pay in cash. Codes differ between ROMs, so do this for every unit.',
		options: ['by', 'out'],
		examples: ['kioskctl acceptor commission --by Sari', 'kioskctl acceptor commission --by Sari --out notes.toml'],
	},
	{
		name: 'acceptor unlock',
		takes: '--by NAME --why TEXT',
		words: 'allow cash again after a manipulation attempt (note pulled)',
		options: DECISION,
		examples: [`kioskctl acceptor unlock ${SARI} "looked inside, unit is clean"`],
	},
	{
		name: 'cash report',
		takes: '[--period N] [--json]',
		words: 'show the amount that must be in the cashbox since it was last emptied',
		options: ['period', 'json'],
		examples: ['kioskctl cash report', 'kioskctl cash report --period 2'],
	},
	{
		name: 'cash collected',
		takes: '--by NAME [--counted AMOUNT] [--yes]',
		words: 'record that the cashbox was emptied: closes the period, prints a slip',
		options: ['by', 'counted', 'yes'],
		examples: ['kioskctl cash collected --by Sari --counted 770.000'],
	},
	{
		name: 'cash settle',
		takes: 'NOTE --outcome in-box|returned|not-ours [--nominal AMOUNT] --by NAME --why TEXT [--yes]',
		words: 'settle a note in doubt: say where it is',
		more: 'NOTE is the beginning of its id, as shown by kioskctl cash report and the slips.',
		options: ['outcome', 'nominal', ...DECISION, 'yes'],
		subjects: 1,
		examples: [`kioskctl cash settle 1b4e28ba --outcome in-box ${SARI} "box has Rp 20.000 more"`],
	},
	{
		name: 'cash partials',
		takes: '',
		words: 'list invoices that are paid in part',
		options: [],
		examples: ['kioskctl cash partials'],
	},
	{
		name: 'cash done',
		takes: 'INVOICE --by NAME --why TEXT [--yes]',
		words: 'record that the rest was paid elsewhere: removes the invoice from the list',
		more: 'Also for an invoice paid twice whose surplus was given back elsewhere. For money given back here, use kioskctl cash give-back.',
		options: [...DECISION, 'yes'],
		subjects: 1,
		examples: [`kioskctl cash done INV/2026/11/0042 ${SARI} "rest paid at the cashier"`],
	},
	{
		name: 'cash give-back',
		takes: 'INVOICE --amount AMOUNT --by NAME --why TEXT [--yes]',
		words: 'record money of this kiosk given back to the customer: it no longer counts as received',
		more: 'INVOICE is its number or id. At most the amount that the kiosk holds for it. For a card charge, use kioskctl edc void.',
		options: ['amount', ...DECISION, 'yes'],
		subjects: 1,
		examples: [`kioskctl cash give-back INV/2026/11/0042 --amount 50.000 ${SARI} "customer changed his mind"`],
	},
	{
		name: 'cash attention',
		takes: '',
		words: 'list invoices paid in part, paid twice or in dispute, each with its remedy',
		options: [],
		examples: ['kioskctl cash attention'],
	},
	{
		name: 'cash review',
		takes: 'INVOICE --by NAME --why TEXT [--yes]',
		words: 'end a dispute: confirm the back office, the invoice is not paid',
		options: [...DECISION, 'yes'],
		subjects: 1,
		examples: [`kioskctl cash review INV/2026/11/0042 ${SARI} "transfer was reversed by the bank"`],
	},
	{
		name: 'cash parked',
		takes: '',
		words: 'list parked notes (refused by the back office) with the reason',
		options: [],
		examples: ['kioskctl cash parked'],
	},
	{
		name: 'cash resend',
		takes: 'NOTE|all --by NAME --why TEXT [--yes]',
		words: 'send a parked note to the back office again',
		options: [...DECISION, 'yes'],
		subjects: 1,
		examples: [`kioskctl cash resend all ${SARI} "server was updated"`],
	},
	{
		name: 'cash book',
		takes: 'NOTE --by NAME --why TEXT [--yes]',
		words: 'record that a parked note was entered in the back office by hand: it is not sent again',
		options: [...DECISION, 'yes'],
		subjects: 1,
		examples: [`kioskctl cash book 1b4e28ba ${SARI} "entered by Budi"`],
	},
	{
		name: 'cash move',
		takes: 'NOTE INVOICE-NUMBER --by NAME --why TEXT [--yes]',
		words: 'move a parked note to another invoice and send it again',
		options: [...DECISION, 'yes'],
		subjects: 2,
		examples: [`kioskctl cash move 1b4e28ba INV/2026/11/0043 ${SARI} "invoice was replaced"`],
	},
	{
		name: 'edc unknown',
		takes: '',
		words: 'list card sales with unknown outcome',
		options: [],
		examples: ['kioskctl edc unknown'],
	},
	{
		name: 'edc settle',
		takes: 'ATTEMPT --outcome charged|not-charged --by NAME --why TEXT',
		words: 'settle an unknown card sale: say whether it was charged, as slips and terminal show',
		more: 'ATTEMPT is the beginning of its id, as shown by the lists, the slip and the screen.',
		options: ['outcome', ...DECISION],
		subjects: 1,
		examples: [`kioskctl edc settle 9b1d --outcome charged ${SARI} "slip 000117 is there"`],
	},
	{
		name: 'edc unsettled',
		takes: '',
		words: 'list approved sales since the terminal’s last settlement',
		options: [],
		examples: ['kioskctl edc unsettled'],
	},
	{
		name: 'edc void',
		takes: 'ATTEMPT --by NAME --why TEXT [--yes]',
		words: 'void a card sale, on the day of the sale',
		options: [...DECISION, 'yes'],
		subjects: 1,
		examples: [`kioskctl edc void 9b1d ${SARI} "charged twice"`],
	},
	{
		name: 'edc settlement',
		takes: '--by NAME --why TEXT [--yes]',
		words: 'run the terminal’s settlement; its sales cannot be voided afterwards',
		options: [...DECISION, 'yes'],
		examples: [`kioskctl edc settlement ${SARI} "end of the day"`],
	},
	{
		name: 'edc reprint',
		takes: 'ATTEMPT',
		words: 'reprint the terminal’s slip of a sale',
		options: [],
		subjects: 1,
		examples: ['kioskctl edc reprint 9b1d'],
	},
	{ name: 'edc echo', takes: '', words: 'check whether the terminal answers', options: [], examples: ['kioskctl edc echo'] },
	{
		name: 'journal verify',
		takes: '',
		words: 'verify the hash chain and the seals of all records',
		options: [],
		examples: ['kioskctl journal verify'],
	},
	{
		name: 'journal export',
		takes: '--payment ID|--invoice NUMBER [--out FILE]',
		words: 'export all records of one payment as JSON, for a dispute',
		options: ['payment', 'invoice', 'out'],
		examples: ['kioskctl journal export --invoice INV/2026/11/0042 --out budi.json'],
	},
	{
		name: 'journal restart',
		takes: '--by NAME --why TEXT',
		words: 'set aside a refused journal and begin a new one',
		options: [...DECISION, 'yes'],
		examples: [`kioskctl journal restart ${SARI} "disk broken, reference J-1042-3f9a1c20"`],
	},
	{
		name: 'journal reseal',
		takes: '--by NAME --why TEXT',
		words: 'accept a journal whose key is lost and seal it with a new key',
		options: [...DECISION, 'yes'],
		examples: [`kioskctl journal reseal ${SARI} "reset to factory settings today"`],
	},
	{
		name: 'setup confirm',
		takes: '--by NAME',
		words: 'confirm changed settings; cash stays closed until then',
		more: 'kioskctl status names them: note map, back office, ports, printer, keys of technicians. The log records the name.',
		options: ['by'],
		examples: ['kioskctl setup confirm --by Sari'],
	},
	{ name: 'printer test', takes: '', words: 'print a sample receipt', options: [], examples: ['kioskctl printer test'] },
	{
		name: 'screen screenshot',
		takes: '--out FILE',
		words: 'save a picture of the screen (appliance only)',
		options: ['out'],
		examples: ['kioskctl screen screenshot --out screen.png'],
	},
	{
		name: 'network check',
		takes: '[--json]',
		words: 'check DNS, TLS certificate, clock, back office and its call for notes',
		options: ['json'],
		examples: ['kioskctl network check'],
	},
	{
		name: 'config check',
		takes: '',
		words: 'check the settings file; names each problem and its line',
		options: [],
		examples: ['kioskctl config check --config kiosk.toml'],
	},
	{
		name: 'support-bundle',
		takes: '[--out FILE]',
		words: 'write a diagnostics archive for support; secrets and personal data are removed',
		options: ['out'],
		examples: ['kioskctl support-bundle --out kiosk-jakarta-3.tar.gz'],
	},
	{
		name: 'completion',
		takes: '',
		words: 'print the bash completion script',
		options: [],
		examples: ['eval "$(kioskctl completion)"'],
	},
	{ name: 'man', takes: '', words: 'print the man page', options: [], examples: ['kioskctl man | man -l -'] },
];
