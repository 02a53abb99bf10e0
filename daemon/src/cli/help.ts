import { COMMANDS, type Command, OPTIONS, type OptionName } from './commands.ts';

const EVERYWHERE: readonly OptionName[] = ['config', 'help'];
/** From here on a command's words stand, where its name leaves room. */
const WORDS_AT = 46;

const optionText = (name: OptionName): string => `--${name}${OPTIONS[name].value && ` ${OPTIONS[name].value}`}`;

/** @returns all commands, a line or two each */
export function overview(): string {
	const lines = COMMANDS.map(({ name, takes, words }) => {
		const call = `  kioskctl ${[name, takes].filter(Boolean).join(' ')}`;
		return call.length < WORDS_AT ? call.padEnd(WORDS_AT) + words : `${call}\n${' '.repeat(WORDS_AT)}${words}`;
	});
	return [
		'kioskctl: what staff and technicians ask of the kiosk',
		'',
		...lines,
		'',
		'  --config FILE   the settings of the kiosk (default /etc/kiosk/kiosk.toml)',
		'',
		'Begin with kioskctl status. kioskctl COMMAND --help explains one, with examples.',
		'',
	].join('\n');
}

/** @returns the help of one command */
export function helpOf(command: Command): string {
	const { name, takes, words, more, examples } = command;
	return [
		`kioskctl ${[name, takes].filter(Boolean).join(' ')}`,
		'',
		`  ${words[0]?.toUpperCase()}${words.slice(1)}.${more ? `\n  ${more}` : ''}`,
		'',
		...[...command.options, ...EVERYWHERE].map((option) => `  ${optionText(option).padEnd(20)} ${OPTIONS[option].words}`),
		'',
		'Examples:',
		...examples.map((example) => `  ${example}`),
		'',
	].join('\n');
}

/** @returns a script for bash: words of commands first, then the options of the command that stands there */
export function bashCompletion(): string {
	const cases = COMMANDS.map(
		({ name, options }) => `\t\t'${name}') words='${[...options, ...EVERYWHERE].map((option) => `--${option}`).join(' ')}' ;;`,
	);
	const seconds = new Map<string, string[]>();
	for (const { name } of COMMANDS) {
		const [first = '', second] = name.split(' ');
		seconds.set(first, [...(seconds.get(first) ?? []), ...(second ? [second] : [])]);
	}
	const areas = [...seconds]
		.filter(([, words]) => words.length > 0)
		.map(([first, words]) => `\t\t\t${first}) words='${words.join(' ')}' ;;`);
	return `# Completion of kioskctl for bash; made by "kioskctl completion".
_kioskctl() {
	local here=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} words='' command
	case $before in
	--config | --out) COMPREPLY=($(compgen -f -- "$here")); return ;;
	esac
	if [ "$COMP_CWORD" -eq 1 ]; then
		words='${[...seconds.keys()].join(' ')}'
	elif [ "$COMP_CWORD" -eq 2 ] && [ "\${here#-}" = "$here" ]; then
		case $before in
${areas.join('\n')}
		esac
	else
		command=\${COMP_WORDS[1]}
		case \${COMP_WORDS[2]} in -*) ;; *) [ "$COMP_CWORD" -gt 2 ] && command="$command \${COMP_WORDS[2]}" ;; esac
		case $command in
${cases.join('\n')}
		esac
	fi
	COMPREPLY=($(compgen -W "$words" -- "$here"))
}
complete -F _kioskctl kioskctl
`;
}

/** Lines that begin with a dot or a quote are commands of roff, and a bare minus is a hyphen to it. */
const roff = (text: string): string =>
	text
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replace(/^([.'])/gm, '\\&$1');

/** @returns the man page, for man(1) */
export function manPage(version: string): string {
	const commands = COMMANDS.flatMap(({ name, takes, words, more, examples }) => [
		'.TP',
		`.B ${roff(name)}${takes && ` \\fR${roff(takes)}`}`,
		roff(`${words[0]?.toUpperCase()}${words.slice(1)}.${more ? ` ${more}` : ''}`),
		...examples.flatMap((example) => ['.br', `\\fI${roff(example)}\\fR`]),
	]);
	const options = (Object.keys(OPTIONS) as OptionName[]).flatMap((name) => [
		'.TP',
		`.B ${roff(optionText(name))}`,
		roff(OPTIONS[name].words),
	]);
	return [
		`.TH KIOSKCTL 1 "" "kiosk ${version}"`,
		'.SH NAME',
		'kioskctl \\- what staff and technicians ask of a payment kiosk',
		'.SH SYNOPSIS',
		'.B kioskctl',
		'.I COMMAND',
		'[\\fIOPTIONS\\fR]',
		'.SH COMMANDS',
		...commands,
		'.SH OPTIONS',
		...options,
		'.SH EXIT STATUS',
		'0 done or well; 1 refused, or somebody should look; 2 no such command, or something does not work; 3 the daemon does not answer.',
		'.SH ENVIRONMENT',
		'.B STATE_DIRECTORY',
		'is where the daemon keeps its state; left out, where [journal] directory says.',
		'',
	].join('\n');
}
