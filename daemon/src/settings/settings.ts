/**
 * The settings file: strict TOML. An unknown key or an invalid value prevents the start; the error
 * names the key and the reason.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rupiah } from '@kiosk/contract/money';
import { parse, TomlError } from 'smol-toml';
import * as v from 'valibot';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import { isTimeZone } from '../base/site-time.ts';
import { ECR_DEFAULTS } from '../edc/bca/bca-state.ts';
import { RETRY_CODES } from '../edc/verdict.ts';
import { parseDeviceAddress } from '../serial/address.ts';
import { problemSentence } from './settings-problem.ts';
import { UpdateSettings } from './update-settings.ts';

/**
 * Default for `[printer] per_minute`: a visit takes half a minute and needs one receipt and perhaps
 * a copy.
 */
export const PRINTS_PER_MINUTE = 6;

/** Rupiah notes in circulation that a customer may insert (specification, business constants). */
export const NOMINALS: readonly number[] = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];

const milliseconds = (smallest: number, largest: number) =>
	v.pipe(
		v.number('a whole number of milliseconds'),
		v.integer('a whole number of milliseconds'),
		v.minValue(smallest),
		v.maxValue(largest),
	);

/** Minutes, at most a week. */
const minutes = v.pipe(v.number('a whole number of minutes'), v.integer('a whole number of minutes'), v.minValue(1), v.maxValue(10_080));

const text = v.pipe(v.string('a text in quotes'), v.nonEmpty('not empty'));

const HOURS = 'a whole number of hours';
const TELEPHONE = 'a telephone number such as "0812-3456-7890", or "" for none';
const telephone = v.pipe(v.string(), v.regex(/^\+?\d(?:[ -]?\d){4,17}$/));

const WHATSAPP = 'an address such as "https://wa.me/6281234567890?text={text}", or "" for none';
/** Other hosts are refused, because the link contains the text of the receipt. */
const whatsAppLink = v.pipe(v.string(), v.regex(/^https:\/\/(wa\.me|api\.whatsapp\.com)\/[\w/]{0,60}\?([\w=&]{0,60}&)?text=\{text\}$/));

const webAddress = (protocols: readonly string[]) =>
	v.pipe(
		text,
		v.check((address) => URL.canParse(address.replace('{token}', 'x')), 'a full address such as "https://server.example"'),
		v.check(
			// This check accepts an invalid address, because valibot runs all checks and the check above
			// reports it.
			(address) => !URL.canParse(address.replace('{token}', 'x')) || protocols.includes(new URL(address.replace('{token}', 'x')).protocol),
			`an address that starts with ${protocols.join(' or ')}`,
		),
	);

const path = v.pipe(v.string('a path in quotes'), v.regex(/^\/[\w./{}-]*$/, 'a path that starts with "/"'));

const device = v.pipe(
	text,
	v.rawTransform(({ dataset, addIssue, NEVER }) => {
		const address = parseDeviceAddress(dataset.value);
		if (address.ok) return address.value;
		addIssue({ message: address.error.expected });
		return NEVER;
	}),
);

const line = {
	data_bits: v.optional(v.picklist([7, 8], '7 or 8'), 8),
	stop_bits: v.optional(v.picklist([1, 2], '1 or 2'), 1),
};
const baud = v.pipe(v.number('a number'), v.integer('a whole number'), v.minValue(300), v.maxValue(921_600));
const parity = v.picklist(['none', 'even', 'odd'], '"none", "even" or "odd"');

