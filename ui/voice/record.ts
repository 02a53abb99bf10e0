/**
 * Records the spoken guidance with espeak-ng into voice/dist, one file for each sentence and word.
 * If espeak-ng or opusenc is missing, prints a message; the kiosk then cannot speak.
 */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LANGUAGES, type Language } from '../src/text/language.ts';
import { sentencesIn } from './sentences.ts';

const OUT = join(import.meta.dirname, 'dist');
/** espeak-ng has no Javanese voice, so its Indonesian voice reads the Javanese text. */
const VOICES: Record<Language, string> = { id: 'id', en: 'en-us', jv: 'id' };
/** Words per minute. This is slower than usual, because the hall is noisy. */
const PACE = 145;
const ENCODER = ['--quiet', '--bitrate', '12', '--framesize', '60', '--serial', '1'];

/** Words that a voice misreads, each with a spelling that the voice reads correctly. */
const SAID: Record<string, readonly (readonly [RegExp, string])[]> = {
	id: [
		[/\bQRIS\b/g, 'kris'],
		[/\bEDC\b/g, 'e de ce'],
		[/\bHP\b/g, 'ha pe'],
		[/\bVA\b/g, 'fe a'],
		[/\bBCA\b/g, 'be ce a'],
		[/\bReady\b/g, 'redi'],
		[/\bReload\b/g, 'rilod'],
		[/\bMbanking\b/g, 'em benking'],
		[/\bVirtual Account\b/g, 'virtual akun'],
	],
	'en-us': [[/\bQRIS\b/g, 'kriss']],
};

const run = promisify(execFile);
const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

const nameOf = (voice: string, sentence: string): string =>
	`${createHash('sha256')
		.update(JSON.stringify([voice, PACE, ENCODER, SAID[voice], sentence]))
		.digest('hex')
		.slice(0, 16)}.opus`;

async function record(voice: string, sentence: string, file: string): Promise<void> {
	const words = (SAID[voice] ?? []).reduce((text, [written, said]) => text.replace(written, said), sentence);
	await run('espeak-ng', ['-v', voice, '-s', String(PACE), '-z', '-w', `${file}.wav`, '--', words]);
	await run('opusenc', [...ENCODER, `${file}.wav`, file]);
}

async function recordAll(): Promise<void> {
	const scratch = mkdtempSync(join(tmpdir(), 'voice-'));
	mkdirSync(OUT, { recursive: true });
	const wanted = new Map<string, () => Promise<void>>();
	const lists = LANGUAGES.map((language) => {
		const voice = VOICES[language];
		const files = sentencesIn(language).map((sentence) => {
			const name = nameOf(voice, sentence);
			wanted.set(name, () => record(voice, sentence, join(scratch, name)));
			return [sentence, name];
		});
		return { name: `${language}.json`, text: `${JSON.stringify(Object.fromEntries(files), null, '\t')}\n` };
	});
	try {
		const missing = [...wanted].filter(([name]) => !existsSync(join(OUT, name)));
		const work = async (): Promise<void> => {
			for (let next = missing.pop(); next !== undefined; next = missing.pop()) {
				const [name, make] = next;
				await make();
				// A file gets its name only when it is complete, so that an interrupted run leaves no half
				// sentence.
				writeFileSync(join(OUT, `${name}.new`), readFileSync(join(scratch, name)));
				renameSync(join(OUT, `${name}.new`), join(OUT, name));
			}
		};
		await Promise.all(Array.from({ length: availableParallelism() }, work));
		for (const old of readdirSync(OUT)) if (!wanted.has(old)) rmSync(join(OUT, old));
		for (const { name, text } of lists) writeFileSync(join(OUT, name), text);
	} finally {
		rmSync(scratch, { recursive: true });
	}
}

if (['espeak-ng', 'opusenc'].every(isInstalled)) await recordAll();
else {
	rmSync(OUT, { recursive: true, force: true });
	process.stdout.write('Spoken guidance is left out: it needs the Debian packages espeak-ng and opus-tools. Everything else works.\n');
}
