import { stat } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import type { OpenPort, Port } from './port.ts';

/**
 * Pause before the line is opened again: short enough that a reconnected cable works before the
 * customer has fetched staff.
 */
const REOPEN_MS = 1_000;
/**
 * A line that keeps failing is retried less often, so that a missing device does not fill the log.
 */
const REOPEN_LONGEST_MS = 5_000;
/**
 * Interval at which the device file is checked, because after a USB adapter is pulled, the line may
 * stay open and silent for ever.
 */
const PRESENCE_MS = 2_000;

export interface LineListener {
	opened(): void;
	data(bytes: Uint8Array): void;
	/**
	 * The line is lost and will be retried. `flooded`: closed because it carried more than the
	 * device can send.
	 */
	lost(reason: string, flooded: boolean): void;
}

/** A line that is reopened automatically. */
export interface SupervisedLine {
	write(bytes: Uint8Array): void;
	/** Closes and reopens the line, for a device that has become silent. */
	reopen(reason: string): void;
	stop(): void;
}

/**
 * Keeps a device's line open: opens it, notices its loss, waits, and reopens it with a new port
 * object.
 * @param devicePath the tty path to watch for unplugging; null for TCP
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

	/**
	 * Drops the line when the path is gone or, after replugging, has another device number: in both
	 * cases the line is dead.
	 */
	function watchPresence(path: string, known: Promise<number | null>): void {
		cancelPresence = clock.after(PRESENCE_MS, async () => {
			const [before, now] = await Promise.all([known, deviceNumber(path)]);
			if (!isOpen) return;
			// If the device was pulled while the line opened, both numbers may be null, so equal
			// numbers alone do not show that it is present.
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
