import * as v from 'valibot';
import { answerJson, type Handler, readJson } from '../http/handler.ts';
import type { CustomerCall } from './customer-call.ts';
import { Decision } from './decision.ts';

const Answering = v.object({ by: Decision.entries.by });

/**
 * Calls on the staff socket, which need no PIN. GET /customer-call returns the open call of a
 * customer. POST /customer-call/answer {by} answers this call.
 */
export const answerCalls =
	(call: CustomerCall): Handler =>
	async (request, response, path) => {
		if (request.method === 'GET' && path === '/customer-call') {
			answerJson(response, 200, { call: call.open() });
			return true;
		}
		if (request.method !== 'POST' || path !== '/customer-call/answer') return false;
		const asked = await readJson(Answering, request, response);
		if (asked !== null) answerJson(response, 200, { answered: call.answer(asked.by) });
		return true;
	};
