import { paymentFile, paymentsOf, verifyChain } from '../journal/payment-file.ts';
import { readStore } from '../journal/store.ts';
import { messageOf } from '../result.ts';
import { answerJson, refuse } from '../screen/http.ts';
import type { Handler } from '../screen/server.ts';

/**
 * GET /journal/verify, /journal/payment/ID and /journal/invoice/NUMBER, on the staff socket: for people who may not read the
 * journal's file. It is read beside the daemon's own handle, so these answer also when the daemon does not trust it any more.
 */
export function journalCalls(directory: string): Handler {
	return async (request, response, path) => {
		const [, verb, , of = ''] = /^\/journal\/(verify|payment|invoice)(\/([^/]+))?$/.exec(path) ?? [];
		if (request.method !== 'GET' || verb === undefined) return false;
		const cannot = (message: string): void => refuse(response, 503, 'journal_unreadable', `the journal cannot be read: ${message}`);
		const opened = readStore(directory);
		if (!opened.ok) {
			cannot(opened.error.message);
			return true;
		}
		const store = opened.value;
		try {
			if (verb === 'verify') answerJson(response, 200, await verifyChain(store));
			else {
				const wanted = decodeURIComponent(of);
				const payments = paymentsOf(store, verb === 'payment' ? { payment: wanted } : { invoice: wanted });
				if (payments.length === 0) refuse(response, 404, 'no_such_payment', `The journal knows of no money for ${wanted}.`);
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
