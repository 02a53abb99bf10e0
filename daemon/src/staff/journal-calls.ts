import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../base/result.ts';
import { answerJson, type Handler, readJson, refuse } from '../http/handler.ts';
import type { Journal } from '../journal/journal.ts';
import { readLeftOpen } from '../journal/open-items-export.ts';
import { paymentFile, paymentsOf, verifyChain } from '../journal/payment-file.ts';
import { readSeal } from '../journal/seal.ts';
import { readStore } from '../journal/store.ts';
import type { Log } from '../log/log.ts';
import { Decision } from './decision.ts';

/**
 * Staff-socket calls for accounts that may not read the journal's file: GET /journal/verify,
 * /journal/payment/ID and /journal/invoice/NUMBER. They read the file through their own handle, so
 * they also work when the daemon refuses the journal. POST /journal/restart {by, why} sets the
 * journal aside and begins a new one; POST /journal/reseal {by, why} accepts it with a new key.
 */
export function journalCalls(deps: {
	directory: string;
	/** The key file of the journal's seal. */
	keyFile: string;
	journal: Journal;
	/** A fresh UUID. */
	newId: () => string;
	/** Now, ISO 8601 with the site's offset. */
	now: () => string;
	/** Ends the process: its state was read from a journal that is no longer in use. */
	end: () => void;
	log: Log;
}): Handler {
	const { directory, journal, log } = deps;

	async function restart(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const asked = await readJson(Decision, request, response);
		if (asked === null) return;
		const trouble = journal.trouble();
		if (trouble?.code === 'journal_newer') return refuse(response, 409, trouble.code, `${trouble.message}. Nothing was done.`);
		if (trouble?.code !== 'journal_unhealthy')
			return refuse(response, 409, 'journal_healthy', 'The journal is in use and in order, so it is not set aside. Nothing was done.');
		const begun = journal.restart({ ...asked, restart_id: deps.newId(), time: deps.now() });
		if (!begun.ok) return refuse(response, 503, begun.error.code, `A new journal could not be created: ${begun.error.message}`);
		log.event('journal.set_aside', { folder: begun.value, by: asked.by, why: asked.why });
		response.on('close', deps.end);
		answerJson(response, 200, { folder: begun.value, open: readLeftOpen(begun.value) });
	}

	async function reseal(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const asked = await readJson(Decision, request, response);
		if (asked === null) return;
		const done = journal.reseal({ ...asked, reseal_id: deps.newId(), time: deps.now() });
		if (!done.ok) return refuse(response, 409, done.error.code, `The journal was not resealed: ${done.error.message}`);
		log.event('journal.resealed', { by: asked.by, why: asked.why });
		answerJson(response, 200, { resealed: true });
	}

	return async (request, response, path) => {
		if (request.method === 'POST' && path === '/journal/reseal') {
			await reseal(request, response);
			return true;
		}
		if (request.method === 'POST' && path === '/journal/restart') {
			await restart(request, response);
			return true;
		}
		const [, verb, , of = ''] = /^\/journal\/(verify|payment|invoice)(\/([^/]+))?$/.exec(path) ?? [];
		if (request.method !== 'GET' || verb === undefined) return false;
		const cannot = (message: string): void => refuse(response, 503, 'journal_unreadable', `the journal cannot be read: ${message}`);
		const found = readSeal(deps.keyFile);
		const seal = found.state === 'found' ? found.seal : null;
		const opened = readStore(directory, seal);
		if (!opened.ok) {
			cannot(opened.error.message);
			return true;
		}
		const store = opened.value;
		try {
			if (verb === 'verify') answerJson(response, 200, await verifyChain(store, seal));
			else {
				const wanted = decodeURIComponent(of);
				const payments = paymentsOf(store, verb === 'payment' ? { payment: wanted } : { invoice: wanted });
				if (payments.length === 0) refuse(response, 404, 'no_such_payment', `The journal has no money for ${wanted}.`);
				else answerJson(response, 200, paymentFile(store, payments));
			}
		} catch (error) {
			cannot(messageOf(error));
		} finally {
			store.close();
		}
		return true;
	};
}
