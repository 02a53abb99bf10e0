/** One opened line. It is used once: after `closed` a new one is opened. */
export interface Port {
	/** Queues bytes for the line. Writing to a closed line does nothing: `closed` has said so already. */
	write(bytes: Uint8Array): void;
	/** Closes the line; `closed` follows once. */
	close(): void;
	/** Reads nothing more until `resume`; a port without them is never paused. */
	pause?(): void;
	resume?(): void;
}

export interface PortListener {
	opened(): void;
	data(bytes: Uint8Array): void;
	/** Exactly once per port, also when it could never be opened. `reason` is for a technician. `flooded`: more came than the device can say. */
	closed(reason: string, flooded?: boolean): void;
}

/** A device that has left so many bytes unread is stuck: what is said to it now would be heard at another time. */
export const UNREAD_BYTES = 4_096;

/** Opens a line; tests and simulation hand in another one. */
export type OpenPort = (listener: PortListener) => Port;

/** How the serial line of a device is set. */
export interface LineSettings {
	baud: number;
	dataBits: 7 | 8;
	parity: 'none' | 'even' | 'odd';
	stopBits: 1 | 2;
}

/** Lets only the first `closed` through, because serialport may report one loss as several events. */
export function closedOnce(listener: PortListener): (reason: string) => void {
	let told = false;
	return (reason) => {
		if (told) return;
		told = true;
		listener.closed(reason);
	};
}