const Paths = v.strictObject({
	login: v.optional(path, '/auth/login-outlet/'),
	pin: v.optional(path, '/payment/api/v1/login-pin-screen/'),
	payment_group: v.optional(path, '/payment/api/v1/payment-group/'),
	resend_callback: v.optional(path, '/payment/api/v1/resend-callback/{id}'),
	invoice_info: v.optional(path, '/payment/api/v1/get-invoice-info/'),
	payment: v.optional(path, '/payment/api/v1/payment/'),
	open_machine: v.optional(path, '/payment/api/v1/open-machine/'),
	master_va: v.optional(path, '/payment/api/v1/master-va/'),
	create_va: v.optional(path, '/payment/api/v1/create-va-kiosbank/'),
	create_va_hutang_lain: v.optional(path, '/payment/api/v1/create-va-xendit/'),
	cancel_payment: v.optional(path, '/payment/api/v1/cancel-payment/'),
	video: v.optional(path, '/payment/api/v1/video/'),
	astra_pay: v.optional(path, '/payment/api/v1/payment-astra-pay/'),
	cash_notification: v.optional(path, '/payment/api/v1/payment-cash/'),
	/** '' if the back office does not offer this call. */
	anchor: v.optional(v.union([v.literal(''), path]), ''),
});

const nominal = v.pipe(
	v.number(`one of ${NOMINALS.join(', ')}`),
	v.check((value) => NOMINALS.includes(value), `one of ${NOMINALS.join(', ')}`),
	v.transform(rupiah),
);

const NoteMap = v.pipe(
	v.record(v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{2}$/, 'a note type such as "0x40"')), nominal),
	v.transform((notes) => new Map(Object.entries(notes).map(([code, nominal]) => [`0x${code.slice(2).toLowerCase()}`, nominal]))),
);

const place = v.picklist(['left', 'right', 'above', 'below'], '"left", "right", "above" or "below"');

