import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { EndedRehearsal, ListedRehearsal, RehearsalLook } from '@kiosk/contract/rehearsal';
import { messageOf } from '../base/result.ts';
import { isRehearsal, REHEARSALS } from '../rehearsal/scripts.ts';
import { readRecording } from '../rehearsal/signed-file.ts';
import type { PublicSlipKey } from '../staff/slip-calls.ts';
import type { CommandTools } from './command-tools.ts';

const LOOK_MS = 200;
const VERDICTS = { passed: 'LULUS', failed: 'GAGAL', missed: 'ULANGI' } as const;

export interface RehearseCommandDeps {
	/** `NAME`, `stop`, or `verify FILE`. */
	words: readonly string[];
	by: string;
	out: string;
	tools: CommandTools;
	exit: (code: number) => void;
}

/** @returns the command `kioskctl rehearse`, by name. Its instructions are in Indonesian */
export function rehearseCommands(deps: RehearseCommandDeps): Record<string, () => Promise<void>> {
	const [name = '', file = ''] = deps.words;
	const { say, refuse, call } = deps.tools;

	const look = (): Promise<RehearsalLook> => call('GET', '/rehearsal');

	async function rehearse(): Promise<void> {
		if (name === '') {
			const { list, running } = await look();
			for (const one of list) say(listLine(one));
			if (running) say(`\nSedang berjalan: kioskctl rehearse ${running.name}`);
		} else if (name === 'verify') await checkFile();
		else if (name === 'stop') {
			await call('POST', '/rehearsal', { action: 'stop' });
			say('Dihentikan; tidak ada file.');
		} else if (!isRehearsal(name)) refuse(`${name}: no such rehearsal. There are: ${REHEARSALS.join(', ')}`);
		else await guide(name);
	}

	/** Begins or continues a rehearsal and guides the technician through it. */
	async function guide(wanted: string): Promise<void> {
		const { running } = await look();
		if (running && running.name !== wanted) refuse(`The rehearsal ${running.name} is running. End it first: kioskctl rehearse stop`);
		if (!running) {
			if (!deps.by) refuse('Name the technician: --by NAME');
			await call('POST', '/rehearsal', { action: 'begin', name: wanted, by: deps.by });
		}
		say(`${wanted}: q lalu Enter menghentikan.`);
		const keys = keyboard();
		try {
			const done = await followed(keys);
			if (done === null) say('Berhenti tanpa hasil; kioskctl logs menyebut sebabnya.');
			else await report(done);
			deps.exit(done?.verdict === 'passed' ? 0 : 1);
		} finally {
			keys.close();
		}
	}

	/**
	 * Prints each step and sends each answer.
	 * @returns the ended rehearsal; null if it was stopped or has no verdict
	 */
	async function followed(keys: Keyboard): Promise<EndedRehearsal | null> {
		let told = '';
		for (;;) {
			const { running, ended } = await look();
			if (!running) return ended;
			const line = running.judging ? 'Memeriksa jurnal ...' : `[${running.step}/${running.says.length}] ${running.says[running.step - 1]}`;
			if (line !== told) say(line);
			told = line;
			const typed = keys.next();
			if (typed === 'q') {
				await call('POST', '/rehearsal', { action: 'stop' });
				return null;
			}
			const value = running.ask === null || typed === null ? null : wholeNumber(typed);
			if (value !== null) await call('POST', '/rehearsal', { action: 'answer', value });
			else if (running.ask !== null && typed !== null) say('Ketik angka, misalnya 50.000 atau 0.');
			else await delay(LOOK_MS);
		}
	}

	async function report(done: EndedRehearsal): Promise<void> {
		say(`\n${VERDICTS[done.verdict]}: ${done.text}${done.remedy && `\n-> ${done.remedy}`}`);
		const { text } = await call<{ text: string }>('GET', `/rehearsal/file/${done.file}`);
		if (!deps.out) return say(`Rekaman: rehearsals/${done.file} di folder state; --out FILE menyalinnya.`);
		try {
			writeFileSync(deps.out, text);
		} catch (error) {
			refuse(`${deps.out} cannot be written: ${messageOf(error)}`);
		}
		say(`${deps.out}: ditulis.`);
	}

	async function checkFile(): Promise<void> {
		let text = '';
		try {
			text = readFileSync(file, 'utf8');
		} catch (error) {
			refuse(`Which file? ${messageOf(error)}`);
		}
		const read = readRecording(text);
		if (!read.ok) return refuse(`${file}: refused: ${read.error.reason}.`);
		const { recording, publicKey } = read.value;
		const own = await call<PublicSlipKey>('GET', '/slip/key');
		const { rehearsal, verdict, by, ended } = recording;
		say(`${file}: ${rehearsal}, ${verdict.verdict}, by ${by.replace(/\s+/g, ' ')}, ${ended}; not changed since.`);
		say(
			own.public === publicKey
				? 'Signed by this kiosk.'
				: `Signed by another kiosk. Look for its key in the owner's key list: ${publicKey}`,
		);
		if (own.public !== publicKey) deps.exit(1);
	}

	return { rehearse };
}

const listLine = ({ name, title, possible, last }: ListedRehearsal): string =>
	`  ${name.padEnd(20)} ${(last ? `${VERDICTS[last.verdict]} ${last.ended.slice(0, 10)}` : possible ? 'belum' : 'tidak ada').padEnd(18)} ${title}`;

/** @returns the number; null if the text is not a number. Dots separate thousands. */
const wholeNumber = (typed: string): number | null => (/^\d[\d.]*$/.test(typed) ? Number(typed.replaceAll('.', '')) : null);

/** Queue of typed lines; `next` takes the oldest line, or returns null if there is none. */
interface Keyboard {
	next(): string | null;
	close(): void;
}

function keyboard(): Keyboard {
	const typed: string[] = [];
	const lines = createInterface({ input: process.stdin });
	lines.on('line', (line) => typed.push(line.trim()));
	return { next: () => typed.shift() ?? null, close: () => lines.close() };
}
