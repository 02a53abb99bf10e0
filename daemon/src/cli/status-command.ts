import { setTimeout as delay } from 'node:timers/promises';
import type { PartState } from '../base/part-state.ts';
import { healthText, MARK, type Paint } from '../health/page.ts';
import type { HealthReport } from '../health/report.ts';
import { type Asked, silenceRemedy } from '../staff/ask-daemon.ts';
import { terminalText } from './terminal-text.ts';

const WATCH_MS = 2_000;
const CLEAR = '\x1b[2J\x1b[H';
const COLOURS: Partial<Record<PartState, string>> = { fail: '\x1b[1;31m', warn: '\x1b[1;33m', ok: '\x1b[32m' };
const PLAIN = '\x1b[0m';

/** Exit codes by the state of the kiosk. */
const EXIT: Record<PartState, number> = { ok: 0, off: 0, unknown: 0, warn: 1, fail: 2 };
const EXIT_SILENT = 3;

export interface StatusDeps {
	json: boolean;
	watch: boolean;
	/** Whether the output is a terminal. */
	terminal: boolean;
	health: () => Promise<Asked>;
	/** Problems of the settings, one sentence each. Any problem prevents the daemon's start. */
	settingsProblems: () => string[];
	say: (text: string) => void;
}

/** Prints problems, worst first. @returns the exit code; with `watch`, does not return */
export async function status(deps: StatusDeps): Promise<number> {
	for (;;) {
		const asked = await deps.health();
		const { text, code } = asked.ok ? known(asked.text, deps) : silent(asked.message, deps);
		deps.say((deps.watch && deps.terminal ? CLEAR : '') + text);
		if (!deps.watch) return code;
		await delay(WATCH_MS);
	}
}

function known(body: string, { json, terminal }: StatusDeps): { text: string; code: number } {
	const report = JSON.parse(body, (_, value) => (typeof value === 'string' ? terminalText(value) : value)) as HealthReport;
	const code = EXIT[report.state];
	if (json) return { text: JSON.stringify(report, null, '\t'), code };
	const colours = terminal && !process.env.NO_COLOR;
	const paint: Paint = (state, words) => (colours ? `${COLOURS[state] ?? ''}${words}${PLAIN}` : words);
	return { text: healthText(report, paint, true).trimEnd(), code };
}

/**
 * @returns the output if the daemon does not answer. Lists problems of the settings, because
 * refused settings are a likely reason
 */
function silent(message: string, { json, settingsProblems }: StatusDeps): { text: string; code: number } {
	const problems = settingsProblems();
	const remedy = problems.length > 0 ? 'Correct the settings; the daemon does not start with them.' : silenceRemedy(message);
	if (json) return { text: JSON.stringify({ state: 'silent', message, problems, remedy }, null, '\t'), code: EXIT_SILENT };
	const lines = [
		`${MARK.fail}  the daemon does not answer (${message})`,
		...problems.map((problem) => `      ${problem}`),
		`      -> ${remedy}`,
	];
	return { text: lines.join('\n'), code: EXIT_SILENT };
}
