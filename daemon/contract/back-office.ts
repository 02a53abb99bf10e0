/**
 * The answers of the back office that the kiosk reads, one schema a call. Fields that are not named here pass through
 * untouched: the owner's server may send more than the kiosk knows.
 */
import * as v from 'valibot';
import { type Rupiah, RupiahSchema, ShownAmountSchema } from './money.ts';

/** Characters. Ids go into the journal, into log lines and into paths; the longest in use are UUIDs. */
const LONGEST_ID = 200;
/** Characters of a name or a number that is shown; the panel and the paper have room for some forty. */
const LONGEST_TEXT = 500;
/** Characters of a picture: a `data:` address of a QR code is some ten thousand, of a logo some hundred thousand. */
const LONGEST_PICTURE = 1_000_000;

/** Servers write ids as numbers or strings; the kiosk sends back what it was given and compares them as text. */
export const IdSchema = v.union([
	v.pipe(
		v.string(),
		v.maxLength(LONGEST_ID, `at most ${LONGEST_ID} characters`),
		// Half a surrogate pair does not survive UTF-8: it would come back as another id.
		v.check((id) => id.isWellFormed(), 'whole characters'),
	),
	// A number that JavaScript holds only nearly would come back as another payment's id, or as none.
	v.pipe(v.number(), v.safeInteger('a whole number that JSON carries exactly')),
]);
export type Id = v.InferOutput<typeof IdSchema>;

/** @returns whether two ids name the same payment, however the server wrote them */
export const sameId = (a: Id | null | undefined, b: Id | null | undefined): boolean =>
	a !== null && a !== undefined && b !== null && b !== undefined && String(a) === String(b);

/** @returns a field that is only shown, as text; Odoo writes `false` for an empty one, and what is no text is empty too */
const shown = (longest: number) =>
	v.pipe(
		v.optional(v.unknown(), ''),
		v.transform((field): string => {
			if (typeof field === 'number') return String(field);
			return typeof field === 'string' ? field.slice(0, longest).toWellFormed() : '';
		}),
	);

/** Numbers and phone numbers come quoted from one server and bare from the next. */
const Text = shown(LONGEST_TEXT);

/** An address or `data:` address of a picture, or the text of a QR code. A cut one would be another, so a longer one is left out. */
const Picture = v.pipe(
	shown(LONGEST_PICTURE + 1),
	v.transform((address) => (address.length > LONGEST_PICTURE ? '' : address)),
);

/** What is missing: nothing, null, or the `false` of Odoo. */
const isEmpty = (field: unknown): boolean => field === undefined || field === null || field === false;

/** @returns the schema for a field that may be empty, which then is null; anything else must fit */
const orNull = <const S extends v.GenericSchema>(schema: S) =>
	v.pipe(
		v.optional(v.unknown(), null),
		v.transform((field) => (isEmpty(field) ? null : field)),
		v.nullable(schema),
	);

/** @returns the rows that fit, and the places of those that do not, e.g. "3.total" */
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

/** @returns false for a list with rows of which none fits: to call it empty would be untrue */
const hasFittingRow = (row: v.GenericSchema, list: readonly unknown[]): boolean => list.length === 0 || list.some((one) => v.is(row, one));

/** @returns the schema for a list that is only shown: no list is the empty one, and rows that are none are left out */
const rowsOf = <const S extends v.GenericSchema>(row: S) =>
	v.pipe(
		v.optional(v.unknown(), []),
		v.transform((list) => fittingRows(row, Array.isArray(list) ? list : []).rows),
	);

/** A list that an answer is about: without it the answer says something else, and is none. */
const Listed = v.pipe(
	v.union([v.array(v.unknown()), v.null(), v.literal(false)]),
	v.transform((list) => list || []),
);

/** A count of things, also when the server quotes it. */
const Count = v.pipe(v.union([v.number(), v.pipe(v.string(), v.transform(Number))]), v.integer(), v.minValue(0));

/** Python and PHP servers write truth as true, 1, "true" or null. */
export const FlagSchema = v.pipe(
	v.optional(v.nullable(v.union([v.boolean(), v.picklist([0, 1]), v.picklist(['true', 'false', 'True', 'False', '0', '1', ''])])), false),
	v.transform((flag) => flag === true || flag === 1 || flag === 'true' || flag === 'True' || flag === '1'),
);

