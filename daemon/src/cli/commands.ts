/** Every command of kioskctl; help, shell completion and man page are made from this table. */

/** Options, each with what stands for its value; '' where it takes none. */
export const OPTIONS = {
	config: {
		type: 'string',
		default: '/etc/kiosk/kiosk.toml',
		value: 'FILE',
		words: 'the settings of the kiosk (default /etc/kiosk/kiosk.toml)',
	},
	by: { type: 'string', default: '', value: 'NAME', words: 'who does or decides it; the journal keeps the name' },
	why: { type: 'string', default: '', value: 'TEXT', words: 'the reason, in words; the journal keeps it' },
	outcome: { type: 'string', default: '', value: 'OUTCOME', words: 'what became of the money' },
	nominal: { type: 'string', default: '', value: 'AMOUNT', words: 'what a note is worth, rupiah, where the machine did not say it' },
	counted: { type: 'string', default: '', value: 'AMOUNT', words: 'what was found in the cashbox, rupiah' },
	amount: { type: 'string', default: '', value: 'AMOUNT', words: 'how much was given back, rupiah' },
	period: { type: 'string', default: '', value: 'N', words: 'an earlier cashbox period' },
	payment: { type: 'string', default: '', value: 'ID', words: 'a payment: its id or invoice, or the whole id of a note or sale of it' },
	invoice: { type: 'string', default: '', value: 'NUMBER', words: 'an invoice' },
	part: {
		type: 'string',
		default: '',
		value: 'PART',
		words: 'acceptor, cash, edc, card, journal, outbox, back_office, socket, print, screen, session or daemon',
	},
	since: { type: 'string', default: '', value: 'TIME', words: '30m, 2h, 3d, today, or a time such as 2026-11-21T14:00' },
	out: { type: 'string', default: '', value: 'FILE', words: 'writes into this file' },
	follow: { type: 'boolean', default: false, value: '', words: 'goes on with what is logged from now; Ctrl-C ends it' },
	watch: { type: 'boolean', default: false, value: '', words: 'looks again every two seconds; Ctrl-C ends it' },
	yes: { type: 'boolean', default: false, value: '', words: 'does not ask' },
	json: { type: 'boolean', default: false, value: '', words: 'for programs' },
	help: { type: 'boolean', default: false, value: '', words: 'explains the command' },
} as const;
export type OptionName = keyof typeof OPTIONS;

export interface Command {
	name: string;
	/** What may stand behind its name, as people read it. */
	takes: string;
	/** What it does, in one line. */
	words: string;
	/** What else is worth knowing. */
	more?: string;
	/** Beside --config and --help. */
	options: readonly OptionName[];
	/** How many words that are no options may follow; left out: none. */
	subjects?: 1 | 2;
	examples: readonly string[];
}

const DECISION = ['by', 'why'] as const;
const SARI = '--by Sari --why';

