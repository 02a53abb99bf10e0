import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/result.ts';
import { VERSION } from '../base/version.ts';
import { sealKeyPath } from '../journal/seal.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import { type Asked, askDaemon, silenceRemedy } from '../staff/ask-daemon.ts';
import { staffSocketPath } from '../staff/staff-socket.ts';
import { imageFacts } from '../update/image-facts.ts';
import { UPDATE_FOLDER } from '../update/state.ts';
import { acceptorCommands } from './acceptor-commands.ts';
import { callCommands } from './call-commands.ts';
import { cashCommands } from './cash-commands.ts';
import { createCommandTools } from './command-tools.ts';
import { COMMANDS, OPTIONS } from './commands.ts';
import { devicesNow, devicesText } from './devices-command.ts';
import { edcCommands } from './edc-commands.ts';
import { bashCompletion, helpOf, manPage, overview } from './help.ts';
import { journalCommands } from './journal-commands.ts';
import { logs } from './logs-command.ts';
import { moneyCommands } from './money-commands.ts';
import { nameCommands } from './name-commands.ts';
import { networkCheck, networkExit, networkText } from './network-command.ts';
import { printSample } from './printer-command.ts';
import { rehearseCommands } from './rehearse-command.ts';
import { screenshot } from './screenshot-command.ts';
import { setupCommands } from './setup-commands.ts';
import { slipCommands } from './slip-commands.ts';
import { status } from './status-command.ts';
import { supportBundle } from './support-bundle.ts';
import { terminalText } from './terminal-text.ts';
import { UPDATE_SOCKET, updateCommands } from './update-commands.ts';

/**
 * Time without a change of the updater's state after which `kioskctl update` gives up. On a slow
 * disk, writing a slot takes many minutes without a change.
 */
const UPDATE_PATIENCE_MS = 45 * 60_000;

/** Prints a sentence to standard error and exits with code 1. */
function refuse(sentence: string): never {
	process.stderr.write(`${sentence}\n`);
	process.exit(1);
}

function parsed() {
	try {
		return parseArgs({ allowPositionals: true, options: OPTIONS });
	} catch (error) {
		process.stderr.write(`${messageOf(error)}\nkioskctl --help lists commands and options.\n`);
		process.exit(2);
	}
}
const { values, positionals } = parsed();
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const settingsRead = () => readSettings(values.config, process.env.STATE_DIRECTORY);
const problemsOf = (): string[] => {
	const read = settingsRead();
	return read.ok ? [] : [`${values.config}:`, ...read.error.problems];
};
function settingsOrRefuse(): Settings {
	const read = settingsRead();
	if (!read.ok) refuse(`${values.config}:\n  ${read.error.problems.join('\n  ')}`);
	return read.value;
}

/** Calls the daemon; fails without valid settings, which determine the path of its socket. */
async function asked(method: string, path: string, body: object | null, accept: string): Promise<Asked> {
	const read = settingsRead();
	if (!read.ok) return { ok: false, message: 'its settings file is refused' };
	return askDaemon(staffSocketPath(read.value.state_directory), method, path, body, accept);
}

/** @returns the daemon's answer; exits with the reason if there is none */
async function ask(method: string, path: string, body: object | null, accept: string): Promise<{ status: number; text: string }> {
	const socketPath = staffSocketPath(settingsOrRefuse().state_directory);
	const answer = await askDaemon(socketPath, method, path, body, accept);
	if (answer.ok) return answer;
	const { message } = answer;
	// The daemon may have recorded the request. Repeating a give-back would record it twice.
	const isSent = method === 'POST' && !/ENOENT|EACCES|ECONNREFUSED/.test(message);
	const outcome = isSent ? 'The command may have taken effect: check the money before you repeat it. ' : '';
	return refuse(`The daemon does not answer at ${socketPath} (${message}). ${outcome}${silenceRemedy(message)}`);
}

function journalPlace(): { directory: string; keyFile: string } {
	const { journal, state_directory } = settingsOrRefuse();
	return { directory: journal.directory, keyFile: sealKeyPath(state_directory) };
}

const askJson = (path: string): Promise<Asked> => asked('GET', path, null, 'application/json');

async function health(): Promise<void> {
	const { text } = await ask('GET', '/health', null, values.json ? 'application/json' : 'text/plain');
	process.stdout.write(values.json ? `${text}\n` : terminalText(text));
}

async function devices(): Promise<void> {
	const settings = settingsOrRefuse();
	const found = devicesNow(await askJson('/devices'));
	say(values.json ? JSON.stringify(found, null, '\t') : devicesText(found, settings));
}

