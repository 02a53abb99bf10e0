/**
 * The ICT single-byte protocol, 9600 8E1. Its messages have no length, checksum or sequence number.
 */

/** Bytes of the host. */
export const HOST = { accept: 0x02, poll: 0x0c, reject: 0x0f, hold: 0x18, reset: 0x30, enable: 0x3e, inhibit: 0x5e } as const;

/** Bytes of the device. */
export const DEVICE = {
	powerUp: [0x80, 0x8f],
	escrow: 0x81,
	stacked: 0x10,
	returned: 0x11,
	invalidCommand: 0x2a,
	cleared: 0x2f,
	enabled: 0x3e,
	inhibited: 0x5e,
	/** ICT106 only. */
	busy: 0x71,
	/** ICT106 only. */
	notSynchronised: 0xa1,
	unrecognised: 0x29,
	billRemoved: 0x23,
	cashboxRemoved: 0x24,
	communicationFailure: 0x26,
	billFish: 0x27,
} as const;

/** Faults that last until they are cleared, named as on the control panel. */
export const LASTING_FAULTS = {
	motor: 0x20,
	checksum: 0x21,
	jam: 0x22,
	sensor: 0x25,
	communication: DEVICE.communicationFailure,
	fish: DEVICE.billFish,
	stacker: 0x28,
} as const;
export type LastingFault = keyof typeof LASTING_FAULTS;

/** The notes that this acceptor knows: rupiah by note code. */
export const RUPIAH_NOTES: Readonly<Record<number, number>> = {
	64: 1_000,
	65: 2_000,
	66: 5_000,
	67: 10_000,
	68: 20_000,
	69: 50_000,
	70: 100_000,
};

/** @returns the bytes in hex, e.g. "81 44" */
export const hex = (bytes: Iterable<number>): string =>
	Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');

/**
 * @returns whether the number of ones is even; such bytes are lost or replaced if one end is set to
 * 8N1
 */
export function hasEvenOnes(byte: number): boolean {
	let ones = 0;
	for (let rest = byte; rest > 0; rest >>= 1) ones += rest & 1;
	return ones % 2 === 0;
}
