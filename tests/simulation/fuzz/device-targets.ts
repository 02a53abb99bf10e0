import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { rupiah } from '@kiosk/contract/money';
import { ictStep } from '../../../daemon/src/acceptor/ict/ict-machine.ts';
import { ICT_START, type IctEvent, type IctState } from '../../../daemon/src/acceptor/ict/ict-state.ts';
import { cashStep } from '../../../daemon/src/cash/cash-machine.ts';
import { type CashEvent, type CashState, initialCashState } from '../../../daemon/src/cash/cash-state.ts';
import { ECR_DEFAULTS } from '../../../daemon/src/edc/bca/bca-state.ts';
import { DECODER_START, decode, type Meaning } from '../../../daemon/src/edc/bca/decoder.ts';
import { startBcaTerminal } from '../../../daemon/src/edc/bca/driver.ts';
import type { TerminalReport } from '../../../daemon/src/edc/terminal.ts';
import { ippQueue } from '../../../daemon/src/printer/ipp-client.ts';
import type { PortListener } from '../../../daemon/src/serial/port.ts';
import { ETX, lrc, RESPONSE_BYTES } from '../../simulators/edc/frame.ts';
import { randomFrom } from '../../support/random.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import type { Target } from './engine.ts';

const NOTES = new Map(
	[0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46].map((type, index) => [`0x${type.toString(16)}`, rupiah(1_000 * (index + 1))]),
);
const PAYMENT = { account: null, id: 7, odoo_id: null, noinvoice: 'INV/7', total: rupiah(50_000) };
const STACKED = 0x10;
/**
 * Input bytes that are commands to this test: let time pass, open a cash session, close the cash
 * session.
 */
const WAIT = 0x1b;
const OPEN = 0x1c;
const CLOSE = 0x1d;
const TICK_MS = 100;

/**
 * Feeds the input, as bytes of the acceptor, into the real protocol machine and cash session. There
 * must never be more credits than intents, ACCEPT commands or STACKED bytes.
 */
const ict: Target = {
	name: 'ict',
	device: true,
	words: [
		'\x81\x40',
		'\x81\x45',
		'\x10',
		'\x11',
		'\x80\x8f',
		'\x8fID',
		'\x3e',
		'\x5e',
		'\x1b\x0a',
		'\x1b\x46',
		'\x1c',
		'\x1d',
		'\x27',
		'\x2f',
		'\x29',
	],
	run(input) {
		const ids = randomFrom(1);
		let now = 0;
		let line: IctState = ICT_START;
		let session: CashState = initialCashState(null, null);
		const intended = new Map<string, number>();
		let accepts = 0;
		let acceptsSent = 0;
		let credited = 0;
		const credits = new Set<string>();

		function cash(event: CashEvent): void {
			const step = cashStep(session, event, { notes: NOTES, switchedOff: new Set(), overpayLimit: null });
			session = step.state;
			for (const effect of step.effects) {
				if (effect.kind === 'acceptor') {
					if (effect.command === 'accept') accepts += 1;
					if (accepts > intended.size) throw new Error('a note is accepted without an intent');
					acceptor({ kind: 'command', command: effect.command, now });
				}
				if (effect.kind !== 'write') continue;
				const { record } = effect;
				if (record.kind === 'cash_intent') intended.set(record.note_id, record.nominal);
				if (record.kind === 'cash_credit') {
					const nominal = intended.get(record.note_id);
					if (nominal === undefined) throw new Error('a note without an intent is credited');
					if (credits.has(record.note_id)) throw new Error('a note is credited twice');
					credits.add(record.note_id);
					credited += nominal;
				}
				cash({ kind: 'written', record });
			}
		}
		function acceptor(event: IctEvent): void {
			const step = ictStep(line, event);
			line = step.state;
			for (const effect of step.effects) {
				if (effect.kind === 'write' && effect.command === 'accept') acceptsSent += 1;
				if (effect.kind === 'report') cash({ kind: 'acceptor', report: effect.report, note_id: ids.uuid(), time: 'T' });
			}
		}

		acceptor({ kind: 'opened', now });
		let stackedBytes = 0;
		for (let at = 0; at < input.length; at += 1) {
			const byte = input[at] ?? 0;
			if (byte === OPEN) cash({ kind: 'open', payment: PAYMENT, entries: [], paid: null, paid_id: randomUUID() });
			else if (byte === CLOSE) cash({ kind: 'close' });
			else if (byte === WAIT) {
				at += 1;
				for (let ticks = Math.min(input[at] ?? 0, 200); ticks > 0; ticks -= 1) {
					now += TICK_MS;
					acceptor({ kind: 'tick', now });
				}
			} else {
				if (byte === STACKED) stackedBytes += 1;
				acceptor({ kind: 'data', bytes: Uint8Array.of(byte), now });
			}
		}
		if (credits.size > stackedBytes) throw new Error(`${credits.size} notes are credited after ${stackedBytes} STACKED`);
		if (credits.size > acceptsSent) throw new Error(`${credits.size} notes are credited after ${acceptsSent} ACCEPT`);
		const most = [...intended.values()].reduce((sum, nominal) => sum + nominal, 0);
		if (credited > most) throw new Error(`${credited} rupiah are credited for intents of ${most}`);
		return undefined;
	},
};

