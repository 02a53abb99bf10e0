import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { AcceptorState } from '@kiosk/contract/live';
import { formatRupiah, rupiah } from '@kiosk/contract/money';
import type { CommissioningEnd, HeardNote } from '../acceptor/commissioning.ts';
import { messageOf } from '../base/result.ts';
import { ACCEPTOR_WORDS } from '../health/acceptor-messages.ts';
import { NOMINALS, type Settings } from '../settings/settings.ts';
import type { CommandTools } from './command-tools.ts';

/**
 * Time limit within which the acceptor must open. Most units open within two polls; a slow unit
 * needs seconds.
 */
const OPEN_LIMIT_MS = 8_000;
const LOOK_MS = 200;

interface Look {
	on: boolean;
	ended: CommissioningEnd | null;
	taking: boolean;
	heard: HeardNote[];
	state: AcceptorState;
}

export interface AcceptorCommandDeps {
	by: string;
	out: string;
	settings: () => Settings;
	tools: CommandTools;
}

/** @returns the commands under `kioskctl acceptor`, by name */
export function acceptorCommands(deps: AcceptorCommandDeps): Record<string, () => Promise<void>> {
	const { say, refuse, call, decided } = deps.tools;

	const look = (): Promise<Look> => call('GET', '/acceptor/commission');
	const end = (): Promise<Look> => call('POST', '/acceptor/commission', { action: 'end' });

	/** Opens the acceptor for commissioning; exits with the reason if it does not open in time. */
	async function opened(by: string): Promise<void> {
		await call('POST', '/acceptor/commission', { action: 'begin', by });
		const limit = performance.now() + OPEN_LIMIT_MS;
		let now = await look();
		while (!now.taking && performance.now() < limit) {
			await delay(LOOK_MS);
			now = await look();
		}
		if (now.taking) return;
		await end();
		const [, text, remedy] = ACCEPTOR_WORDS[now.state];
		const told =
			now.state === 'note_map_missing' || now.state === 'inhibited' ? ['it reports no fault', 'Run kioskctl devices.'] : [text, remedy];
		refuse(`The bill acceptor does not open: ${told[0]}.\n-> ${told[1]}`);
	}

	return {
		'acceptor test': async () => {
			await opened('kioskctl acceptor test');
			await end();
			say('The bill acceptor answers: it opened on request and closes again. No note was taken.');
		},
		'acceptor commission': async () => {
			if (!deps.by) refuse('Name the technician: --by NAME');
			const before = deps.settings().acceptor?.notes ?? new Map<string, number>();
			await opened(deps.by);
			const map = await learnNotes({ look, say }).finally(end);
			if (map.size === 0) refuse('No note code was learned; nothing was written.');
			for (const line of differences(map, before)) say(line);
			const section = sectionOf(map);
			if (deps.out) {
				try {
					writeFileSync(deps.out, section);
				} catch (error) {
					refuse(`${deps.out} cannot be written: ${messageOf(error)}\n${section}`);
				}
				say(`${deps.out}: written.`);
			}
			say(`Replace the old section in the settings with this one and restart the kiosk:\n\n${section}`);
			say('Then insert each note once in a real payment and compare screen, cashbox and back office.');
		},
		'acceptor unlock': async () => {
			await call('POST', '/acceptor/unlock', decided());
			say('Cash is allowed again. The journal records name and reason.');
		},
	};
}

/** Asks the technician for the notes of each value in turn. @returns rupiah by learned note code */
async function learnNotes(deps: { look: () => Promise<Look>; say: (line: string) => void }): Promise<Map<string, number>> {
	const { look, say } = deps;
	const map = new Map<string, number>();
	const keys = keyboard();
	say('Insert each note once, in any orientation. It comes back and is not credited. Enter: next value. q and Enter: end.');
	let seen = (await look()).heard.length;
	try {
		for (const nominal of NOMINALS) {
			say(`\n${formatRupiah(rupiah(nominal))}: insert one note of each series in use, then press Enter.`);
			for (;;) {
				const now = await look();
				if (!now.on) {
					say(now.ended === 'customer' ? 'Ended: a customer has begun to pay.' : 'Ended by the kiosk.');
					return map;
				}
				for (const { code } of now.heard.slice(seen)) say(heardText(map, code, nominal));
				seen = now.heard.length;
				const key = keys.next();
				if (key === 'q') return map;
				if (key === '') break;
				await delay(LOOK_MS);
			}
		}
		return map;
	} finally {
		keys.close();
	}
}

function heardText(map: Map<string, number>, code: string, nominal: number): string {
	const known = map.get(code);
	if (known !== undefined && known !== nominal)
		return `  received ${code}, already learned as ${formatRupiah(rupiah(known))}: a wrong note, or the unit misread it. The code keeps its first value.`;
	map.set(code, nominal);
	return `  received ${code}: ${formatRupiah(rupiah(nominal))}`;
}

/** Reads typed lines; end of input counts as "q". */
function keyboard(): { next(): string | null; close(): void } {
	const typed: string[] = [];
	const lines = createInterface({ input: process.stdin });
	lines.on('line', (line) => typed.push(line.trim()));
	lines.on('close', () => typed.push('q'));
	return { next: () => typed.shift() ?? null, close: () => lines.close() };
}

const sectionOf = (map: ReadonlyMap<string, number>): string =>
	`[acceptor.notes]\n${[...map]
		.sort(([a], [b]) => a.localeCompare(b))
		.map(([code, nominal]) => `"${code}" = ${nominal}\n`)
		.join('')}`;

/**
 * @returns lines that name the differences between the learned notes and the settings, because a
 * wrong setting would credit wrong amounts
 */
function differences(map: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): string[] {
	const amountText = (nominal: number): string => formatRupiah(rupiah(nominal));
	const wrong = [...map].filter(([code, nominal]) => before.has(code) && before.get(code) !== nominal);
	const untaught = [...before.keys()].filter((code) => !map.has(code));
	return [
		'',
		...wrong.map(
			([code, nominal]) =>
				`WRONG IN THE SETTINGS: ${code} is set to ${amountText(before.get(code) ?? 0)}, but the note is ${amountText(nominal)}.`,
		),
		...(before.size > 0 && untaught.length > 0
			? [`The settings contain these note types, but no such note was inserted this time: ${untaught.join(', ')}.`]
			: []),
	];
}
