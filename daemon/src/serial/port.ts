/** One opened line. It is used once: after `closed` a new one is opened. */
export interface Port {
	/** Queues bytes for the line. Writing to a closed line does nothing: `closed` has said so already. */
	write(bytes: Uint8Array): void;
	/** Closes the line; `closed` follows once. */
	close(): void;
}

export interface PortListener {
	opened(): void;
	data(bytes: Uint8Array): void;
	/** Exactly once per port, also when it could never be opened. `reason` is for a technician. */
	closed(reason: string): void;
}

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
