import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import dayjs from 'dayjs';
import { backOfficeClient } from '../back-office/client.ts';
import { explainNetwork } from '../back-office/network-messages.ts';
import { askForNotes, judgeNotesAnswer, type NotesAnswer } from '../back-office/notes-probe.ts';
import { probeOffice } from '../back-office/office-probe.ts';
import type { PartState } from '../base/part-state.ts';
import { messageOf } from '../base/result.ts';
import { MARK } from '../health/page.ts';
import { httpCall } from '../http/http-call.ts';
import type { Settings } from '../settings/settings.ts';
import type { Asked } from '../staff/ask-daemon.ts';

const LIMIT_MS = 10_000;
const SOON_DAYS = 21;
const CLOCK_OFF_S = 120;
const FIRST_CREDIBLE = Date.UTC(2026, 0, 1);
/** Maximum size of an answer; the check needs only the headers. */
const LARGEST_BYTES = 1024 * 1024;

export interface Finding {
	what: string;
	state: PartState;
	text: string;
	remedy: string;
}

/**
 * Checks the connection to the back office step by step.
 * @param now wall clock
 * @param askDaemon calls the daemon on the staff socket. Only the daemon has the outlet's token, so
 * the daemon checks whether the back office accepts reports of notes. If the daemon cannot check
 * this, this process checks it without a token
 */
export async function networkCheck(
	{ back_office }: Settings,
	now: () => Date,
	askDaemon: (path: string) => Promise<Asked>,
): Promise<Finding[]> {
	const found: Finding[] = [];
	const say = (what: string, state: PartState, text: string, remedy = ''): number => found.push({ what, state, text, remedy });
	if (now().getTime() < FIRST_CREDIBLE)
		say(
			'clock',
			'fail',
			`it shows ${now().toISOString()}, which is impossible`,
			'Set the clock: timedatectl. Until then every TLS connection fails.',
		);
	for (const [name, address] of places(back_office)) {
		const { hostname, host } = new URL(address.replace('{token}', 'x'));
		if (isIP(hostname.replace(/[[\]]/g, '')) === 0) {
			try {
				const all = await lookup(hostname, { all: true });
				say('DNS', 'ok', `${hostname} is ${all.map((one) => one.address).join(', ')}`);
			} catch (error) {
				const { cause, remedy } = explainNetwork(messageOf(error));
				say('DNS', 'fail', `${cause}${serversText()}`, remedy);
				continue;
			}
		}
		const { problem, certificate } = await probeOffice(address, back_office.ca_file, LIMIT_MS);
		if (certificate) {
			const days = Math.floor(dayjs(certificate.valid_to).diff(now(), 'day', true));
			const text = `${host}: valid until ${certificate.valid_to.slice(0, 10)} (${days} days), from ${certificate.issuer || 'an unnamed issuer'}`;
			if (problem !== null) {
				const { cause, remedy } = explainNetwork(problem);
				say('TLS', 'fail', `${text}; ${cause}`, remedy);
			} else say('TLS', days < SOON_DAYS ? 'warn' : 'ok', text, days < SOON_DAYS ? 'Ask the owner’s server team to renew it.' : '');
		} else if (problem !== null) {
			const { cause, remedy } = explainNetwork(problem);
			say(name, 'fail', `${host}: ${cause}`, remedy);
		} else say(name, 'ok', `${host} can be reached${/^(https|wss):/.test(address) ? '' : ', without TLS'}`);
	}
	if (!found.some(({ state, what }) => state === 'fail' && what !== 'clock')) await askOffice();
	if (!found.some(({ state, what }) => state === 'fail' && what !== 'clock')) await askNotes();
	return found;

	async function askNotes(): Promise<void> {
		const path = back_office.paths.cash_notification;
		const daemon = await askDaemon('/network/notes');
		const asked = daemon.ok && daemon.status === 200 ? (JSON.parse(daemon.text) as { answer: NotesAnswer | null }).answer : null;
		const call = backOfficeClient({ ...back_office, timeout_ms: LIMIT_MS });
		const { state, text, remedy } = judgeNotesAnswer(
			asked ?? (await askForNotes(call, path, { Accept: 'application/json' })),
			path,
			asked !== null,
		);
		say('notes', state, text, remedy);
	}

	async function askOffice(): Promise<void> {
		const begun = performance.now();
		try {
			const ca = back_office.ca_file ? readFileSync(back_office.ca_file) : undefined;
			const url = new URL(back_office.url);
			const asked = await httpCall({ url, method: 'HEAD', headers: {}, limitMs: LIMIT_MS, largestBytes: LARGEST_BYTES, ca });
			if (!asked.ok) throw new Error(asked.error.message);
			const answer = asked.value;
			const ms = Math.round(performance.now() - begun);
			if (answer.status >= 500) {
				const { cause, remedy } = explainNetwork(`answered ${answer.status}`);
				say('answer', 'fail', cause, remedy);
			} else say('answer', 'ok', `the back office answers within ${ms} ms (HTTP ${answer.status})`);
			const server = Date.parse(answer.headers.date ?? '');
			if (Number.isNaN(server)) return void say('clock', 'unknown', 'the back office’s answer has no date');
			const off = Math.round((now().getTime() - server) / 1_000);
			const text = `${Math.abs(off)} s ${off < 0 ? 'behind' : 'ahead of'} the back office’s`;
			if (Math.abs(off) <= CLOCK_OFF_S) say('clock', 'ok', text);
			else say('clock', 'fail', text, 'Set the clock; timedatectl timesync-status shows the state of network time.');
		} catch (error) {
			const { cause, remedy } = explainNetwork(messageOf(error));
			say('answer', 'fail', cause, remedy);
		}
	}
}

/**
 * @returns name and address of the back office, and also of the live socket if that has another
 * host
 */
function places({ url, socket_url }: Settings['back_office']): [string, string][] {
	const hostOf = (address: string): string => new URL(address.replace('{token}', 'x').replace(/^ws/, 'http')).host;
	return [['back office', url], ...(hostOf(url) === hostOf(socket_url) ? [] : [['live socket', socket_url] as [string, string]])];
}

/** @returns a clause that names the DNS servers in /etc/resolv.conf */
function serversText(): string {
	try {
		const servers = [...readFileSync('/etc/resolv.conf', 'utf8').matchAll(/^nameserver\s+(\S+)/gm)].map(([, server]) => server);
		return servers.length > 0 ? `; asked ${servers.join(', ')}` : '; no DNS server is set';
	} catch {
		return '; no DNS server is set';
	}
}

/** @returns the findings as text */
export const networkText = (findings: readonly Finding[]): string =>
	findings
		.map(
			({ what, state, text, remedy }) =>
				`${MARK[state].padEnd(5)} ${what.padEnd(12)} ${text}${remedy && `\n${' '.repeat(19)}-> ${remedy}`}`,
		)
		.join('\n');

/** @returns exit code: 0 no problem, 1 a warning, 2 a failure */
export const networkExit = (findings: readonly Finding[]): number =>
	findings.some(({ state }) => state === 'fail') ? 2 : findings.some(({ state }) => state === 'warn') ? 1 : 0;
