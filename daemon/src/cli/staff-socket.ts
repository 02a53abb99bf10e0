import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import type { CashDesk } from '../acceptor/cash-desk.ts';
import { answerJson, parseJson, readBody, refuse } from '../screen/http.ts';
import type { Handler } from '../screen/server.ts';

/** Where `kioskctl` finds the daemon: a UNIX socket, because no browser can reach one. */
export const staffSocketPath = (stateDirectory: string): string => join(stateDirectory, 'kioskd.sock');

export const UnlockRequest = v.object({
	by: v.pipe(v.string(), v.trim(), v.nonEmpty('the name of who decides')),
	why: v.pipe(v.string(), v.trim(), v.nonEmpty('the reason')),
});

/** Serves the calls of staff: everything of `health`, and POST /acceptor/unlock {by, why}. Owner and group may connect. */
export function startStaffSocket(parts: { stateDirectory: string; cash: CashDesk; health: Handler }): Server {
	const path = staffSocketPath(parts.stateDirectory);
	rmSync(path, { force: true });
	const server = createServer(async (request, response) => {
		const target = (request.url ?? '').split('?')[0] ?? '';
		if (request.method === 'POST' && target === '/acceptor/unlock') {
			const body = await readBody(request);
			const asked = body.ok ? parseJson(UnlockRequest, body.value) : body;
			if (!asked.ok) return refuse(response, 400, asked.error.code, 'reason' in asked.error ? asked.error.reason : 'cut off');
			parts.cash.unlock(`${asked.value.by}: ${asked.value.why}`);
			return answerJson(response, 200, { unlocked: true });
		}
		if (!(await parts.health(request, response, target))) refuse(response, 404, 'not_found', `there is no ${request.method} ${target}`);
	});
	server.listen(path, () => chmodSync(path, 0o660));
	return server;
}
