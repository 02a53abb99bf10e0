import * as v from 'valibot';
import { accountWords } from '../back-office/account-messages.ts';
import { answerJson, type Handler, readJson, refuse } from '../http/handler.ts';
import type { Journal } from '../journal/journal.ts';
import { isOtherServer, type SettingsSeal } from '../setup/settings-seal.ts';
import { Decision } from './decision.ts';

const Confirmation = v.object({ by: Decision.entries.by, settings: v.array(v.string()) });

/** Unsent money of one account. `account`: its outlet and server in words. */
export interface AccountMoney {
	account: string;
	notes: number;
	cards: number;
	total: number;
	/**
	 * Whether the server in the settings is the account's own server, so that it will get this money.
	 */
	is_sent: boolean;
}

/** The answer of GET /setup. */
export interface ChangedSettings {
	settings: readonly string[];
	/**
	 * Unsent money, by account; empty if the server has not changed, null if the journal cannot be
	 * read.
	 */
	held: AccountMoney[] | null;
}

/**
 * Staff-socket calls. GET /setup: the changed settings that keep cash closed, and the unsent money
 * if the server has changed. POST /setup/confirm {by, settings} confirms these settings and returns
 * their names; 409 if other settings have changed meanwhile.
 * @param deps.server origin of the back office in the settings
 */
export function setupCalls({ seal, journal, server }: { seal: SettingsSeal; journal: Journal; server: string }): Handler {
	function held(): AccountMoney[] | null {
		if (!isOtherServer(seal.unconfirmed())) return [];
		const trouble = journal.trouble();
		if (trouble !== null && trouble.code !== 'disk_full') return null;
		return journal.waitingMoney().map(({ account, ...money }) => ({
			...money,
			account: accountWords(account),
			is_sent: account.server === server,
		}));
	}

	return async (request, response, path) => {
		if (request.method === 'GET' && path === '/setup') {
			answerJson(response, 200, { settings: seal.unconfirmed(), held: held() } satisfies ChangedSettings);
			return true;
		}
		if (request.method !== 'POST' || path !== '/setup/confirm') return false;
		const asked = await readJson(Confirmation, request, response);
		if (asked === null) return true;
		// Since a restart, settings may have changed that the person has not seen.
		const names = seal.unconfirmed();
		if (names.join() !== asked.settings.join())
			refuse(
				response,
				409,
				'other_settings',
				`Other settings have changed meanwhile: ${names.join(', ') || 'none'}. Run the command again.`,
			);
		else answerJson(response, 200, { confirmed: seal.confirmSettings(asked.by) });
		return true;
	};
}
