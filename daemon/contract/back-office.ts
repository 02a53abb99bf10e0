/**
 * Schemas of the back office's answers, one per call. Fields that a schema does not name pass
 * through unchanged, because the owner's server may send more fields.
 */
import * as v from 'valibot';
import type { Rupiah } from './money.ts';
import { RupiahSchema, ShownAmountSchema } from './money-schema.ts';

/**
 * Maximum length of an id in characters. The limit keeps journal records, log lines and URL paths
 * short, because they contain ids. The longest ids in use are UUIDs.
 */
const LONGEST_ID = 200;
/**
 * Maximum characters of a displayed name or number. A line on the panel or on paper has room for
 * about forty.
 */
const LONGEST_TEXT = 500;
/**
 * Maximum characters of a picture. As a `data:` address, a QR code has about ten thousand
 * characters and a logo a few hundred thousand.
 */
const LONGEST_PICTURE = 1_000_000;

/**
 * Servers send ids as numbers or strings. The kiosk sends ids back unchanged and compares them as
 * text.
 */
export const IdSchema = v.union([
	v.pipe(
		v.string(),
		v.maxLength(LONGEST_ID, `at most ${LONGEST_ID} characters`),
		// UTF-8 cannot encode a lone surrogate, so the id would change.
		v.check((id) => id.isWellFormed(), 'whole characters'),
	),
	// A number that JavaScript cannot represent exactly would become the id of another payment.
	v.pipe(v.number(), v.safeInteger('a whole number that JSON carries exactly')),
]);
export type Id = v.InferOutput<typeof IdSchema>;

/**
 * @returns the schema of a displayed text, cut to `longest` characters. A number becomes text; any
 * other value, such as Odoo's `false`, becomes ''
 */
const shown = (longest: number) =>
	v.pipe(
		v.optional(v.unknown(), ''),
		v.transform((field): string => {
			if (typeof field === 'number') return String(field);
			return typeof field === 'string' ? field.slice(0, longest).toWellFormed() : '';
		}),
	);

/** A text. Some servers send invoice or phone numbers as JSON numbers. */
const Text = shown(LONGEST_TEXT);

/**
 * An address or `data:` address of a picture, or the text of a QR code. An overlong value is
 * dropped, because a truncated code would be wrong.
 */
const Picture = v.pipe(
	shown(LONGEST_PICTURE + 1),
	v.transform((address) => (address.length > LONGEST_PICTURE ? '' : address)),
);

/** @returns whether the field is empty: undefined, null, or Odoo's `false` */
const isEmpty = (field: unknown): boolean => field === undefined || field === null || field === false;

/**
 * @returns the schema of a field that may be empty. An empty field becomes null; any other value
 * must match `schema`
 */
const orNull = <const S extends v.GenericSchema>(schema: S) =>
	v.pipe(
		v.optional(v.unknown(), null),
		v.transform((field) => (isEmpty(field) ? null : field)),
		v.nullable(schema),
	);

/**
 * The order id of an invoice. Some servers send an empty text for an invoice without an order. If
 * it counted as an id, the invoice would count as another one after it got its order id.
 */
export const OrderId = v.pipe(
	v.optional(v.unknown(), null),
	v.transform((field) => (isEmpty(field) || (typeof field === 'string' && field.trim() === '') ? null : field)),
	v.nullable(IdSchema),
);

/** @returns the valid rows, and the path of each invalid row, e.g. "3.total" */
function fittingRows<const S extends v.GenericSchema>(row: S, list: readonly unknown[]): { rows: v.InferOutput<S>[]; odd: string[] } {
	const rows: v.InferOutput<S>[] = [];
	const odd: string[] = [];
	for (const [at, one] of list.entries()) {
		const parsed = v.safeParse(row, one);
		if (parsed.success) rows.push(parsed.output);
		else odd.push([at, v.getDotPath(parsed.issues[0])].filter((part) => part !== null).join('.'));
	}
	return { rows, odd };
}

/**
 * @returns the schema of a displayed list. A value that is not a list becomes an empty list;
 * invalid rows are dropped
 */
const rowsOf = <const S extends v.GenericSchema>(row: S) =>
	v.pipe(
		v.optional(v.unknown(), []),
		v.transform((list) => fittingRows(row, Array.isArray(list) ? list : []).rows),
	);

