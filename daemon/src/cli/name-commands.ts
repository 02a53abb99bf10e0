import type { StaffNames, StaffPerson } from '@kiosk/contract/staff-names';
import type { NameChange } from '../journal/name-book.ts';
import type { CommandTools } from './command-tools.ts';

/** @returns the commands about staff names, by name */
export function nameCommands({ by, json, tools }: { by: string; json: boolean; tools: CommandTools }): Record<string, () => Promise<void>> {
	const { say, refuse, call, confirmed } = tools;
	return {
		'staff names': async () => {
			const { people, lost } = await call<Pick<StaffNames, 'people' | 'lost'>>('GET', '/names');
			if (json) return say(JSON.stringify(people, null, '\t'));
			if (lost === 'names') say('The list of an earlier version is damaged. Run kioskctl staff clear --by NAME, then add the names again.');
			else say(people.length === 0 ? 'No staff names. The first person added on the staff screen becomes the supervisor.' : 'Staff names:');
			for (const { name, role, code } of people) say(`  ${name}, ${role}${CODE_WORDS[code]}`);
		},
		'staff history': async () => {
			const { changes } = await call<{ changes: NameChange[] }>('GET', '/names/history');
			if (json) return say(JSON.stringify(changes, null, '\t'));
			if (changes.length === 0) say('The journal has no change of the staff names.');
			for (const change of changes) say(changeLine(change));
		},
		'staff clear': async () => {
			if (!by) refuse('Name the person who removes the names: --by NAME');
			await confirmed('Remove all staff names? The next person added on the staff screen becomes the supervisor.');
			const { cleared } = await call<{ cleared: number }>('POST', '/names/clear', { by });
			say(`${cleared} name(s) removed.`);
		},
	};
}

const CODE_WORDS: Readonly<Record<StaffPerson['code'], string>> = {
	none: '',
	set: ', with a personal code',
	lost: ', whose personal code is lost',
};

const ACTION_WORDS: Readonly<Record<NameChange['action'], string>> = {
	add: 'added',
	set_code: 'new personal code for',
	retire: 'retired',
	clear: 'all names removed',
	take_over: 'all names taken over from an earlier version',
	carry_over: 'all names taken over',
};

function changeLine({ record, time, action, staff_name, by, before }: NameChange): string {
	const source =
		before === null ? '' : ` from record ${before.seq} of the previous journal${before.is_last ? '' : ' (later changes may be missing)'}`;
	const approval = by !== null ? `, by ${by}` : action === 'take_over' ? '' : ', with the staff PIN alone';
	return `  record ${record}, ${time}: ${ACTION_WORDS[action]}${staff_name === null ? '' : ` ${staff_name}`}${source}${approval}`;
}
