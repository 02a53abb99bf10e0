import type { Clock } from '../clock.ts';
import { ECR_SPEECH, ICT_SPEECH, type LineRecord, recordLine } from '../health/line-record.ts';
import type { Log } from '../log/log.ts';
import { showAll, showEcr } from '../log/trace-mask.ts';
import { type LineName, type LineTrace, traceLine } from '../log/traces.ts';
import type { DeviceAddress } from './address.ts';
import { guardFlood } from './flood-guard.ts';
import { type LineWatch, watchLine } from './line-watch.ts';
import type { LineSettings, OpenPort } from './port.ts';
import { serialPort } from './serial-port.ts';
import { tcpPort } from './tcp-port.ts';

/** A device's line; `devicePath`: the tty to watch for unplugging, or null. */
export interface DeviceLine {
	open: OpenPort;
	devicePath: string | null;
}

/** A device's line in the settings. */
interface LineOfSettings {
	port: DeviceAddress;
	baud: number;
	data_bits: 7 | 8;
	parity: LineSettings['parity'];
	stop_bits: 1 | 2;
}

/**
 * The bytes of a card terminal include card digits, so its traces are masked. A bill acceptor sends
 * one or two bytes for each of three polls per second; a card terminal one response of 205 bytes
 * per request, never one per second for long.
 */
const DEVICES = {
	acceptor: {
		spoken: 'bill acceptor',
		notice: 'acceptor.line_notice',
		shown: showAll,
		speech: ICT_SPEECH,
		flood: { burstBytes: 512, bytesPerSecond: 128, bytesPerRequest: 0, sliceBytes: 64 },
	},
	edc: {
		spoken: 'card terminal',
		notice: 'edc.line_notice',
		shown: showEcr,
		speech: ECR_SPEECH,
		flood: { burstBytes: 4_096, bytesPerSecond: 256, bytesPerRequest: 512, sliceBytes: 512 },
	},
} as const;

/**
 * The lines to the kiosk's devices; each opened line is traced, recorded for the health page and
 * watched.
 */
export class DeviceLines {
	readonly traces: LineTrace[] = [];
	readonly watches: LineWatch[] = [];
	readonly records: Partial<Record<LineName, LineRecord>> = {};
	readonly #clock: Clock;
	readonly #timestamp: (at: Date) => string;

	/** @param timestamp ISO 8601 with the site's offset */
	constructor(clock: Clock, timestamp: (at: Date) => string) {
		this.#clock = clock;
		this.#timestamp = timestamp;
	}

	/** @returns the line for the device's supervisor, which opens it */
	to(name: LineName, line: LineOfSettings, log: Log): DeviceLine {
		const { spoken, notice, shown, speech, flood } = DEVICES[name];
		const { port } = line;
		const settings = { baud: line.baud, dataBits: line.data_bits, parity: line.parity, stopBits: line.stop_bits };
		const open =
			port.transport === 'tcp'
				? tcpPort(port.host, port.port)
				: serialPort(port.path, settings, (message) => log.event(notice, { message }));
		const trace = traceLine(name, guardFlood(open, flood, this.#clock), shown, this.#clock);
		const address = port.transport === 'tcp' ? `tcp:${port.host}:${port.port}` : port.path;
		const record = recordLine(address, trace.open, speech, this.#clock, this.#timestamp);
		const watch = watchLine(spoken, record.open, this.#clock);
		this.traces.push(trace);
		this.records[name] = record;
		this.watches.push(watch);
		return { open: watch.open, devicePath: port.transport === 'tcp' ? null : port.path };
	}
}
