/**
 * The answers of the back office that the kiosk reads, one schema a call. Fields that are not named here pass through
 * untouched: the owner's server may send more than the kiosk knows.
 */
import * as v from 'valibot';
import { RupiahSchema } from './money.ts';

/** Servers write ids as numbers or strings; the kiosk sends back what it was given and compares them as text. */
export const IdSchema = v.union([v.string(), v.number()]);
export type Id = v.InferOutput<typeof IdSchema>;

/** @returns whether two ids name the same payment, however the server wrote them */
export const sameId = (a: Id | null | undefined, b: Id | null | undefined): boolean =>
	a !== null && a !== undefined && b !== null && b !== undefined && String(a) === String(b);

const Text = v.optional(v.nullable(v.string()), '');

/** Python and PHP servers write truth as true, 1, "true" or null. */
export const FlagSchema = v.pipe(
	v.optional(v.nullable(v.union([v.boolean(), v.picklist([0, 1]), v.picklist(['true', 'false', 'True', 'False', '0', '1', ''])])), false),
	v.transform((flag) => flag === true || flag === 1 || flag === 'true' || flag === 'True' || flag === '1'),
);

export const LoginAnswer = v.looseObject({ token: v.pipe(v.string(), v.minLength(1)), development: FlagSchema });
export type LoginAnswer = v.InferOutput<typeof LoginAnswer>;

/** A refusal from the back office; whichever of the two fields is there is shown to the person. */
export const ErrorAnswer = v.looseObject({ message: v.optional(v.string()), detail: v.optional(v.string()) });

export const ProductLine = v.looseObject({
	produk_name: Text,
	qty: v.optional(v.union([v.number(), v.pipe(v.string(), v.transform(Number))]), 1),
	harga: RupiahSchema,
});
export type ProductLine = v.InferOutput<typeof ProductLine>;

export const InvoiceBlock = v.looseObject({
	noinvoice_odoo: Text,
	nowo_odoo: Text,
	total: RupiahSchema,
	detail: v.optional(v.nullable(v.array(ProductLine)), []),
});
export type InvoiceBlock = v.InferOutput<typeof InvoiceBlock>;

/** A payment that the back office already holds for the invoice. `tanggal` is shown as it came when it is no date. */
export const ReceivedPayment = v.looseObject({ nominal: RupiahSchema, tanggal: Text });
export type ReceivedPayment = v.InferOutput<typeof ReceivedPayment>;

export const Invoice = v.looseObject({
	id: IdSchema,
	odoo_id: v.optional(v.nullable(IdSchema)),
	noinvoice: Text,
	konsumen_name: Text,
	nopol: Text,
	total: RupiahSchema,
	is_paid: FlagSchema,
	/** Payment data of a virtual account or QRIS that is already open; empty means none. */
	json_data: v.optional(v.unknown()),
	list_pembayaran: v.optional(v.nullable(v.array(ReceivedPayment)), []),
	list_invoice: v.optional(v.nullable(v.array(InvoiceBlock)), []),
	transaction_type: Text,
	payment_type: v.optional(v.nullable(IdSchema)),
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
