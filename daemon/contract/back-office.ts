/**
 * The answers of the back office that the kiosk reads, one schema a call. Fields that are not named here pass through
 * untouched: the owner's server may send more than the kiosk knows.
 */
import * as v from 'valibot';
import { RupiahSchema } from './money.ts';

/** Servers write ids as numbers or strings; the kiosk sends back what it was given and compares them as text. */
export const IdSchema = v.union([
	v.string(),
	// A number that JavaScript holds only nearly would come back as another payment's id, or as none.
	v.pipe(v.number(), v.safeInteger('a whole number that JSON carries exactly')),
]);
export type Id = v.InferOutput<typeof IdSchema>;

/** @returns whether two ids name the same payment, however the server wrote them */
export const sameId = (a: Id | null | undefined, b: Id | null | undefined): boolean =>
	a !== null && a !== undefined && b !== null && b !== undefined && String(a) === String(b);

/** Numbers and phone numbers come quoted from one server and bare from the next; nothing and null are the empty text. */
const Text = v.pipe(
	v.optional(v.nullable(v.union([v.string(), v.number()])), ''),
	v.transform((text) => (text === null ? '' : String(text))),
);

/** A count of things, also when the server quotes it. */
const Count = v.pipe(v.union([v.number(), v.pipe(v.string(), v.transform(Number))]), v.integer(), v.minValue(0));

/** Python and PHP servers write truth as true, 1, "true" or null. */
export const FlagSchema = v.pipe(
	v.optional(v.nullable(v.union([v.boolean(), v.picklist([0, 1]), v.picklist(['true', 'false', 'True', 'False', '0', '1', ''])])), false),
	v.transform((flag) => flag === true || flag === 1 || flag === 'true' || flag === 'True' || flag === '1'),
);

export const LoginAnswer = v.looseObject({ token: v.pipe(v.string(), v.minLength(1)), development: FlagSchema });
export type LoginAnswer = v.InferOutput<typeof LoginAnswer>;

/** A sentence for a person. Servers fill a field that they do not use with null or nothing, and some put a list there. */
const Sentence = v.fallback(v.optional(v.pipe(v.string(), v.trim(), v.minLength(1))), undefined);

/** A refusal from the back office; whichever of the two fields says something is shown to the person. */
export const ErrorAnswer = v.looseObject({ message: Sentence, detail: Sentence });

export const ProductLine = v.pipe(
	v.looseObject({
		produk_name: Text,
		qty: v.optional(v.union([v.number(), v.pipe(v.string(), v.transform(Number))]), 1),
		harga: RupiahSchema,
	}),
	// What it comes to is shown and printed.
	v.check(({ qty, harga }) => v.is(RupiahSchema, Math.round(qty * harga)), 'a quantity and a price that come to an amount'),
);
export type ProductLine = v.InferOutput<typeof ProductLine>;

export const InvoiceBlock = v.looseObject({
	noinvoice_odoo: Text,
	nowo_odoo: Text,
	total: RupiahSchema,
	detail: v.optional(v.nullable(v.array(ProductLine)), []),
});
export type InvoiceBlock = v.InferOutput<typeof InvoiceBlock>;

/** A payment that the back office already holds for the invoice. `tanggal` is shown as it came when it is no date. */
export const ReceivedPayment = v.looseObject({
	nominal: RupiahSchema,
	tanggal: Text,
	/** Which note of a kiosk it is, where the server says so. */
	note_id: v.fallback(v.optional(v.nullable(v.string())), undefined),
});
export type ReceivedPayment = v.InferOutput<typeof ReceivedPayment>;

/** More than this for one invoice is a mistake of the server; notes of the kiosk are added to it, and the sum must stay an amount. */
const MOST_RECEIVED = 100_000_000_000;
const ReceivedPayments = v.pipe(
	v.array(ReceivedPayment),
	v.check((payments) => payments.reduce((sum, { nominal }) => sum + nominal, 0) <= MOST_RECEIVED, 'payments of one workshop invoice'),
);

export const Invoice = v.looseObject({
	id: IdSchema,
	odoo_id: v.optional(v.nullable(IdSchema)),
	noinvoice: Text,
	konsumen_name: Text,
	nopol: Text,
	total: RupiahSchema,
	is_paid: FlagSchema,
	/** Payment data of a virtual account or QRIS that is already open; empty means none. Its form is the payment provider's. */
	json_data: v.optional(v.unknown()),
	/** What an open QRIS code or virtual account is known by; some servers say it only inside json_data. */
	qr_url: Text,
	no_va: Text,
	bank: Text,
	company_code: Text,
	list_pembayaran: v.optional(v.nullable(ReceivedPayments), []),
	list_invoice: v.optional(v.nullable(v.array(InvoiceBlock)), []),
	transaction_type: Text,
	/** 1 means QRIS. */
	payment_type: v.optional(v.nullable(IdSchema)),
	/** The method in words, once the server knows it. */
	payment_type_display: Text,
});
export type Invoice = v.InferOutput<typeof Invoice>;

/** POST get-invoice-info */
export const InvoiceInfo = v.looseObject({
	results: Invoice,
	logo: Text,
	ahass_name: Text,
	max_to_va: v.optional(v.nullable(RupiahSchema)),
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
	list_invoice: v.optional(v.nullable(v.array(InvoiceBlock)), []),
	payment_type_display: Text,
	ahass_name: Text,
	logo: Text,
});
export type Transaction = v.InferOutput<typeof Transaction>;

/** GET payment-group: one page of transactions, and how many there are in all. */
export const TransactionPage = v.looseObject({ results: v.array(Transaction), count: Count });
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
export const VaBank = v.looseObject({ id: IdSchema, nama: Text, logo: Text, script_kode: Text, is_active: v.optional(FlagSchema, true) });
export type VaBank = v.InferOutput<typeof VaBank>;

/** GET master-va */
export const VaBanks = v.looseObject({ results: v.array(VaBank) });

/** POST create-va */
export const CreatedVa = v.looseObject({
	result_record: v.looseObject({ no_va: v.pipe(Text, v.minLength(1)), company_code: Text }),
});
export type CreatedVa = v.InferOutput<typeof CreatedVa>;

/** GET video: the address of the one promo film, under whichever of these names the server has it; none is ''. */
export const PromoVideo = v.pipe(
	v.looseObject({
		results: v.optional(
			v.nullable(
				v.array(
					v.union([
						v.string(),
						v.looseObject({ url: v.optional(v.string()), video: v.optional(v.string()), file: v.optional(v.string()) }),
					]),
				),
			),
			[],
		),
	}),
	v.transform(({ results }) => {
		const [film] = results ?? [];
		if (film === undefined || typeof film === 'string') return film ?? '';
		return film.url ?? film.video ?? film.file ?? '';
	}),
);