const SALE = { type: 'sale', amount: rupiah(137_500) } as const;
const MOST_HELD = RESPONSE_BYTES - 1;
/**
 * Time limit for the terminal's answer, ms; shorter than on real kiosks, so that more inputs run.
 */
const ANSWER_MS = 5_000;

/**
 * @returns the same bytes with a valid ETX and LRC in each frame, so that mutated frames pass the
 * checksum
 */
function sealed(input: Buffer): Buffer {
	const bytes = Buffer.from(input);
	for (let at = 0; at + RESPONSE_BYTES <= bytes.length; at += 1) {
		if (bytes[at] !== 0x02 || bytes[at + 1] !== 0x02 || bytes[at + 2] !== 0x00) continue;
		bytes[at + RESPONSE_BYTES - 2] = ETX;
		bytes[at + RESPONSE_BYTES - 1] = lrc(bytes.subarray(at + 1, at + RESPONSE_BYTES - 1));
		at += RESPONSE_BYTES - 1;
	}
	return bytes;
}

function meaningsOf(input: Buffer, pieces: number): Meaning[] {
	let state = DECODER_START;
	const meanings: Meaning[] = [];
	for (let at = 0; at < input.length; at += pieces) {
		const step = decode(state, input.subarray(at, at + pieces));
		state = step.state;
		if (state.held.length > MOST_HELD) throw new Error(`${state.held.length} bytes are held`);
		// Does not compare discarded bytes, because the size of the pieces determines how many are
		// discarded at once.
		meanings.push(...step.meanings.filter((meaning) => meaning.kind !== 'discarded'));
	}
	return meanings;
}

/**
 * Feeds the input, as bytes of the terminal, into the decoder, whole and in pieces, and into the
 * real driver while a sale waits.
 */
const ecr: Target = {
	name: 'ecr',
	device: true,
	words: ['\x02\x02\x00\x01', '\x02\x02\x00', '\x06', '\x15', '\x03', '000013750000', '01', '00', '20261121143108', 'TO'],
	run(input) {
		for (const bytes of [input, sealed(input)]) {
			const whole = meaningsOf(bytes, bytes.length || 1);
			for (const pieces of [1, 7]) {
				const apart = meaningsOf(bytes, pieces);
				if (JSON.stringify(apart) !== JSON.stringify(whole))
					throw new Error(`in pieces of ${pieces} the bytes decode as ${JSON.stringify(apart)}, not as ${JSON.stringify(whole)}`);
			}
			for (const meaning of whole) {
				if (meaning.kind !== 'answer') continue;
				const { masked_pan, amount } = meaning.response;
				if (masked_pan.replace(/\D/g, '').length > 10) throw new Error('more than ten digits of a card are shown');
				if (amount !== null && !Number.isSafeInteger(amount)) throw new Error(`${amount} is not an amount`);
			}
			during(bytes);
		}
		return undefined;
	},
};

