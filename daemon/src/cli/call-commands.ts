import type { StaffCall } from '@kiosk/contract/staff-call';
import type { CommandTools } from './command-tools.ts';

/** @returns the commands `staff call` and `staff answer`, by name */
export function callCommands({ by, json, tools }: { by: string; json: boolean; tools: CommandTools }): Record<string, () => Promise<void>> {
	const { say, refuse, call } = tools;
	return {
		'staff call': async () => {
			const { call: open } = await call<{ call: StaffCall | null }>('GET', '/customer-call');
			if (json) return say(JSON.stringify(open, null, '\t'));
			if (open === null) return say('No customer has called.');
			say(
				`A customer has been calling staff since ${open.since}, on ${open.screen}${open.invoice === '' ? '' : `, invoice ${open.invoice}`}.`,
			);
		},
		'staff answer': async () => {
			if (!by) refuse('Name the person who goes to the customer: --by NAME');
			const { answered } = await call<{ answered: boolean }>('POST', '/customer-call/answer', { by });
			say(answered ? 'The call is answered.' : 'No customer has called.');
		},
	};
}
