import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { CashDesk } from '../cash/cash-desk.ts';
import { answerJson, closeUnread, type Handler, readJson, refuse } from '../http/handler.ts';
import { faultCounter } from '../http/handler-faults.ts';
import { refusedRecordText } from '../journal/trouble.ts';
import type { Log } from '../log/log.ts';
import { Decision } from './decision.ts';

/** Path of the daemon's staff socket: a UNIX socket, which browsers cannot reach. */
export const staffSocketPath = (stateDirectory: string): string => join(stateDirectory, 'kioskd.sock');

/**
 * Serves POST /acceptor/unlock {by, why} and the calls of `handlers`. Only the socket's owner and
 * group may connect.
 */
export function startStaffSocket(deps: { stateDirectory: string; cash: CashDesk; handlers: readonly Handler[]; log: Log }): Server {
	const path = staffSocketPath(deps.stateDirectory);
	rmSync(path, { force: true });
	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const target = (request.url ?? '').split('?')[0] ?? '';
		if (request.method === 'POST' && target === '/acceptor/unlock') {
			const asked = await readJson(Decision, request, response);
			if (asked === null) return;
			const unlocked = deps.cash.unlock(`${asked.by}: ${asked.why}`);
			if (!unlocked.ok) return refuse(response, 503, unlocked.error.code, refusedRecordText(unlocked.error));
			return answerJson(response, 200, { unlocked: true });
		}
		for (const handler of deps.handlers) if (await handler(request, response, target)) return;
		refuse(response, 404, 'not_found', `there is no ${request.method} ${target}`);
	};
	const fault = faultCounter(deps.log);
	const server = createServer((request, response) => {
		closeUnread(request, response);
		answer(request, response).catch((error: unknown) => {
			fault(error);
			if (response.headersSent) response.destroy();
			else refuse(response, 500, 'fault', 'the daemon failed with an internal error; its log gives the reason');
		});
	});
	server.listen(path, () => chmodSync(path, 0o660));
	return server;
}
