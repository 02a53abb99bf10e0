import { systemClock } from '../../../daemon/src/base/clock.ts';
import { type Log, noLog } from '../log.ts';
import { memoryIn } from '../memory.ts';
import { openSerial, type SerialLine, serveTcp, type WireEnd } from '../wire.ts';
import type { BankLedger } from './bank.ts';
import { type EchoHabit, EcrTerminal, type TerminalTiming } from './terminal.ts';

export interface EdcOptions {
	/** TCP port on 127.0.0.1; 0 chooses a free port. Without a port there is no TCP. */
	port?: number;
	/** Serial device; without it there is no serial line. BCA terminals use 115200 8N1. */
	serial?: Partial<SerialLine> & { path: string };
	timing?: Partial<TerminalTiming>;
	/** See `TerminalOptions`. */
	powered?: boolean;
	echo?: EchoHabit;
	clockAheadMs?: number;
	/** File that keeps the bank's captures across restarts of the simulator. */
	file?: string;
	log?: Log;
}

export interface EdcTrace {
	at: string;
	from: 'kiosk' | 'terminal';
	/** A short message in hex; of a frame only its length, so that no card digits are shown. */
	what: string;
}

export interface Edc {
	/** The TCP port; null without TCP. */
	port: number | null;
	terminal: EcrTerminal;
	/** `cut`: the cable is unplugged, so that nothing passes in either direction. */
	cable: { cut: boolean };
	trace: readonly EdcTrace[];
	connected(): boolean;
	stop(): Promise<void>;
}

const KEPT_TRACE = 200;
const SHORT_BYTES = 8;

/** Starts a BCA card terminal on TCP, on a serial line, or on both. */
export async function startEdc(options: EdcOptions): Promise<Edc> {
	const log = options.log ?? noLog;
	const cable = { cut: false };
	const trace: EdcTrace[] = [];
	const remember = (from: EdcTrace['from'], bytes: Uint8Array): void => {
		const what = bytes.length <= SHORT_BYTES ? Buffer.from(bytes).toString('hex').toUpperCase() : `${bytes.length} bytes`;
		trace.push({ at: systemClock.wall().toISOString(), from, what });
		if (trace.length > KEPT_TRACE) trace.shift();
	};
	const memory = memoryIn<BankLedger>(options.file);
	const terminal = new EcrTerminal({
		...options,
		clock: systemClock,
		log,
		ledger: memory.saved,
		onLedgerChange: memory.save,
		send: (bytes) => {
			if (cable.cut || end.write === null) return;
			remember('terminal', bytes);
			end.write(bytes);
		},
	});
	const end: WireEnd = {
		write: null,
		hear: (bytes) => {
			remember('kiosk', bytes);
			if (!cable.cut) terminal.hear(bytes);
		},
	};
	const tcp = options.port === undefined ? null : await serveTcp(options.port, end, log);
	const serial = options.serial === undefined ? null : await openSerial({ baudRate: 115_200, parity: 'none', ...options.serial }, end, log);
	return {
		port: tcp?.port ?? null,
		terminal,
		cable,
		trace,
		connected: () => end.write !== null,
		async stop() {
			terminal.stop();
			await serial?.close();
			await tcp?.close();
		},
	};
}
