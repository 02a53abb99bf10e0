import type { Clock } from '../clock.ts';
import type { OpenPort, Port } from './port.ts';

/** How much a device can have to say. What comes faster is noise, a wrong device, or an attack; none of it may be believed. */
export interface FloodLimits {
	/** Bytes that may come at once, e.g. what waited while the process stood still. */
	burstBytes: number;
	/** Bytes a second that may come for ever. */
	bytesPerSecond: number;
	/** Bytes that a request entitles the device to answer beyond that rate; an acknowledgement of one byte asks for nothing. */
	bytesPerRequest: number;
	/** Bytes that are handed on in one go; between two slices everything else has its turn. */
	sliceBytes: number;
}

/** A flooding line counts as calm after so long with no more than it may say. */
const CALM_MS = 1_000;
/** After so many bytes a flooding line is left alone for so long: emptying it costs next to nothing, and the sender has to wait. */
const READ_BYTES = 64 * 1024;
const READ_PAUSE_MS = 50;
/** A port that was closed a moment ago may still be locked. */
const REOPEN_MS = 100;
/** A line that still floods is reported as lost again this often; below the minute after which it counts as abandoned (line-watch.ts). */
const REPORT_MS = 20_000;

/**
 * Takes a line away from its driver when more comes than the device can say, empties it unread until it is calm, and opens it anew. What is
 * handed on is bounded in size and rate, and so is everything that follows from it: records, log lines, memory. Bytes keep their order.
 */
export function guardFlood(open: OpenPort, limits: FloodLimits, clock: Clock): OpenPort {
	const reason = `flooded: more than ${limits.burstBytes} bytes at once or ${limits.bytesPerSecond} a second, which this device never says`;
	let level = 0;
	let levelAt = clock.now();
	/** Emptied unread; null while the line is believed. */
	let flooding: Port | null = null;
	/** Opens the line once it is calm. */
	let begin: (() => void) | null = null;

	/** @returns whether so many more bytes are a flood */
	function isFlood(bytes: number): boolean {
		const now = clock.now();
		level = Math.max(0, level - ((now - levelAt) * limits.bytesPerSecond) / 1_000) + bytes;
		levelAt = now;
		return level > limits.burstBytes;
	}

	/** Drops what comes; looks every `CALM_MS` whether it is little enough. */
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
		/** At most `burstBytes` long. */
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
			// What came before the line was closed came first; nothing in a flood can be believed.
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
