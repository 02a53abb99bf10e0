import type { StaffPerson } from '@kiosk/contract/staff-names';
import type { CommandTools } from './command-tools.ts';

/** @returns the commands under `kioskctl staff`, by name */
export function nameCommands({ by, json, tools }: { by: string; json: boolean; tools: CommandTools }): Record<string, () => Promise<void>> {
	const { say, refuse, call, confirmed } = tools;
	return {
		'staff names': async () => {
			const { people } = await call<{ people: StaffPerson[] }>('GET', '/names');
			if (json) return say(JSON.stringify(people, null, '\t'));
			say(people.length === 0 ? 'No names of staff. The first one added on the staff screen is a supervisor.' : 'Names of staff:');
			for (const { name, role, has_code } of people) say(`  ${name}, ${role}${has_code ? ', with a personal code' : ''}`);
		},
		'staff clear': async () => {
			if (!by) refuse('Name the person who removes them: --by NAME');
			await confirmed('Remove all names of staff? The next person added on the staff screen becomes the supervisor.');
			const { cleared } = await call<{ cleared: number }>('POST', '/names/clear', { by });
			say(`${cleared} name(s) removed.`);
		},
	};
}
