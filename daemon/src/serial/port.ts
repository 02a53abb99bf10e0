/** One opened line. A port is used once; after `closed` a new port is opened. */
export interface Port {
	/**
	 * Queues bytes for the line. On a closed line it does nothing, because `closed` has reported the
	 * end.
	 */
	write(bytes: Uint8Array): void;
	/** Closes the line; `closed` follows once. */
	close(): void;
	/** Stops reading until `resume`; a port without these methods is never paused. */
	pause?(): void;
	resume?(): void;
}

export interface PortListener {
	opened(): void;
	data(bytes: Uint8Array): void;
	/**
	 * Called exactly once per port, even if the port could not be opened. `reason` is for a
	 * technician. `flooded`: the line carried more than the device can send.
	 */
	closed(reason: string, flooded?: boolean): void;
}

/**
 * Maximum number of bytes that the device has not read yet. A device with more unread bytes is
 * stuck, and would receive new bytes too late.
 */
export const UNREAD_BYTES = 4_096;

/** Opens a line. Tests and the simulation provide their own function. */
export type OpenPort = (listener: PortListener) => Port;

/** Settings of a device's serial line. */
export interface LineSettings {
	baud: number;
	dataBits: 7 | 8;
	parity: 'none' | 'even' | 'odd';
	stopBits: 1 | 2;
}

/** Passes on only the first `closed`, because serialport may report one loss as several events. */
export function closedOnce(listener: PortListener): (reason: string) => void {
	let told = false;
	return (reason) => {
		if (told) return;
		told = true;
		listener.closed(reason);
	};
}