const Settings = v.strictObject({
	site: v.optional(
		v.strictObject({
			name: v.optional(text, 'Bengkel'),
			/** Telephone number that the screen shows after a call for staff; '' for none. */
			staff_phone: v.optional(v.union([v.literal(''), telephone], TELEPHONE), ''),
			timezone: v.optional(v.pipe(text, v.check(isTimeZone, 'a time zone such as "Asia/Jakarta"')), 'Asia/Jakarta'),
		}),
		{},
	),
	staff: v.optional(
		v.strictObject({
			/** Amount in rupiah above which a decision on the staff screen needs two different names. */
			two_names_above: v.optional(v.pipe(v.number('rupiah'), v.integer('whole rupiah'), v.minValue(0), v.transform(rupiah)), 500_000),
			/**
			 * Whether staff who act under a name on the staff screen must type the personal code of that
			 * name.
			 */
			personal_codes: v.optional(v.boolean(), false),
		}),
		{},
	),
	screen: v.optional(
		v.strictObject({
			listen: v.optional(
				v.pipe(text, v.regex(/^127\.0\.0\.1:\d{1,5}$/, 'an address on this PC such as "127.0.0.1:8080"')),
				'127.0.0.1:8080',
			),
			service_listen: v.optional(
				v.pipe(text, v.regex(/^127\.0\.0\.1:\d{1,5}$/, 'an address on this PC such as "127.0.0.1:8082"')),
				'127.0.0.1:8082',
			),
			panel_diagonal_inch: v.optional(v.pipe(v.number('a number of inches'), v.minValue(7), v.maxValue(65)), 21.5),
			/**
			 * Positions of the devices, seen from the front. If a position is missing, the drawing of
			 * that device shows no direction.
			 */
			places: v.optional(v.strictObject({ slot: v.optional(place), terminal: v.optional(place), tray: v.optional(place) }), {}),
			rotation: v.optional(v.picklist([0, 90, 180, 270], '0, 90, 180 or 270'), 0),
			alert_ms: v.optional(milliseconds(1_000, 60_000), 10_000),
			idle_ms: v.optional(milliseconds(10_000, 600_000), 60_000),
			idle_question_ms: v.optional(milliseconds(5_000, 120_000), 20_000),
			/** Whether keyboards and mice work on the appliance's screen. Touch panels always work. */
			keyboard: v.optional(v.boolean(), false),
			/** Maximum number of invoice look-ups per minute; one customer causes about ten. */
			lookups_per_minute: v.optional(v.pipe(v.number('a number'), v.integer(), v.minValue(20), v.maxValue(6_000)), 60),
			/**
			 * Time without a touch after which the screen asks whether the customer is still there.
			 * It replaces `idle_ms` once the customer has inserted money, or while the screen shows a
			 * QRIS code, a virtual account or an unknown card sale.
			 */
			abandoned_ms: v.optional(milliseconds(60_000, 3_600_000), 300_000),
			/**
			 * Time without a drawn frame after which the acceptor takes no further note. It is at least
			 * two report intervals of the screen, and less than the two minutes after which the browser
			 * restarts.
			 */
			frozen_ms: v.optional(milliseconds(10_000, 110_000), 45_000),
			/** Hours without a touch after which a panel that draws frames is reported; 0: never. */
			touch_quiet_hours: v.optional(v.pipe(v.number(HOURS), v.integer(HOURS), v.minValue(0), v.maxValue(720)), 48),
			sound: v.optional(v.boolean(), true),
			/** Spoken guidance, which needs recordings from the build. */
			voice: v.optional(v.boolean(), false),
			mask_names: v.optional(v.boolean(), false),
			promo: v.optional(v.strictObject({ enabled: v.optional(v.boolean(), false), video: v.optional(v.string(), '') }), {}),
		}),
		{},
	),
	back_office: v.optional(
		v.strictObject({
			url: v.optional(webAddress(['http:', 'https:']), 'http://127.0.0.1:8081'),
			socket_url: v.optional(webAddress(['ws:', 'wss:']), 'ws://127.0.0.1:8081/ws/{token}/'),
			ca_file: v.optional(text),
			timeout_ms: v.optional(milliseconds(1_000, 120_000), 50_000),
			/** Time after which waiting notes and card approvals are reported to staff. */
			waiting_limit_minutes: v.optional(minutes, 30),
			csrf_cookie: v.optional(text, 'csrftoken'),
			csrf_header: v.optional(text, 'X-CSRFToken'),
			paths: v.optional(Paths, {}),
		}),
		{},
	),
	acceptor: v.optional(
		v.strictObject({
			protocol: v.optional(v.picklist(['ict'], '"ict"'), 'ict'),
			port: device,
			baud: v.optional(baud, 9_600),
			parity: v.optional(parity, 'even'),
			...line,
			/** Maximum overpayment in rupiah; no limit if left out. The cashier gives the change. */
			overpay_limit: v.optional(v.pipe(v.number('a whole number of rupiah'), v.integer(), v.minValue(0), v.transform(rupiah))),
			switched_off: v.optional(v.array(nominal), []),
			notes: v.optional(NoteMap, {}),
		}),
	),
	edc: v.optional(
		v.strictObject({
			protocol: v.optional(v.picklist(['bca-ecr'], '"bca-ecr"'), 'bca-ecr'),
			port: device,
			baud: v.optional(baud, 115_200),
			parity: v.optional(parity, 'none'),
			...line,
			version: v.optional(v.picklist([1, 2, 3], '1, 2 or 3'), 1),
			probe: v.optional(v.picklist(['none', 'echo'], '"none" or "echo"'), ECR_DEFAULTS.probe),
			ack_ms: v.optional(milliseconds(500, 60_000), ECR_DEFAULTS.ackMs),
			answer_ms: v.optional(milliseconds(1_000, 600_000), ECR_DEFAULTS.answerMs),
			unknown_codes: v.optional(v.array(v.pipe(v.string(), v.regex(/^[0-9A-Z]{2}$/, 'a code such as "TO"'))), []),
			retry_codes: v.optional(v.array(v.picklist(RETRY_CODES, `one of ${RETRY_CODES.join(', ')}`)), [...RETRY_CODES]),
			inquiry: v.optional(v.picklist(['none', 'reprint'], '"none" or "reprint"'), 'none'),
			qris: v.optional(v.boolean(), false),
			/**
			 * Time before the first inquiry about a QR code. Other integrations inquire after 45 s, then
			 * every 5 to 45 s.
			 */
			qris_first_ms: v.optional(milliseconds(1_000, 120_000), 45_000),
			qris_every_ms: v.optional(milliseconds(1_000, 120_000), 15_000),
			qris_looks: v.optional(v.pipe(v.number('a whole number'), v.integer('a whole number'), v.minValue(1), v.maxValue(200)), 20),
		}),
	),
	printer: v.optional(
		v.strictObject({
			uri: v.optional(webAddress(['ipp:', 'http:']), 'ipp://127.0.0.1:631/printers/receipt'),
			format: v.optional(v.picklist(['escpos', 'pdf'], '"escpos" or "pdf"'), 'escpos'),
			columns: v.optional(v.pipe(v.number('a number'), v.integer(), v.minValue(24), v.maxValue(96)), 48),
			/**
			 * Time after which an unprinted receipt or slip is cancelled, so that the next customer does
			 * not get it.
			 */
			limit_ms: v.optional(milliseconds(1_000, 600_000), 60_000),
			/** Maximum number of printouts per minute that the screen may request. */
			per_minute: v.optional(v.pipe(v.number('a number'), v.integer(), v.minValue(1), v.maxValue(600)), PRINTS_PER_MINUTE),
		}),
	),
	receipt: v.optional(
		v.strictObject({
			/** Address in the QR code that sends the receipt to the dealer's WhatsApp; '' for none. */
			whatsapp_link: v.optional(v.union([v.literal(''), whatsAppLink], WHATSAPP), ''),
		}),
		{},
	),
	journal: v.optional(
		v.strictObject({
			directory: v.optional(text),
			min_free_mb: v.optional(v.pipe(v.number('a number of megabytes'), v.minValue(1)), 64),
		}),
		{},
	),
	update: v.optional(UpdateSettings),
	log: v.optional(
		v.strictObject({ level: v.optional(v.picklist(['debug', 'info', 'warn', 'error'], '"debug", "info", "warn" or "error"'), 'info') }),
		{},
	),
});
type Parsed = v.InferOutput<typeof Settings>;