/**
 * @returns the schema of a required list; null and Odoo's `false` are empty lists. A missing list
 * is invalid. A list with only invalid rows is also invalid, because the screen would show it as
 * empty
 */
const listOf = <const S extends v.GenericSchema>(row: S) =>
	v.pipe(
		v.union([v.array(v.unknown()), v.null(), v.literal(false)]),
		v.transform((list) => fittingRows(row, list || [])),
		v.check(({ rows, odd }) => rows.length > 0 || odd.length === 0, 'no row can be read'),
	);

/** A count, as number or string. */
const Count = v.pipe(v.union([v.number(), v.pipe(v.string(), v.transform(Number))]), v.integer(), v.minValue(0));

/** Servers in Python and PHP may send a boolean as true, 1, "true" or null. */
export const FlagSchema = v.pipe(
	v.optional(v.nullable(v.union([v.boolean(), v.picklist([0, 1]), v.picklist(['true', 'false', 'True', 'False', '0', '1', ''])])), false),
	v.transform((flag) => flag === true || flag === 1 || flag === 'true' || flag === 'True' || flag === '1'),
);

/**
 * Maximum length of a token in characters. The longest tokens in use (JWT) have about 1,200; the
 * session cookie is limited to 4,096 bytes.
 */
const LONGEST_TOKEN = 2_048;
/**
 * An outlet's token. The kiosk sends it in a header and in a path, so only printable ASCII without
 * blanks is valid. A token of only dots is invalid, because `.` and `..` disappear from a path.
 */
export const TokenSchema = v.pipe(
	v.string(),
	v.maxLength(LONGEST_TOKEN, `at most ${LONGEST_TOKEN} characters`),
	v.regex(/^(?!\.+$)[\x21-\x7e]+$/, 'printable characters without blanks'),
);

export const LoginAnswer = v.looseObject({ token: TokenSchema, development: FlagSchema });
export type LoginAnswer = v.InferOutput<typeof LoginAnswer>;

/**
 * A message for display. Null, an empty text and a list count as missing, because servers put them
 * in unused fields.
 */
const Sentence = v.fallback(
	v.optional(
		v.pipe(
			v.string(),
			v.trim(),
			v.minLength(1),
			v.transform((words) => words.slice(0, LONGEST_TEXT).toWellFormed()),
		),
	),
	undefined,
);

/** A refusal of the back office, with its text in `message` or `detail`. */
export const ErrorAnswer = v.looseObject({ message: Sentence, detail: Sentence });

/**
 * @returns the server's text if the answer has no other field than `message` and `detail`; else ''
 */
function onlyReason(answer: object): string {
	const { message, detail } = v.parse(ErrorAnswer, answer);
	return Object.keys(answer).every((name) => name === 'message' || name === 'detail') ? (message ?? detail ?? '') : '';
}

/** Values of `success` that mean no. Null and unreadable values mean neither yes nor no. */
const SaysNo = v.looseObject({ success: v.union([v.literal(false), v.picklist([0, 'false', 'False', '0'])]) });

/** @returns whether the answer states that the call had no effect (back-office.md) */
function isRefusal(answer: unknown): boolean {
	if (typeof answer !== 'object' || answer === null) return false;
	return onlyReason(answer) !== '' || v.is(SaysNo, answer);
}

/**
 * The answer to POST payment, cancel-payment and payment-astra-pay. Servers answer with data, `OK`
 * or nothing, so every answer except a refusal is valid. The effect of the call appears in the next
 * look-up of the invoice.
 */
export const PaymentAnswer = v.pipe(
	v.unknown(),
	v.check((answer) => !isRefusal(answer), 'more than a refusal'),
);

/** Maximum quantity of one product, positive or negative. */
const MOST_PIECES = 1_000_000;

/**
 * Quantity of a product, rounded to a thousandth; null if unreadable or too large. A missing
 * quantity means 1.
 */
const Quantity = v.pipe(
	v.optional(v.unknown(), 1),
	v.transform((written): number | null => {
		const qty = typeof written === 'string' && written.trim() !== '' ? Number(written) : written;
		return typeof qty === 'number' && Math.abs(qty) <= MOST_PIECES ? Math.round(qty * 1_000) / 1_000 + 0 : null;
	}),
);

