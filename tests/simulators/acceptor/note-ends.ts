/** Where a note ended. */
export type NoteEnd = 'returned' | 'stacked' | 'removed';

/** A note that has left the transport, and where it ended. */
export interface SettledNote {
	nominal: number;
	code: number | null;
	at: string;
	reason: string;
}

/** The device's own record of where every inserted note ended. */
export interface NoteEnds {
	/** Notes that were stacked in a cashbox, oldest first. */
	stacked: SettledNote[];
	/** Notes returned to the customer. */
	returned: SettledNote[];
	/** Notes that staff removed from the transport by hand. */
	removed: SettledNote[];
	/** How many of `stacked` were in cashboxes that have been removed. */
	collected: number;
}
