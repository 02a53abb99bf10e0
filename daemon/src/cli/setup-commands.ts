import { formatRupiah, rupiah } from '@kiosk/contract/money';
import type { AccountMoney, ChangedSettings } from '../staff/setup-calls.ts';
import type { CommandTools } from './command-tools.ts';

/** @returns the command `kioskctl setup confirm`, by name */
export function setupCommands({ by, tools }: { by: string; tools: CommandTools }): Record<string, () => Promise<void>> {
	const { say, refuse, call, confirmed } = tools;
	return {
		'setup confirm': async () => {
			if (!by) refuse('Name the person who confirms the settings: --by NAME');
			const { settings, held } = await call<ChangedSettings>('GET', '/setup');
			if (held === null || held.length > 0) {
				const money = held === null ? ['The journal cannot be read, so it is unknown how much money waits.'] : held.map(heldLine);
				const question = [`The server changes: ${settings.join(', ')}. Money that is not sent yet:`, ...money, 'Confirm this change?'].join(
					'\n',
				);
				if (tools.yes) say(question);
				await confirmed(question);
			}
			const { confirmed: names } = await call<{ confirmed: string[] }>('POST', '/setup/confirm', { by, settings });
			say(names.length === 0 ? 'No changed settings are waiting for confirmation.' : `Confirmed: ${names.join(', ')}. Cash opens again.`);
		},
	};
}

function heldLine({ account, notes, cards, total, is_sent }: AccountMoney): string {
	const items = [notes > 0 ? `${notes} note(s)` : '', cards > 0 ? `${cards} card sale(s)` : ''].filter(Boolean).join(' and ');
	const fate = is_sent ? 'sent to the changed server once this outlet logs in' : 'waits until the settings name that server again';
	return `  ${items}, ${formatRupiah(rupiah(total))}, of ${account}: ${fate}`;
}