/**
 * A line of an invoice. The kiosk only displays and prints it, so an invalid value must not block
 * the payment.
 */
export const ProductLine = v.looseObject({ produk_name: Text, qty: Quantity, harga: ShownAmountSchema });
export type ProductLine = v.InferOutput<typeof ProductLine>;

export const InvoiceBlock = v.looseObject({
	noinvoice_odoo: Text,
	nowo_odoo: Text,
	/**
	 * Total of this part of the invoice, for display only. The due amount comes from the invoice's
	 * total.
	 */
	total: ShownAmountSchema,
	detail: rowsOf(ProductLine),
});
export type InvoiceBlock = v.InferOutput<typeof InvoiceBlock>;

/**
 * A payment that the back office has recorded for the invoice. `tanggal` is displayed unchanged if
 * it is not a date.
 */
export const ReceivedPayment = v.looseObject({
	nominal: RupiahSchema,
	tanggal: Text,
	/** Id of the kiosk's note, if the server sends it. */
	note_id: v.fallback(v.optional(v.nullable(v.pipe(v.string(), v.maxLength(LONGEST_ID)))), undefined),
});
export type ReceivedPayment = v.InferOutput<typeof ReceivedPayment>;

/**
 * Maximum amount received for one invoice; a larger amount is a fault of the server. The kiosk adds
 * its notes to this amount, and the sum must stay a valid amount.
 */
const MOST_RECEIVED = 100_000_000_000;
/** Maximum number of payments of one invoice; each look-up may write all of them to the journal. */
const MOST_PAYMENTS = 1_000;
const ReceivedPayments = v.pipe(
	v.array(ReceivedPayment),
	v.maxLength(MOST_PAYMENTS, `at most ${MOST_PAYMENTS} payments`),
	v.check((payments) => payments.reduce((sum, { nominal }) => sum + nominal, 0) <= MOST_RECEIVED, 'payments of one workshop invoice'),
);

/** A note that the acceptor took without reporting its outcome. */
export const DoubtfulNote = v.object({ note_id: v.string(), nominal: RupiahSchema });
export type DoubtfulNote = v.InferOutput<typeof DoubtfulNote>;

export const Invoice = v.looseObject({
	id: IdSchema,
	odoo_id: OrderId,
	noinvoice: Text,
	konsumen_name: Text,
	nopol: Text,
	/** The same limit as for the received amount. */
	total: v.pipe(RupiahSchema, v.maxValue(MOST_RECEIVED as Rupiah, 'the total of one workshop invoice')),
	is_paid: FlagSchema,
	/**
	 * Payment data of an open virtual account or QRIS code, in the payment provider's format; empty
	 * if none is open.
	 */
	json_data: v.optional(v.unknown()),
	/** Address or text of the open QRIS code. Some servers send it only in json_data. */
	qr_url: Picture,
	no_va: Text,
	bank: Text,
	company_code: Text,
	list_pembayaran: v.pipe(
		orNull(ReceivedPayments),
		v.transform((payments) => payments ?? []),
	),
	list_invoice: rowsOf(InvoiceBlock),
	transaction_type: Text,
	/** 1 means QRIS. */
	payment_type: v.fallback(orNull(IdSchema), null),
	/** Name of the payment method; '' if the server does not send it. */
	payment_type_display: Text,
	/** This kiosk's notes in doubt for the invoice. Only the daemon sets this field. */
	kiosk_doubts: v.fallback(v.optional(v.array(DoubtfulNote)), undefined),
	/**
	 * Whether the answer lacks the corrections by the kiosk's journal, because the journal could not
	 * be read. Only the daemon sets this field.
	 */
	kiosk_uncorrected: v.fallback(v.optional(v.boolean()), undefined),
});
export type Invoice = v.InferOutput<typeof Invoice>;

/** POST get-invoice-info */
export const InvoiceInfo = v.looseObject({
	results: Invoice,
	logo: Picture,
	ahass_name: Text,
	/**
	 * Amount from which the screen offers a virtual account instead of QRIS. An unreadable value
	 * counts as missing.
	 */
	max_to_va: v.fallback(orNull(RupiahSchema), null),
});
export type InvoiceInfo = v.InferOutput<typeof InvoiceInfo>;

