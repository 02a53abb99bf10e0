import * as v from 'valibot';
import { answerJson, type Handler, readJson } from '../http/handler.ts';
import type { SettingsSeal } from '../setup/settings-seal.ts';
import { Decision } from './decision.ts';

const Confirmation = v.object({ by: Decision.entries.by });

/**
 * POST /setup/confirm {by} on the staff socket: accepts the changed settings that keep cash closed
 * and answers with their names.
 */
export const setupCalls =
	(seal: SettingsSeal): Handler =>
	async (request, response, path) => {
		if (request.method !== 'POST' || path !== '/setup/confirm') return false;
		const asked = await readJson(Confirmation, request, response);
		if (asked !== null) answerJson(response, 200, { confirmed: seal.confirmSettings(asked.by) });
		return true;
	};