/** Characters. The longest tokens in use (JWT) are some 1,200; the session cookie holds 4,096 bytes. */
const LONGEST_TOKEN = 2_048;
/**
 * An outlet's token. It is written into a header and into a path: printable ASCII without blanks, and not dots alone, which a path would
 * lose.
 */
export const TokenSchema = v.pipe(
	v.string(),
	v.maxLength(LONGEST_TOKEN, `at most ${LONGEST_TOKEN} characters`),
	v.regex(/^(?!\.+$)[\x21-\x7e]+$/, 'printable characters without blanks'),
);

export const LoginAnswer = v.looseObject({ token: TokenSchema, development: FlagSchema });
export type LoginAnswer = v.InferOutput<typeof LoginAnswer>;

/** A sentence for a person. Servers fill a field that they do not use with null or nothing, and some put a list there. */
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

/** A refusal from the back office; whichever of the two fields says something is shown to the person. */
export const ErrorAnswer = v.looseObject({ message: Sentence, detail: Sentence });

/** More of one product than any workshop sells at once. */
const MOST_PIECES = 1_000_000;

/** How many of a product, to the thousandth; null where it cannot be read. A line that says none is one piece. */
const Quantity = v.pipe(
	v.optional(v.unknown(), 1),
	v.transform((written): number | null => {
		const qty = typeof written === 'string' && written.trim() !== '' ? Number(written) : written;
		return typeof qty === 'number' && Math.abs(qty) <= MOST_PIECES ? Math.round(qty * 1_000) / 1_000 + 0 : null;
	}),
);

/** A line of an invoice. It is shown and printed and decides nothing, so whatever stands in it does not make the invoice unpayable. */
export const ProductLine = v.looseObject({ produk_name: Text, qty: Quantity, harga: ShownAmountSchema });
export type ProductLine = v.InferOutput<typeof ProductLine>;

export const InvoiceBlock = v.looseObject({
	noinvoice_odoo: Text,
	nowo_odoo: Text,
	/** Shown beside the block; what is due is the total of the invoice. */
	total: ShownAmountSchema,
	detail: rowsOf(ProductLine),
});
export type InvoiceBlock = v.InferOutput<typeof InvoiceBlock>;

/** A payment that the back office already holds for the invoice. `tanggal` is shown as it came when it is no date. */
export const ReceivedPayment = v.looseObject({
	nominal: RupiahSchema,
	tanggal: Text,
	/** Which note of a kiosk it is, where the server says so. */
	note_id: v.fallback(v.optional(v.nullable(v.pipe(v.string(), v.maxLength(LONGEST_ID)))), undefined),
});
export type ReceivedPayment = v.InferOutput<typeof ReceivedPayment>;

/** More than this for one invoice is a mistake of the server; notes of the kiosk are added to it, and the sum must stay an amount. */
const MOST_RECEIVED = 100_000_000_000;
/** Payments of one invoice: what is known of them is written down with each look-up. */
const MOST_PAYMENTS = 1_000;
const ReceivedPayments = v.pipe(
	v.array(ReceivedPayment),
	v.maxLength(MOST_PAYMENTS, `at most ${MOST_PAYMENTS} payments`),
	v.check((payments) => payments.reduce((sum, { nominal }) => sum + nominal, 0) <= MOST_RECEIVED, 'payments of one workshop invoice'),
);

export const Invoice = v.looseObject({
	id: IdSchema,
	odoo_id: orNull(IdSchema),
	noinvoice: Text,
	konsumen_name: Text,
	nopol: Text,
	/** As large as what may be received for it: notes of the kiosk come on top, and the sum must stay an amount. */
	total: v.pipe(RupiahSchema, v.maxValue(MOST_RECEIVED as Rupiah, 'the total of one workshop invoice')),
	is_paid: FlagSchema,
	/** Payment data of a virtual account or QRIS that is already open; empty means none. Its form is the payment provider's. */
	json_data: v.optional(v.unknown()),
	/** What an open QRIS code or virtual account is known by; some servers say it only inside json_data. */
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
	/** The method in words, once the server knows it. */
	payment_type_display: Text,
});
export type Invoice = v.InferOutput<typeof Invoice>;