/** One row of the staff list. */
export const Transaction = v.looseObject({
	id: IdSchema,
	noinvoice: Text,
	hp: Text,
	nopol: Text,
	konsumen_name: Text,
	/** The date as the server displays it. */
	tanggal_display: Text,
	is_paid: FlagSchema,
	total: RupiahSchema,
	list_invoice: rowsOf(InvoiceBlock),
	payment_type_display: Text,
	ahass_name: Text,
	logo: Picture,
});
export type Transaction = v.InferOutput<typeof Transaction>;

/**
 * GET payment-group: one page of transactions. `count`: number of transactions on all pages; if
 * missing or unreadable, the number of rows on this page. Invalid rows are dropped and named in
 * `odd_rows`.
 */
export const TransactionPage = v.pipe(
	v.looseObject({ results: listOf(Transaction), count: v.fallback(v.optional(v.nullable(Count), null), null) }),
	v.transform(({ results: { rows, odd }, count, ...more }) => ({
		...more,
		results: rows,
		count: count ?? rows.length + odd.length,
		...(odd.length > 0 && { odd_rows: odd }),
	})),
);
export type TransactionPage = v.InferOutput<typeof TransactionPage>;

/** An unreadable `success` counts as a refusal of the PIN, so the staff list stays closed. */
const PinObject = v.looseObject({ success: v.fallback(v.optional(FlagSchema, true), false), ...ErrorAnswer.entries });

/**
 * The answer to POST login-pin-screen. A truthy answer opens the staff list. An object with
 * `success: false`, or with only `message` or `detail`, is a refusal.
 */
export const PinAnswer = v.pipe(
	v.unknown(),
	v.transform((answer) => {
		if (typeof answer !== 'object' || answer === null) return { opens: Boolean(answer), message: '' };
		const { success, message, detail } = v.parse(PinObject, answer);
		return { opens: success && onlyReason(answer) === '', message: message ?? detail ?? '' };
	}),
);

/** The answer to POST resend-callback, with its text in `message` or `detail`. */
export const ResendAnswer = v.pipe(
	v.looseObject({ success: FlagSchema, message: Text, detail: Text }),
	v.transform(({ message, detail, ...more }) => ({ ...more, message: message || detail })),
);
export type ResendAnswer = v.InferOutput<typeof ResendAnswer>;

/**
 * A bank with virtual accounts. `script_kode` (bca, mandiri or bni) selects the displayed payment
 * instructions.
 */
export const VaBank = v.looseObject({
	id: IdSchema,
	nama: Text,
	logo: Picture,
	script_kode: Text,
	is_active: v.fallback(v.optional(FlagSchema, true), true),
});
export type VaBank = v.InferOutput<typeof VaBank>;

/** GET master-va. A bank without an id cannot be chosen and is dropped. */
export const VaBanks = v.pipe(
	v.looseObject({ results: listOf(VaBank) }),
	v.transform(({ results, ...more }) => ({ ...more, results: results.rows })),
);

/** POST create-va */
export const CreatedVa = v.looseObject({
	result_record: v.looseObject({ no_va: v.pipe(Text, v.minLength(1)), company_code: Text }),
});
export type CreatedVa = v.InferOutput<typeof CreatedVa>;

/** Maximum length of the film's address in characters. */
const LONGEST_ADDRESS = 4_096;
const Film = v.fallback(v.pipe(v.string(), v.maxLength(LONGEST_ADDRESS)), '');
const NamedFilm = v.union([
	v.pipe(v.string(), v.maxLength(LONGEST_ADDRESS)),
	v.pipe(
		v.looseObject({ url: v.optional(Film, ''), video: v.optional(Film, ''), file: v.optional(Film, '') }),
		v.transform(({ url, video, file }) => url || video || file),
	),
]);

/**
 * GET video: the promo film's address; '' for none. The server sends the address as text or in one
 * of the fields of `NamedFilm`. A refusal is invalid, so that it does not remove the present film.
 */
export const PromoVideo = v.pipe(
	v.unknown(),
	v.check((answer) => !isRefusal(answer), 'more than a refusal'),
	v.looseObject({ results: v.optional(v.unknown(), null) }),
	v.transform(({ results }) => (isEmpty(results) ? [] : results)),
	v.array(v.unknown()),
	v.transform(([film]) => (isEmpty(film) ? '' : film)),
	NamedFilm,
);
