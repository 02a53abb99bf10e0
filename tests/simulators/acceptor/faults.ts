import { MISHAPS, type Mishap } from './behaviour.ts';
import { LASTING_FAULTS, type LastingFault } from './bytes.ts';
import type { NoteEnd } from './note-ends.ts';
import type { Acceptor } from './start.ts';

/** Parameters of `POST /acceptor/fault` in addition to `code`. */
export interface FaultDetails {
	/** For `clear`, `restart` and `power_off`: final place of a note that is in the device. */
	note?: NoteEnd;
	/** For `restart`: time without power. For `split`: pause between two bytes. In ms. */
	ms?: number;
	/** The bytes of `noise` in hex. */
	hex?: string;
}

/** Bytes without a meaning in this protocol, such as a bad ground connection produces. */
const NOISE = [0x00, 0xff, 0x3f, 0x7f, 0xfe];
const SPLIT_MS = 150;

const ACTIONS: Record<string, (acceptor: Acceptor, details: FaultDetails) => void> = {
	clear: ({ device }, { note }) => device.clear(note),
	cashbox_removed: ({ device }) => device.removeCashbox(),
	cashbox_back: ({ device }) => device.returnCashbox(),
	reject: ({ device }) => void device.insert('unreadable'),
	pull_note: ({ device }) => void device.pullNote(),
	restart: (acceptor, { note, ms }) =>
		acceptor.restart({ ...(note === undefined ? {} : { noteEnds: note }), ...(ms === undefined ? {} : { offMs: ms }) }),
	power_off: ({ device }, { note }) => device.switchOff(note),
	power_on: ({ device }) => device.switchOn(),
	silent: ({ line }) => setCable(line, { cut: true }),
	mute: ({ line }) => setCable(line, { mute: true }),
	speak: ({ line }) => setCable(line, {}),
	noise: ({ line }, { hex }) => line.send(hex === undefined ? NOISE : parseHex(hex), 'noise'),
	split: ({ line }, { ms }) => {
		line.faults.gapMs = ms ?? SPLIT_MS;
	},
	joined: ({ line }) => {
		line.faults.gapMs = 0;
	},
	parity_drops: ({ line }) => {
		line.faults.parity = 'drops';
	},
	parity_replaces: ({ line }) => {
		line.faults.parity = 'replaces';
	},
	parity_right: ({ line }) => {
		line.faults.parity = 'right';
	},
};

/** All codes of `applyFault`. */
export const FAULT_CODES: readonly string[] = [...Object.keys(LASTING_FAULTS), ...Object.keys(ACTIONS), ...MISHAPS];

/** Applies the fault `code`. @returns false for an unknown code */
export function applyFault(acceptor: Acceptor, code: string, details: FaultDetails = {}): boolean {
	if (Object.hasOwn(LASTING_FAULTS, code)) acceptor.device.break(code as LastingFault);
	else if ((MISHAPS as readonly string[]).includes(code)) acceptor.device.nextMishaps.add(code as Mishap);
	else if (Object.hasOwn(ACTIONS, code)) ACTIONS[code]?.(acceptor, details);
	else return false;
	return true;
}

function setCable(line: Acceptor['line'], faults: { cut?: boolean; mute?: boolean }): void {
	line.faults.cut = faults.cut ?? false;
	line.faults.mute = faults.mute ?? false;
}

/** Reads hex such as "10 81" or "1081" and ignores other characters. */
const parseHex = (text: string): number[] => (text.match(/[0-9a-f]{2}/gi) ?? []).map((pair) => Number.parseInt(pair, 16));