/** POST get-invoice-info */
export const InvoiceInfo = v.looseObject({
	results: Invoice,
	logo: Picture,
	ahass_name: Text,
	/** From here on a virtual account is offered in place of QRIS; unreadable counts as none. */
	max_to_va: v.fallback(orNull(RupiahSchema), null),
});
export type InvoiceInfo = v.InferOutput<typeof InvoiceInfo>;

/** One row of the staff's list. */
export const Transaction = v.looseObject({
	id: IdSchema,
	noinvoice: Text,
	hp: Text,
	nopol: Text,
	konsumen_name: Text,
	/** The date as the server writes it for people. */
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
 * GET payment-group: one page of transactions, and how many there are in all. A row that does not fit is left out, and `odd_rows` names
 * it; the others stay. A count that cannot be read is that of the rows.
 */
export const TransactionPage = v.pipe(
	v.looseObject({ results: Listed, count: v.fallback(v.optional(v.nullable(Count), null), null) }),
	v.check(({ results }) => hasFittingRow(Transaction, results), 'no row can be read'),
	v.transform(({ results, count, ...more }) => {
		const { rows, odd } = fittingRows(Transaction, results);
		return { ...more, results: rows, count: count ?? results.length, ...(odd.length > 0 && { odd_rows: odd }) };
	}),
);
export type TransactionPage = v.InferOutput<typeof TransactionPage>;

/** An unreadable `success` opens nothing. */
const PinObject = v.looseObject({ success: v.fallback(v.optional(FlagSchema, true), false), message: v.fallback(Text, '') });

/** POST login-pin-screen: a truthy answer opens the list; one that says `success: false` does not, and may say why. */
export const PinAnswer = v.pipe(
	v.unknown(),
	v.transform((answer) => {
		if (typeof answer !== 'object' || answer === null) return { opens: Boolean(answer), message: '' };
		const { success, message } = v.parse(PinObject, answer);
		return { opens: success, message };
	}),
);

/** POST resend-callback */
export const ResendAnswer = v.looseObject({ success: FlagSchema, message: Text });
export type ResendAnswer = v.InferOutput<typeof ResendAnswer>;

/** A bank that offers virtual accounts. `script_kode`: bca, mandiri or bni; it chooses the steps that are shown. */
export const VaBank = v.looseObject({
	id: IdSchema,
	nama: Text,
	logo: Picture,
	script_kode: Text,
	is_active: v.fallback(v.optional(FlagSchema, true), true),
});
export type VaBank = v.InferOutput<typeof VaBank>;

/** GET master-va. A bank without an id cannot be chosen and is left out. */
export const VaBanks = v.pipe(
	v.looseObject({ results: Listed }),
	v.check(({ results }) => hasFittingRow(VaBank, results), 'no bank can be read'),
	v.transform(({ results, ...more }) => ({ ...more, results: fittingRows(VaBank, results).rows })),
);

/** POST create-va */
export const CreatedVa = v.looseObject({
	result_record: v.looseObject({ no_va: v.pipe(Text, v.minLength(1)), company_code: Text }),
});
export type CreatedVa = v.InferOutput<typeof CreatedVa>;

/** Characters of an address that is fetched. */
const LONGEST_ADDRESS = 4_096;
const Film = v.fallback(v.pipe(v.string(), v.maxLength(LONGEST_ADDRESS)), '');
const NamedFilm = v.union([
	v.pipe(v.string(), v.maxLength(LONGEST_ADDRESS)),
	v.pipe(
		v.looseObject({ url: v.optional(Film, ''), video: v.optional(Film, ''), file: v.optional(Film, '') }),
		v.transform(({ url, video, file }) => url || video || file),
	),
]);

/** GET video: the address of the one promo film, under whichever of these names the server has it; none is ''. */
export const PromoVideo = v.pipe(
	v.looseObject({ results: v.optional(v.unknown(), null) }),
	v.transform(({ results }) => (isEmpty(results) ? [] : results)),
	v.array(v.unknown()),
	v.transform(([film]) => (isEmpty(film) ? '' : film)),
	NamedFilm,
);
