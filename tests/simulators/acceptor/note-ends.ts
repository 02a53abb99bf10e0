/** Final place of a note. */
export type NoteEnd = 'returned' | 'stacked' | 'removed';

/** A note that has left the transport. */
export interface SettledNote {
	nominal: number;
	code: number | null;
	at: string;
	reason: string;
}

/** The device's record of the final place of every inserted note. */
export interface NoteEnds {
	/** Notes that were stacked in a cashbox, oldest first. */
	stacked: SettledNote[];
	/** Notes returned to the customer. */
	returned: SettledNote[];
	/** Notes that staff removed from the transport by hand. */
	removed: SettledNote[];
	/** Number of notes in `stacked` whose cashbox has been removed. */
	collected: number;
}
