import { stat } from 'node:fs/promises';
import type { Clock } from '../clock.ts';
import type { OpenPort, Port } from './port.ts';

/** Between two tries to open; short enough that a replugged cable is back before the customer has looked for staff. */
const REOPEN_MS = 1_000;
/** A line that keeps failing is tried less often, so that a missing device does not fill the log. */
const REOPEN_LONGEST_MS = 5_000;
/** How often the device file is looked at: a pulled USB adapter may leave an open line that reads nothing for ever. */
const PRESENCE_MS = 2_000;

export interface LineListener {
	opened(): void;
	data(bytes: Uint8Array): void;
	/** The line is gone; it will be tried again. `flooded`: it was closed because more came than the device can say. */
	lost(reason: string, flooded: boolean): void;
}

/** A line that comes back by itself. */
export interface SupervisedLine {
	write(bytes: Uint8Array): void;
	/** Drops the line and opens it anew: the answer to a device that fell silent. */
	reopen(reason: string): void;
	stop(): void;
}

/**
 * Keeps one device line open: opens, notices its loss, waits, opens again with a fresh port object.
 * @param devicePath the tty path to watch for unplugging, or null for TCP
 */
export function superviseLine(open: OpenPort, devicePath: string | null, clock: Clock, listener: LineListener): SupervisedLine {
	let port: Port | null = null;
	let isOpen = false;
	let stopped = false;
	let failures = 0;
	let ownReason: string | null = null;
	let cancelTimer = () => {};
	let cancelPresence = () => {};

	function openNow(): void {
		let over = false;
		const opening = open({
			opened() {
				if (over) return;
				isOpen = true;
				failures = 0;
				if (devicePath !== null) watchPresence(devicePath, deviceNumber(devicePath));
				listener.opened();
			},
			data(bytes) {
				if (!over) listener.data(bytes);
			},
			closed(reason, flooded = false) {
				over = true;
				lose(ownReason ?? reason, flooded);
			},
		});
		port = over ? null : opening;
	}

	function lose(reason: string, flooded: boolean): void {
		port = null;
		isOpen = false;
		ownReason = null;
		cancelPresence();
		if (stopped) return;
		failures += 1;
		cancelTimer = clock.after(Math.min(REOPEN_MS * failures, REOPEN_LONGEST_MS), openNow);
		listener.lost(reason, flooded);
	}

	function drop(reason: string): void {
		if (!isOpen) return;
		ownReason = reason;
		port?.close();
	}

	/** Unplugging and replugging gives the same path another device number; either way the open line is dead. */
	function watchPresence(path: string, known: Promise<number | null>): void {
		cancelPresence = clock.after(PRESENCE_MS, async () => {
			const [before, now] = await Promise.all([known, deviceNumber(path)]);
			if (!isOpen) return;
			// Pulled out in the instant of opening, the file may have been gone before its number was read.
			if (now !== null && before === now) watchPresence(path, known);
			else drop(`${path} was unplugged`);
		});
	}

	openNow();
	return {
		write: (bytes) => port?.write(bytes),
		reopen: drop,
		stop() {
			stopped = true;
			cancelTimer();
			port?.close();
		},
	};
}

async function deviceNumber(path: string): Promise<number | null> {
	try {
		return (await stat(path)).rdev;
	} catch {
		return null;
	}
}
