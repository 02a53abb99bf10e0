import type { OpenPort } from './port.ts';
import type { LineName } from './traces.ts';

/**
 * Returns, for each byte of one direction of a line, the byte that may be recorded. Bytes come in
 * order; chunks may split frames anywhere.
 */
export type KeepByte = (byte: number) => number;

/** One chunk of bytes on a line, or the opening or loss of the line. */
export interface TappedChunk {
	line: LineName;
	from: 'kiosk' | 'device' | 'line';
	/** Bytes in hex without spaces; or `opened`, or `lost: ` and the reason. */
	what: string;
}

export type TapListener = (chunk: TappedChunk) => void;

/**
 * The listener of all lines; null while nothing is recorded. Each chunk then costs only one
 * comparison.
 */
export interface TapSwitch {
	listener: TapListener | null;
}

/**
 * Passes the traffic of a line to the switch's listener.
 * @param keep makes the function that replaces the bytes of one direction of one connection
 */
export function tapLine(line: LineName, open: OpenPort, keep: () => KeepByte, tap: TapSwitch): OpenPort {
	return (listener) => {
		let heardBy: TapListener | null = null;
		let [sent, heard] = [keep(), keep()];

		function tell(from: TappedChunk['from'], what: (tapped: TapListener) => string): void {
			const { listener: now } = tap;
			if (now === null) return;
			// Each recording needs new functions: it may begin inside a frame, so the position in a frame
			// that an earlier recording had reached is wrong.
			if (now !== heardBy) [sent, heard] = [keep(), keep()];
			heardBy = now;
			now({ line, from, what: what(now) });
		}

		const port = open({
			opened() {
				tell('line', () => 'opened');
				listener.opened();
			},
			data(bytes) {
				tell('device', () => hexOf(bytes, heard));
				listener.data(bytes);
			},
			closed(reason, flooded) {
				tell('line', () => `lost: ${reason}`);
				listener.closed(reason, flooded);
			},
		});
		return {
			write(bytes) {
				tell('kiosk', () => hexOf(bytes, sent));
				port.write(bytes);
			},
			close: () => port.close(),
		};
	};
}

const hexOf = (bytes: Uint8Array, keep: KeepByte): string => Buffer.from(Array.from(bytes, keep)).toString('hex');