/** The settings with the journal directory and the state directory resolved. */
export type Settings = Parsed & { journal: { directory: string; min_free_mb: number }; state_directory: string };

/**
 * State directory if neither the settings nor systemd name one. The daemon refuses to start with
 * this default (state-directory.ts).
 */
export const DEFAULT_STATE = 'state';

/**
 * Each problem is a sentence. For an invalid setting, it names the key, the value and the expected
 * form.
 */
export interface SettingsRefused {
	code: 'settings_refused';
	problems: string[];
}

/**
 * @param source TOML
 * @param stateDirectory the state directory given by systemd, or undefined
 */
export function parseSettings(source: string, stateDirectory: string | undefined): Result<Settings, SettingsRefused> {
	const table = parseToml(source);
	return table.ok ? settingsOf(table.value, source, stateDirectory) : table;
}

/** @returns the tables of a TOML text. A refusal names line and column */
export function parseToml(source: string): Result<Record<string, unknown>, SettingsRefused> {
	try {
		return ok(parse(source));
	} catch (error) {
		const where = error instanceof TomlError ? `line ${error.line}, column ${error.column}: ` : '';
		const [what] = messageOf(error).split('\n');
		return fail({ code: 'settings_refused', problems: [`${where}${what}`] });
	}
}

/** @param source the text of `table`, so that a refusal can name the line */
export function settingsOf(table: unknown, source: string, stateDirectory: string | undefined): Result<Settings, SettingsRefused> {
	const parsed = v.safeParse(Settings, table);
	if (!parsed.success) return fail({ code: 'settings_refused', problems: parsed.issues.map((issue) => problemSentence(issue, source)) });
	const directory = parsed.output.journal.directory ?? join(stateDirectory || DEFAULT_STATE, 'journal');
	return ok({
		...parsed.output,
		journal: { ...parsed.output.journal, directory },
		state_directory: stateDirectory || directory,
	});
}

/** Reads and parses the file. A missing file is refused like an invalid file. */
export function readSettings(file: string, stateDirectory: string | undefined): Result<Settings, SettingsRefused> {
	try {
		return parseSettings(readFileSync(file, 'utf8'), stateDirectory);
	} catch (error) {
		return fail({ code: 'settings_refused', problems: [`the file cannot be read: ${messageOf(error)}`] });
	}
}
