/** The file of a rehearsal: its fields, its canonical text and its signature. */
import { createPublicKey, verify } from 'node:crypto';
import { REHEARSAL_VERDICTS } from '@kiosk/contract/rehearsal';
import * as v from 'valibot';
import { fail, ok, type Result } from '../base/result.ts';
import type { SlipKey } from '../proof/slip-key.ts';
import { REHEARSALS } from './scripts.ts';

/**
 * One recorded fact. `run`: 1 when the rehearsal begins, one more after each restart of the daemon.
 * `ms`: monotonic time since this run began to record.
 */
export const Entry = v.variant('from', [
	/**
	 * What the line to a device carried. `what`: bytes in hex, secret bytes as 2a (`*`). If `from` is
	 * `line`, `what` states whether the line was opened or lost.
	 */
	v.object({
		from: v.picklist(['kiosk', 'device', 'line']),
		run: v.number(),
		ms: v.number(),
		at: v.string(),
		line: v.picklist(['acceptor', 'edc']),
		what: v.string(),
	}),
	/** A log event. */
	v.object({ from: v.literal('log'), run: v.number(), ms: v.number(), at: v.string(), id: v.string(), fields: v.unknown() }),
	/**
	 * The daemon has begun to record, at the start of the rehearsal or after a restart.
	 */
	v.object({ from: v.literal('daemon'), run: v.number(), ms: v.number(), at: v.string(), what: v.string() }),
	/** The technician's answer. */
	v.object({ from: v.literal('person'), run: v.number(), ms: v.number(), at: v.string(), ask: v.string(), value: v.number() }),
]);
export type Entry = v.InferOutput<typeof Entry>;

const Noted = v.object({ nominal: v.nullable(v.number()), end: v.string() });
const Sold = v.object({ amount: v.nullable(v.number()), end: v.string() });

/** Format 1. Times are ISO 8601, amounts rupiah. A later version may add fields. */
export const Recording = v.looseObject({
	format: v.literal(1),
	rehearsal: v.picklist(REHEARSALS),
	by: v.string(),
	begun: v.string(),
	ended: v.string(),
	/**
	 * Name of the site, version of the kiosk, and settings of the devices, which include the note
	 * map.
	 */
	kiosk: v.looseObject({ notes: v.record(v.string(), v.number()) }),
	entries: v.array(Entry),
	journal: v.array(v.object({ seq: v.number(), time: v.string(), record: v.unknown() })),
	answers: v.record(v.string(), v.number()),
	money: v.object({ notes: v.array(Noted), sales: v.array(Sold), prints: v.array(v.string()) }),
	verdict: v.object({ verdict: v.picklist(REHEARSAL_VERDICTS), text: v.string(), remedy: v.string() }),
});
export type Recording = v.InferOutput<typeof Recording>;

/** `signature`: base64url, over the canonical text of all other fields. `key`: the public key. */
const Signed = v.looseObject({ key: v.object({ id: v.string(), public: v.string() }), signature: v.string() });

/** @returns the file's text */
export function signRecording(recording: Recording, key: SlipKey): string {
	const whole = { ...recording, key: { id: key.id, public: key.publicKey } };
	return `${JSON.stringify({ ...whole, signature: key.sign(canonicalText(whole)).toString('base64url') })}\n`;
}

export type FileRefused = { code: 'unreadable' | 'forged'; reason: string };

/**
 * Checks the signature with the key in the file.
 * @returns the recording and the public key. Any key could have signed the file, so the caller must
 * compare this key with the kiosk's own.
 */
export function readRecording(text: string): Result<{ recording: Recording; publicKey: string }, FileRefused> {
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch {
		return fail({ code: 'unreadable', reason: 'it is not JSON' });
	}
	const signed = v.safeParse(Signed, json);
	const recording = v.safeParse(Recording, json);
	if (!signed.success || !recording.success) return fail({ code: 'unreadable', reason: 'it is not the file of a rehearsal' });
	const { signature, ...whole } = signed.output;
	if (!isSigned(canonicalText(whole), signature, whole.key.public))
		return fail({ code: 'forged', reason: 'it was changed after it was signed' });
	return ok({ recording: recording.output, publicKey: whole.key.public });
}

function isSigned(text: string, signature: string, publicKey: string): boolean {
	try {
		const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
		return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
	} catch {
		return false;
	}
}

/** @returns JSON with sorted keys and no spaces, so that equal values give equal texts */
export function canonicalText(value: unknown): string {
	return JSON.stringify(value, (_, inner: unknown) =>
		typeof inner === 'object' && inner !== null && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
}