async function network(): Promise<void> {
	const findings = await networkCheck(settingsOrRefuse(), () => systemClock.wall(), askJson);
	say(values.json ? JSON.stringify(findings, null, '\t') : networkText(findings));
	process.exitCode = networkExit(findings);
}

async function screen(): Promise<void> {
	const answer = await askJson('/devices');
	try {
		say(await screenshot(values.out, answer.ok ? JSON.parse(answer.text).screen : null));
	} catch (error) {
		refuse(messageOf(error));
	}
}

async function printer(): Promise<void> {
	const { printer, site } = settingsOrRefuse();
	if (!printer) return refuse('The settings have no [printer] section: the browser prints.');
	const sent = await printSample({ printer, site }, systemClock.wall().toISOString());
	if (!sent.ok) refuse(`${printer.uri}: ${sent.error.message}`);
	say(sent.value);
}

async function bundle(): Promise<void> {
	const read = settingsRead();
	const out = values.out || `kiosk-support-${systemClock.wall().toISOString().slice(0, 16).replace(/\D/g, '')}.tar.gz`;
	const archive = await supportBundle({
		config: values.config,
		settings: read.ok ? read.value : null,
		problems: problemsOf(),
		ask: (path, accept) => asked('GET', path, null, accept),
		now: () => systemClock.wall(),
	});
	try {
		writeFileSync(out, archive, { mode: 0o600 });
	} catch (error) {
		refuse(`${out} cannot be written: ${messageOf(error)}`);
	}
	say(
		`${out}: written, ${Math.ceil(archive.length / 1_024)} kB. Tokens, card numbers, telephone numbers and names are removed; its README lists the contents.`,
	);
}

function config(): void {
	settingsOrRefuse();
	say(`${values.config}: all settings are valid (${readFileSync(values.config).length} bytes).`);
}

async function showStatus(): Promise<void> {
	const { json, watch } = values;
	const terminal = process.stdout.isTTY === true;
	process.exitCode = await status({ json, watch, terminal, health: () => askJson('/health'), settingsProblems: problemsOf, say });
}

/** Whether the first word alone names a command with arguments, such as `verify CODE`. */
const isOneWord = COMMANDS.some(({ name, subjects }) => name === positionals[0] && subjects !== undefined);
const [area, verb, subject = '', second = '', ...more] = isOneWord ? [positionals[0], '', ...positionals.slice(1)] : positionals;
const tools = createCommandTools({ ...values, ask, refuse });
const RUN: Record<string, () => Promise<void> | void> = {
	...acceptorCommands({ ...values, settings: settingsOrRefuse, tools }),
	...edcCommands({ ...values, attempt: subject, tools }),
	...cashCommands({ ...values, subject, tools }),
	...nameCommands({ ...values, tools }),
	...callCommands({ ...values, tools }),
	...moneyCommands({ ...values, subject, second, tools }),
	...journalCommands({ ...values, place: journalPlace, tools }),
	...updateCommands({
		...values,
		subject,
		folder: UPDATE_FOLDER,
		socket: UPDATE_SOCKET,
		image: imageFacts(),
		patienceMs: UPDATE_PATIENCE_MS,
		tools,
	}),
	...setupCommands({ ...values, tools }),
	...slipCommands({
		words: positionals.slice(1),
		json: values.json,
		ask: (path, body) => asked('POST', path, body, 'application/json'),
		tools,
		complain: (sentence) => void process.stderr.write(`${sentence}\n`),
		exit(code) {
			process.exitCode = code;
		},
	}),
	...rehearseCommands({
		...values,
		words: positionals.slice(1),
		tools,
		exit(code) {
			process.exitCode = code;
		},
	}),
	status: showStatus,
	health,
	logs: () => logs({ ...values, say, refuse }),
	devices,
	'printer test': printer,
	'screen screenshot': screen,
	'network check': network,
	'config check': config,
	'support-bundle': bundle,
	completion: () => void process.stdout.write(bashCompletion()),
	man: () => void process.stdout.write(manPage(VERSION)),
};

const name = [area, verb].filter(Boolean).join(' ');
const command = COMMANDS.find((one) => one.name === name && [subject, second, ...more].filter(Boolean).length <= (one.subjects ?? 0));
const run = command && RUN[command.name];
if (values.help || positionals.length === 0) process.stdout.write(command ? helpOf(command) : overview());
else if (!run) {
	process.stdout.write(overview());
	process.exitCode = 2;
} else await run();
