import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import type { Commissioning } from '../acceptor/commissioning.ts';
import type { CardDesk } from '../card/card-desk.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import { answerJson, type Handler, readJson, refuse } from '../http/handler.ts';
import type { Log } from '../log/log.ts';
import type { LineRecord } from '../serial/line-record.ts';

const Wish = v.variant('action', [
	v.object({ action: v.literal('begin'), by: v.pipe(v.string(), v.trim(), v.nonEmpty('the name of the person')) }),
	v.object({ action: v.literal('end') }),
]);

/** Staff-socket calls for devices: GET /devices, GET and POST /acceptor/commission. */
export function acceptorCalls(deps: {
	cash: CashDesk;
	card: CardDesk;
	commissioning: Commissioning;
	lines: Partial<Record<'acceptor' | 'edc', LineRecord>>;
	/** The last drawn route and its age; null before the first report of the screen. */
	drawn: () => { screen: string; ago_ms: number } | null;
	log: Log;
}): Handler {
	const { cash, card, commissioning, lines, log } = deps;

	async function wished(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const asked = await readJson(Wish, request, response);
		if (asked === null) return;
		if (asked.action === 'end') {
			commissioning.end();
			return answerJson(response, 200, commissioning.look());
		}
		if (!lines.acceptor) return refuse(response, 409, 'no_acceptor', 'There is no [acceptor] section in the settings.');
		if (cash.isOpen() || card.shownState() === 'busy') return refuse(response, 409, 'busy', 'Not now: a customer is paying.');
		if (commissioning.isOn()) return refuse(response, 409, 'busy', 'The acceptor is being commissioned already.');
		commissioning.begin();
		log.event('acceptor.commissioning', { by: asked.by });
		answerJson(response, 200, commissioning.look());
	}

	return async (request, response, path) => {
		if (request.method === 'POST' && path === '/acceptor/commission') await wished(request, response);
		else if (request.method !== 'GET') return false;
		else if (path === '/acceptor/commission') answerJson(response, 200, { ...commissioning.look(), state: cash.shownState() });
		else if (path === '/devices')
			answerJson(response, 200, {
				acceptor: lines.acceptor?.facts() ?? null,
				edc: lines.edc?.facts() ?? null,
				screen: deps.drawn(),
			});
		else return false;
		return true;
	};
}
