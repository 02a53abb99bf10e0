/** The updater's calls to the running daemon, over its staff socket. */
import { parseBoundedJson } from '@kiosk/contract/bounded-json';
import * as v from 'valibot';
import { fail, ok, type Result } from '../base/result.ts';
import { askDaemon } from '../staff/ask-daemon.ts';

/** Duration of the permission to restart (staff/restart-lease.ts), long enough for the restart. */
const LEASE_SECONDS = 120;

const Lease = v.variant('granted', [
	v.object({ granted: v.literal(true), until: v.string() }),
	v.object({ granted: v.literal(false), reasons: v.array(v.object({ code: v.string(), text: v.string() })) }),
]);
export type Lease = v.InferOutput<typeof Lease>;

const Trial = v.object({
	/** "ok", "checking", or why the daemon does not use the journal. */
	journal: v.string(),
	/** Time for which the page has been drawing without interruption. */
	drawn_seconds: v.number(),
	devices: v.array(v.object({ name: v.string(), state: v.picklist(['ok', 'bad']) })),
});
export type TrialFacts = v.InferOutput<typeof Trial>;

export interface NoAnswer {
	code: 'no_answer';
	message: string;
}

export interface DaemonLink {
	/** Requests the permission to restart. While it is valid, no payment begins. */
	lease(by: 'update' | 'person'): Promise<Result<Lease, NoAnswer>>;
	/** Gives the permission back. */
	release(): Promise<void>;
	/** @returns the facts by which a version on trial is judged */
	trial(): Promise<Result<TrialFacts, NoAnswer>>;
}

/** @param socket the daemon's staff socket */
export function daemonLink(socket: string): DaemonLink {
	async function ask<const S extends v.GenericSchema>(
		schema: S,
		method: string,
		path: string,
		body: object | null,
	): Promise<Result<v.InferOutput<S>, NoAnswer>> {
		const asked = await askDaemon(socket, method, path, body, 'application/json');
		if (!asked.ok) return fail({ code: 'no_answer', message: `the daemon does not answer (${asked.message})` });
		if (asked.status !== 200) return fail({ code: 'no_answer', message: `the daemon answers ${asked.status} to ${path}` });
		const parsed = v.safeParse(schema, parsedJson(asked.text));
		return parsed.success ? ok(parsed.output) : fail({ code: 'no_answer', message: `the daemon’s answer to ${path} is not understood` });
	}
	return {
		lease: (by) => ask(Lease, 'POST', '/restart/lease', { by, seconds: LEASE_SECONDS }),
		async release() {
			await askDaemon(socket, 'DELETE', '/restart/lease', null, 'application/json');
		},
		trial: () => ask(Trial, 'GET', '/trial', null),
	};
}

function parsedJson(text: string): unknown {
	try {
		return parseBoundedJson(text);
	} catch {
		return null;
	}
}
