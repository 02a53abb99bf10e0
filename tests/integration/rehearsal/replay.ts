/**
 * Replays a recording: plays the bytes of the devices to the real daemon during a rehearsal of the
 * same name.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../daemon/src/base/clock.ts';
import { SCRIPTS } from '../../../daemon/src/rehearsal/scripts.ts';
import { type Entry, type Recording, readRecording } from '../../../daemon/src/rehearsal/signed-file.ts';
import { IctDevice } from '../../simulators/acceptor/device.ts';
import { EcrTerminal } from '../../simulators/edc/terminal.ts';
import { noLog } from '../../simulators/log.ts';
import { startCardFor } from '../../support/card.ts';
import { type Kiosk, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import { type PlayedLine, startPlayedLine } from './played-line.ts';
import { answer, begin } from './technician.ts';

/** Time limit for the kiosk to send a recorded command. */
const KIOSK_LIMIT_MS = 10_000;
/** The replay reports every 5 s that a screen draws; the daemon's limit `frozen_ms` is 45 s. */
const DRAW_MS = 5_000;
/**
 * Time limit of a replay, equal to the daemon's `LONGEST_MS`: a rehearsal takes at most an hour.
 */
export const LONGEST_REPLAY_MS = 3_600_000;

/** Money and verdict of a recording or of a replay. */
export type Outcome = Pick<Recording, 'money'> & { verdict: string };

export const outcomeOf = ({ money, verdict }: Recording): Outcome => ({ money, verdict: verdict.verdict });

/**
 * @returns the daemon's outcome when it gets the recorded bytes and answers at the recorded times
 */
export async function replay(recording: Recording): Promise<Outcome> {
	const acceptor = await startPlayedLine();
	const edc = recording.kiosk.edc ? await startPlayedLine() : null;
	const idle = startIdleDevices(acceptor, edc);
	const kiosk = await startKiosk({
		acceptorSection: () => acceptorSection(acceptor.port, recording.kiosk.notes),
		settings: edc ? edcSection(edc.port, recording.kiosk.edc as Record<string, unknown>) : '',
	}).catch(async (error) => {
		await Promise.all([acceptor.stop(), edc?.stop()]);
		throw error;
	});
	const customer = await startCustomer(kiosk, recording);
	try {
		await customer.ready(edc !== null);
		idle.stop();
		await begin(kiosk, recording.rehearsal);
		await play(recording.entries, { kiosk, customer, lines: { acceptor, edc } });
		const asked = SCRIPTS[recording.rehearsal].steps.flatMap((step) => ('ask' in step ? [recording.answers[step.ask] ?? 0] : []));
		const { text } = await answer(kiosk, asked);
		const read = readRecording(text);
		if (!read.ok) throw new Error(read.error.reason);
		return outcomeOf(read.value.recording);
	} finally {
		customer.stop();
		await kiosk.stop();
		await Promise.all([acceptor.stop(), edc?.stop()]);
	}
}

function acceptorSection(port: number, notes: Record<string, number>): string {
	const map = Object.entries(notes).map(([code, nominal]) => `"${code}" = ${nominal}`);
	return `[acceptor]\nport = "tcp:127.0.0.1:${port}"\n[acceptor.notes]\n${map.join('\n')}\n`;
}

function edcSection(port: number, { version, ack_ms, answer_ms }: Record<string, unknown>): string {
	return `[edc]\nport = "tcp:127.0.0.1:${port}"\nversion = ${version}\nack_ms = ${ack_ms}\nanswer_ms = ${answer_ms}\n`;
}

/**
 * Starts simulators that bring both devices to the idle state which they had when the recording
 * began.
 */
function startIdleDevices(acceptor: PlayedLine, edc: PlayedLine | null): { stop(): void } {
	const parts = { clock: systemClock, log: noLog };
	const unit = new IctDevice({ ...parts, timing: { startMs: 20 }, send: (bytes) => acceptor.say(Uint8Array.from(bytes)) });
	const terminal = new EcrTerminal({ ...parts, timing: { ackMs: 20 }, send: (bytes) => edc?.say(bytes) });
	acceptor.hear = (bytes) => unit.receive(bytes);
	if (edc) edc.hear = (bytes) => terminal.hear(bytes);
	unit.switchOn();
	return {
		stop() {
			unit.switchOff();
			terminal.stop();
		},
	};
}

/** Acts as the customer of the recording and as the screen. */
interface Customer {
	/** Waits until both devices are idle and ready. */
	ready(card: boolean): Promise<void>;
	/** Repeats the customer's action that caused this log event, if any. */
	act(id: string): Promise<void>;
	stop(): void;
}

