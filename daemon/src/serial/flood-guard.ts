import type { Clock } from '../base/clock.ts';
import type { OpenPort, Port } from './port.ts';

/**
 * How much a device can send. A higher rate means noise, a wrong device or an attack, so the bytes
 * are discarded.
 */
export interface FloodLimits {
	/** Bytes that may come at once, e.g. those buffered while the process was suspended. */
	burstBytes: number;
	/** Sustained rate in bytes per second. */
	bytesPerSecond: number;
	/**
	 * Additional bytes that a request permits for its answer; a one-byte acknowledgement permits
	 * none.
	 */
	bytesPerRequest: number;
	/** Number of bytes that are passed on at a time. Other work can run between two slices. */
	sliceBytes: number;
}

/** A flooding line counts as calm after this time within its limits. */
const CALM_MS = 1_000;
/**
 * After this many bytes, a flooding line is not read for `READ_PAUSE_MS`. This limits the daemon's
 * work and makes the sender wait.
 */
const READ_BYTES = 64 * 1024;
const READ_PAUSE_MS = 50;
/**
 * Pause before a closed port is opened again, because a port closed a moment ago may still be
 * locked.
 */
const REOPEN_MS = 100;
/**
 * Interval at which a line that still floods is reported as lost again. It is shorter than the
 * minute after which the line counts as abandoned (line-watch.ts).
 */
const REPORT_MS = 20_000;

/**
 * Reports a line as lost if it carries more than the device can send, discards its bytes until it
 * is calm, and reopens it. This limits how many bytes are passed on, and therefore the records, log
 * lines and memory that they cost. Bytes keep their order.
 */
export function guardFlood(open: OpenPort, limits: FloodLimits, clock: Clock): OpenPort {
	const reason = `flooded: more than ${limits.burstBytes} bytes at once or ${limits.bytesPerSecond} a second, more than this device sends`;
	let level = 0;
	let levelAt = clock.now();
	/** The flooding port, whose bytes are discarded; null without a flood. */
	let flooding: Port | null = null;
	/** Opens the line once it is calm. */
	let begin: (() => void) | null = null;

	/** Counts received bytes. @returns whether they and the bytes before them are a flood */
	function isFlood(bytes: number): boolean {
		const now = clock.now();
		level = Math.max(0, level - ((now - levelAt) * limits.bytesPerSecond) / 1_000) + bytes;
		levelAt = now;
		return level > limits.burstBytes;
	}

	/** Discards bytes; checks every `CALM_MS` whether the line is calm. */
	function startEmptying(port: Port): (bytes: number) => void {
		flooding = port;
		let dropped = 0;
		let readable = READ_BYTES;
		let cancel = clock.after(CALM_MS, look);
		function look(): void {
			cancel = () => {};
			if (flooding !== port) return;
			const calm = dropped <= (limits.bytesPerSecond * CALM_MS) / 1_000;
			dropped = 0;
			if (!calm) cancel = clock.after(CALM_MS, look);
			else stopEmptying(port, cancel);
		}
		return (bytes) => {
			dropped += bytes;
			readable -= bytes;
			if (readable > 0 || readable + bytes <= 0) return;
			port.pause?.();
			clock.after(READ_PAUSE_MS, () => {
				readable = READ_BYTES;
				port.resume?.();
			});
		};
	}

	function stopEmptying(port: Port, cancel: () => void): void {
		if (flooding !== port) return;
		cancel();
		flooding = null;
		level = 0;
		port.close();
		const waiting = begin;
		if (waiting) clock.after(REOPEN_MS, waiting);
	}

	return (listener) => {
		let port: Port | null = null;
		let over = false;
		let drop: ((bytes: number) => void) | null = null;
		/** Bytes that are not passed on yet; at most `burstBytes`. */
		let backlog: Uint8Array = new Uint8Array();
		let cancel = () => {};

		function handOn(): void {
			const slice = backlog.subarray(0, limits.sliceBytes);
			backlog = backlog.subarray(limits.sliceBytes);
			if (backlog.length > 0) cancel = clock.after(0, handOn);
			listener.data(slice);
		}

		function end(why: string, flooded: boolean): void {
			if (over) return;
			over = true;
			cancel();
			if (begin === opening) begin = null;
			// Bytes that came before the close are passed on before the close is reported, except during
			// a flood.
			for (; !flooded && backlog.length > 0; backlog = backlog.subarray(limits.sliceBytes))
				listener.data(backlog.subarray(0, limits.sliceBytes));
			listener.closed(why, flooded);
		}

		function data(bytes: Uint8Array): void {
			if (drop) return drop(bytes.length);
			if (over) return;
			if (isFlood(bytes.length) && port) {
				drop = startEmptying(port);
				drop(bytes.length);
				return end(reason, true);
			}
			if (backlog.length === 0) {
				backlog = bytes;
				return handOn();
			}
			const all = new Uint8Array(backlog.length + bytes.length);
			all.set(backlog);
			all.set(bytes, backlog.length);
			backlog = all;
		}

		function opening(): void {
			if (over) return;
			cancel();
			begin = null;
			port = open({
				opened: () => over || listener.opened(),
				data,
				closed(why) {
					if (flooding === port && port) stopEmptying(port, () => {});
					end(why, false);
				},
			});
		}

		if (flooding) {
			begin = opening;
			cancel = clock.after(REPORT_MS, () => end(reason, true));
		} else opening();
		return {
			write(bytes) {
				if (over) return;
				if (bytes.length > 1) level = Math.max(0, level - limits.bytesPerRequest);
				port?.write(bytes);
			},
			close() {
				if (port && !drop) port.close();
				else end('closed by the daemon', false);
			},
		};
	};
}