function during(bytes: Buffer): void {
	const clock = new VirtualClock();
	const reports: TerminalReport[] = [];
	let line: PortListener | null = null;
	const terminal = startBcaTerminal({
		open(listener) {
			line = listener;
			clock.after(1, () => listener.opened());
			return { write: () => {}, close: () => {} };
		},
		devicePath: null,
		settings: { ...ECR_DEFAULTS, answerMs: ANSWER_MS },
		midSale: false,
		clock: clock.ofProcess(() => true),
		log: { event: () => {} },
		report(report) {
			reports.push(report);
			if (report.kind === 'answer') terminal.acknowledge(report.response);
		},
	});
	const pass = (ms: number): void => clock.advance(ms);
	pass(10_000);
	terminal.request(SALE, 'r1');
	for (let at = 0; at < bytes.length; at += 64) {
		(line as PortListener | null)?.data(bytes.subarray(at, at + 64));
		pass(20);
	}
	pass(2 * ANSWER_MS);
	terminal.stop();
	const mine = reports.filter((report) => 'request_id' in report && report.request_id === 'r1');
	for (const report of mine) {
		if (report.kind !== 'answer') continue;
		const { type, code, amount } = report.response;
		if (type !== 'sale') throw new Error(`an answer to a ${type} counts as the answer to the sale`);
		if (code === '00' && amount !== SALE.amount) throw new Error(`an approval of ${amount} counts for the sale of ${SALE.amount}`);
	}
	if (mine.filter((report) => report.kind === 'answer').length > 1) throw new Error('one sale has two answers');
	if (!mine.some((report) => report.kind !== 'acked')) throw new Error('the sale has no reported outcome');
}

let server: Server | null = null;
let answer: Buffer = Buffer.alloc(0);
const REQUEST_ID_AT = 4;

/**
 * @returns the port of a print server that answers every request, over a real socket, with the
 * input; only the request's id is copied into the answer
 */
async function listening(): Promise<number> {
	if (server === null) {
		server = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const asked = Buffer.concat(chunks);
				const bytes = Buffer.from(answer);
				if (bytes.length >= 8 && asked.length >= 8) asked.copy(bytes, REQUEST_ID_AT, REQUEST_ID_AT, REQUEST_ID_AT + 4);
				response.writeHead(200, { 'Content-Type': 'application/ipp' }).end(bytes);
			});
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
	}
	const address = server.address();
	return typeof address === 'object' && address ? address.port : 0;
}

const FAILURES: readonly string[] = ['unreachable', 'no_answer', 'not_found', 'refused'];

const ipp: Target = {
	name: 'ipp',
	slow: true,
	words: [
		'\x21\x00\x06job-id\x00\x04',
		'\x23\x00\x09job-state\x00\x04',
		'\x02',
		'\x04',
		'\x03',
		'\x13',
		'\x00\x00',
		'\xff\xff',
		'\x34\x00\x00',
		'\x37\x00\x00',
	],
	async run(input) {
		const reached: string[] = [];
		answer = input;
		const queue = ippQueue(`ipp://127.0.0.1:${await listening()}/printers/receipt`, 10_000);
		const document = { format: 'application/octet-stream', data: Buffer.from('x') } as const;
		for (const result of [
			await queue.print('x', document),
			await queue.job(1),
			await queue.openJobs(),
			await queue.cancel(1),
			await queue.printer(),
		]) {
			if (!result.ok && !FAILURES.includes(result.error.code)) throw new Error(`it fails with ${result.error.code}`);
			if (!result.ok) reached.push(result.error.message.replace(/\d+/g, '0').slice(0, 60));
			else if (result.value && 'state' in result.value) reached.push(result.value.state);
			if (result.ok && result.value && 'id' in result.value && !Number.isInteger(result.value.id))
				throw new Error('a job without a number');
		}
		return reached;
	},
	stop() {
		server?.close();
		server?.closeAllConnections();
	},
};

export const DEVICE_TARGETS: readonly Target[] = [ict, ecr, ipp];