export const COMMANDS: readonly Command[] = [
	{
		name: 'status',
		takes: '[--watch] [--json]',
		words: 'one screen: what is wrong, the worst first, and what to do',
		more: 'Ends with 0 when all is well, 1 when somebody should look, 2 when something does not work, 3 when the daemon does not answer.',
		options: ['watch', 'json'],
		examples: ['kioskctl status', 'kioskctl status --watch', 'kioskctl status >/dev/null || echo "look at $(hostname)"'],
	},
	{
		name: 'health',
		takes: '[--json]',
		words: 'every part with state, since when, why and what to do; last payments, versions',
		more: 'The same as curl http://127.0.0.1:8082/health, and as the page there in a browser.',
		options: ['json'],
		examples: ['kioskctl health', 'kioskctl health --json | jq .parts'],
	},
	{
		name: 'logs',
		takes: '[--part PART] [--payment ID] [--since TIME] [--follow]',
		words: 'what the kiosk has logged: from journald, else from the log of this run',
		options: ['part', 'payment', 'since', 'follow'],
		examples: ['kioskctl logs --since 30m', 'kioskctl logs --part cash --follow', 'kioskctl logs --payment INV/2026/11/0042'],
	},
	{
		name: 'devices',
		takes: '[--json]',
		words: 'what is plugged where, which line belongs to whom, and the last bytes on it',
		options: ['json'],
		examples: ['kioskctl devices'],
	},
	{
		name: 'acceptor test',
		takes: '',
		words: 'asks the bill acceptor to open and to close again; takes no note',
		options: [],
		examples: ['kioskctl acceptor test'],
	},
	{
		name: 'acceptor commission',
		takes: '--by NAME [--out FILE]',
		words: 'teaches the notes: insert each once, each comes back, and the note map is printed',
		more: 'Nothing is credited. It ends by itself when a customer begins to pay in cash. Codes differ from ROM to ROM, so every unit is taught.',
		options: ['by', 'out'],
		examples: ['kioskctl acceptor commission --by Sari', 'kioskctl acceptor commission --by Sari --out notes.toml'],
	},
	{
		name: 'acceptor unlock',
		takes: '--by NAME --why TEXT',
		words: 'allows cash again after a note was pulled at',
		options: DECISION,
		examples: [`kioskctl acceptor unlock ${SARI} "looked inside, unit is clean"`],
	},
	{
		name: 'cash report',
		takes: '[--period N] [--json]',
		words: 'what must be in the cashbox since it was emptied last',
		options: ['period', 'json'],
		examples: ['kioskctl cash report', 'kioskctl cash report --period 2'],
	},
	{
		name: 'cash collected',
		takes: '--by NAME [--counted AMOUNT] [--yes]',
		words: 'the cashbox was emptied: closes the period, prints a slip',
		options: ['by', 'counted', 'yes'],
		examples: ['kioskctl cash collected --by Sari --counted 770.000'],
	},
	{
		name: 'cash settle',
		takes: 'NOTE --outcome in-box|returned|not-ours [--nominal AMOUNT] --by NAME --why TEXT [--yes]',
		words: 'says what became of a note in doubt',
		more: 'NOTE is the beginning of its id, as kioskctl cash report and the slips show it.',
		options: ['outcome', 'nominal', ...DECISION, 'yes'],
		subjects: 1,
		examples: [`kioskctl cash settle 1b4e28ba --outcome in-box ${SARI} "box has Rp 20.000 more"`],
	},
	{
		name: 'cash partials',
		takes: '',
		words: 'invoices with money in the box that does not cover them',
		options: [],
		examples: ['kioskctl cash partials'],
	},
	{
		name: 'cash done',
		takes: 'INVOICE --by NAME --why TEXT [--yes]',
		words: 'the rest was paid elsewhere: takes the invoice off the list',
		more: 'Also for one paid twice whose money went back elsewhere. What staff here gave back is recorded with kioskctl cash give-back instead.',
		options: [...DECISION, 'yes'],
		subjects: 1,
		examples: [`kioskctl cash done INV/2026/11/0042 ${SARI} "rest paid at the cashier"`],
	},
	{
		name: 'cash give-back',
		takes: 'INVOICE --amount AMOUNT --by NAME --why TEXT [--yes]',
		words: 'money of this kiosk went back to the customer: it counts as received no longer',
		more: 'INVOICE is its number or id. Not more than the kiosk holds for it. A card charge is given back with kioskctl edc void.',
		options: ['amount', ...DECISION, 'yes'],
		subjects: 1,
		examples: [`kioskctl cash give-back INV/2026/11/0042 --amount 50.000 ${SARI} "customer changed his mind"`],
	},
	{
		name: 'cash attention',
		takes: '',
		words: 'invoices that are paid in part, paid twice or in dispute, and what to do',
		options: [],
		examples: ['kioskctl cash attention'],
	},
	{
		name: 'cash review',
		takes: 'INVOICE --by NAME --why TEXT [--yes]',
		words: 'ends a dispute: the back office is right that the invoice is not paid',
		options: [...DECISION, 'yes'],
		subjects: 1,
		examples: [`kioskctl cash review INV/2026/11/0042 ${SARI} "transfer was reversed by the bank"`],
	},
	{
		name: 'cash parked',
		takes: '',
		words: 'notes that the back office does not take, with its reason',
		options: [],
		examples: ['kioskctl cash parked'],
	},
	{
		name: 'cash resend',
		takes: 'NOTE|all --by NAME --why TEXT [--yes]',
		words: 'sends a parked note to the back office again',
		options: [...DECISION, 'yes'],
		subjects: 1,
		examples: [`kioskctl cash resend all ${SARI} "server was updated"`],
	},
	{
		name: 'cash book',
		takes: 'NOTE --by NAME --why TEXT [--yes]',
		words: 'a parked note was entered in the back office by hand: it is not sent any more',
		options: [...DECISION, 'yes'],
		subjects: 1,
		examples: [`kioskctl cash book 1b4e28ba ${SARI} "entered by Budi"`],
	},
	{
		name: 'cash move',
		takes: 'NOTE INVOICE-NUMBER --by NAME --why TEXT [--yes]',
		words: 'a parked note counts for another invoice from now on, and is sent for that',
		options: [...DECISION, 'yes'],
		subjects: 2,
		examples: [`kioskctl cash move 1b4e28ba INV/2026/11/0043 ${SARI} "invoice was replaced"`],
	},
	{
		name: 'edc unknown',
		takes: '',
		words: 'card sales for a person to settle',
		options: [],
		examples: ['kioskctl edc unknown'],
	},
	{
		name: 'edc settle',
		takes: 'ATTEMPT --outcome charged|not-charged --by NAME --why TEXT',
		words: 'says what the slips and the terminal show of one',
		more: 'ATTEMPT is the beginning of its id, as the lists, the slip and the screen show it.',
		options: ['outcome', ...DECISION],
		subjects: 1,
		examples: [`kioskctl edc settle 9b1d --outcome charged ${SARI} "slip 000117 is there"`],
	},
	{
		name: 'edc unsettled',
		takes: '',
		words: 'approved sales since the terminal’s last settlement',
		options: [],
		examples: ['kioskctl edc unsettled'],
	},
	{
		name: 'edc void',
		takes: 'ATTEMPT --by NAME --why TEXT [--yes]',
		words: 'gives a charge back, on the day of the sale',
		options: [...DECISION, 'yes'],
		subjects: 1,
		examples: [`kioskctl edc void 9b1d ${SARI} "charged twice"`],
	},
	{
		name: 'edc settlement',
		takes: '--by NAME --why TEXT [--yes]',
		words: 'closes the terminal’s day; no void after it',
		options: [...DECISION, 'yes'],
		examples: [`kioskctl edc settlement ${SARI} "end of the day"`],
	},
	{
		name: 'edc reprint',
		takes: 'ATTEMPT',
		words: 'the terminal prints the slip again',
		options: [],
		subjects: 1,
		examples: ['kioskctl edc reprint 9b1d'],
	},
	{ name: 'edc echo', takes: '', words: 'whether the terminal answers', options: [], examples: ['kioskctl edc echo'] },
	{
		name: 'journal verify',
		takes: '',
		words: 'checks every record against the one before it, from the first on',
		options: [],
		examples: ['kioskctl journal verify'],
	},
	{
		name: 'journal export',
		takes: '--payment ID|--invoice NUMBER [--out FILE]',
		words: 'everything about one payment as JSON, for a dispute',
		options: ['payment', 'invoice', 'out'],
		examples: ['kioskctl journal export --invoice INV/2026/11/0042 --out budi.json'],
	},
	{
		name: 'journal restart',
		takes: '--by NAME --why TEXT',
		words: 'sets a journal aside that is refused and begins a new one',
		options: [...DECISION, 'yes'],
		examples: [`kioskctl journal restart ${SARI} "disk broken, reference J-1042-3f9a1c20"`],
	},
	{
		name: 'journal reseal',
		takes: '--by NAME --why TEXT',
		words: 'accepts a journal whose key is lost and seals it with a new one',
		options: [...DECISION, 'yes'],
		examples: [`kioskctl journal reseal ${SARI} "reset to factory settings today"`],
	},
	{
		name: 'setup confirm',
		takes: '--by NAME',
		words: 'confirms changed settings, which keep cash closed until then',
		more: 'kioskctl status names them: note map, back office, ports, printer, keys of technicians. The log keeps who confirmed them.',
		options: ['by'],
		examples: ['kioskctl setup confirm --by Sari'],
	},
	{ name: 'printer test', takes: '', words: 'prints a sample receipt', options: [], examples: ['kioskctl printer test'] },
	{
		name: 'screen screenshot',
		takes: '--out FILE',
		words: 'a picture of what customers see, on the appliance',
		options: ['out'],
		examples: ['kioskctl screen screenshot --out screen.png'],
	},
	{
		name: 'network check',
		takes: '[--json]',
		words: 'DNS, TLS and its date, the clock, whether the back office answers and knows the call for notes',
		options: ['json'],
		examples: ['kioskctl network check'],
	},
	{
		name: 'config check',
		takes: '',
		words: 'reads the settings and says what is wrong with them, with the line',
		options: [],
		examples: ['kioskctl config check --config kiosk.toml'],
	},
	{
		name: 'support-bundle',
		takes: '[--out FILE]',
		words: 'one file for who helps: health, settings, logs, traces, journal; without secrets and persons',
		options: ['out'],
		examples: ['kioskctl support-bundle --out kiosk-jakarta-3.tar.gz'],
	},
	{
		name: 'completion',
		takes: '',
		words: 'prints what bash needs to complete these commands',
		options: [],
		examples: ['eval "$(kioskctl completion)"'],
	},
	{ name: 'man', takes: '', words: 'prints the man page', options: [], examples: ['kioskctl man | man -l -'] },
];
