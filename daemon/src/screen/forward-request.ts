import type { IncomingMessage } from 'node:http';
import { IdSchema, Invoice } from '@kiosk/contract/back-office';
import * as v from 'valibot';
import { formDataOf } from '../back-office/client.ts';
import type { AllowedCall } from '../back-office/proxy.ts';
import { formDataField, parseJson } from '../http/handler.ts';

/**
 * Maximum length of an outlet's name. The length is limited because each record of a payment
 * contains the name.
 */
const LONGEST_NAME = 200;

/**
 * The outlet's name in a log-in. A lone surrogate is refused, because encoding in UTF-8 would
 * change the name.
 */
export const Credentials = v.looseObject({
	username: v.pipe(
		v.string(),
		v.trim(),
		v.nonEmpty(),
		v.maxLength(LONGEST_NAME),
		v.check((name) => name.isWellFormed()),
	),
});
export const Pin = v.looseObject({ pin: v.pipe(v.string(), v.nonEmpty()) });
/** The number that a look-up searches for. */
export const Wanted = v.looseObject({ noinvoice: v.string() });
/**
 * The request that cancels a payment. It contains the complete invoice, but the daemon reads only
 * the id.
 */
export const Cancelled = v.looseObject({ id: IdSchema });
const { odoo_id, noinvoice, total } = Invoice.entries;
/**
 * Requests for a QRIS code contain the ids of the invoice; requests for a virtual account contain
 * the whole invoice.
 */
export const CodeRequest = v.looseObject({
	id: v.optional(IdSchema),
	odoo_id,
	noinvoice,
	payment_id: v.optional(IdSchema),
	results: v.optional(v.looseObject({ id: IdSchema, odoo_id, noinvoice, total: v.optional(total) })),
});
export type CodeRequest = v.InferOutput<typeof CodeRequest>;
const Fields = v.looseObject({});

/** Calls that open a QRIS code or a virtual account. */
export const OPENS_CODE: ReadonlySet<AllowedCall['name']> = new Set(['payment', 'create_va', 'create_va_hutang_lain', 'astra_pay']);

/**
 * Calls whose fields the daemon reads. The daemon re-encodes these fields, because a server may
 * parse the page's bytes differently and so read another outlet name, number or PIN.
 */
const READ_HERE: ReadonlySet<AllowedCall['name']> = new Set(['login', 'pin', 'invoice_info', 'cancel_payment', ...OPENS_CODE]);

/** A page's request as it is forwarded. `fields`: null if the daemon does not read them. */
export interface Forwarded {
	body: Buffer;
	contentType: string;
	fields: object | null;
}

/** @returns the request as it is forwarded; null if its fields are needed but cannot be read */
export async function forwardedOf(request: IncomingMessage, { name }: AllowedCall, body: Buffer): Promise<Forwarded | null> {
	const contentType = request.headers['content-type'] ?? '';
	if (!READ_HERE.has(name)) return { body, contentType, fields: null };
	const field = await formDataField(body, contentType);
	const parsed = field === null ? null : parseJson(name === 'login' ? Credentials : Fields, field);
	return parsed?.ok ? { ...formDataOf(parsed.value), fields: parsed.value } : null;
}

/** @returns the fields of a request; null if they do not match the schema */
export function fieldsOf<const S extends v.GenericSchema>(schema: S, { fields }: Forwarded): v.InferOutput<S> | null {
	const parsed = v.safeParse(schema, fields);
	return parsed.success ? parsed.output : null;
}
