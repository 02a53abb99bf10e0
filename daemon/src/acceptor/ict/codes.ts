/**
 * Bytes of the ICT RS-232 protocol (ICT002/004/104/106 families) at 9600 8E1. A message is one byte
 * or two bytes, without length, checksum or sequence number. Lost messages are not sent again. The
 * codes follow the vendor's table where several independent drivers agree with it.
 */
import type { AcceptorState } from '@kiosk/contract/live';

export const POWER_UP_FIRST = 0x80;
export const POWER_UP_SECOND = 0x8f;
export const ESCROW = 0x81;
export const STACKED = 0x10;
export const RETURNED = 0x11;

/**
 * The range of bytes that count as note types. Documented types are 0x40 to 0x44; types up to 0x49
 * occur in the field.
 */
export const FIRST_NOTE_TYPE = 0x40;
export const LAST_NOTE_TYPE = 0x4f;

/**
 * Host to acceptor. `synchronise` and `accept` are the same byte: if a note is in escrow, the byte
 * accepts the note.
 */
export const COMMANDS = {
	synchronise: 0x02,
	accept: 0x02,
	poll: 0x0c,
	reject: 0x0f,
	hold: 0x18,
	reset: 0x30,
	enable: 0x3e,
	inhibit: 0x5e,
} as const;
export type Command = keyof typeof COMMANDS;

/**
 * The fault codes and the states that they mean. A fault ends with 2F or with several answers of 3E
 * or 5E. A restart of the unit ends a fault, too, unless the cashbox is out.
 */
export const FAULTS: Readonly<Record<number, AcceptorState>> = {
	32: 'motor_failure',
	33: 'rom_checksum',
	34: 'bill_jam',
	35: 'bill_removed',
	36: 'cashbox_open',
	37: 'sensor_problem',
	38: 'communication_failure',
	39: 'bill_fish',
	// This code means a full or a jammed stacker: the protocol has no separate code for a full
	// cashbox.
	40: 'stacker_problem',
};

export const NOTE_REJECTED = 0x29;
export const INVALID_COMMAND = 0x2a;
export const FAULT_CLEARED = 0x2f;
export const ENABLED = 0x3e;
export const INHIBITED = 0x5e;
export const BUSY = 0x71;
/** Only from the ICT106: the unit is powered on and has not received SYNCHRONISE yet. */
export const NOT_SYNCHRONISED = 0xa1;
/**
 * Not a protocol byte: some serial drivers replace a byte that has a parity error with '?'. Such
 * errors indicate wrong line settings.
 */
export const PARITY_REPLACEMENT = 0x3f;
