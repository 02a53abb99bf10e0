import type { Clock } from '../base/clock.ts';
import type { OpenPort } from './port.ts';

/** Number of bytes that are kept: enough for an answer to a poll and the bytes before it. */
const KEPT_BYTES = 16;

/** State of one device line, for diagnosis. Times are ISO 8601. */
export interface LineFacts {
	/** From the settings. */
	address: string;
	/** null while the line is not open. */
	open_since: string | null;
	/**
	 * The last received bytes, as `LineBytes.shown` formats them. `heard_bytes`: number of bytes
	 * received since the line was opened.
	 */
	heard: { at: string; bytes: string } | null;
	heard_bytes: number;
	sent_at: string | null;
	/** Whether any byte since the line was opened belongs to this device's protocol. */
	speaks: boolean;
	lost: { at: string; reason: string } | null;
}

export interface LineRecord {
	/** Opens ports for the line's supervisor. */
	open: OpenPort;
	facts(): LineFacts;
}

/** How a device's bytes are shown, and which of them belong to its protocol. */
export interface LineBytes {
	shown: (bytes: Uint8Array) => string;
	speaks: (byte: number) => boolean;
}

/**
 * Records the traffic of a line without changing it.
 * @param address from the settings
 * @param timestamp ISO 8601 with the site's offset
 */
export function recordLine(address: string, open: OpenPort, shape: LineBytes, clock: Clock, timestamp: (at: Date) => string): LineRecord {
	const now = (): Date => clock.wall();
	const written = (at: Date | null): string | null => at && timestamp(at);
	let openSince: Date | null = null;
	let heard: { at: Date; bytes: Uint8Array } | null = null;
	let heardBytes = 0;
	let sentAt: Date | null = null;
	let speaks = false;
	let lost: { at: Date; reason: string } | null = null;

	return {
		open(listener) {
			const port = open({
				opened() {
					openSince = now();
					heardBytes = 0;
					speaks = false;
					listener.opened();
				},
				data(bytes) {
					heardBytes += bytes.length;
					speaks ||= bytes.some(shape.speaks);
					heard = { at: now(), bytes: Uint8Array.from([...(heard?.bytes ?? []), ...bytes].slice(-KEPT_BYTES)) };
					listener.data(bytes);
				},
				closed(reason, flooded) {
					openSince = null;
					lost = { at: now(), reason };
					listener.closed(reason, flooded);
				},
			});
			return {
				write(bytes) {
					sentAt = now();
					port.write(bytes);
				},
				close: () => port.close(),
			};
		},
		facts: () => ({
			address,
			open_since: written(openSince),
			heard: heard && { at: timestamp(heard.at), bytes: shape.shown(heard.bytes) },
			heard_bytes: heardBytes,
			sent_at: written(sentAt),
			speaks,
			lost: lost && { at: timestamp(lost.at), reason: lost.reason },
		}),
	};
}
