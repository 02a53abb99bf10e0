import type { Clock } from '../base/clock.ts';
import type { Log } from '../log/log.ts';
import type { DeviceAddress } from './address.ts';
import { type FloodLimits, guardFlood } from './flood-guard.ts';
import { type LineBytes, type LineRecord, recordLine } from './line-record.ts';
import { type KeepByte, type TapListener, type TapSwitch, tapLine } from './line-tap.ts';
import { type LineWatch, watchLine } from './line-watch.ts';
import type { LineSettings, OpenPort } from './port.ts';
import { serialPort } from './serial-port.ts';
import { tcpPort } from './tcp-port.ts';
import { type LineName, type LineTrace, type ShowByte, traceLine } from './traces.ts';

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

/** The properties of a device's protocol that its line needs. The driver provides them. */
export interface LineProtocol {
	name: LineName;
	/** Name of the device in the errors of its line watch. */
	spoken: string;
	notice: 'acceptor.line_notice' | 'edc.line_notice';
	/** @returns a new mask for one direction of one connection, for traces */
	mask: () => ShowByte;
	/**
	 * @returns a new function that replaces secret bytes of one direction of one connection, for
	 * recordings
	 */
	keep: () => KeepByte;
	bytes: LineBytes;
	flood: FloodLimits;
}

/**
 * The lines to the kiosk's devices; each opened line is traced, recorded for the health page and
 * watched.
 */
export class DeviceLines {
	readonly traces: LineTrace[] = [];
	readonly watches: LineWatch[] = [];
	readonly records: Partial<Record<LineName, LineRecord>> = {};
	readonly #tap: TapSwitch = { listener: null };
	readonly #clock: Clock;
	readonly #timestamp: (at: Date) => string;

	/** @param timestamp ISO 8601 with the site's offset */
	constructor(clock: Clock, timestamp: (at: Date) => string) {
		this.#clock = clock;
		this.#timestamp = timestamp;
	}

	/** Passes the traffic of all lines to this listener. With null, no listener gets it any more. */
	tap(listener: TapListener | null): void {
		this.#tap.listener = listener;
	}

	/** @returns the line, which the device's supervisor will open */
	to({ name, spoken, notice, mask, keep, bytes, flood }: LineProtocol, line: LineOfSettings, log: Log): DeviceLine {
		const { port } = line;
		const settings = { baud: line.baud, dataBits: line.data_bits, parity: line.parity, stopBits: line.stop_bits };
		const open =
			port.transport === 'tcp'
				? tcpPort(port.host, port.port)
				: serialPort(port.path, settings, (message) => log.event(notice, { message }));
		const tapped = tapLine(name, guardFlood(open, flood, this.#clock), keep, this.#tap);
		const trace = traceLine(name, tapped, mask, this.#clock);
		const address = port.transport === 'tcp' ? `tcp:${port.host}:${port.port}` : port.path;
		const record = recordLine(address, trace.open, bytes, this.#clock, this.#timestamp);
		const watch = watchLine(spoken, record.open, this.#clock);
		this.traces.push(trace);
		this.records[name] = record;
		this.watches.push(watch);
		return { open: watch.open, devicePath: port.transport === 'tcp' ? null : port.path };
	}
}
