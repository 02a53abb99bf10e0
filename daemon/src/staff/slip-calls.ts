import { SlipCheckRequest } from '@kiosk/contract/slip-check';
import { answerJson, type Handler, readJson, refuse } from '../http/handler.ts';
import type { Journal } from '../journal/journal.ts';
import { isClosed } from '../journal/trouble.ts';
import type { SlipKey } from '../proof/slip-key.ts';
import type { SlipCheck } from './slip-check.ts';

/** The public key of a kiosk, for the owner's list. */
export interface PublicSlipKey {
	id: string;
	/** 32 bytes in base64url. */
	public: string;
	/** The kiosk's line on the owner's list: id, key and name. */
	line: string;
}

/** Staff-socket calls: GET /slip/key and POST /slip/check {code}. */
export function slipCalls(deps: {
	key: SlipKey | null;
	/** null without a key. */
	check: SlipCheck | null;
	journal: Pick<Journal, 'trouble'>;
	/** The kiosk's name on the owner's list. */
	site: string;
}): Handler {
	const { key, check } = deps;
	return async (request, response, path) => {
		if (!path.startsWith('/slip/')) return false;
		const trouble = deps.journal.trouble();
		if (!key || !check) refuse(response, 503, 'no_key', 'this kiosk has no key for receipts and slips; its log says why (slip.no_key)');
		else if (request.method === 'GET' && path === '/slip/key')
			answerJson(response, 200, {
				id: key.id,
				public: key.publicKey,
				line: `${key.id} ${key.publicKey} ${deps.site}`,
			} satisfies PublicSlipKey);
		else if (request.method !== 'POST' || path !== '/slip/check') return false;
		// An unreadable journal looks as if it had no printouts.
		else if (trouble && isClosed(trouble)) refuse(response, 503, trouble.code, `the journal cannot be read: ${trouble.message}`);
		else {
			const asked = await readJson(SlipCheckRequest, request, response);
			if (asked) answerJson(response, 200, check.read(asked.code));
		}
		return true;
	};
}