async function startCustomer(kiosk: Kiosk, recording: Recording): Promise<Customer> {
	const hp = '081999000111';
	const { backOffice } = kiosk;
	const invoice = backOffice.books.addInvoice(hp, totalOf(recording.entries), new Date());
	let screen: Screen = await kiosk.screen();
	let drawing: ReturnType<typeof setInterval> | undefined;
	return {
		ready: (card) =>
			until(async () => {
				const { parts } = await kiosk.health();
				const states = parts.filter(({ part }) => part === 'cash' || (card && part === 'card')).map(({ state }) => state);
				if (states.some((state) => state !== 'ok')) throw new Error(JSON.stringify(parts));
			}),
		async act(id) {
			if (id === 'cash.opened') {
				const shown = await kiosk.lookUp(hp);
				await kiosk.call('/payment/api/v1/open-machine/', { ...shown, hp });
				clearInterval(drawing);
				drawing = setInterval(() => void kiosk.draw(invoice).catch(() => undefined), DRAW_MS);
			} else if (id === 'card.sent') {
				if (screen.closed()) screen = await kiosk.screen();
				startCardFor(screen, await kiosk.lookUp(hp));
			}
		},
		stop: () => clearInterval(drawing),
	};
}

/** @returns the total of the recorded invoice, rupiah; 100,000 if no payment was begun */
function totalOf(entries: readonly Entry[]): number {
	for (const entry of entries) {
		if (entry.from !== 'log') continue;
		const { total, amount } = entry.fields as { total?: number; amount?: number };
		if (entry.id === 'cash.opened' && total !== undefined) return total;
		if (entry.id === 'card.sent' && amount !== undefined) return amount;
	}
	return 100_000;
}

type LineEntry = Extract<Entry, { line: string }>;

/**
 * Plays the entries at their times. At each recorded command about money it waits until the kiosk
 * sends this command, because the recorded device answered the command.
 */
async function play(
	entries: readonly Entry[],
	world: { kiosk: Kiosk; customer: Customer; lines: { acceptor: PlayedLine; edc: PlayedLine | null } },
): Promise<void> {
	const { kiosk, customer, lines } = world;
	const heard = { acceptor: hearCommands(lines.acceptor, acceptorCommands), edc: lines.edc && hearCommands(lines.edc, edcCommands) };
	/** Time in the replay that corresponds to 0 ms of the recorded run. */
	let begun = performance.now();

	async function playLine(entry: LineEntry): Promise<void> {
		const line = lines[entry.line];
		if (!line) return;
		if (entry.from === 'device') return line.say(Buffer.from(entry.what, 'hex'));
		if (entry.from === 'kiosk') {
			const commands = (entry.line === 'acceptor' ? acceptorCommands : edcCommands)(Buffer.from(entry.what, 'hex'));
			for (const command of commands) await heard[entry.line]?.next(command);
			return;
		}
		// Skips the entries that the daemon closed the line, because in the replay the daemon itself
		// closes a silent line.
		if (entry.what === 'opened') await line.serve();
		else if (!entry.what.includes('closed by the daemon')) await line.drop();
	}

	for (const entry of entries) {
		if (entry.from === 'daemon' && entry.run > 1) {
			await kiosk.crash();
			begun = performance.now() - entry.ms;
		}
		await delay(Math.max(0, begun + entry.ms - performance.now()));
		const due = performance.now();
		if (entry.from === 'log') await customer.act(entry.id);
		else if ('line' in entry) await playLine(entry);
		// If the kiosk is slower than in the recording, all later entries are delayed, so that the
		// device sends no burst.
		begun += performance.now() - due;
	}
}

/** Collects the kiosk's commands about money. */
function hearCommands(line: PlayedLine, read: (bytes: Uint8Array) => string[]): { next(wanted: string): Promise<void> } {
	const waiting: string[] = [];
	line.hear = (bytes) => void waiting.push(...read(bytes));
	return {
		async next(wanted) {
			await until(() => {
				if (waiting.length === 0) throw new Error(`the kiosk has not sent "${wanted}"`);
			}, KIOSK_LIMIT_MS);
			const [command] = waiting.splice(0, 1);
			if (command !== wanted) throw new Error(`the kiosk sent "${command}" instead of "${wanted}"`);
		},
	};
}

const ACCEPTOR_COMMANDS: Readonly<Record<number, string>> = { 2: 'accept', 15: 'reject' };
const acceptorCommands = (bytes: Uint8Array): string[] => [...bytes].flatMap((byte) => ACCEPTOR_COMMANDS[byte] ?? []);

/**
 * Leaves out acknowledgements, because the kiosk may send them at other times than in the
 * recording. A request arrives in one chunk.
 */
const edcCommands = (bytes: Uint8Array): string[] => (bytes[0] === 2 ? ['request'] : []);
